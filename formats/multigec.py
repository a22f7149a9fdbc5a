"""MultiGEC's Markdown: whole essays, each after a line with its id.

    ### essay_id = 17
    I goes to school .

    My friend like it .


    ### essay_id = 18
    ...

The originals, each set of references and the outputs of each system are files of their own, named like
`cs-natwebinf-ref2-dev.md`. An essay becomes one sentence of a corpus, in which "¶" between blanks stands for
each end of a line, so that it fits formats of one sentence a line (`formats.text.line_ends`).
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import yaml

from formats.records import (
    MAX_ANNOTATORS,
    MAX_SYSTEMS,
    CorpusRecord,
    FormatError,
    Reference,
    SentenceRecord,
)
from formats.text.checks import (
    Place,
    check_texts,
    checked_name,
    checked_source,
    checked_system,
    checked_text,
    quoted,
)
from formats.text.line_ends import PILCROW, in_one_line
from formats.text.lines import read_text

MARKER = "### essay_id = "
ORIGINAL = "orig"
METADATA = frozenset({".yaml", ".yml"})
"""Endings of files that describe a subcorpus."""

STYLES = ("minimal", "fluency")
MOST_METADATA_CHARS = 100_000

_NAME = re.compile(r"([a-z]{2,3})-(.+)-(orig|ref[0-9]{1,3}|hypo[0-9]{0,3})-(train|dev|test)\.md")
_PATTERN = "langcode-corpus-orig|refN|hypoN-train|dev|test.md"


@dataclass(frozen=True, slots=True)
class EssayFile:
    """What the name of a file says.

    Attributes:
        path: of the file.
        language: code of the language, such as "cs".
        corpus: name of the subcorpus.
        texts: "orig", "ref1" and so on, or "hypo1" and so on.
        split: "train", "dev" or "test".
    """

    path: Path
    language: str
    corpus: str
    texts: str
    split: str

    @property
    def essays(self) -> str:
        """What tells files of the same essays from others."""
        return f"{self.language}-{self.corpus}-{self.split}"


def essay_file(path: Path) -> EssayFile:
    """The parts of a file's name; FormatError if it is not named like a file of MultiGEC."""
    found = _NAME.fullmatch(path.name)
    if found is None:
        raise FormatError(path, None, f"the name is not of the form {_PATTERN}")
    language, corpus, texts, split = found.groups()
    return EssayFile(path, language, corpus, texts, split)


def essay_files(paths: Iterable[Path]) -> list[Path]:
    """The files, and the files of MultiGEC in each folder by name, with those that describe a subcorpus.

    Raises:
        FormatError: a folder has no such file.
    """
    files: list[Path] = []
    for path in paths:
        if not path.is_dir():
            files.append(path)
            continue
        found = sorted(each for each in path.iterdir() if _NAME.fullmatch(each.name))
        if not found:
            raise FormatError(path, None, f"no file is named {_PATTERN}")
        files += [*found, *sorted(each for each in path.iterdir() if each.suffix in METADATA)]
    return files


def language_of(paths: Sequence[Path]) -> str:
    """The language that the names of files of essays say, "und" without any; FormatError as `essay_file`."""
    essays = [path for path in paths if path.suffix not in METADATA]
    return essay_file(essays[0]).language if essays else "und"


