"""Names that come near one that is unknown."""

from collections.abc import Sequence


def others_than(wanted: object, known: Sequence[str]) -> str:
    """Say which known names come near an unknown one, or all of them where none does."""
    near = near_names(wanted, known) if isinstance(wanted, str) else []
    return f"near it: {', '.join(near)}" if near else f"there are {', '.join(known)}"


def near_names(wanted: str, known: Sequence[str]) -> list[str]:
    """Return at most three names: those that hold the wanted one, then those spelled alike."""
    from difflib import get_close_matches  # which is slow to import, and seldom needed

    holding = sorted((name for name in known if wanted and wanted.lower() in name), key=len)
    return [*dict.fromkeys([*holding, *get_close_matches(wanted.lower(), known, n=3)])][:3]
