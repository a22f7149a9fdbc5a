"""Phrases that commands, pages and jobs share."""

from django.core.exceptions import ValidationError


def counted(number: int, noun: str) -> str:
    """The number with its noun, in the plural where that is due."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def validation_in_words(error: ValidationError) -> str:
    """What is wrong with the fields of a row, in one line."""
    return " ".join(
        f"{field}: {message}" for field, messages in error.message_dict.items() for message in messages
    )
