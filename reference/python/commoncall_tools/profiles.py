"""The command ``profiles``."""

import argparse
from collections.abc import Mapping
from typing import Any

from commoncall import protocol
from commoncall.dialect_data import profile_ids, read_profile
from commoncall.payload.profile import REFUSALS, STRICT, profile_of
from commoncall.protocol import ProtocolError
from commoncall_tools.console import (
    Commands,
    UsageError,
    json_text,
    read,
    unknown,
    write,
    write_lines,
)


def add(commands: Commands) -> None:
    """Add the command to a parser."""
    parser = commands.add_parser(
        "profiles",
        help="list what the endpoints of providers take",
        description="Without NAME: all profiles and their titles. With one: its flags, as JSON.",
    )
    parser.add_argument("name", metavar="NAME", nargs="?", help="a profile, or a file of one")
    parser.set_defaults(work=list_profiles)


def list_profiles(options: argparse.Namespace) -> int:
    """Print the flags of a profile, or what profiles there are."""
    if options.name is not None:
        write(json_text(flags_of(options.name)))
        return 0
    titles = {STRICT: "the strict value of each flag, for an endpoint that nobody knows"}
    titles |= {id: read_profile(id)["title"] for id in profile_ids()}
    width = max(map(len, titles))
    write_lines(*(f"{id:{width}}  {title}" for id, title in titles.items()))
    return 0


def flags_of(name: str) -> dict[str, Any]:
    """Return the flags of a profile, by its name or from a file of one, as `probe` prints it."""
    return dict(document_of(name)["flags"])


def flags_for(name: str, document: object) -> dict[str, Any]:
    """Return the flags of a profile for a request or a history, as anything that is given.

    Who wrote the history is not said, so what only its provider understands counts as that of the
    endpoint; what one model alone reads, as that of the model of the request.
    """
    flags = flags_of(name)
    if name == STRICT:
        # What some endpoint refuses is not what every endpoint takes.
        flags["refuses"] = [*REFUSALS]
    model = document.get("model") if isinstance(document, dict) else None
    if flags.get("opaque_members"):
        here = {"provider": name, "model": str(model or name)}
        flags |= {"origin": here, "unmarked": here}
    return flags


def document_of(name: str) -> Mapping[str, Any]:
    """Return a profile with its flags and their evidence, by its name or from a file."""
    if name == STRICT:
        return {"flags": {}, "evidence": {}}
    if name.endswith(".json"):
        return _in_file(name)
    if name not in profile_ids():
        raise unknown(f"no profile {name!r}", name, [STRICT, *profile_ids()])
    return read_profile(name)


def _in_file(file: str) -> Mapping[str, Any]:
    name, content = read(file)
    try:
        document = protocol.parse(content, unique=True)
        if not isinstance(document, dict) or "flags" not in document:
            raise UsageError(f"{name} is no profile: it has no flags")
        profile_of(document["flags"])
    except ProtocolError as error:
        raise UsageError(f"{name}: {error}") from None
    except ValueError as error:
        raise UsageError(f"{name}: {error}") from None
    evidence = document.get("evidence")
    return {**document, "evidence": evidence if isinstance(evidence, dict) else {}}
