"""Login, roles and API tokens."""
