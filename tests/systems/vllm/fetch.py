"""Fetch vLLM as source: its wheel is seven times as large, and needs a graphics card."""

import tarfile
from pathlib import Path
from typing import Final

from tests.evidence.archives import CACHE, fetched

ARCHIVE: Final = "vllm==0.33.0"
SHA256: Final = "f4c33c2503d52bb411146afa9618a4f48bed68912f617e6803ac8d76e4c74112"
SOURCES: Final = CACHE / "vllm-0.33.0"


def main() -> None:
    """Unpack what Python imports, and what says which version it is."""
    with tarfile.open(fetched(ARCHIVE, SHA256)) as archive:
        wanted = [
            member
            for member in archive
            if Path(member.name).parts[1:2] in (("vllm",), ("vllm.egg-info",))
            and member.name.endswith((".py", "PKG-INFO"))
        ]
        # `filter=` came with Python 3.11.4.
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(CACHE, wanted)


if __name__ == "__main__":
    main()
