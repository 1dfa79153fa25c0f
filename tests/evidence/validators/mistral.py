"""The validators of mistral-common, in the mode in which a server uses them.

Two of its versions: v11 asks for ids of nine letters and digits, as the provider's interface still
does, v13 takes any id. Both skip the first message when they pair calls and results, so a request
has to begin with another message, and neither looks for an id that comes again in a later message.
"""

from typing import Any

from mistral_common.exceptions import MistralCommonException
from mistral_common.protocol.instruct.request import ChatCompletionRequest
from mistral_common.protocol.instruct.validator import ValidationMode, get_validator
from mistral_common.tokens.tokenizers.base import TokenizerVersion

_REFUSALS = (
    MistralCommonException,
    ValueError,
    TypeError,
    KeyError,
    AssertionError,
    AttributeError,
)
"""What its reader of requests raises for what it does not take; it checks less than it asserts."""


def refusal_v11(request: dict[str, Any]) -> str | None:
    """Return what the validator of v11 says against a request, or None."""
    return _refusal(request, TokenizerVersion.v11)


def refusal_v13(request: dict[str, Any]) -> str | None:
    """Return what the validator of v13 says against a request, or None."""
    return _refusal(request, TokenizerVersion.v13)


def _refusal(request: dict[str, Any], version: TokenizerVersion) -> str | None:
    validator: Any = get_validator(version, ValidationMode.serving)
    try:
        validator.validate_request(ChatCompletionRequest.from_openai(**request))
    except _REFUSALS as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0]}"
    return None
