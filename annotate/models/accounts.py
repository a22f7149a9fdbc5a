"""Accounts with their roles, and API tokens."""

from typing import ClassVar

from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotate.models.uniqueness import SaysWhatIsTaken


class Role(models.TextChoices):
    ADMIN = "admin"
    RESEARCHER = "researcher"
    ANNOTATOR = "annotator"


class AccountManager(UserManager["User"]):
    """Creates accounts; the first one, from `createsuperuser`, is an admin."""

    def create_superuser(
        self, username: str, email: str | None = None, password: str | None = None, **extra: object
    ) -> "User":
        extra.setdefault("role", Role.ADMIN)
        return super().create_superuser(username, email, password, **extra)


class User(SaysWhatIsTaken, AbstractUser):
    """An account. Annotators without one can judge by a personal or a shared link."""

    TAKEN: ClassVar = {("username",): "Another account has this name."}

    role = models.CharField(max_length=20, choices=Role, default=Role.ANNOTATOR)

    objects: ClassVar[AccountManager] = AccountManager()

    class Meta:
        verbose_name = "account"
        ordering = ["username"]
        constraints = [
            models.CheckConstraint(condition=Q(role__in=Role.values), name="user_role_is_known"),
        ]

    @property
    def is_invited(self) -> bool:
        """Whether the user has yet to set a password by the link that an admin created."""
        return self.is_active and not self.has_usable_password()

    @property
    def may_research(self) -> bool:
        """Whether the account may read corpora, campaigns and results."""
        return self.role in (Role.ADMIN, Role.RESEARCHER)

    @property
    def is_admin(self) -> bool:
        """Whether the account may change everything."""
        return self.role == Role.ADMIN

    @property
    def may_see_names(self) -> bool:
        """Whether the account may see annotators' names instead of pseudonyms."""
        return self.is_admin


class ApiToken(models.Model):
    """An account's token for the API. It was shown once; only its digest is stored."""

    user = models.OneToOneField(User, models.CASCADE, related_name="api_token")
    digest = models.CharField(max_length=64, help_text="SHA-256 of the token.")
    minted_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["digest"], name="api_token_is_unique"),
        ]

    def __str__(self) -> str:
        return f"API token of {self.user}"
