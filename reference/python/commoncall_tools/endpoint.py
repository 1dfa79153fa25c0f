"""What commands that speak with an endpoint are given: its address, and what its model writes."""

from urllib.parse import urlsplit

from commoncall.dialect_data import format_ids
from commoncall_tools.console import UsageError, unknown


def check_address(url: str, where: str) -> None:
    """Refuse what is no address of an endpoint."""
    try:
        parts = urlsplit(url)
        is_one = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_one = False
    if not is_one:
        raise UsageError(f"{where} is no address: {url}")


def check_format(name: str) -> None:
    """Refuse what is neither a format nor ``auto``."""
    known = ["auto", *format_ids()]
    if name not in known:
        raise unknown(f"no format {name!r}", name, known)
