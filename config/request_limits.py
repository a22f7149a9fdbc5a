"""Limits on how long a request waits for the database; `config.lost_database` then responds.

Only the web server calls `limit_requests`, when it loads the application: commands, migrations and jobs
take the time that they need.
"""

from django.conf import settings
from django.db import connections

from config.sqlite_queue.base import OPTION as IMPATIENT
from config.sqlite_queue.base import TURN_SECONDS
from config.sqlite_queue.timed_lock import allow_limits
from config.watched_postgres.base import OPTION as WATCHED

CONNECT_SECONDS = 2
LOCK_SECONDS = 4


def limit_requests() -> None:
    """Set the time limits on each connection that this process opens from now on."""
    database = connections.settings["default"]
    options = database["OPTIONS"]
    if database["ENGINE"] == "config.sqlite_queue":
        allow_limits()
        options |= {IMPATIENT: True, "timeout": TURN_SECONDS}
    elif database["ENGINE"] == "config.watched_postgres":
        options |= {
            WATCHED: True,
            "connect_timeout": CONNECT_SECONDS,
            "tcp_user_timeout": LOCK_SECONDS * 1000,
        }
        limits = [f"lock_timeout={LOCK_SECONDS}s"]
        if seconds := settings.REQUEST_STATEMENT_SECONDS:
            limits += [f"statement_timeout={seconds}s", f"idle_in_transaction_session_timeout={seconds}s"]
        given = options.get("options", "")
        new = [f"-c {limit}" for limit in limits if f"-c {limit}" not in given]
        options["options"] = " ".join(filter(None, [given, *new]))
