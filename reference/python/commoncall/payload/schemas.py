"""The parameters of a tool: which of them are sent, and in which form.

Definitions "safe parameters" and "refused schema", PAY-047, PAY-191 and PAY-201 of
spec/v1/payload.md. The root is always judged; what stands below it only where a profile says what
its endpoint refuses there.
"""

import itertools
import re
from collections.abc import Collection, Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeGuard, cast

from commoncall.forms import fits, is_whole
from commoncall.json_text import known_by
from commoncall.payload.messages import without
from commoncall.payload.profile import Profile
from commoncall.payload.spread import COMBINED, led, spread, target_of
from commoncall.places import Findings, Place, found_at, read_pointer, referred

_JUDGED: Final = COMBINED | {"type", "properties", "required"}

_ANNOTATIONS: Final = frozenset(
    (
        *("$schema", "$id", "$comment", "$anchor", "title", "description", "default", "examples"),
        *("example", "deprecated", "readOnly", "writeOnly", "format"),
        *("contentEncoding", "contentMediaType", "contentSchema", "enumDescriptions"),
    )
)
"""The keywords that allow and forbid nothing; so does every name that begins with ``x-``."""

FORMS: Final = (
    "all_of_endless",
    "malformed",
    "property_names",
    "ref_siblings",
    "ref_undefined",
    "type_beside_any_of",
    "type_list",
    "untyped",
)
"""The rows of the definition "refused schema"; a flag also names keywords and rows of PAY-191."""

_MAPS: Final = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_LISTS: Final = ("anyOf", "oneOf", "allOf", "prefixItems")
_ONES: Final = (
    "items",
    "additionalProperties",
    "not",
    "if",
    "then",
    "else",
    "contains",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
)
"""Where the schemas below a schema stand: in an object, in a list, alone."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of a tool as they are sent, or why they cannot be sent.

    Places of ``changes`` and ``faults`` begin at the parameters. Of parameters with a fault nothing
    is sent. ``is_open``: strict mode refuses them (PAY-047). ``grammar``: how many members are not
    required, and how many schemas have a choice of types (definition "strict grammar").
    """

    sent: dict[str, Any] = field(default_factory=dict)
    changes: Findings = field(default_factory=Findings)
    faults: Findings = field(default_factory=Findings)
    is_open: bool = False
    grammar: tuple[int, int] = (0, 0)


def judged(given: object, profile: Profile) -> Parameters:
    """Return what can be sent of the `parameters` of a function."""
    parameters = Parameters({"type": "object", "properties": {}})
    refuses_open = not profile.refused_in_schemas.isdisjoint(("strict_open", "strict_grammar"))
    if given is None or given == []:
        # Some languages write an empty map as `[]`. All providers take this form (PAY-047).
        parameters.changes.add((), "parameters_added")
        return replace(parameters, is_open=refuses_open)
    root = _root(given, profile, parameters.changes)
    if root is None:
        parameters.faults.add((), "schema_unsafe")
        return parameters
    if profile.refused_in_schemas:
        for _ in range(_TURNS + 1):
            # What a reference leads to can change behind it, and what is refused then.
            before = root
            parameters.faults.found.clear()
            walk = _Walk(root, profile.refused_in_schemas, parameters.changes, parameters.faults)
            root = walk.schema(root, (), is_root=True)
            if root == before:
                break
        else:
            parameters.faults.found.clear()
            walk.fault("ref_siblings", ())
        if walk.renames:
            parameters.changes.add(("definitions",), "schema_respelled")
            root = _renamed({**without(root, "definitions"), "$defs": root["definitions"]})
        is_open = "strict_open" in profile.refused_in_schemas and walk.is_open
        is_open |= "strict_grammar" in profile.refused_in_schemas and walk.is_loose
        grammar = (walk.optional, walk.unions)
        return Parameters(root, parameters.changes, parameters.faults, is_open, grammar)
    return Parameters(root, parameters.changes)


