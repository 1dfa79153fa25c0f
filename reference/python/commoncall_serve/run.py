"""Runs the gateway."""

import logging
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
    server = uvicorn.Server(config)
    LOG.info("listening on http://%s:%d, in front of %s", host, port, settings.upstream)
    server.run()
    return 0 if server.started else 1
