"""Says its first answer before it is asked."""

from tests.adapters.broken.good import HELLO, say, serve

say(HELLO)
say({"seq": 1, "result": {}})
serve(hello={"seq": 2, "result": {}})
