"""The command ``profiles``."""

import argparse

from commoncall.dialect_data import profile_ids, read_profile
from commoncall.payload.profile import STRICT, load_profile
from commoncall_tools.console import Commands, json_text, unknown, write, write_lines


def add(commands: Commands) -> None:
    """Add the command to a parser."""
    parser = commands.add_parser(
        "profiles",
        help="list what the endpoints of providers take",
        description="Without NAME: all profiles and their titles. With one: its flags, as JSON.",
    )
    parser.add_argument("name", metavar="NAME", nargs="?", help="a profile")
    parser.set_defaults(work=list_profiles)


def list_profiles(options: argparse.Namespace) -> int:
    """Print the flags of a profile, or what profiles there are."""
    if options.name is not None:
        write(json_text(flags_of(options.name)))
        return 0
    titles = {STRICT: "what every provider takes that was seen"}
    titles |= {id: read_profile(id)["title"] for id in profile_ids()}
    width = max(map(len, titles))
    write_lines(*(f"{id:{width}}  {title}" for id, title in titles.items()))
    return 0


def flags_of(name: str) -> dict[str, object]:
    """Return the flags of the profile of a name."""
    known = [STRICT, *profile_ids()]
    if name not in known:
        raise unknown(f"no profile {name!r}", name, known)
    return load_profile(name)
