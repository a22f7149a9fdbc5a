"""The field of a language."""

from typing import Any

from django import forms

from core.languages import UNDETERMINED, language_name, languages


class LanguageField(forms.ChoiceField):
    """A language from the list of all, whose value is its BCP 47 tag; `stored` is offered, too."""

    def __init__(self, *, stored: str = UNDETERMINED, **options: Any) -> None:
        named = ((tag, f"{name} ({tag})") for tag, name in languages().items())
        choices = [(UNDETERMINED, "Not stated"), *named]
        if stored not in dict(choices):
            choices.append((stored, language_name(stored)))
        super().__init__(choices=choices, initial=stored, **options)
