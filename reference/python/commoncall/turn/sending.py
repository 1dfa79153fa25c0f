"""What Python programs hold on the way out of a turn: what is the same for nearly everybody need
not be said, and what `receive`, `Stream` and `settle` need stands in what `prepare` returns.
"""

import warnings
from collections.abc import Sequence
from typing import Any, Final, NotRequired, TypedDict

from commoncall import border
from commoncall.capability import read_sections
from commoncall.capability.prompt import Section
from commoncall.capability.registry import Registry, load_registry, read_registries
from commoncall.capability.registry_document import fold
from commoncall.dialect_data import format_for, format_ids
from commoncall.extraction.formats import load_format
from commoncall.interface import Interface
from commoncall.names import FormatName
from commoncall.near import near_names
from commoncall.payload.foreign_form import read_request
from commoncall.payload.history import Disposition
from commoncall.payload.profile import GivenProfile, profile_for
from commoncall.turn.native import Native, read_in, written_in
from commoncall.turn.prepare import Prepared, declared_names, listed
from commoncall.turn.prepare import prepare as prepare_json

AUTO: Final = "auto"
"""A format by the name of the model that the request names."""

_SAID: Final = {"provider": "caller", "model": "caller"}
"""The target of a capability that the caller states, in a registry of its own."""


class UnknownModelWarning(UserWarning):
    """A registry does not know a model, or does not load: no tool is sent for that reason alone."""


class Reading(TypedDict):
    """What the way back takes from the way out, unless it is told otherwise; ``native`` where the
    turn has the form of another interface.
    """

    disposition: Disposition
    format: FormatName | str | None
    profile: GivenProfile | None
    tools: list[object]
    native: NotRequired[Native]


class Sent(Prepared):
    """What `prepare` returns: the result of the operation, and what the way back needs."""

    reading: Reading


@border.public(
    registries=read_registries,
    targets=border.formed(list, "list"),
    registered=border.names,
    layers=border.formed(list, "list"),
    sections=read_sections,
)
def prepare(
    request: object,
    *,
    capability: bool | None = None,
    registries: Sequence[Registry | None] = (),
    targets: Sequence[object] = (),
    registered: Sequence[str] | None = None,
    layers: Sequence[object] = (),
    text_protocol: bool = False,
    disposition: Disposition = "answer",
    format: FormatName | str | None = AUTO,
    profile: GivenProfile | None = None,
    strict_parsing: bool = False,
    sections: Sequence[Section] = (),
    open_turn: bool = False,
    keep_names: bool = False,
    interface: Interface | None = None,
) -> Sent:
    """Make a request ready to leave, with the tools that this model may have in this turn.

    Where a forced call switches thinking off, `thinking_disabled` among the findings says where. At
    `/request/thinking` it is a member that the SDK of OpenAI takes in `extra_body` alone.

    Args:
        request: a request of Chat Completions with all tools and messages, or of ``interface``.
        capability: whether the model takes tools, in the place of ``registries`` and ``targets``.
        registries: what `load_registry` returned for each document, the first before the others.
        targets: ``{provider, model}`` of each model that the request can reach.
        registered: the names of the tools that the runtime has; None: those of the request.
        layers: the policies; see `effective_tools`.
        text_protocol: whether the runtime can describe tools in the prompt and find calls in text.
        disposition: what becomes of an invalid call: ``answer`` tells the model.
        format: what the model writes when a call ends up in its text; ``auto``: by ``model`` of the
            request. None: the default dialects.
        profile: what the endpoint takes: a name or flags. Under a name, what only one model reads
            is that of the ``model`` of the request.
        strict_parsing: see `plan_turn`.
        sections: the prompt; see `filter_prompt`.
        open_turn: see `sanitize_history`.
        keep_names: a history that becomes quoted text names every tool that it called.
        interface: the form that the request has, and that what comes back, is streamed and stored
            will have. Its endpoint is the profile where none is given: one of Chat Completions
            would take thoughts out, and split calls from each other.

    Raises:
        ForeignFormError: the request has the form of another interface (TRN-014).
        RequestRefusedError: no request follows from this one (TRN-005), or it had messages and none
            of them can be sent (TRN-015).
        OriginMissingError: the profile names what is opaque, and no origin (TRN-034).
        TypeError: an argument is nothing that JSON has, or of another form (`border`), or nothing
            says whether the model takes tools.
        ValueError: the profile is no profile, or of another form than the interface, or the
            disposition none.
    """
    if capability is None and not targets:
        raise TypeError("say capability=True or False, or give registries and targets")
    if capability is not None:
        if registries or targets:
            raise TypeError("capability stands in the place of registries and targets: give one")
        registries, targets = [_stating(capability)], [_SAID]
    came = None if interface is None else read_in(interface, request)
    given = read_request(request, "request") if came is None else came["request"]
    if not isinstance(given, dict):
        raise TypeError(f"request is {border.what(request)}, and no object")
    model = given.get("model")
    profile = interface if profile is None else profile
    if isinstance(profile, str):
        flags = profile_for(profile, model)
        if interface not in (None, profile):
            raise ValueError(
                f"profile is {profile!r}, of another form than {interface}: leave it out"
            )
        profile = flags
    prepared = prepare_json(
        given,
        registries=registries,
        targets=targets,
        registered=declared_names(given) if registered is None else registered,
        layers=layers,
        text_protocol=text_protocol,
        disposition=disposition,
        strict_parsing=strict_parsing,
        sections=sections,
        open_turn=open_turn,
        keep_names=keep_names,
        profile=profile,
    )
    native: Native | None = None
    if interface is not None and came is not None:
        prepared, native = written_in(interface, came, prepared)
    _warn_of_unknown(prepared, registries, targets)
    if format == AUTO:
        format = _format_of(model) if isinstance(model, str) else None
    elif format is not None:
        load_format(format)  # a name that is unknown is said before the request leaves
    reading: Reading = {
        "disposition": disposition,
        "format": format,
        "profile": profile,
        "tools": listed(given, "tools") or [],
    }
    if native is not None:
        reading["native"] = native
    return {**prepared, "reading": reading}


