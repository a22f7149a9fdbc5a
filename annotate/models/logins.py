"""Failed logins."""

from django.db import models
from django.utils import timezone


class LoginAttempt(models.Model):
    """A failed login, or one in progress. The typed name is not stored, because it may be a password."""

    at = models.DateTimeField(default=timezone.now, editable=False)
    name_digest = models.CharField(max_length=64, help_text="HMAC of the typed name.")
    address = models.CharField(max_length=50, help_text="An IPv4 address, or an IPv6 network.")

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [
            models.Index(fields=["name_digest", "-at"], name="login_attempt_of_name"),
            models.Index(fields=["address", "-at"], name="login_attempt_of_address"),
            models.Index(fields=["at"], name="login_attempt_age"),
        ]

    def __str__(self) -> str:
        return f"login from {self.address}"
