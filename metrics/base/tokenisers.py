"""Tokens of scripts without blanks between words, for metrics, which split texts at blanks."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version

from formats.text.by_character import by_character
from metrics.base.evaluation_sets import InputError


@dataclass(frozen=True, slots=True)
class Tokeniser:
    """Separates the tokens of texts.

    Attributes:
        name: with its version, for signatures; "given" if texts are tokens already.
        tokens: from a text to its tokens, separated by blanks; other characters do not change.
    """

    name: str
    tokens: Callable[[str], str]


GIVEN = Tokeniser("given", str)
CHARACTERS = Tokeniser("characters-1", lambda text: " ".join(by_character(text)))


def tokeniser_named(entry: str) -> Tokeniser:
    """A tokeniser of an installed package, named as in "jieba:lcut".

    Args:
        entry: a module and a function of it, which takes a text and returns its tokens, with a colon between.

    Raises:
        InputError: there is no such module or function. `tokens` raises it if the function fails, or if its
            tokens are not the text.
    """
    name, _, attribute = entry.partition(":")
    try:
        split = getattr(import_module(name), attribute)
        package = f"{entry}-{version(name.partition('.')[0])}"
    except (ImportError, AttributeError, ValueError, PackageNotFoundError) as error:
        raise InputError(f"the tokeniser {entry} cannot be used: {error}") from error

    def tokens(text: str) -> str:
        try:
            found = [token.strip() for token in split(text)]
        except Exception as error:
            raise InputError(f"the tokeniser {entry} has failed: {error}") from error
        if "".join("".join(found).split()) != "".join(text.split()):
            raise InputError(f"the tokeniser {entry} changes texts, such as {text[:60]!r}")
        return " ".join(filter(None, found))

    return Tokeniser(package, tokens)
