"""The repository as a whole: its parts, its pages, its sessions, its wheel."""
