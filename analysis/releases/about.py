"""What the authors of a release state in a file: name, version, date, licences, authors, answers."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

from analysis.releases.questions import QUESTIONS
from core.wording import listed
from jobs.refusals import RefusedError

NAME = re.compile(r"[a-z0-9]+(?:[._-][a-z0-9]+)*")
VERSION = re.compile(r"(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})")
ORCID = re.compile(r"\d{4}-\d{4}-\d{4}-\d{3}[\dX]")
MOST_CHARS = 20_000


class AboutError(RefusedError):
    """The description of a release is missing or wrong; the message names the file, the key and the cause.

    Attributes:
        key: what is wrong, such as `title`, `answers.pay` or `authors 1: orcid`; empty if it is the file.
        cause: what is wrong with it, and what to do.
    """

    def __init__(self, message: str, *, key: str = "", cause: str = "") -> None:
        super().__init__(message)
        self.key, self.cause = key, cause or message


@dataclass(frozen=True, slots=True)
class Licence:
    """A licence.

    Attributes:
        name: SPDX identifier, or a name in words.
        url: of its text.
        is_known: whether it is one of `LICENCES`.
    """

    name: str
    url: str
    is_known: bool = True


_CREATIVE_COMMONS = {
    f"CC-{kind}-4.0": f"https://creativecommons.org/licenses/{kind.lower()}/4.0/"
    for kind in ("BY", "BY-SA", "BY-NC", "BY-NC-SA", "BY-ND", "BY-NC-ND")
}
LICENCES: Mapping[str, str] = {
    **_CREATIVE_COMMONS,
    "CC0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
    "ODbL-1.0": "https://opendatacommons.org/licenses/odbl/1-0/",
    "ODC-By-1.0": "https://opendatacommons.org/licenses/by/1-0/",
    "Apache-2.0": "https://www.apache.org/licenses/LICENSE-2.0",
    "MIT": "https://opensource.org/license/mit",
}
"""Licences by SPDX identifier, with the addresses of their texts."""


@dataclass(frozen=True, slots=True)
class Author:
    """An author: a person with a family name, or an organisation with that name alone."""

    family: str
    given: str = ""
    affiliation: str = ""
    orcid: str = ""

    @property
    def in_full(self) -> str:
        """The name as people read it."""
        return f"{self.given} {self.family}".strip()

    @property
    def sorted_name(self) -> str:
        """Family name first."""
        return f"{self.family}, {self.given}" if self.given else self.family


@dataclass(frozen=True, slots=True)
class About:
    """What the authors state.

    Attributes:
        name: short name of the data set, for addresses and file names.
        title: in words.
        description: one or more paragraphs.
        version: semantic, such as 1.0.0.
        date: day of the release, the only date that is not one of the data.
        licence: of judgments, scores and descriptions.
        text_licence: of sentences, outputs, references and texts of annotators; None if not stated.
        leaves_out_texts: whether the release has digests in place of all texts.
        authors: at least one.
        url: where the data set will be found.
        contact: where to report errors.
        source: name or address of the corpus that the texts come from.
        doi: of this version, if it is known already.
        keywords: further ones.
        answers: to `QUESTIONS`, by name; unanswered ones are missing.
    """

    name: str
    title: str
    description: str
    version: str
    date: date
    licence: Licence
    text_licence: Licence | None
    leaves_out_texts: bool
    authors: Sequence[Author]
    url: str
    contact: str
    source: str
    doi: str
    keywords: Sequence[str]
    answers: Mapping[str, str]

    @property
    def unanswered(self) -> list[str]:
        """Names of the questions without an answer."""
        return [name for name in QUESTIONS if name not in self.answers]


def version_numbers(version: str) -> tuple[int, ...]:
    """A version for comparison; a text that is none comes before all versions."""
    return tuple(map(int, version.split("."))) if VERSION.fullmatch(version) else ()


def read_about(path: Path) -> About:
    """The description of a release in a TOML file.

    Raises:
        AboutError: it cannot be read, lacks something, or has an unknown key or a wrong value.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise AboutError(f"There is no file {path}. docs/data-releases.md has one to begin with.") from error
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise AboutError(f"{path} cannot be read as TOML: {error}.") from error
    return _Table(f"{path}: ", "", content).about()


def about_of(content: Mapping[str, Any]) -> About:
    """The description of a release with the keys of the TOML file, from JSON: the day is a text.

    Raises:
        AboutError: it lacks something, or has an unknown key or a wrong value.
    """
    day = content.get("date")
    if isinstance(day, str):
        with suppress(ValueError):
            content = {**content, "date": date.fromisoformat(day)}
    return _Table("", "", content).about()


