"""What options take beside texts: argparse says of anything else what it should have been."""

import argparse
import re
from datetime import date

from commoncall_tools.registry_check import parse_date


def add_timeout(parser: argparse.ArgumentParser) -> None:
    """Add the option that says how long a case may take."""
    parser.add_argument(
        "--timeout",
        type=_seconds,
        default=5.0,
        metavar="SECONDS",
        help="for one case (default: 5); a start may take 6 times that",
    )


def _seconds(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0
    if not 0 < number <= 3600:
        raise argparse.ArgumentTypeError("a number above 0, at most 3600")
    return number


def day(text: str) -> date:
    """Read a date."""
    found = parse_date(text)
    if found is None:
        raise argparse.ArgumentTypeError("a date such as 2026-08-18")
    return found


def address(text: str) -> str:
    """Read the address of a site."""
    if not re.fullmatch(r"https?://[^\s<>\"']+", text):
        raise argparse.ArgumentTypeError("an address such as https://example.org/commoncall")
    return text