def _root(given: object, profile: Profile, changes: Findings) -> dict[str, Any] | None:
    """Return parameters with a root that can be sent; None where there is none (PAY-032)."""
    if not isinstance(given, dict):
        return None
    # A root has the type of an object, so no `anyOf` where none may stand beside a type.
    no_any_of = {"anyOf"} if "type_beside_any_of" in profile.refused_in_schemas else set()
    gone = COMBINED if profile.root_keywords == "none" else no_any_of
    resolved = led(given, gone)
    is_led = resolved is not given
    if resolved.get("required") == {}:
        resolved = {**resolved, "required": None}
    elif (names := _each_once("required", resolved.get("required"))) is not None:
        is_led, resolved = True, {**resolved, "required": names}
    kind, properties, required = map(resolved.get, ("type", "properties", "required"))
    if _named(kind) not in (None, "object"):
        return None
    if not isinstance(properties, dict) and properties is not None and properties != []:
        return None
    if required is not None and not _are_distinct(required):
        return None
    given = spread(resolved, gone, given)
    properties = given.get("properties")
    removed = {name for name in gone if given.get(name) is not None}
    if removed and not properties:
        return None  # what is left would say nothing of its arguments
    for name in removed:
        changes.add((name,), "constraint_removed")
    nulls = {name for name in _JUDGED & given.keys() if given[name] is None}
    stated = without(given, *removed, *nulls)
    if is_led or nulls or kind != "object" or not isinstance(properties, dict):
        changes.add((), "parameters_completed")
        return {**stated, "type": "object", "properties": stated.get("properties") or {}}
    return stated


