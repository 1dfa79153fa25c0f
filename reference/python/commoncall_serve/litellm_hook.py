"""A callback of LiteLLM's proxy: prepares requests, and reads replies, whole and in streams.

A message is not asked for again here: the proxy has sent the request, and a hook cannot.
"""

import secrets
from collections.abc import AsyncIterator
from typing import Any, Final

from fastapi import HTTPException
from litellm.integrations.custom_logger import CustomLogger
from litellm.types.utils import Message, ModelResponse, ModelResponseStream

from commoncall.payload import ForeignFormError, RequestRefusedError
from commoncall_serve.chunks import Chunks
from commoncall_serve.exchange import Exchange, Json, Options, choice_of, whole

ASKS: Final = ("completion", "acompletion")
READ: Final = {
    "model",
    "messages",
    "tools",
    "tool_choice",
    "parallel_tool_calls",
    "functions",
    "function_call",
    "reasoning_effort",
    "thinking",
    "chat_template_kwargs",
}
"""What is looked at; beside it stands what the proxy keeps for itself, which is no JSON."""

MARK: Final = "commoncall"
"""The member of a request's metadata that says which exchange it is."""

KEPT: Final = 10_000
"""So many requests can be on their way; the oldest of more is one that never ended."""


class Guard(CustomLogger):  # type: ignore[misc, unused-ignore]
    """Stands between the clients of a proxy and its models."""

    def __init__(self, options: Options | None = None) -> None:
        super().__init__()
        self._options = (options or Options())._replace(retries=0)
        self._open: dict[str, Exchange] = {}

    async def async_pre_call_hook(
        self, user_api_key_dict: Any, cache: Any, data: Json, call_type: str
    ) -> Json:
        """Return a request as it may leave."""
        if call_type not in ASKS:
            return data
        given = {name: one for name, one in data.items() if name in READ}
        exchange = Exchange(given, self._options)
        try:
            request = exchange.request()
        except (ForeignFormError, RequestRefusedError) as error:
            raise HTTPException(400, str(error)) from None
        mark = secrets.token_hex(16)
        self._open[mark] = exchange
        if len(self._open) > KEPT:
            del self._open[next(iter(self._open))]
        rest = {name: one for name, one in data.items() if name not in READ}
        return {**rest, **request, "metadata": {**(data.get("metadata") or {}), MARK: mark}}

    async def async_post_call_success_hook(
        self, data: Json, user_api_key_dict: Any, response: Any
    ) -> Any:
        """Return a whole reply as its client can use it."""
        exchange = self._taken(data)
        if exchange is None or not isinstance(response, ModelResponse):
            return response
        reply = response.model_dump()
        if (choice := choice_of(reply)) is None:
            return response
        exchange.read(choice)
        [shown] = whole(exchange, reply)["choices"]
        changed = {"message": Message(**shown["message"]), "finish_reason": shown["finish_reason"]}
        return response.model_copy(
            update={"choices": [response.choices[0].model_copy(update=changed)]}
        )

    async def async_post_call_streaming_iterator_hook(
        self, user_api_key_dict: Any, response: Any, request_data: Json
    ) -> AsyncIterator[Any]:
        """Yield a stream as its client can use it: text at once, calls at the end."""
        exchange = self._taken(request_data)
        if exchange is None:
            async for item in response:
                yield item
            return
        chunks, behind = Chunks(exchange), []
        async for item in response:
            chunk = item.model_dump(exclude_none=True)
            if chunk.get("choices"):
                yield ModelResponseStream(**chunks.feed(chunk))
            else:
                behind.append(item)
        for chunk in [*chunks.finish(), chunks.last()]:
            yield ModelResponseStream(**chunk)
        for item in behind:
            yield item

    async def async_post_call_failure_hook(
        self, request_data: Json, original_exception: Exception, *_: Any, **__: Any
    ) -> None:
        """Forget a request that failed."""
        self._taken(request_data)

    def _taken(self, data: Json) -> Exchange | None:
        return self._open.pop(str((data.get("metadata") or {}).get(MARK)), None)


guard: Final = Guard()
