"""All rows of this app's tables, to detect changes."""

from typing import Any

from django.apps import apps
from django.db.models import Model

TABLES = tuple(apps.get_app_config("annotate").get_models(include_auto_created=True))


def contents() -> dict[type[Model], list[dict[str, Any]]]:
    """The rows of every table, those of empty tables left out."""
    rows = {table: list(table._default_manager.order_by("pk").values()) for table in TABLES}
    return {table: stored for table, stored in rows.items() if stored}
