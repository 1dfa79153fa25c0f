"""The command ``serve``. What it runs stands in `commoncall_serve`, and needs an extra."""

import argparse
import math
from importlib.util import find_spec
from typing import Final

from commoncall_tools.console import Commands, UsageError
from commoncall_tools.endpoint import check_address, check_format
from commoncall_tools.profiles import flags_of

NEEDED: Final = "serve needs its extra: pip install './commoncall-VERSION-py3-none-any.whl[serve]'"
LOOPBACK: Final = ("127.0.0.1", "localhost")


def add(commands: Commands) -> None:
    """Add the command to a parser."""
    parser = commands.add_parser(
        "serve",
        help="stand before a server of Chat Completions, and make leaked calls native ones",
        description="Clients use http://127.0.0.1:8080/v1 in the place of the server.",
    )
    parser.add_argument("--upstream", metavar="URL", required=True, help="the server, with its /v1")
    parser.add_argument(
        "--profile", metavar="NAME", help="what the server takes: a profile, or a file of one"
    )
    parser.add_argument(
        "--format", metavar="NAME", default="auto", help="what the model writes (by its name)"
    )
    parser.add_argument(
        "--reasoning",
        choices=("open", "closed", "none"),
        help="where a reply begins: open, in reasoning that the prompt opened (the format says it)",
    )
    parser.add_argument(
        "--retries",
        metavar="N",
        type=int,
        default=1,
        help="how often a model is asked again whose call could not be read (1)",
    )
    parser.add_argument("--host", default="127.0.0.1", help="where to listen (127.0.0.1)")
    parser.add_argument("--port", type=int, default=8080, help="where to listen (8080)")
    parser.add_argument(
        "--max-mb", metavar="N", type=int, default=64, help="the longest request and reply (64)"
    )
    parser.add_argument(
        "--timeout",
        metavar="SECONDS",
        type=float,
        default=300.0,
        help="how long the server may be silent (300)",
    )
    parser.set_defaults(work=serve)


def serve(options: argparse.Namespace) -> int:
    """Serve until the process is told to stop."""
    check_address(options.upstream, "--upstream")
    flags = None if options.profile is None else flags_of(options.profile)
    check_format(options.format)
    if options.retries < 0 or options.max_mb < 1 or not 0 < options.timeout < math.inf:
        raise UsageError("--retries is 0 or more, --max-mb 1 or more, and --timeout more than 0")
    if not 0 <= options.port < 65536:
        raise UsageError(f"--port is from 0 to 65535: {options.port}")
    if not all(map(find_spec, ("httpx", "starlette", "uvicorn"))):
        raise UsageError(NEEDED)
    from commoncall_serve.exchange import Options
    from commoncall_serve.run import run
    from commoncall_serve.work import Settings

    settings = Settings(
        options.upstream,
        Options(options.profile, options.format, options.retries, options.reasoning, flags),
        size=options.max_mb * 1024 * 1024,
        silence=options.timeout,
        # A page that a browser shows can give any name to this address, but not make it call so.
        hosts=LOOPBACK if options.host in LOOPBACK else (),
    )
    return run(settings, options.host, options.port)