class _Walk:
    """One pass over the schemas of a tool: what an endpoint refuses in them is changed (PAY-191,
    PAY-201), and what is refused even so is noted (PAY-032).

    Types are put in first, because keywords are judged by them. A keyword is respelled before it
    would go. A list of types is parted last, into branches of what is sent.
    """

    def __init__(
        self, root: dict[str, Any], refused: frozenset[str], changes: Findings, faults: Findings
    ) -> None:
        self.root = root
        self.refused = refused
        self.changes = changes
        self.faults = faults
        self.is_open = self.is_loose = False
        self.optional = self.unions = 0
        is_old = isinstance(root.get("definitions"), dict) and "$defs" not in root
        self.renames = is_old and "ref_siblings" in refused and "definitions" not in refused

    def schema(self, given: Any, place: Place, *, is_root: bool = False) -> Any:
        """Return a schema as it is sent."""
        if isinstance(given, bool) and "boolean" in self.refused:
            self.changes.add(place, "schema_respelled")
            given = {} if given else {"not": {}}
        if not isinstance(given, dict):
            if not isinstance(given, bool):
                self.fault("malformed", place)
            return given
        given = self._scalar(self._described(self._meant(given, place), place), place)
        if not is_root:
            given = self._stated(self._referring(given, place), place)
            given = self._enumerated(given, place)
        given = self._limited(given, place)
        sent = self._typed(self._kept(given, place, is_root=is_root), place)
        if _SAY_TYPE.isdisjoint(sent):
            self.is_open = True
            self.fault("untyped", place)
        self._judge(sent, place, is_root=is_root)
        below = {name: self._below(name, value, (*place, name)) for name, value in sent.items()}
        return self._split(below, place)

    def _judge(self, sent: dict[str, Any], place: Place, *, is_root: bool) -> None:
        """Note what the endpoint refuses in a schema that is changed already (PAY-032)."""
        if not _is_type(sent.get("type", "object")) or not _is_filled(sent.get("enum", [None])):
            self.fault("malformed", place)
        if not _are_distinct(sent.get("required", [])):
            self.fault("malformed", place)
        if is_root and _is_endless(sent):
            self.fault("all_of_endless", place)
        if is_root and not all(map(_PROPERTY_NAME.fullmatch, sent["properties"])):
            self.fault("property_names", place)
        if not _leads(sent.get("$ref"), self.root):
            self.fault("ref_undefined", place)
        if not is_root and "$ref" in sent and not self._is_defined(sent["$ref"]):
            self.fault("ref_siblings", place)

    def _meant(self, given: dict[str, Any], place: Place) -> dict[str, Any]:
        """Return a schema without what some languages write for nothing: null, and `[]` and `{}`
        each in the place of the other; and without a `required` of an older JSON Schema (PAY-191).
        """
        if "malformed" not in self.refused:
            return given
        meant: dict[str, Any] = {}
        for name, value in given.items():
            is_flag = name == "required" and (isinstance(value, bool) or value == {})
            if is_flag or (value is None and name not in _MAY_BE_NULL):
                self.changes.add((*place, name), "schema_respelled")
                continue
            meant[name] = value
            if name in _MAPS and value == []:
                meant[name] = {}
            elif name == "type":
                meant[name] = [*map(_named, value)] if isinstance(value, list) else _named(value)
            elif (once := _each_once(name, value)) is not None:
                meant[name] = once
            if meant[name] != value:
                self.changes.add((*place, name), "schema_respelled")
        return self._as_tuple(meant, place)

    def _as_tuple(self, given: dict[str, Any], place: Place) -> dict[str, Any]:
        """Return a schema with a tuple as JSON Schema describes one since 2020 (PAY-191)."""
        items = given.get("items")
        if not isinstance(items, list) or not items or "prefixItems" in given:
            return given
        self.changes.add((*place, "items"), "schema_respelled")
        sent = {**without(given, "items", "additionalItems"), "prefixItems": items}
        return sent | ({"items": given["additionalItems"]} if "additionalItems" in given else {})

    def _described(self, given: dict[str, Any], place: Place) -> dict[str, Any]:
        """Return a schema without properties that are no schemas, since a keyword can have slipped
        in among them, and with those as required that say so themselves (PAY-191).
        """
        properties, required = given.get("properties"), given.get("required", [])
        if "malformed" not in self.refused or not isinstance(properties, dict):
            return given
        kept = {name: one for name, one in properties.items() if isinstance(one, (dict, bool))}
        for name in properties.keys() - kept.keys():
            self.changes.add((*place, "properties", name), "schema_respelled")
        flagged = [
            name
            for name, one in kept.items()
            if isinstance(one, dict) and one.get("required") is True
        ]
        if _are_distinct(required) and not {*required}.issuperset(flagged):
            self.changes.add((*place, "required"), "schema_respelled")
            given = {**given, "required": [*dict.fromkeys([*required, *flagged])]}
        return {**given, "properties": kept}

    def _referring(self, given: dict[str, Any], place: Place) -> dict[str, Any]:
        """Return a schema with a reference alone, or without one, where nothing is taken beside a
        reference, and none that leads elsewhere than to a definition (PAY-191).
        """
        if "ref_siblings" not in self.refused or "$ref" not in given:
            return given
        # Apart from the schema, to which its own reference can lead.
        reference = {"$ref": given["$ref"]}
        target = target_of(reference, self.root)
        if target is reference:
            return given
        is_plain = len(given) == 1 and self._is_defined(given["$ref"])
        if not is_plain and _is_closed(target):
            self.changes.add((*place, "$ref"), "schema_respelled")
            return {**target, **without(given, "$ref")}
        kept = {"$ref", *({"description", "title"} - target.keys())}
        return self._without(given, given.keys() - kept, place)

    def _is_defined(self, ref: object) -> bool:
        """Tell whether this is a reference to a definition."""
        places = ("#/$defs/", "#/definitions/") if self.renames else ("#/$defs/",)
        return isinstance(ref, str) and ref.startswith(places)

    def _stated(self, given: dict[str, Any], place: Place) -> dict[str, Any]:
        """Return a schema that says its types, where it has to (PAY-191)."""
        if "untyped" not in self.refused or not _SAY_TYPE.isdisjoint(given):
            return given
        kinds = [kind for kind, names in _TYPED.items() if not names.isdisjoint(given)]
        if len(kinds) > 1:
            return given
        name = "type" if kinds else "anyOf"
        self.changes.add((*place, name), "schema_respelled")
        return {**given, name: kinds[0] if kinds else [{"type": kind} for kind in _ANY]}

    def _enumerated(self, given: dict[str, Any], place: Place) -> dict[str, Any]:
        """Return a schema of one text as a list of it, where only that is taken, and of values of
        one type with this type, where that is wanted (PAY-191).
        """
        text = given.get("const")
        is_text = isinstance(text, str) and given.get("type", "string") == "string"
        if is_text and "enum" not in given and {"const", "enum"} & self.refused == {"const"}:
            self.changes.add((*place, "const"), "schema_respelled")
            return {**without(given, "const"), "type": "string", "enum": [text]}
        kind = _kind_of(given.get("enum", [text]))
        if kind is None or "type" in given or "enum_untyped" not in self.refused:
            return given
        self.changes.add((*place, "type"), "schema_respelled")
        return {**given, "type": kind}

    def _limited(self, given: dict[str, Any], place: Place) -> dict[str, Any]:
        """Return a schema of integers with limits that belong to it, where no other are taken
        (PAY-191).
        """
        if "malformed" in self.refused:
            given = self._dated(given, place)
        if given.get("type") != "integer":
            return given
        for name, (other, step) in _LIMITS.items():
            limit: Any = given.get(name)
            is_open = {name, other} & self.refused == {name} and other not in given
            if is_open and is_whole(limit) and abs(limit) < _LARGEST:
                self.changes.add((*place, name), "schema_respelled")
                given = {**without(given, name), other: int(limit) + step}
        return given

    def _dated(self, given: dict[str, Any], place: Place) -> dict[str, Any]:
        """Return a schema without the open limits of an older JSON Schema, which were booleans:
        `exclusiveMinimum: true` said that `minimum` itself is too small (PAY-191).
        """
        for name, (other, _) in _LIMITS.items():
            is_open, limit = given.get(name), given.get(other)
            if isinstance(is_open, bool) and name not in self.refused:
                self.changes.add((*place, name), "schema_respelled")
                given = without(given, name)
                if is_open and isinstance(limit, (int, float)) and not isinstance(limit, bool):
                    given = {**without(given, other), name: limit}
        return given

    def _scalar(self, given: dict[str, Any], place: Place) -> dict[str, Any]:
        """Return a schema whose list of types names one, without the list (PAY-201)."""
        types = self._listed_types(given)
        if types is None or len(types) != 1:
            return given
        self.changes.add((*place, "type"), "type_moved")
        return {**given, **_typed_as(types[0], given)}

    def _split(self, sent: dict[str, Any], place: Place) -> dict[str, Any]:
        """Return a schema with the items that it needs, and of several types one for each (PAY-201,
        PAY-191).
        """
        types = self._listed_types(sent)
        if types is None:
            if isinstance(sent.get("type"), list):
                self.fault("type_list", place)
            return self._with_items(sent, place)
        if not _PLACES.isdisjoint(sent.keys() - {"properties", "items"}):
            self.fault("type_list", place)
            return sent
        self.changes.add((*place, "type"), "type_moved")
        branches = [
            {**_typed_as(kind, sent), **_members_of(kind, without(sent, "type"))} for kind in types
        ]
        return {"anyOf": [self._with_items(one, place) for one in branches]}

    def _listed_types(self, schema: dict[str, Any]) -> list[str] | None:
        """Return the types of a list that the endpoint refuses, but for null beside another."""
        kinds = schema.get("type")
        if "type_list" not in self.refused or not _are_distinct(kinds) or not kinds:
            return None
        return [kind for kind in kinds if kind != "null"] or ["null"]

    def _with_items(self, sent: dict[str, Any], place: Place) -> dict[str, Any]:
        """Return a schema with the items that it needs (PAY-191), and note what strict mode asks of
        it: whether it is open or loose, and what it adds to the grammar.
        """
        self.is_open |= _is_open(sent)
        self.is_loose |= _is_loose(sent)
        self.optional += len(_optional(sent))
        self.unions += "anyOf" in sent or isinstance(sent.get("type"), list)
        kind = sent.get("type")
        is_array = "array" in kind if isinstance(kind, list) else kind == "array"
        is_bare = is_array and "items" not in sent
        if not is_bare or "array_without_items" not in self.refused:
            return sent
        self.changes.add((*place, "items"), "schema_respelled")
        # An empty object would be untyped, and an array in it would need items again.
        kinds = [{"type": kind} for kind in _ANY if kind != "array"]
        return {**sent, "items": {"anyOf": kinds} if "untyped" in self.refused else {}}

    def _kept(self, given: dict[str, Any], place: Place, *, is_root: bool) -> dict[str, Any]:
        """Return a schema without the keywords that the endpoint refuses (PAY-191)."""
        given = self._of_types(given, place)
        notes, constraints = self._unfit(given)
        gone = (self.refused | notes | constraints) & given.keys()
        gone -= {"type", "properties"} if is_root else set()
        return self._defined(self._without(given, gone, place, notes - self.refused), place)

    def _without(
        self,
        given: dict[str, Any],
        gone: Collection[str],
        place: Place,
        notes: Collection[str] = (),
    ) -> dict[str, Any]:
        """Return a schema without some keywords; those of ``notes`` say nothing in it (PAY-191)."""
        for name in gone:
            is_note = _is_note(name) or name in notes
            code = "annotation_removed" if is_note else "constraint_removed"
            self.changes.add((*place, name), code)
        return without(given, *gone)

    def _of_types(self, given: dict[str, Any], place: Place) -> dict[str, Any]:
        """Return a schema whose values are of its types, where no others are taken (PAY-191)."""
        kind, values = given.get("type"), given.get("enum")
        is_judged = "enum_of_other_types" in self.refused and "enum" not in self.refused
        if not is_judged or not isinstance(values, list) or not _is_type(kind):
            return given
        kept = [value for value in values if fits(value, {"type": kind})]
        if len(kept) == len(values):
            return given
        code = "schema_respelled" if kept else "constraint_removed"
        self.changes.add((*place, "enum"), code)
        return {**given, "enum": kept} if kept else without(given, "enum")

    def _defined(self, given: dict[str, Any], place: Place) -> dict[str, Any]:
        """Return a schema that demands what it describes, where no other is taken (PAY-191)."""
        required, properties = given.get("required"), given.get("properties", {})
        is_judged = "required_undefined" in self.refused and isinstance(properties, dict)
        if not is_judged or not _are_distinct(required) or properties.keys() >= {*required}:
            return given
        self.changes.add((*place, "required"), "constraint_removed")
        names = [name for name in required if name in properties]
        return {**given, "required": names} if names else without(given, "required")

    def _unfit(self, given: dict[str, Any]) -> tuple[set[str], set[str]]:
        """Return the names of keywords that are refused in such a schema (PAY-191): those that say
        nothing there, and others.
        """
        notes: set[str] = set()
        constraints: set[str] = set()
        kind, values, required = given.get("type"), given.get("enum"), given.get("required")
        if "members_of_no_object" in self.refused and isinstance(kind, str) and kind != "object":
            notes |= _OF_OBJECTS
        is_of_nothing = isinstance(required, list) and given.get("properties") in (None, {}, [])
        if "required_of_nothing" in self.refused and is_of_nothing:
            (constraints if required else notes).add("required")
        if "formats_of_texts" in self.refused and kind == "string":
            notes |= {"format"} if given.get("format") not in ("enum", "date-time") else set()
        if "items_of_no_array" in self.refused and isinstance(kind, str) and kind != "array":
            notes |= _OF_ARRAYS
        are_texts = not isinstance(values, list) or all(
            isinstance(one, str) and one for one in values
        )
        if "enum_of_others" in self.refused and not are_texts:
            constraints.add("enum")
        if "pattern_of_parts" in self.refused and _is_of_parts(given.get("pattern")):
            constraints.add("pattern")
        return notes, constraints

    def _typed(self, given: dict[str, Any], place: Place) -> dict[str, Any]:
        """Return a schema whose type stands in the branches of its `anyOf` (PAY-191)."""
        branches = given.get("anyOf")
        if "type_beside_any_of" not in self.refused or "type" not in given or branches is None:
            return given
        kind = given["type"]
        if not isinstance(branches, list) or not all(_is_branch(one, kind) for one in branches):
            self.fault("type_beside_any_of", place)
            return given
        self.changes.add((*place, "type"), "type_moved")
        branched = [{"type": kind, **one} for one in branches]
        return {**without(given, "type"), "anyOf": branched}

    def _below(self, name: str, value: Any, place: Place) -> Any:
        """Return the value of a keyword with the schemas in it as they are sent."""
        if name in _MAPS and isinstance(value, dict):
            return {key: self.schema(one, (*place, key)) for key, one in value.items()}
        if name in _LISTS and isinstance(value, list) and value:
            return [self.schema(one, (*place, at)) for at, one in enumerate(value)]
        if name in _ONES:
            is_taken = isinstance(value, bool) and name in _MAY_BE_BOOLEAN
            return value if is_taken else self.schema(value, place)
        if name in _MAPS or name in _LISTS:
            self.fault("malformed", place[:-1])
        return value

    def fault(self, form: str, place: Place) -> None:
        """Note a refused schema, if the endpoint refuses this form."""
        if form in self.refused:
            self.faults.add(place, "schema_not_taken")


