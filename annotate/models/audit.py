"""The audit log."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone


class AuditAction(models.TextChoices):
    EXPORT = "export"
    LAUNCH = "launch"
    PAUSE = "pause"
    RESUME = "resume"
    CLOSE = "close"
    DELETE = "delete"
    SUBMIT = "submit", "Submit a system"
    ACCEPT = "accept", "Accept a submission"
    ADD = "add", "Add systems or references"
    DESCRIBE = "describe", "Change a corpus"
    WITHDRAW = "withdraw", "Withdraw a system"
    TAKE_BACK = "take-back", "Take back a withdrawal"
    MAKE_LINK = "make-link", "Create a link"
    REVOKE_LINK = "revoke-link", "Revoke a link"
    CREATE_ACCOUNT = "create-account", "Create an account"
    CHANGE_ROLE = "change-role", "Change a role"
    DEACTIVATE = "deactivate"
    REACTIVATE = "reactivate"
    PASSWORD_LINK = "password-link", "Create a password link"
    CHANGE_PASSWORD = "change-password", "Change a password"
    EXCLUDE = "exclude", "Exclude an annotator"
    READMIT = "readmit", "Readmit an annotator"
    MAKE_TOKEN = "make-token", "Create a token"
    REVOKE_TOKEN = "revoke-token", "Revoke a token"
    MAKE_MACHINE = "make-machine", "Create a machine"
    DESCRIBE_MACHINE = "describe-machine", "Change a machine"
    LET_THROUGH = "let-through", "Admit without practice"
    ERASE = "erase", "Erase an annotator"
    MAKE_REFERENCES = "make-references", "Make references or a system"
    REMOVE_REFERENCES = "remove-references", "Remove references or a system"
    BLOCK_LOGINS = "block-logins", "Block logins"
    PUBLISH = "publish", "Publish a ranking"
    RETRACT = "retract", "Retract a ranking"
    MAKE_LEADERBOARD = "make-leaderboard", "Create a leaderboard"
    SHOW_VERSION = "show-version", "Choose the version of a leaderboard"
    RETIRE_LEADERBOARD = "retire-leaderboard", "Retire a leaderboard"
    REOPEN_LEADERBOARD = "reopen-leaderboard", "Reopen a leaderboard"
    WATCH = "watch", "Stop when settled"
    OFFER_METRIC = "offer-metric", "Offer a learned metric"
    WITHDRAW_METRIC = "withdraw-metric", "Withdraw a learned metric"


class AuditEntry(models.Model):
    """An entry of the audit log. Entries are only ever added.

    User and object are also stored by name, because accounts and campaigns can be deleted.
    """

    at = models.DateTimeField(default=timezone.now, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="audit_entries"
    )
    who = models.CharField(
        max_length=150,
        help_text="Name of the account; empty for commands and for the program itself.",
        blank=True,
    )
    action = models.CharField(max_length=20, choices=AuditAction)
    kind = models.CharField(max_length=50, help_text="Kind of the object, such as campaign.")
    uuid = models.UUIDField(
        null=True, help_text="UUID of the object; one without, such as an account, is identified by name."
    )
    name = models.CharField(max_length=200, help_text="Name of the object.")
    details = models.JSONField(default=dict)

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name_plural = "audit entries"
        constraints = [
            models.CheckConstraint(condition=Q(action__in=AuditAction.values), name="audit_action_is_known"),
        ]
        indexes = [
            models.Index(fields=["uuid", "-at"], name="audit_of_one_thing"),
            models.Index(fields=["-at", "-id"], name="audit_newest"),
        ]

    def __str__(self) -> str:
        return f"{self.who or 'command'}: {self.action} {self.kind} {self.name}"

    @property
    def details_in_words(self) -> str:
        """The details, without empty ones."""
        # Sorted by name, because PostgreSQL does not keep the order of keys.
        details = sorted(self.details.items())
        return "; ".join(f"{name}: {_in_words(value)}" for name, value in details if value)


def _in_words(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "yes" if value is True else str(value)
