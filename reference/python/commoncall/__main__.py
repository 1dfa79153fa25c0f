"""``python -m commoncall`` is the command ``commoncall``."""

import sys

from commoncall_tools import main

if __name__ == "__main__":
    sys.exit(main())
