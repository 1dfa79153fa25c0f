"""Is right, and does not end when it is asked to."""

import time

from tests.adapters.broken.good import serve

serve()
time.sleep(3600)
