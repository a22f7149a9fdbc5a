"""The Django app of operation."""

from django.apps import AppConfig


class OperationConfig(AppConfig):
    name = "operation"

    def ready(self) -> None:
        from jobs.signals import daily

        daily.connect(_apply_retention)


def _apply_retention(**about: object) -> None:
    from operation.retention import apply_retention

    apply_retention()
