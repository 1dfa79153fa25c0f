"""The command ``probe``. What it asks stands in `commoncall_serve`."""

import argparse
import os
import sys

from commoncall_tools.console import (
    EXIT_FAULT,
    Commands,
    UsageError,
    json_text,
    note_lines,
    write,
)
from commoncall_tools.endpoint import check_address, check_format
from commoncall_tools.profiles import flags_of


def add(commands: Commands) -> None:
    """Add the command to a parser."""
    parser = commands.add_parser(
        "probe",
        help="ask an endpoint what it refuses, and its model what it leaks",
        description="Prints a profile with its evidence; asks before it sends anything.",
    )
    parser.add_argument("url", metavar="URL", help="the endpoint, with its /v1")
    parser.add_argument("--model", metavar="M", required=True, help="the model to ask")
    parser.add_argument("--profile", metavar="NAME", help="say what differs from this profile")
    parser.add_argument(
        "--format", metavar="NAME", default="auto", help="what the model writes (by its name)"
    )
    parser.add_argument("--key-env", metavar="NAME", help="the variable that holds the key")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.set_defaults(work=probe_endpoint)


def probe_endpoint(options: argparse.Namespace) -> int:
    """Probe an endpoint: 0 a profile was printed, 1 the endpoint takes no plain request."""
    from commoncall_serve import probe

    check_address(options.url, "URL")
    check_format(options.format)
    flags = {} if options.profile is None else flags_of(options.profile)
    key = None
    if options.key_env is not None and not (key := os.environ.get(options.key_env)):
        raise UsageError(f"the environment has no {options.key_env}")
    note_lines(f"Up to {probe.COUNT} small requests go to {options.url}, for {options.model}.")
    if not options.yes and not _agreed():
        raise UsageError("nothing was sent; --yes sends without a question")
    try:
        ask = probe.asking(options.url, options.model, key)
        found = probe.probe(ask, options.model, options.format)
    except probe.Unreachable as error:
        note_lines(f"a request that nobody should refuse was not accepted: {error}")
        return EXIT_FAULT
    write(json_text(probe.profile_of(found, "probed", f"{options.model} at {options.url}")))
    calls = ", ".join(f"{how}: {count}" for how, count in sorted(found.calls.items()))
    note_lines(f"calls of the model: {calls}")
    if options.profile is not None:
        lines = [*probe.difference(found, options.profile, flags)]
        note_lines(*(lines or [f"all as {options.profile} says"]))
    return 0


def _agreed() -> bool:
    """Ask whether to go on, where somebody can answer."""
    if sys.stdin is None or not sys.stdin.isatty():
        return False
    # `input` would ask on standard output, and so in the file that the profile goes to.
    print("Go on? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
