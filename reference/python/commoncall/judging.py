"""Whether the arguments of a call are what the parameters of its tool say.

The contracts judge that a call can be read, and no schema: providers and models differ in which
keywords they know. Who wants it judged gives `problems` to `turn.receive` as ``judge``. It needs
the extra ``jsonschema``.
"""

from typing import Any

try:
    from jsonschema import Draft202012Validator, SchemaError
    from jsonschema.validators import validator_for
    from referencing import Registry
    from referencing.exceptions import Unresolvable
except ImportError as error:
    raise ImportError("commoncall.judging needs the extra jsonschema") from error

from commoncall.places import pointer


def problems(arguments: object, parameters: object) -> list[str]:
    """Return what is wrong with arguments, as JSON Pointers into the parameters.

    They hold nothing that the model wrote. Nothing is fetched: a schema that is none, or refers to
    another one, judges nothing.

    Args:
        arguments: the arguments of a call, decoded.
        parameters: the JSON Schema of its tool; draft 2020-12, where ``$schema`` says no other.
    """
    if not isinstance(parameters, dict):
        return []
    try:
        kind: Any = validator_for(parameters, default=Draft202012Validator)
        kind.check_schema(parameters)
        found = kind(parameters, registry=Registry()).iter_errors(arguments)
        return sorted({pointer(tuple(one.absolute_schema_path)) for one in found})
    except (SchemaError, Unresolvable):
        return []
