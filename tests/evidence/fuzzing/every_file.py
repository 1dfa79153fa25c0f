"""Every file of cases as a whole, read with libyaml and without it.

`tests/tools/test_strict_yaml.py` does the same with some of the cases; the session `fuzz` runs this
file.
"""

import pytest

from tests.tools.test_strict_yaml import check_file, files

FILES = [pytest.param(text, id=name) for name, text in files()]


@pytest.mark.parametrize("text", FILES)
def test_libyaml_changes_no_file(text: str) -> None:
    check_file(text)