def read_essays(path: Path) -> Mapping[str, tuple[Place, str]]:
    """The essays of a file by id, each with the place of its id, in the order of the file.

    An id is the rest of the line. Line ends around an essay are no part of it; those within are, also of
    blank lines.

    Raises:
        FormatError: text before the first id; an id that is empty, no name, or there twice; the marker of an
            id within a line; a character that stands for a line end; and all faults of `read_text`.
    """
    before, *parts = read_text(path).split(MARKER)
    if not parts:
        raise FormatError(path, None, f"no line begins with {MARKER!r}")
    line = 1
    if before.strip():
        line += before[: len(before) - len(before.lstrip())].count("\n")
        raise FormatError(path, line, f"text before the first {MARKER!r}")
    essays: dict[str, tuple[Place, str]] = {}
    for previous, part in pairwise([before, *parts]):
        line += previous.count("\n")
        place = Place(path, line)
        if previous and not previous.endswith("\n"):
            raise place.fault(f"{MARKER!r} within a line; only the line of an id may contain it")
        name, _, text = part.partition("\n")
        name = checked_name(name, place, "the id")
        if name in essays:
            raise place.fault(f"essay {quoted(name)} twice, first in line {essays[name][0].line}")
        if PILCROW in text:
            where = line + 1 + text[: text.index(PILCROW)].count("\n")
            raise Place(path, where).fault(f"the character {PILCROW}, which stands for line ends in a corpus")
        essays[name] = place, text.strip("\n")
    return essays


def read_styles(path: Path) -> Mapping[str, str]:
    """The styles of references from a file that describes a subcorpus, by name such as "ref1".

        reference_essays_1:
          correction_style: minimal

    Raises:
        FormatError: no YAML, no mapping, or a style that is not one of STYLES; and all faults of `read_text`.
    """
    text = read_text(path)
    if len(text) > MOST_METADATA_CHARS:
        raise FormatError(path, None, f"longer than {MOST_METADATA_CHARS:,} characters")
    try:
        described = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        cause = getattr(error, "problem", None) or str(error)
        raise FormatError(path, mark and mark.line + 1, f"no YAML: {cause}") from error
    if not isinstance(described, dict):
        raise FormatError(path, None, "not a mapping of names to values")
    styles = {}
    for name, value in described.items():
        found = re.fullmatch(r"reference_essays_([0-9]{1,3})", str(name))
        if found is None:
            continue
        style = value.get("correction_style") if isinstance(value, dict) else None
        if style not in STYLES:
            raise FormatError(path, None, f"{name} has no correction_style of {' or '.join(STYLES)}")
        styles[f"ref{found[1]}"] = str(style)
    return styles


def read_multigec(paths: Sequence[Path], systems: Mapping[str, Path] = {}) -> CorpusRecord:
    """Read the essays of one subcorpus and split as a corpus.

    References and outputs may lack essays, which a warning counts for outputs. The document of an essay is
    its id, and the annotators and systems are called as in the names of files, such as "ref1" and "hypo1".

    Args:
        paths: the originals, with any number of references and outputs, and a file that describes them.
        systems: further files of outputs by name of the system, whatever the files are called.

    Raises:
        FormatError: no originals; files of several subcorpora or splits; a file twice; an essay that the
            originals lack, or an original that is empty; too many systems, annotators or texts; and all
            faults of `essay_file`, `read_essays` and `read_styles`.
    """
    styles: dict[str, str] = {}
    for path in paths:
        if path.suffix in METADATA:
            styles |= read_styles(path)
    files = [essay_file(path) for path in paths if path.suffix not in METADATA]
    originals = [file for file in files if file.texts == ORIGINAL]
    if len(originals) != 1:
        named = ", ".join(file.path.name for file in originals)
        cause = f"several files of originals, where one is wanted: {named}" if originals else "no originals"
        raise FormatError(paths[0].parent, None, f"{cause} (…-{ORIGINAL}-….md)")
    [original] = originals
    outputs, references = dict(systems), {}
    for file in files:
        if file.essays != original.essays:
            raise FormatError(file.path, None, f"not of the same essays as {original.path.name}")
        if file.texts.startswith("ref"):
            references[file.texts] = file.path
        elif file is not original:
            if file.texts in outputs:
                raise FormatError(file.path, None, f"system {file.texts} twice")
            outputs[file.texts] = file.path
    if len(outputs) > MAX_SYSTEMS or len(references) > MAX_ANNOTATORS:
        raise FormatError(
            original.path, None, f"more than {MAX_SYSTEMS} systems or {MAX_ANNOTATORS} sets of references"
        )
    sources = read_essays(original.path)
    check_texts(len(sources) * (len(outputs) + len(references)), Place(original.path))
    where = original.path.name
    corrected = {name: _corrected(path, sources, where) for name, path in sorted(references.items())}
    produced = {
        checked_system(name, Place(path)): _corrected(path, sources, where) for name, path in outputs.items()
    }
    return CorpusRecord(
        tuple(
            SentenceRecord(
                checked_source(in_one_line(text), place),
                {name: texts[essay] for name, texts in produced.items() if essay in texts},
                tuple(
                    Reference(name, texts[essay], None) for name, texts in corrected.items() if essay in texts
                ),
                essay,
                "",
            )
            for essay, (place, text) in sources.items()
        ),
        tuple(produced),
        tuple(
            _missing(outputs[name], sources, texts)
            for name, texts in produced.items()
            if len(texts) < len(sources)
        ),
        {name: styles[name] for name in corrected if name in styles},
        holds_essays=True,
    )


