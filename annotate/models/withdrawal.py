"""Withdrawn systems: one rule that keeps them from everything that reads systems."""

from typing import Any, ClassVar

from django.db import models


class ShownSystems(models.Manager[Any]):
    """Leaves out systems that were withdrawn. It is the usual manager: other code asks for `every` row.

    Attributes:
        withdrawn_at: the field that tells.
    """

    withdrawn_at: ClassVar[str] = "withdrawn_at"

    def get_queryset(self) -> models.QuerySet[Any]:
        """The rows of systems that were not withdrawn."""
        return super().get_queryset().filter(**{self.withdrawn_at: None})


class OfShownSystems(ShownSystems):
    """Leaves out rows that belong to systems that were withdrawn."""

    withdrawn_at = "system__withdrawn_at"
