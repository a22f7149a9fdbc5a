"""Published tables, computed again from the published data and shown figure beside figure."""
