"""Texts in the reader's language. Without a program that installs translations, they stay English."""

from collections.abc import Callable

_installed: list[Callable[[str], str]] = []


def install(translate: Callable[[str], str]) -> None:
    """Translate texts by this function from now on."""
    _installed[:] = [translate]


def gettext(text: str) -> str:
    """The text in the reader's language. `make translations` collects the texts of its calls."""
    return _installed[0](text) if _installed else text


def translatable(text: str) -> str:
    """The text itself, which is translated where it is shown; `make translations` collects it, too."""
    return text
