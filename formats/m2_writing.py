"""M2 files as text: the counterpart of `read_m2`."""

import re
from collections.abc import Iterable, Iterator

from formats.m2 import M2Sentence
from formats.records import Edit, Reference

REQUIRED = "REQUIRED"
NO_COMMENT = "-NONE-"
"""The last fields of an edit, where nothing is said in them."""

NOOP = f"A -1 -1|||noop|||-NONE-|||{REQUIRED}|||{NO_COMMENT}|||"

_LINE_END = re.compile("[\r\n]")


def m2_text(sentences: Iterable[M2Sentence]) -> Iterator[str]:
    """The sentences as pieces of an M2 file, one piece a sentence.

    An annotator who left a sentence unchanged gets a `noop` line, so that reading the file back gives the
    same references. A file of one annotator who is absent at some sentence must be read with
    ``absent="absent"``.

    Raises:
        ValueError: a sentence without tokens, references whose edits are not known, and text that M2 cannot
            hold (line ends, white space in tokens, separators in fields). The message names the sentence,
            counted from 1.
    """
    for number, sentence in enumerate(sentences, start=1):
        try:
            yield _block(sentence)
        except ValueError as error:
            raise ValueError(f"sentence {number}: {error}") from error


def _block(sentence: M2Sentence) -> str:
    if not sentence.tokens:
        raise ValueError("it has no tokens")
    source = " ".join(sentence.tokens)
    if tuple(source.split()) != sentence.tokens:
        raise ValueError("a token is empty or contains white space")
    lines = [f"S {source}"]
    for reference in sentence.references:
        lines += _reference_lines(reference)
    return "\n".join(lines) + "\n\n"


def _reference_lines(reference: Reference) -> list[str]:
    if reference.edits is None:
        raise ValueError(f"the edits of annotator {reference.annotator!r} are not known, only the text")
    if not reference.edits:
        return [NOOP + reference.annotator]
    return [_edit_line(edit, reference.annotator) for edit in reference.edits]


def _edit_line(edit: Edit, annotator: str) -> str:
    fields = [
        f"{edit.start} {edit.end}",
        edit.kind,
        _corrections(edit.corrections),
        edit.required,
        edit.comment,
        annotator,
    ]
    line = "|||".join(fields)
    outside = edit.kind + edit.required + edit.comment + annotator
    if [field.strip() for field in line.split("|||")] != fields or "||" in outside or _LINE_END.search(line):
        raise ValueError(f"a field of the edit {line!r} contains '||', a line end or surrounding white space")
    if edit.kind == "noop":
        raise ValueError("an edit of the type 'noop' would be read as no edit")
    return f"A {line}"


def _corrections(corrections: tuple[str, ...]) -> str:
    """A deletion is empty, as in the published files; beside alternatives it is "-NONE-"."""
    if corrections == ("",):
        return ""
    texts = [correction or "-NONE-" for correction in corrections]
    joined = "||".join(texts)
    if "-NONE-" in corrections or [text.strip() for text in joined.split("||")] != texts:
        raise ValueError(f"the corrections {corrections!r} contain '||', '-NONE-' or surrounding white space")
    return joined
