"""The Django app of operation."""

from django.apps import AppConfig
from django.core.checks import Tags, register


class OperationConfig(AppConfig):
    name = "operation"

    def ready(self) -> None:
        from jobs.signals import daily
        from operation.squashed_migrations import upgradable

        daily.connect(_apply_retention)
        register(upgradable, Tags.database)  # `migrate` runs the checks of databases first.


def _apply_retention(**about: object) -> None:
    from operation.retention import apply_retention

    apply_retention()
