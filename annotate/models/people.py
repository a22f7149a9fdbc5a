"""People and machines: one rule that keeps machines out of everything that reads annotators and judgments."""

from typing import ClassVar, TypeVar

from django.db import models

M = TypeVar("M", bound=models.Model)


class OfPeople(models.Manager[M]):
    """Leaves out machines. It is the usual manager: code that is about machines, too, asks for `every` row.

    Attributes:
        of_people: the condition on a row.
    """

    of_people: ClassVar[dict[str, object]] = {"kind": "person"}

    def get_queryset(self) -> models.QuerySet[M]:
        """The rows of people."""
        return super().get_queryset().filter(**self.of_people)


class JudgmentsOfPeople(OfPeople[M]):
    """Leaves out judgments of machines."""

    of_people: ClassVar[dict[str, object]] = {"by_machine": 0}
