"""A server on 127.0.0.1 that answers to a request as a real one did to one of its shape."""

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.evidence.servers.answers import answer_of

NOT_RECORDED = 501
"""The status for a shape that the table does not have: nobody knows the answer."""


@contextmanager
def running(server: str) -> Iterator[str]:
    """Run a stub of a server of the table; gives the address of its Chat Completions."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            answer = answer_of(server, json.loads(body))
            status = answer["status"] if answer else NOT_RECORDED
            message = answer.get("message") if answer else "not recorded"
            error = {"message": message, "code": status}
            text = json.dumps({} if status == 200 else {"error": error}).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as stub:
        threading.Thread(target=stub.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{stub.server_port}/v1/chat/completions"
        finally:
            stub.shutdown()


def post(address: str, request: object) -> tuple[int, Any]:
    """Post a request, and return status and body of the answer."""
    body = json.dumps(request).encode()
    sent = urllib.request.Request(address, body, {"Content-Type": "application/json"})
    # Whatever proxy the machine has, this goes to the machine itself.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(sent) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)