class _Table:
    """A table of the description, from which known keys are taken one by one."""

    def __init__(self, source: str, place: str, content: Mapping[str, Any]) -> None:
        self._source, self._place = source, place
        self._content = dict(content)

    def about(self) -> About:
        """The whole file."""
        about = About(
            name=self._matching("name", NAME, "small letters and digits with single hyphens"),
            title=self._text("title"),
            description=self._text("description", lines=True),
            version=self._matching("version", VERSION, "three numbers such as 1.0.0"),
            date=self._date("date"),
            licence=self._needed_licence("licence"),
            text_licence=self._licence("text_licence"),
            leaves_out_texts=self._flag("leave_out_texts"),
            authors=self._authors("authors"),
            url=self._address("url"),
            contact=self._text("contact", needed=False),
            source=self._text("source", needed=False),
            doi=self._text("doi", needed=False),
            keywords=self._texts("keywords"),
            answers=self._answers("answers"),
        )
        self._end()
        return about

    def _fault(self, key: str, cause: str) -> AboutError:
        within = f"{self._place}{key}"
        return AboutError(f"{self._source}{within}: {cause}.", key=within, cause=f"{cause}.")

    def _end(self) -> None:
        for key in self._content:
            raise self._fault(key, "there is no such key")

    def _text(self, key: str, *, needed: bool = True, lines: bool = False) -> str:
        value = self._content.pop(key, "")
        if not isinstance(value, str):
            raise self._fault(key, f"must be a text, not {value!r}")
        text = value.strip()
        if needed and not text:
            raise self._fault(key, "is missing")
        if len(text) > MOST_CHARS:
            raise self._fault(key, f"has {len(text):,} characters, at most {MOST_CHARS:,} are allowed")
        if not all(sign.isprintable() or (lines and sign == "\n") for sign in text):
            raise self._fault(key, "has characters that cannot be printed" + ("" if lines else " in a line"))
        return text

    def _matching(self, key: str, pattern: re.Pattern[str], expected: str) -> str:
        text = self._text(key)
        if not pattern.fullmatch(text):
            raise self._fault(key, f"must be {expected}, not {text!r}")
        return text

    def _date(self, key: str) -> date:
        value = self._content.pop(key, None)
        if not isinstance(value, date) or isinstance(value, datetime):
            raise self._fault(key, "must be a day without quotes, such as 2026-05-04")
        return value

    def _flag(self, key: str) -> bool:
        value = self._content.pop(key, False)
        if not isinstance(value, bool):
            raise self._fault(key, "must be true or false")
        return value

    def _address(self, key: str) -> str:
        text = self._text(key)
        if not re.fullmatch(r"https?://[^\s<>\"]+", text):
            raise self._fault(key, f"must be an address that begins with https://, not {text!r}")
        return text

    def _texts(self, key: str) -> tuple[str, ...]:
        value = self._content.pop(key, [])
        if not isinstance(value, list) or not all(isinstance(each, str) and each.strip() for each in value):
            raise self._fault(key, "must be a list of texts")
        return tuple(each.strip() for each in value)

    def _needed_licence(self, key: str) -> Licence:
        licence = self._licence(key)
        if licence is None:
            raise self._fault(key, f"is missing; use one such as CC-BY-4.0 of {listed(list(LICENCES))}")
        return licence

    def _licence(self, key: str) -> Licence | None:
        value = self._content.get(key)
        if isinstance(value, Mapping):
            table = _Table(self._source, f"{self._place}{key}.", self._content.pop(key))
            licence = Licence(table._text("name"), table._address("url"), is_known=False)
            table._end()
            return licence
        name = self._text(key, needed=False)
        if not name:
            return None
        if name not in LICENCES:
            raise self._fault(
                key,
                f"{name!r} is not one of {listed(list(LICENCES))}. For another licence, write "
                f'{key} = {{name = "…", url = "https://…"}}',
            )
        return Licence(name, LICENCES[name])

    def _authors(self, key: str) -> tuple[Author, ...]:
        value = self._content.pop(key, [])
        if not isinstance(value, list) or not value or not all(isinstance(each, Mapping) for each in value):
            raise self._fault(key, "name at least one, as [[authors]] with family, given, affiliation, orcid")
        authors = []
        for number, content in enumerate(value, start=1):
            table = _Table(self._source, f"{self._place}{key} {number}: ", content)
            author = Author(
                family=table._text("family"),
                given=table._text("given", needed=False),
                affiliation=table._text("affiliation", needed=False),
                orcid=table._text("orcid", needed=False).removeprefix("https://orcid.org/"),
            )
            if author.orcid and not ORCID.fullmatch(author.orcid):
                raise table._fault("orcid", f"{author.orcid!r} is not like 0000-0002-1825-0097")
            table._end()
            authors.append(author)
        return tuple(authors)

    def _answers(self, key: str) -> dict[str, str]:
        value = self._content.pop(key, {})
        if not isinstance(value, Mapping):
            raise self._fault(key, "must be a table [answers]")
        table = _Table(self._source, f"{self._place}{key}.", value)
        answers = {name: table._text(name, needed=False, lines=True) for name in QUESTIONS}
        table._end()
        return {name: answer for name, answer in answers.items() if answer}