_ABSENT: Final = object()
_TURNS: Final = 10
_COPIED: Final = 500
_KINDS: Final[dict[type, str]] = {str: "string", bool: "boolean", int: "number", float: "number"}
_PROPERTY_NAME: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_WHOLE: Final = re.compile(
    r'\^\?*(?:(?:\\[]\[\\"trnxu^$.(){}|*+?]|\[(?:\\[]\[\\"trnxu]|[^]\\])*\]|[^\\\[(?])\?*'
    r"|\((?:\?:\?*)?)*\$"
)
"""A pattern of which a grammar can be made: a `?` stands behind no `(`, but in `(?:`."""
_TYPES: Final = ("object", "array", "string", "number", "integer", "boolean", "null")
_NAMED: Final = {
    **{"dict": "object", "list": "array", "str": "string"},
    **{"float": "number", "int": "integer", "bool": "boolean"},
}
"""The names of types in Python."""
_MAY_BE_NULL: Final = ("const", "default", "example")
_MAY_BE_BOOLEAN: Final = ("additionalProperties", "unevaluatedItems", "unevaluatedProperties")
_PLACES: Final = frozenset((*_MAPS, *_LISTS, *_ONES))
_LIMITS: Final = {"exclusiveMinimum": ("minimum", 1), "exclusiveMaximum": ("maximum", -1)}
_LARGEST: Final = 2**53 - 1
"""From here on a number that is 1 more can be the same number elsewhere."""
_OF_OBJECTS: Final = frozenset(("properties", "required"))
_OF_ARRAYS: Final = frozenset(("items", "minItems", "maxItems"))
_LOOSE: Final = frozenset(
    ("oneOf", "allOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas")
)
_FORMATS: Final = (
    *("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"),
)
"""The formats of texts that strict mode knows."""
_UNRULED: Final = frozenset(
    (
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
        *("minLength", "maxLength", "maxItems", "uniqueItems"),
    )
)
"""Keywords for which a grammar has no rule."""
_LOOKS_AROUND: Final = re.compile(r"\(\?<?[=!]")
_SAY_TYPE: Final = frozenset(("type", "enum", "const", "$ref", "anyOf", "oneOf", "allOf"))


