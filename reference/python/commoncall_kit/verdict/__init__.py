"""What the answers show: outcomes of cases, and reports of them in every form."""
