"""Tools and choices of an interface, and what stands for them in the form of the contracts.

Holds ITF-004, ITF-005, ITF-017, ITF-018 and ITF-038 of spec/v1/interfaces.md.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from commoncall.interface.blocks import (
    function_of,
    is_of_text,
    list_in,
    others_in,
    own_of,
    type_of,
)
from commoncall.interface.table import INPUT, Form, JsonObject, flat_name, types_of
from commoncall.json_text import equal
from commoncall.places import Findings, Place

PARALLEL_CALLS = "parallel_tool_calls"
BESIDE_TOOLS = ("tools", "tool_choice", PARALLEL_CALLS)
DISABLE_PARALLEL = "disable_parallel_tool_use"
"""The member of a choice that says the contrary of `parallel_tool_calls`."""

_ALIKE = ("name", "description", "strict")


def functions_in(tools: Sequence[Any], form: Form) -> Iterator[tuple[Any, str | None]]:
    """Yield the tools that the caller runs, each with its namespace."""
    for tool in tools:
        for each in members_of(tool, form) or [tool]:
            if is_function(each, form):
                yield each, None if each is tool else tool["name"]


def functions_of(request: JsonObject, form: Form) -> Iterator[tuple[Any, str | None, Place]]:
    """Yield the functions of a request, each with its namespace, and its place or that of its
    namespace: those of its tools, and what items of the history bring that no function before is
    called.
    """
    names: set[str | None] = set()
    brought = (((form["messages"], at), item["tools"]) for at, item in tool_items(request, form))
    for home, tools in (((), list_in(request, "tools")), *brought):
        for at, listed in enumerate(tools):
            for tool, within in functions_in([listed], form):
                name = _text(flat_name(tool, within)) if isinstance(tool, dict) else None
                if not home or name is None or name not in names:
                    yield tool, within, (*home, "tools", at)
                names.add(name)


def tool_items(request: JsonObject, form: Form) -> Iterator[tuple[int, Any]]:
    """Yield the items of the history that bring tools, each with its position."""
    for at, item in enumerate(list_in(request, form["messages"])):
        if type_of(item) in form["tool_items"] and isinstance(item.get("tools"), list):
            yield at, item


def members_of(tool: Any, form: Form) -> list[Any] | None:
    """Return the tools in a namespace; None for what is none."""
    if form["namespace"] is None or type_of(tool) != form["namespace"]:
        return None
    members = tool.get("tools")
    return members if isinstance(members, list) and isinstance(tool.get("name"), str) else None


def owns_of(carried: JsonObject, blocks: Iterable[Any], form: Form) -> dict[object, JsonObject]:
    """Return what a call of each carried function has, by its flat name (definition "carried
    function").
    """
    owns: dict[object, JsonObject] = {}
    for tool, namespace, _ in functions_of(carried, form):
        if isinstance(tool, dict):
            _add_own(owns, flat_name(tool, namespace), own_of_tool(tool, namespace, form))
    for block in blocks:
        if type_of(block) in types_of(form, "call"):
            name = flat_name(block, block.get(str(form["namespace"])))
            _add_own(owns, name, own_of(block, form))
    return owns


def _add_own(owns: dict[object, JsonObject], name: object, own: JsonObject) -> None:
    if isinstance(name, str):
        owns.setdefault(name, own)


def own_of_tool(tool: JsonObject, namespace: str | None, form: Form) -> JsonObject:
    """Return what a call of a function has."""
    kinds = types_of(form, "call")
    own = {"type": kinds[1 if is_text_tool(tool, form) else 0], "name": tool.get("name")}
    return own if namespace is None else {**own, str(form["namespace"]): namespace}


def read_tools(request: JsonObject, form: Form) -> tuple[JsonObject, list[str]]:
    """Return members of the contracts, and the names of the members that they stand for.

    Where tools are the provider's alone, what stands beside them is carried, too: for the contracts
    it would be a choice without tools.
    """
    functions = [_read_tool(tool, form, within) for tool, within, _ in functions_of(request, form)]
    if not functions:
        return {}, [*BESIDE_TOOLS] if list_in(request, "tools") else []
    choice = read_choice(request.get("tool_choice"), [*map(_name, functions)], form)
    return {"tools": functions, **choice}, ["tools", "tool_choice"]


def read_choice(choice: Any, names: Sequence[object], form: Form) -> JsonObject:
    """Return a choice of one of the functions, or of all; nothing for any other choice."""
    read: JsonObject = {}
    off = choice.get(DISABLE_PARALLEL) if isinstance(choice, dict) else None
    if isinstance(off, bool):
        read[PARALLEL_CALLS] = not off
        choice = {name: value for name, value in choice.items() if name != DISABLE_PARALLEL}
    for kind, native in form["choices"].items():
        if equal(choice, native):
            return {**read, "tool_choice": kind}
    text_tool = form["text_tool"]
    kinds = (form["named"], None if text_tool is None else text_tool["tool"])
    match choice:
        case {"type": str(kind), "name": str()} if kind in kinds:
            name = flat_name(choice, choice.get(str(form["namespace"])))
            if name in names:
                named = {"type": "function", "function": {"name": name}}
                return {**read, "tool_choice": named}
    return {}


def written_tools(
    request: JsonObject,
    carried: JsonObject,
    form: Form,
    owns: dict[object, JsonObject],
    found: Findings,
) -> tuple[JsonObject, dict[int, JsonObject]]:
    """Return the tools of a request and what stands beside them, as the interface has them, and by
    their positions the carried items that bring tools; new names of functions go into ``owns``.
    """
    old, new = list_in(carried, "tools"), list_in(request, "tools")
    functions = [_read_tool(tool, form, within) for tool, within, _ in functions_of(carried, form)]
    if not old and not new and not functions:
        return {name: request[name] for name in BESIDE_TOOLS if name in request}, {}
    names = [*map(_name, functions)]
    keeper = _Keeper(form, found, owns, [*new], {*map(_text, names)} - {None})
    tools = keeper.kept_all(old, ("carried", "tools"))
    items: dict[int, JsonObject] = {}
    keeper.is_brought = True
    for at, item in tool_items(carried, form):
        place: Place = ("carried", form["messages"], at, "tools")
        items[at] = {**item, "tools": keeper.kept_all(item["tools"], place)}
    tools += [_new_tool(tool, form) for tool in keeper.left]
    written: JsonObject = {"tools": tools} if tools else {}
    if not old and not tools and "tools" in carried:
        written = {"tools": carried["tools"]}
    carried_choice, choice = carried.get("tool_choice"), None
    has_tools = bool(tools) or any(item["tools"] for item in items.values())
    _report_unwritten(request, form, found, has_tools=has_tools)
    if has_tools:
        # Without items the choice says what a request with functions has of it.
        given = {**carried, **request} if form["has_items"] else carried
        if PARALLEL_CALLS in given:
            written[PARALLEL_CALLS] = given[PARALLEL_CALLS]
        choice_read = read_choice(carried_choice, names, form) if functions else {}
        # By now `owns` has the new names, which `keeper` put there.
        choice = _written_choice(request, carried_choice, choice_read, owns, form)
        if choice is None and not choice_read and not keeper.gone:
            choice = carried_choice
        choice = _bare(choice)
    if not equal(choice, carried_choice):
        # Nothing of it is gone where what it is read as, written anew, equals it (ITF-019).
        said = read_choice(carried_choice, names, form)
        if not equal(_bare(_written_choice(said, None, {}, owns, form)), carried_choice):
            found.add(("carried", "tool_choice"), "carried_removed")
    return written if choice is None else {**written, "tool_choice": choice}, items


@dataclass(slots=True)
class _Keeper:
    """Keeps carried tools that are still there.

    Attributes:
        left: the tools of the request that are not yet one that was carried.
        names: those of the carried functions.
        is_brought: whether tools are those of an item of the history: what one before is called is
            the same function.
        became: of the carried functions, by name, what each was, and the tool that it is now.
        gone: whether a carried function is gone.
    """

    form: Form
    found: Findings
    owns: dict[object, JsonObject]
    left: list[Any]
    names: Set[str | None]
    is_brought: bool = False
    became: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    gone: bool = False

    def kept_all(self, tools: Sequence[Any], place: Place, within: str | None = None) -> list[Any]:
        """Return tools as they are now, without those that are gone."""
        kept = (self._kept(tool, (*place, at), within) for at, tool in enumerate(tools))
        return [one for ones in kept for one in ones]

    def _kept(self, tool: Any, place: Place, within: str | None) -> list[Any]:
        """Return the tool as it is now, and nothing where it is gone."""
        form = self.form
        members = None if within is not None else members_of(tool, form)
        if members:
            left = self.kept_all(members, (*place, "tools"), tool["name"])
            return [{**tool, "tools": left}] if left else []
        if not is_function(tool, form):
            return [tool]
        if not isinstance(tool, dict):
            equals = [at for at, each in enumerate(self.left) if equal(each, tool)]
            self.gone |= not equals
            return [self.left.pop(at) for at in equals[:1]]
        read = _read_tool(tool, form, within)
        first, mate = self._mate(read)
        if mate is not None:
            _add_own(self.owns, _name(mate), own_of_tool(tool, within, form))
            return [tool if equal(first, mate) else _changed(tool, mate, form, within)]
        self.gone = True
        if not equal(_write_tool(read, form), tool):
            self.found.add(place, "carried_removed")
        return []

    def _mate(self, read: JsonObject) -> tuple[Any, Any]:
        """Return what the first carried tool of a name was, and the tool that it has become: the
        one of its name, or one that differs in the name alone.
        """
        name = _text(_name(read))
        if self.is_brought and name in self.became:
            return self.became[name]
        known = [each for each in self.left if isinstance(each, dict)]
        same = (each for each in known if _name(each) == _name(read))
        strangers = (each for each in known if _text(_name(each)) not in self.names)
        renamed = (each for each in strangers if equal(_nameless(each), _nameless(read)))
        mate = next(same, None) or next(renamed, None)
        if mate is not None:
            self.left.remove(mate)
        if name is not None:
            self.became.setdefault(name, (read, mate))
        return read, mate


def _report_unwritten(request: JsonObject, form: Form, found: Findings, *, has_tools: bool) -> None:
    """Report what the request says of tools and has no place (ITF-019)."""
    tools, choice, parallel = (request.get(name) for name in BESIDE_TOOLS)
    if tools is not None and not isinstance(tools, list):
        found.add(("request", "tools"), "not_written")
    for at, tool in enumerate(list_in(request, "tools")):
        if _write_tool(tool, form) is tool:
            continue  # it has no function, and goes as it is
        unsaid = [*others_in(tool, ("type", "function"))]
        unsaid += others_in(tool["function"], (*_ALIKE, "parameters"), ("function",))
        for place in unsaid:
            found.add(("request", "tools", at, *place), "not_written")
    match choice:
        case {"function": {"name": _}}:
            is_known = True
        case _:
            is_known = isinstance(choice, str) and choice in form["choices"]
    if not (choice is None or choice == "auto" or (has_tools and is_known)):
        found.add(("request", "tool_choice"), "not_written")
    is_known = form["has_items"] or (parallel is False and choice != "none")
    if not (parallel is None or parallel is True or (has_tools and is_known)):
        found.add(("request", PARALLEL_CALLS), "not_written")


def is_function(tool: object, form: Form) -> bool:
    """Tell whether a tool is one that the caller runs; others the provider runs itself."""
    return type_of(tool) in form["function_types"] or not isinstance(tool, dict)


def is_text_tool(tool: object, form: Form) -> bool:
    """Tell whether a tool takes a text, and no object."""
    text = form["text_tool"]
    return text is not None and type_of(tool) == text["tool"]


def _read_tool(tool: Any, form: Form, within: str | None = None) -> Any:
    if not isinstance(tool, dict):
        return tool
    function = {name: tool[name] for name in _ALIKE if name in tool}
    if "name" in tool:
        function["name"] = flat_name(tool, within)
    if is_text_tool(tool, form):
        taken: JsonObject = {"type": "string"}
        match tool.get("format"):
            case {"definition": str(grammar)}:
                taken["description"] = grammar
        schema = {"type": "object", "properties": {INPUT: taken}, "required": [INPUT]}
        return {"type": "function", "function": {**function, "parameters": schema}}
    if form["parameters"] in tool:
        function["parameters"] = tool[form["parameters"]]
    return {"type": "function", "function": function}


def _changed(tool: JsonObject, mate: Any, form: Form, within: str | None) -> JsonObject:
    """Return a carried tool with the members of the one that it has become, and without those that
    this lacks; in a namespace its name is its own.
    """
    written = _write_tool(mate, form)
    names = [*_ALIKE]
    if is_text_tool(tool, form):
        written = {name: written[name] for name in names if name in written}
    else:
        names.append(form["parameters"])
    kept = {name: value for name, value in tool.items() if name in written or name not in names}
    own = {"name": tool["name"]} if within is not None and "name" in tool else {}
    return {**kept, **written, **own}


def _new_tool(tool: Any, form: Form) -> Any:
    """Return a tool that was not carried; Responses takes a `strict` that is absent for true."""
    written = _write_tool(tool, form)
    is_silent = written is not tool and written.get("strict") is None
    return {**written, "strict": False} if is_silent and form["has_items"] else written


def _write_tool(tool: Any, form: Form) -> Any:
    function = tool.get("function") if isinstance(tool, dict) else None
    if not isinstance(function, dict):
        return tool
    written = {name: function[name] for name in _ALIKE if name in function}
    if "parameters" in function:
        written[form["parameters"]] = function["parameters"]
    kind = form["function_types"][0]
    return written if kind is None else {"type": kind, **written}


def _text(name: object) -> str | None:
    return name if isinstance(name, str) else None


def _name(tool: Any) -> object:
    return function_of(tool).get("name")


def _nameless(tool: Any) -> JsonObject:
    return {name: value for name, value in function_of(tool).items() if name != "name"}


def _written_choice(
    request: JsonObject,
    carried_choice: Any,
    read: JsonObject,
    owns: Mapping[object, JsonObject],
    form: Form,
) -> Any:
    """Return the choice that the request has: the carried one where that was read as the same."""
    names = ("tool_choice",) if form["has_items"] else ("tool_choice", PARALLEL_CALLS)
    said = {name: request[name] for name in names if name in request}
    if said and equal(said, read):
        return carried_choice
    parallel = said.get(PARALLEL_CALLS)
    match said.get("tool_choice"):
        case {"function": {"name": name}}:
            own = owns.get(name if isinstance(name, str) else None, {"name": name})
            text = form["text_tool"] if is_of_text(own, form) else None
            native: Any = {**own, "type": form["named"] if text is None else text["tool"]}
        case str(kind) if kind in form["choices"]:
            native = form["choices"][kind]
        case _:
            native = form["choices"]["auto"] if parallel is False else None
    return {**native, DISABLE_PARALLEL: True} if parallel is False else native


def _bare(choice: Any) -> Any:
    """Return a choice as the endpoint takes it: where there are no calls, none come one by one."""
    if type_of(choice) != "none":
        return choice
    return {name: value for name, value in choice.items() if name != DISABLE_PARALLEL}
