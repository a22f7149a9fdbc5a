from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.db.models import Q


class Role(models.TextChoices):
    ADMIN = "admin"
    RESEARCHER = "researcher"
    ANNOTATOR = "annotator"


class AccountManager(UserManager["User"]):
    """Makes accounts; the first one, from `createsuperuser`, is an admin."""

    def create_superuser(
        self, username: str, email: str | None = None, password: str | None = None, **extra: Any
    ) -> "User":
        extra.setdefault("role", Role.ADMIN)
        return super().create_superuser(username, email, password, **extra)


class User(AbstractUser):
    """An account. Whoever has none may still judge by a personal or a shared link."""

    role = models.CharField(max_length=20, choices=Role, default=Role.ANNOTATOR)

    objects: ClassVar[AccountManager] = AccountManager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(role__in=Role.values), name="user_role_is_known"),
        ]

    @property
    def may_research(self) -> bool:
        """Whether the account may read corpora, campaigns and results."""
        return self.role in (Role.ADMIN, Role.RESEARCHER)
