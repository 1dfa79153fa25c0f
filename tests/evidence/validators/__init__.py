"""Published software as a judge of requests; the session `validators` alone imports it."""
