"""Published software as a judge of requests, and its recorded verdicts.

The modules that import it run in the session `validators` only; `verdicts.json` holds what they
said.
"""
