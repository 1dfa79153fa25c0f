"""Plugs for programs that cannot be changed: a gateway, and what servers load; and the probe of an
endpoint.

Each is thin, over the public functions of `commoncall`. `exchange` and `chunks` do no I/O. The
gateway needs the extra ``serve``, what a server loads needs that server, and the probe nothing.
"""
