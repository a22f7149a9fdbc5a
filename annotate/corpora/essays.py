"""A corpus of essays as sets of essays: the originals, each set of references, each system."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from annotate.corpora.queries import sentences_with_references, texts
from annotate.models import Corpus, System, SystemRole
from formats import SentenceRecord
from formats.multigec import ORIGINAL, UnwritableEssayError
from formats.text.checks import quoted
from formats.text.line_ends import in_lines

Essays = Mapping[str, str]
"""The texts of essays by id, in the order of the corpus."""


@dataclass(frozen=True, slots=True)
class EssaySets:
    """The essays of a corpus.

    Attributes:
        essays: by what files call each set: "orig", "ref1" and so on, "hypo1" and so on.
        renamed: name of the annotator or system of each set that files call otherwise.
    """

    essays: Mapping[str, Essays]
    renamed: Mapping[str, str]


def essay_sets(corpus: Corpus) -> EssaySets:
    """The essays of a corpus whose documents are ids of essays; the source is no system of theirs.

    Raises:
        UnwritableEssayError: a sentence has no document, or several have the same.
    """
    sentences = sentences_with_references(corpus)
    outputs = texts(corpus)
    by_annotator: dict[str, list[tuple[SentenceRecord, str]]] = defaultdict(list)
    for sentence in sentences:
        for reference in sentence.references:
            by_annotator[reference.annotator].append((sentence, reference.text))
    systems = System.objects.filter(corpus=corpus, is_whole=True).exclude(role=SystemRole.SOURCE)
    annotators = _numbered("ref", by_annotator)
    called = _numbered("hypo", systems.order_by("pk").values_list("name", flat=True))
    essays = {ORIGINAL: _by_id((each, each.source) for each in sentences)}
    essays |= {name: _by_id(by_annotator[annotator]) for name, annotator in annotators.items()}
    for name, system in called.items():
        produced = ((each, outputs[place].get(system)) for place, each in enumerate(sentences))
        essays[name] = _by_id((each, text) for each, text in produced if text is not None)
    renamed = {name: given for name, given in {**annotators, **called}.items() if name != given}
    return EssaySets(essays, renamed)


def _by_id(of_sentences: Iterable[tuple[SentenceRecord, str]]) -> Essays:
    essays: dict[str, str] = {}
    for sentence, text in of_sentences:
        if not sentence.document:
            raise UnwritableEssayError(
                f"A sentence has no document, which is the id of its essay: {quoted(sentence.source)}."
            )
        if sentence.document in essays:
            raise UnwritableEssayError(
                f"Several sentences are of document {quoted(sentence.document)}: they are no whole essays."
            )
        essays[sentence.document] = in_lines(text)
    return essays


def _numbered(kind: str, names: Iterable[str]) -> dict[str, str]:
    """Names of annotators or systems by what files call them; names such as "ref1" are kept."""
    given = list(names)
    kept = {name for name in given if re.fullmatch(rf"{kind}[0-9]{{1,3}}", name)}
    numbers = range(1, len(given) + len(kept) + 1)
    free = (name for number in numbers if (name := f"{kind}{number}") not in kept)
    return {name if name in kept else next(free): name for name in given}
