"""The REST API under /api/v1/. Its views are thin: they call the same queries and services as the pages."""
