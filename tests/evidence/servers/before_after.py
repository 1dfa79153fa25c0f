"""What two versions of a server answered to a request, as it came and sanitised.

    python3 -m tests.evidence.servers.before_after

The answers are those that the real ones gave to a request of that shape (`answers.json`).
"""

from commoncall.payload.request import sanitize_request
from tests.evidence.servers.answers import SERVERS, answer_of

REQUEST = {"model": "m", "messages": [], "tools": [], "tool_choice": "auto"}


def main() -> None:
    """Print one line for each answer: server, before or after, status, message."""
    for server in ("vllm 0.15.1", "vllm 0.32.0"):
        capability = {"tool_calls_supported": SERVERS[server]["takes_tools"]}
        after = sanitize_request(REQUEST, capability=capability)["request"]
        for name, request in (("before", REQUEST), ("after", after)):
            assert isinstance(request, dict)
            answer = answer_of(server, request)
            assert answer is not None, "nobody sent this server such a request"
            message = answer.get("message", "")
            print(f"{server}  {name:<6}  {answer['status']}  {message}".rstrip())


if __name__ == "__main__":
    main()
