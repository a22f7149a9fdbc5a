"""Permissions of API views. `annotate.web.access` has those of pages."""

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from annotate.models import Annotator


class ForResearchers(BasePermission):
    """Researchers and admins."""

    rule = "researcher's program"
    message = "This is for researchers and admins."

    def has_permission(self, request: Request, view: object) -> bool:
        """Whether the account has one of the roles."""
        return bool(request.user.is_authenticated and request.user.may_research)


class ForMachines(BasePermission):
    """Machines, by their own tokens."""

    rule = "machine's program"
    message = "This is for machines, which send their own token."

    def has_permission(self, request: Request, view: object) -> bool:
        """Whether a machine asks."""
        return isinstance(request.auth, Annotator)


class ForAdmins(BasePermission):
    """Admins."""

    rule = "admin's program"
    message = "This is for admins."

    def has_permission(self, request: Request, view: object) -> bool:
        """Whether the account has the role."""
        return bool(request.user.is_authenticated and request.user.is_admin)