_TYPED: Final = {
    "object": frozenset(
        (
            "properties",
            "required",
            "additionalProperties",
            "patternProperties",
            "propertyNames",
            "minProperties",
            "maxProperties",
        )
    ),
    "array": frozenset(("items", "prefixItems", "contains", "minItems", "maxItems", "uniqueItems")),
    "string": frozenset(("pattern", "minLength", "maxLength")),
    "number": frozenset(
        ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
    ),
}
"""The names of typed members, by the type that they say something of."""
_ANY: Final = ("string", "number", "boolean", "object", "array", "null")


def _renamed(value: Any) -> Any:
    """Return a value in which references to definitions have the newer name of these."""
    if isinstance(value, list):
        return [_renamed(one) for one in value]
    if not isinstance(value, dict):
        return value
    renamed = {name: _renamed(one) for name, one in value.items()}
    ref = value.get("$ref")
    if isinstance(ref, str) and ref.startswith("#/definitions/"):
        return {**renamed, "$ref": ref.replace("definitions", "$defs", 1)}
    return renamed


def _is_closed(target: dict[str, Any]) -> bool:
    """Tell whether an object is short, and no reference stands in it, at any depth (PAY-191).

    No more is looked at than what is copied.
    """
    due: list[object] = [target]
    for seen, value in enumerate(due):
        if seen > _COPIED or (isinstance(value, dict) and "$ref" in value):
            return False
        below = value.values() if isinstance(value, dict) else value
        if isinstance(value, (dict, list)):
            due += itertools.islice(cast("Iterable[object]", below), _COPIED + 1)
    return True


