"""Validation errors as one line of text."""

from django.core.exceptions import ValidationError


def validation_in_words(error: ValidationError) -> str:
    """The faults of the fields of a row, in one line."""
    return " ".join(
        f"{field}: {message}" for field, messages in error.message_dict.items() for message in messages
    )
