"""Write the vocabulary of gpt-oss, from a package that brings it."""

import hashlib
import json
import re
import tarfile
from typing import Final

from tests.evidence.archives import CACHE, fetched

ARCHIVE: Final = "js-tiktoken@1.0.21"
SHA256: Final = "3b1f24b185565ca9a8d8f51466dfc4f99d67f1f05bc009258710ddb7a8d810fa"
RANKS: Final = "package/dist/ranks/o200k_base.cjs"
FOLDER: Final = CACHE / "o200k_base"
VOCABULARY: Final = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
"""The SHA-256 of the file that openai-harmony wants; it checks that as well."""


def main() -> None:
    """Write a line for each token and its rank."""
    with tarfile.open(fetched(ARCHIVE, SHA256)) as archive:
        file = archive.extractfile(RANKS)
        assert file, RANKS
        text = file.read().decode()
    found = re.search(r'"bpe_ranks":("(?:[^"\\]|\\.)*")', text)
    assert found, RANKS
    lines = []
    for line in json.loads(found[1]).splitlines():
        _, first, *tokens = line.split(" ")
        lines += [f"{token} {rank}\n" for rank, token in enumerate(tokens, int(first))]
    written = "".join(lines).encode()
    assert hashlib.sha256(written).hexdigest() == VOCABULARY
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "o200k_base.tiktoken").write_bytes(written)


if __name__ == "__main__":
    main()
