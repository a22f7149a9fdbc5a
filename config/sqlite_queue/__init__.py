"""Django's SQLite backend with a queue of writers: `ENGINE = "config.sqlite_queue"`."""
