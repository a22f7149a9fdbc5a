"""Django's SQLite, but that writers stand in a queue: `ENGINE = "config.sqlite_queue"`."""
