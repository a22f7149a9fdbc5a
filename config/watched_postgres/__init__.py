"""Django's PostgreSQL backend with a limit on waiting: `ENGINE = "config.watched_postgres"`."""