def _warn_of_unknown(
    prepared: Prepared, registries: Sequence[Registry | None], targets: Sequence[Any]
) -> None:
    """Say which model no registry knows, with the names that come near, or that one does not load.

    It is said of each target: the filters of Python show one text once.
    """
    if prepared["reason"] == "registry_invalid":
        what = "a registry does not load, so no tool is sent: commoncall registry check says why"
        warnings.warn(what, UnknownModelWarning, stacklevel=4)
    if prepared["reason"] not in ("unknown_model", "unknown_provider"):
        return
    for target, match in zip(targets, prepared["matched"], strict=True):
        if match is None and isinstance(target, dict):
            provider, model = target.get("provider"), target.get("model")
            near = near_names(str(model), _models_of(registries, provider))
            more = f"; near it: {', '.join(near)}" if near else ""
            what = f"no registry knows the model {model!r} of {provider!r}, so it gets no tools"
            warnings.warn(what + more, UnknownModelWarning, stacklevel=4)


def _models_of(registries: Sequence[Registry | None], provider: object) -> list[str]:
    """Return the names that the registries have for a provider, or for all where none has it."""
    sections = [each for one in registries if one is not None for each in one.providers.items()]
    of_it = [section for name, section in sections if name == fold(str(provider))]
    found = of_it or [section for _, section in sections]
    return sorted({name for section in found for name in section.exact})


def _format_of(model: str) -> str | None:
    """Return the format of a model by the id of its repository, or of a model called like one."""
    return model if model in format_ids() else format_for(model)


def _stating(supported: bool) -> Registry | None:
    """Return a registry that says of one model whether it takes tools."""
    models = {_SAID["model"]: {"tool_calls_supported": supported}}
    return load_registry(
        {
            "registry_version": "1.0",
            "revision": "1970-01-01",
            "providers": {_SAID["provider"]: {"models": models}},
        }
    )
