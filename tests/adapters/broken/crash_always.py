"""Dies of every case."""

import os

from tests.adapters.broken.good import serve

serve(run=lambda request: os._exit(9))
