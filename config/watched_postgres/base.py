"""Connections of the web server do not wait for a PostgreSQL that has gone (`config.watched_postgres.watch`).

Connections of jobs and commands are Django's own: `config.request_limits` sets the option `watched` in the
web server.
"""

from types import SimpleNamespace
from typing import Any

import psycopg
from django.db.backends.postgresql import base

from config.watched_postgres.watch import Watch, WatchedConnection

OPTION = "watched"

the_watch = Watch()


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that is opened and watched by `the_watch`, if the option says so."""

    # `connect` is all that differs from the module.
    Database: Any = SimpleNamespace(**{**vars(psycopg), "connect": WatchedConnection.connect})

    def get_new_connection(self, conn_params: dict[str, object]) -> Any:
        """A connection.

        Raises:
            psycopg.OperationalError: the server is away. It is waited for only in the first moments.
        """
        parameters = dict(conn_params)
        if not parameters.pop(OPTION, False):
            return super().get_new_connection(parameters)
        connect = super().get_new_connection
        return the_watch.connect(lambda: connect(parameters), parameters)
