"""Messages of form errors that replace Django's ("Select a valid choice ...")."""

from django import forms
from django.core import validators

MESSAGES: dict[type[forms.Field], dict[str, str]] = {
    forms.ChoiceField: {"invalid_choice": "“%(value)s” is not one of the choices."},
    forms.MultipleChoiceField: {"invalid_choice": "“%(value)s” is not one of the choices."},
    forms.ModelChoiceField: {"invalid_choice": "This is not one of the choices; it may have been deleted."},
    forms.ModelMultipleChoiceField: {
        "invalid_choice": "“%(value)s” is not one of the choices; it may have been deleted."
    },
    forms.DateField: {"invalid": "Enter a date such as 2026-05-31."},
    forms.FileField: {"empty": "The file is empty."},
}
LIMITS: dict[type[validators.BaseValidator], str] = {
    validators.MinValueValidator: "This must be at least %(limit_value)s.",
    validators.MaxValueValidator: "This must be at most %(limit_value)s.",
    validators.MaxLengthValidator: "At most %(limit_value)d characters are allowed; this has %(show_value)d.",
}


def use_own_words() -> None:
    """Use these messages in all forms and model validation."""
    for field, messages in MESSAGES.items():
        field.default_error_messages = {**field.default_error_messages, **messages}
    for validator, message in LIMITS.items():
        validator.message = message