def _is_endless(root: dict[str, Any]) -> bool:
    """Tell whether a part of an `allOf` leads to itself (definition "refused schema").

    ``path`` holds what leads to the value that is looked at. A chain of references can be as long
    as the parameters, so nothing here calls itself.
    """
    due: list[tuple[Any, bool, bool]] = [(root, False, False)]
    seen: set[tuple[int, bool]] = set()
    path: set[tuple[int, bool]] = set()
    while due:
        value, is_part, is_done = due.pop()
        key = (id(value), is_part)
        if is_done:
            path.discard(key)
        elif key in path:
            return True
        elif key not in seen:
            seen.add(key)
            path.add(key)
            due.append((value, is_part, True))
            due += [(one, part, False) for one, part in _next_in(value, root, is_part=is_part)]
    return False


def _next_in(value: Any, root: dict[str, Any], *, is_part: bool) -> Iterator[tuple[Any, bool]]:
    """Give what a value leads to, and whether that is a part of an `allOf`."""
    if isinstance(value, list):
        yield from ((one, False) for one in value if isinstance(one, (dict, list)))
        return
    for name, one in value.items():
        if isinstance(one, list) and (name == "allOf" or (is_part and name == "anyOf")):
            yield from ((each, True) for each in one if isinstance(each, dict))
        elif isinstance(one, (dict, list)):
            yield one, False
    ref = value.get("$ref") if is_part else None
    target = referred(ref, root) if isinstance(ref, str) and ref.startswith("#/") else None
    if isinstance(target, dict):
        yield target, True


