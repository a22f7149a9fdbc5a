"""Messages for values that must be unique."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from django.core.exceptions import ValidationError


class SaysWhatIsTaken:
    """Mixin for models: plain messages for values that are taken.

    Attributes:
        TAKEN: message by the tuple of fields that must be unique together.
    """

    TAKEN: ClassVar[Mapping[tuple[str, ...], str]]

    def unique_error_message(self, model_class: object, unique_check: Sequence[str]) -> ValidationError:
        """The message for these fields; Django's for others."""
        if words := self.TAKEN.get(tuple(unique_check)):
            return ValidationError(words, code="unique")
        return super().unique_error_message(model_class, unique_check)  # type: ignore[misc,no-any-return]
