"""Plugs for programs that cannot be changed: a gateway, and what servers load.

Each is thin, over the public functions of `commoncall`. `exchange` and `chunks` do no I/O. The
gateway needs the extra ``serve``, each other plug the server that loads it.
"""