def read_essays_beside(
    sources: Mapping[str, str], where: str, systems: Mapping[str, Path], references: Mapping[str, Path]
) -> CorpusRecord:
    """Read outputs and references of essays that are known; files may lack essays.

    Args:
        sources: The essays by id, each in one line.
        where: What errors call the file of the essays.
        systems: Files of outputs by system.
        references: Files of references by annotator.

    Raises:
        FormatError: an essay that is not known, and all faults of `read_essays`.
    """
    produced = {
        checked_system(name, Place(path)): _corrected(path, sources, where) for name, path in systems.items()
    }
    corrected = {
        checked_name(name, Place(path), "the annotator"): _corrected(path, sources, where)
        for name, path in references.items()
    }
    return CorpusRecord(
        tuple(
            SentenceRecord(
                text,
                {name: texts[essay] for name, texts in produced.items() if essay in texts},
                tuple(
                    Reference(name, texts[essay], None) for name, texts in corrected.items() if essay in texts
                ),
                "",
                "",
            )
            for essay, text in sources.items()
        ),
        tuple(produced),
        tuple(
            _missing(systems[name], sources, texts)
            for name, texts in produced.items()
            if len(texts) < len(sources)
        ),
        holds_essays=True,
    )


def _missing(path: Path, sources: Collection[str], texts: Collection[str]) -> str:
    return f"{path.name}: {len(sources) - len(texts)} of {len(sources)} essays are missing."


def _corrected(path: Path, sources: Mapping[str, object], where: str) -> dict[str, str]:
    """The texts of a file of references or outputs by id, each in one line."""
    texts = {}
    for essay, (place, text) in read_essays(path).items():
        if essay not in sources:
            raise place.fault(f"{where} has no essay {quoted(essay)}")
        texts[essay] = checked_text(in_one_line(text), place, "the essay")
    return texts


class UnwritableEssayError(ValueError):
    """An essay cannot stand in a file of MultiGEC; the message says which, and why."""


def essays_text(essays: Iterable[tuple[str, str]]) -> Iterator[str]:
    """A file of essays, given by id and text, in pieces.

    Raises:
        UnwritableEssayError: an id that is empty or has several lines, or is there twice; a text that
            contains the marker of ids, or begins or ends with a line end, which readers would leave out.
    """
    seen: set[str] = set()
    for name, text in essays:
        if not name or name != name.strip() or "\n" in name:
            raise UnwritableEssayError(f"{quoted(name)} cannot be the id of an essay.")
        if name in seen:
            raise UnwritableEssayError(f"Two essays have the id {quoted(name)}.")
        if MARKER in text:
            raise UnwritableEssayError(f"Essay {quoted(name)} contains {MARKER!r}, which begins another.")
        if text != text.strip("\n"):
            raise UnwritableEssayError(f"Essay {quoted(name)} begins or ends with a line end.")
        yield f"{MARKER}{name}\n{text}\n\n"
        seen.add(name)
