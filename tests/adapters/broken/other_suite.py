"""Was built for another suite, and says so instead of guessing."""

import json
import sys

from tests.adapters.broken.good import say

hello = json.loads(sys.stdin.readline())
wanted = "sha256:" + "0" * 64
if hello["suite"]["digest"] != wanted:
    sys.exit(f"this adapter was built for the suite {wanted}")
say({})
