"""Log-in, roles, tokens and programs."""
