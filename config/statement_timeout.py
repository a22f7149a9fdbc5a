"""On PostgreSQL, cancels statements of a request that take too long; `config.lost_database` then responds.

Only the web server calls `limit_statements`, when it loads the application: commands, migrations and jobs
take the time that they need.
"""

from django.conf import settings
from django.db import connections


def limit_statements() -> None:
    """Set the time limit on each connection that this process opens from now on."""
    database = connections.settings["default"]
    if database["ENGINE"] == "django.db.backends.postgresql" and settings.REQUEST_STATEMENT_SECONDS:
        limit = f"-c statement_timeout={settings.REQUEST_STATEMENT_SECONDS}s"
        given = database["OPTIONS"].get("options", "")
        if limit not in given:
            database["OPTIONS"]["options"] = f"{given} {limit}".strip()
