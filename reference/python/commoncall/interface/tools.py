"""Tools and choices of an interface, and what stands for them in the form of the contracts.

Holds ITF-003, ITF-005, ITF-016 and ITF-017 of spec/v1/interfaces.md.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from commoncall.interface.blocks import is_of_text, own_of, type_of
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
    for tool, namespace in functions_in(_listed(carried), form):
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
    tools = request.get("tools")
    if not isinstance(tools, list) or not tools:
        return {}, []
    functions = [_read_tool(tool, form, within) for tool, within in functions_in(tools, form)]
    if not functions:
        return {}, [*BESIDE_TOOLS]
    names = [tool["function"].get("name") for tool in functions if isinstance(tool, dict)]
    choice = read_choice(request.get("tool_choice"), names, form)
    return {"tools": functions, **choice}, ["tools", "tool_choice"]


def read_choice(choice: Any, names: Sequence[object], form: Form) -> JsonObject:
    """Return a choice of one of the functions, or of all; nothing for any other choice."""
    read: JsonObject = {}
    if not form["has_items"] and isinstance(choice, dict):
        if isinstance(off := choice.get(DISABLE_PARALLEL), bool):
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
) -> JsonObject:
    """Return the tools of a request and what stands beside them, as the interface has them; the new
    names of carried functions go into ``owns``.
    """
    old, new = _listed(carried), _listed(request)
    if not old and not new:
        return {name: request[name] for name in BESIDE_TOOLS if name in request}
    keeper = _Keeper(form, found, owns, [*new])
    tools = [one for at, tool in enumerate(old) for one in keeper.kept(tool, at)]
    tools += [_write_tool(tool, form) for tool in keeper.left]
    if not tools:
        return {}
    written: JsonObject = {"tools": tools}
    given = {**carried, **request}
    if form["has_items"] and PARALLEL_CALLS in given:
        written[PARALLEL_CALLS] = given[PARALLEL_CALLS]
    carried_choice, choice_read = carried.get("tool_choice"), _choice_read(carried, form)
    choice = _written_choice(request, carried_choice, choice_read, owns, form)
    if choice is None and carried_choice is not None and not choice_read:
        if keeper.gone:
            found.add(("carried", "tool_choice"), "carried_removed")
        else:
            choice = carried_choice
    return written if choice is None else {**written, "tool_choice": choice}


@dataclass(slots=True)
class _Keeper:
    """Keeps carried tools that are still there.

    Attributes:
        left: the tools of the request that are not yet one that was carried.
        gone: whether a carried function is gone.
    """

    form: Form
    found: Findings
    owns: dict[object, JsonObject]
    left: list[Any]
    gone: bool = False

    def kept(self, tool: Any, *at: int, within: str | None = None) -> list[Any]:
        """Return the tool as it is now, and nothing where it is gone."""
        form = self.form
        members = None if within is not None else members_of(tool, form)
        if members:
            name = tool["name"]
            left = [
                one
                for inner, member in enumerate(members)
                for one in self.kept(member, *at, inner, within=name)
            ]
            return [{**tool, "tools": left}] if left else []
        if not is_function(tool, form):
            return [tool]
        read = _read_tool(tool, form, within)
        mate = _mate(read, self.left)
        if mate is not None:
            self.left.remove(mate)
            _add_own(self.owns, _name(mate), own_of_tool(tool, within, form))
            return [tool if equal(read, mate) else _changed(tool, mate, form, within)]
        self.gone = True
        if within or is_text_tool(tool, form) or not equal(_write_tool(read, form), tool):
            place: Place = ("carried", "tools", at[0])
            self.found.add(place if within is None else (*place, "tools", at[1]), "carried_removed")
        return []


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
    if within is not None and "name" in tool:
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
    """Return a carried tool with the members of the one that it has become; in a namespace its name
    is its own.
    """
    written = _write_tool(mate, form)
    if is_text_tool(tool, form):
        written = {name: written[name] for name in _ALIKE if name in written}
    own = {"name": tool["name"]} if within is not None and "name" in tool else {}
    return {**tool, **written, **own}


def _write_tool(tool: Any, form: Form) -> Any:
    function = tool.get("function") if isinstance(tool, dict) else None
    if not isinstance(function, dict):
        return tool
    written = {name: function[name] for name in _ALIKE if name in function}
    if "parameters" in function:
        written[form["parameters"]] = function["parameters"]
    kind = form["function_types"][0]
    return written if kind is None else {"type": kind, **written}


def _mate(read: Any, tools: Sequence[Any]) -> Any:
    """Return the tool that one has become: the one of its name, or one that differs in that."""
    if not isinstance(read, dict):
        return None
    known = [each for each in tools if isinstance(each, dict)]
    same = (each for each in known if _name(each) == _name(read))
    renamed = (each for each in known if equal(_nameless(each), _nameless(read)))
    return next(same, None) or next(renamed, None)


def _name(tool: Any) -> object:
    return _function(tool).get("name")


def _nameless(tool: Any) -> JsonObject:
    return {name: value for name, value in _function(tool).items() if name != "name"}


def _function(tool: Any) -> JsonObject:
    function = tool.get("function")
    return function if isinstance(function, dict) else {}


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
    parallel = None if form["has_items"] else said.get(PARALLEL_CALLS)
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


def _choice_read(carried: JsonObject, form: Form) -> JsonObject:
    """Return what `read_tools` made of the carried choice."""
    members, _ = read_tools(carried, form)
    return {name: value for name, value in members.items() if name != "tools"}


def _listed(request: JsonObject) -> list[Any]:
    tools = request.get("tools")
    return tools if isinstance(tools, list) else []