def _kind_of(values: object) -> str | None:
    """Return the type of values that are all texts, all numbers or all booleans."""
    if not isinstance(values, list):
        return None
    kinds = {_KINDS.get(type(one)) for one in values}
    return kinds.pop() if len(kinds) == 1 else None


def _is_of_parts(pattern: object) -> bool:
    """Tell whether a pattern is none of a whole text."""
    return not (isinstance(pattern, str) and _WHOLE.fullmatch(pattern))


def _is_note(name: str) -> bool:
    return name in _ANNOTATIONS or name.startswith("x-")


def _typed_as(kind: str, given: dict[str, Any]) -> dict[str, Any]:
    """Return the members that say one type of several, and null where that was among them."""
    allows_null = "null" in given["type"] and kind != "null"
    return {"type": kind, "nullable": True} if allows_null else {"type": kind}


def _members_of(kind: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Return the members of a schema that say something of a type."""
    idle = (_OF_OBJECTS if kind != "object" else set()) | (_OF_ARRAYS if kind != "array" else set())
    return without(schema, *idle)


def _is_type(kind: object) -> bool:
    if isinstance(kind, str):
        return kind in _TYPES
    return _are_distinct(kind) and bool(kind) and {*kind} <= {*_TYPES}


def _is_filled(values: object) -> bool:
    return isinstance(values, list) and bool(values)


def _leads(ref: object, document: Any) -> bool:
    """Tell whether a reference into the parameters leads to something; others are not judged."""
    if not isinstance(ref, str) or not ref.startswith("#/"):
        return True
    # Servers that refuse the others do not know of percent-encoding.
    return found_at(document, read_pointer(ref), _ABSENT) is not _ABSENT


def _is_branch(branch: object, kind: object) -> bool:
    """Tell whether a branch of an `anyOf` loses nothing when the type beside that goes."""
    if not isinstance(branch, dict):
        return False
    return {*_listed(branch.get("type", kind))} <= {*_listed(kind)}


def _listed(kind: object) -> list[Any]:
    """Return the types that a `type` lists, written so that what is no text can be compared."""
    return [repr(one) for one in kind] if isinstance(kind, list) else [repr(kind)]


def _is_open(schema: dict[str, Any]) -> bool:
    """Tell whether a schema leaves members free, or has what strict mode does not know (definition
    "open schema").
    """
    is_unknown = "format" in schema and schema["format"] not in _FORMATS
    if not _LOOSE.isdisjoint(schema) or is_unknown or _looks_around(schema):
        return True
    return _takes_others(schema) or bool(_optional(schema))


def _is_loose(schema: dict[str, Any]) -> bool:
    """Tell whether a grammar has no rule for a schema (definition "loose schema")."""
    fewest = schema.get("minItems", 0)
    has_limit = isinstance(fewest, bool) or fewest not in (0, 1)
    has_limit = has_limit or not _UNRULED.isdisjoint(schema)
    return has_limit or _looks_around(schema) or _takes_others(schema)


def _takes_others(schema: dict[str, Any]) -> bool:
    """Tell whether a schema of objects takes members that it does not name."""
    of_objects = isinstance(schema.get("properties"), dict) or schema.get("type") == "object"
    return of_objects and schema.get("additionalProperties") is not False


def _optional(schema: dict[str, Any]) -> set[str]:
    """Return the names of the members that a schema does not require."""
    properties, required = schema.get("properties"), schema.get("required")
    names = required if isinstance(required, list) else []
    known = {one for one in names if isinstance(one, str)}
    return {*properties} - known if isinstance(properties, dict) else set()


def _looks_around(schema: dict[str, Any]) -> bool:
    pattern = schema.get("pattern")
    return isinstance(pattern, str) and _LOOKS_AROUND.search(pattern) is not None


def _each_once(name: str, values: Any) -> list[Any] | None:
    """Return a `required` or an `enum` in which each value stands once; None where it does."""
    if name not in ("required", "enum") or not isinstance(values, list):
        return None
    if name == "required" and not all(isinstance(one, str) for one in values):
        return None
    once: dict[Hashable, Any] = {}
    for one in values:
        once.setdefault(known_by(one), one)
    return [*once.values()] if len(once) < len(values) else None


def _named(kind: Any) -> Any:
    """Return the type that a string names (definition "named type"), else what is given."""
    spelled = kind.lower() if isinstance(kind, str) else None
    return _NAMED.get(spelled, spelled) if spelled in _NAMED or spelled in _TYPES else kind


def _are_distinct(names: object) -> TypeGuard[list[str]]:
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return False
    return len(set(names)) == len(names)
