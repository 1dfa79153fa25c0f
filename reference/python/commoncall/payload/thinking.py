"""Whether a model thinks before it answers a request, as far as the request says so.

Holds the definition "thinking" of spec/v1/payload.md.
"""

from collections.abc import Iterator, Mapping


def thinks(request: Mapping[str, object], unasked: bool) -> bool:
    """Tell whether a request asks for thinking; ``unasked``: what holds where it says nothing."""
    said = [*_said(request)]
    return any(said) if said else unasked


def _said(members: Mapping[str, object]) -> Iterator[bool]:
    for name in ("thinking", "enable_thinking", "reasoning_effort"):
        match members.get(name):
            case bool(value):
                yield value
            case {"type": str(kind)}:
                yield kind != "disabled"
            case str(effort) if name == "reasoning_effort":
                yield effort != "none"
    for name in ("extra_body", "chat_template_kwargs"):
        inner = members.get(name)
        if isinstance(inner, dict):
            yield from _said(inner)
