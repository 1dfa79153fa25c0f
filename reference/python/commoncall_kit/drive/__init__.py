"""How an adapter is asked: the protocol, the process, the session; and the own adapter."""
