"""What is wrong with an input that an operation answers with ``invalid_input``, for people.

The contract has the code and no more, so that every port says the same. This looks at the forms
that judged the input, and at nothing else: it cannot name a member that they take. It quotes no
value.
"""

from commoncall.envelope import Env
from commoncall.json_text import MAX_DEPTH, too_deep
from commoncall.operations import OPERATIONS
from commoncall.places import dotted


def diagnose(operation: str, given: object) -> str | None:
    """Say in one line why an operation refuses an input as ``invalid_input``.

    Args:
        operation: its name, such as ``turn.prepare``.
        given: its input, any JSON.

    Returns:
        The first place that is wrong and what is expected there, as in ``messages[3].role must be a
        string``; None where the form of the input is right. Names of members are quoted, and no
        value.

    Raises:
        KeyError: there is no such operation.
    """
    asked = OPERATIONS[operation]
    if too_deep(given):
        return f"the input nests deeper than {MAX_DEPTH}"
    for trouble in asked.troubles(given):
        return f"{dotted(trouble.place)} {trouble.what}"
    if asked.invalid:  # it refuses more than the form says, with an error that names it
        try:
            asked.run(given, Env())
        except asked.invalid as error:
            return str(error)
    return None
