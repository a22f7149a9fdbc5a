"""Grammar checkers for `EvaluationSet`: Harper in this process, or a LanguageTool server.

Nothing is downloaded. Texts are tokens separated by blanks; they are detokenised before they are checked.
"""

import json
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from http.client import HTTPException
from importlib.metadata import version
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit
from urllib.request import Request, urlopen

from metrics.english.detokenise import detokenise

if TYPE_CHECKING:
    from harper import Linter

ERROR_CHARACTERS = 200
"""Number of characters of a server's answer quoted in a message."""

HARPER = "harper"
"""The name of the checker in this process."""


class CheckerError(Exception):
    """A checker does not answer; the message says which one, why, and what to do."""


def checker_named(name: str, language: str = "en-US") -> "GrammarChecker":
    """Harper by its name; otherwise the LanguageTool server of this address.

    Raises:
        CheckerError: it is not an address.
    """
    return HarperChecker() if name == HARPER else LanguageToolChecker(name, language=language)


class GrammarChecker(ABC):
    """Checks each distinct text once and caches the result."""

    def __init__(self) -> None:
        self._counts: dict[str, Mapping[str, int]] = {}

    @property
    @abstractmethod
    def signature(self) -> str:
        """Name and version."""

    def check(self, texts: Sequence[str]) -> list[Mapping[str, int]]:
        """How often each text (tokens separated by blanks) breaks each rule.

        Raises:
            CheckerError: the checker does not answer.
        """
        for text in texts:
            if text not in self._counts:
                self._counts[text] = Counter(self._broken_rules(detokenise(text)))
        return [self._counts[text] for text in texts]

    @abstractmethod
    def _broken_rules(self, text: str) -> list[str]:
        """The rule of each error in running text."""


class HarperChecker(GrammarChecker):
    """Harper, an English grammar checker in process, by harper-py (Apache-2.0).

    Its dictionary of American English is loaded when a text is checked, which takes a second.
    """

    @property
    def signature(self) -> str:
        """harper-py's version, which determines the version of Harper."""
        return f"harper-py-{version('harper-py')}"

    def _broken_rules(self, text: str) -> list[str]:
        lints = self._linter.organized_lints(text, language="plaintext")
        return [rule for rule, errors in lints.items() for _ in errors]

    @cached_property
    def _linter(self) -> "Linter":
        from harper import Linter

        return Linter()


class LanguageToolChecker(GrammarChecker):
    """A LanguageTool server: one POST to `/v2/check` for each text.

    Args:
        url: URL of the server, such as "http://localhost:8081".
        language: LanguageTool language code, such as "en-US".
        timeout: seconds to wait for an answer.
    """

    def __init__(self, url: str, *, language: str = "en-US", timeout: float = 60) -> None:
        """Raises `CheckerError` if the address is not an HTTP address."""
        super().__init__()
        if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
            raise CheckerError(f"{url!r} is not the address of a server, such as http://localhost:8081")
        self._url = url.rstrip("/") + "/v2/check"
        self._language = language
        self._timeout = timeout
        self._software = ""

    @property
    def signature(self) -> str:
        """Name, version and language; queries the server if no text was checked yet."""
        if not self._software:
            self._broken_rules("")
        return f"{self._software}-{self._language}"

    def _broken_rules(self, text: str) -> list[str]:
        answer = self._answer(text)
        try:
            software = answer["software"]
            self._software = f"{software['name']}-{software['version']}".lower()
            return [str(match["rule"]["id"]) for match in answer["matches"]]
        except (KeyError, TypeError) as error:
            raise CheckerError(f"{self._url} does not answer like LanguageTool: no {error}") from error

    def _answer(self, text: str) -> Any:
        body = urlencode({"text": text, "language": self._language}, errors="replace").encode()
        request = Request(self._url, body, {"Accept": "application/json"})  # noqa: S310 (checked above)
        try:
            with urlopen(request, timeout=self._timeout) as response:  # noqa: S310
                return json.load(response)
        except HTTPError as error:
            with error:
                cause = error.read(ERROR_CHARACTERS).decode("utf-8", "replace").strip()
            raise CheckerError(f"{self._url} refuses: {error.code} {cause or error.reason}") from error
        except OSError as error:
            reason: object = getattr(error, "reason", error)
            raise CheckerError(
                f"{self._url} does not answer: {reason}. Is the LanguageTool server running there?"
            ) from error
        except (ValueError, HTTPException) as error:
            cause = str(error) or type(error).__name__
            raise CheckerError(f"{self._url} does not answer like LanguageTool: {cause}") from error
