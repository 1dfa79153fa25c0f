"""Send a request to two versions of a server, as it came and sanitised, and print the answers.

    python3 -m tests.evidence.servers.before_after

The servers are stubs on 127.0.0.1 that answer with what the real ones said (`answers.json`).
"""

from commoncall.payload.request import sanitize_request
from tests.evidence.servers.answers import SERVERS
from tests.evidence.servers.stub import post, running

REQUEST = {"model": "m", "messages": [], "tools": [], "tool_choice": "auto"}


def main() -> None:
    """Print one line for each answer: server, before or after, status, message."""
    for server in ("vllm 0.15.1", "vllm 0.32.0"):
        capability = {"tool_calls_supported": SERVERS[server]["takes_tools"]}
        after = sanitize_request(REQUEST, capability=capability)["request"]
        with running(server) as address:
            for name, request in (("before", REQUEST), ("after", after)):
                status, body = post(address, request)
                message = body.get("error", {}).get("message", "")
                print(f"{server}  {name:<6}  {status}  {message}".rstrip())


if __name__ == "__main__":
    main()
