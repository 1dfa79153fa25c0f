"""Runs the gateway."""

import logging
import socket
import sys

import uvicorn

from commoncall_serve.gateway import application
from commoncall_serve.work import LOG, Settings


def run(settings: Settings, host: str, port: int) -> int:
    """Serve until the process is told to stop."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    LOG.addHandler(handler)
    LOG.setLevel(logging.INFO)
    # Lines of access hold queries, and these can hold keys.
    config = uvicorn.Config(
        application(settings),
        host=host,
        port=port,
        access_log=False,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=10,
    )
    server = _Server(config, f"listening on http://{host}:{port}, in front of {settings.upstream}")
    server.run()
    return 0 if server.started else 1


class _Server(uvicorn.Server):
    """Says that it listens when it does."""

    def __init__(self, config: uvicorn.Config, said: str) -> None:
        super().__init__(config)
        self._said = said

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and say so."""
        await super().startup(sockets)
        if self.started:
            LOG.info(self._said)
