"""Statistics of the edits in a corpus with references (Napoles et al. 2019, Tables 3 and 4)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, pstdev

from core.progress import Advance
from metrics.base.evaluation_sets import Annotation, EvaluationSet, GoldEdit
from metrics.base.metric import NotScored
from metrics.base.scoring import score
from metrics.edits.edit_sources import Correction, EditSource, texts_to_parse
from metrics.edits.errant_types import category
from metrics.m2 import M2

SENTENCES_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class Agreement:
    """M2 of a reference against the others.

    Attributes:
        precision: precision of its edits.
        recall: recall of the others' edits.
        f: F0.5.
    """

    precision: float
    recall: float
    f: float


@dataclass(frozen=True, slots=True)
class CorpusStatistics:
    """Statistics of a corpus.

    Attributes:
        sentences: number of sentences.
        tokens: mean number of tokens of a source sentence.
        tokens_deviation: its standard deviation over sentences.
        references: total number of references.
        unchanged: share of references that leave their sentence as it is.
        edits: mean number of edits of a reference that changes its sentence; None if no reference does.
        source_tokens_an_edit: mean number of source tokens that an edit replaces.
        corrected_tokens_an_edit: mean number of tokens that it puts in their place.
        tokens_an_edit: mean of the greater of the two.
        type_token_ratio: distinct tokens over tokens of the source, case kept.
        by_annotator: by the name of who wrote them, number of references with 0, 1, 2, … edits.
        categories: edits by ERRANT's category, the most frequent first.
        complete: number of sentences that have a reference of each name.
        agreement: M2 of each reference, by name, against the others, on these sentences; empty if there is
            only one name, or no such sentence.
    """

    sentences: int
    tokens: float
    tokens_deviation: float
    references: int
    unchanged: float
    edits: float | None
    source_tokens_an_edit: float | None
    corrected_tokens_an_edit: float | None
    tokens_an_edit: float | None
    type_token_ratio: float
    by_annotator: Mapping[str, tuple[int, ...]]
    categories: Mapping[str, int]
    complete: int
    agreement: Mapping[str, Agreement]


def corpus_statistics(
    data: EvaluationSet,
    annotators: Sequence[Sequence[str]],
    *,
    gold: str = "auto",
    progress: Advance | None = None,
) -> CorpusStatistics:
    """Compute the statistics.

    Args:
        data: sources with references, as texts or edits, and a parser if texts must be parsed.
        annotators: for each sentence, who wrote its references, in alphabetical order.
        gold: source of the edits, see `metrics.edits.edit_sources`.
        progress: gets the number of sentences counted, and then those compared for each name.

    Raises:
        InputError: there are no references, or a parser is needed and missing.
    """
    source = EditSource(data, gold)
    names = sorted({name for each in annotators for name in each})
    if data.parser is not None:
        data.parser.parse_ahead(list(texts_to_parse(data, (), gold)))
    lengths = [len(text.split()) for text in data.sources]
    tokens = Counter(token for text in data.sources for token in text.split())
    of_sentences: list[list[Correction]] = []
    for sentence in range(len(data.sources)):
        if not sentence % SENTENCES_AT_ONCE:
            following = data.sources[sentence : sentence + SENTENCES_AT_ONCE]
            source.parse([*enumerate(following, start=sentence)])
        corrections = source.references(sentence)
        if isinstance(corrections, NotScored) or source.lacks_references(sentence):
            corrections = []
        of_sentences.append(corrections)
        if progress is not None:
            progress(1)
    all_corrections = [each for corrections in of_sentences for each in corrections]
    changed = [each.edits for each in all_corrections if each.edits]
    edits = [edit for each in changed for edit in each]
    replaced = [(edit.end - edit.start, len(edit.corrections[0].split())) for edit in edits]
    edits_by: dict[str, Counter[int]] = {name: Counter() for name in names}
    for corrections, of_whom in zip(of_sentences, annotators, strict=True):
        for correction, name in zip(corrections, of_whom, strict=False):
            edits_by[name][len(correction.edits)] += 1
    return CorpusStatistics(
        sentences=len(data.sources),
        tokens=fmean(lengths),
        tokens_deviation=pstdev(lengths),
        references=len(all_corrections),
        unchanged=1 - len(changed) / max(1, len(all_corrections)),
        edits=_mean([len(each) for each in changed]),
        source_tokens_an_edit=_mean([before for before, _ in replaced]),
        corrected_tokens_an_edit=_mean([after for _, after in replaced]),
        tokens_an_edit=_mean([max(pair) for pair in replaced]),
        type_token_ratio=len(tokens) / max(1, tokens.total()),
        by_annotator={
            name: tuple(counts[number] for number in range(max(counts, default=-1) + 1))
            for name, counts in edits_by.items()
        },
        categories=dict(Counter(category(edit.kind) for edit in edits).most_common()),
        complete=len(_complete(of_sentences, names)),
        agreement=_agreement(data, of_sentences, names, progress),
    )


def _complete(of_sentences: Sequence[Sequence[Correction]], names: Sequence[str]) -> list[int]:
    """The sentences that have a reference of each name."""
    return [sentence for sentence, each in enumerate(of_sentences) if len(each) == len(names)]


def _agreement(
    data: EvaluationSet,
    of_sentences: Sequence[Sequence[Correction]],
    names: Sequence[str],
    progress: Advance | None,
) -> dict[str, Agreement]:
    """M2 of each reference against the edits of the others."""
    complete = _complete(of_sentences, names)
    if len(names) < 2 or not complete:
        return {}
    data, of_sentences = data.of(complete), [of_sentences[sentence] for sentence in complete]
    agreement = {}
    for place, name in enumerate(names):
        others = tuple(
            tuple(
                Annotation(names[other], _in_words(each.edits))
                for other, each in enumerate(corrections)
                if other != place
            )
            for corrections in of_sentences
        )
        outputs = [" ".join(corrections[place].words) for corrections in of_sentences]
        scored = score(
            M2(), replace(data, references=None, annotations=others), {name: outputs}, progress=progress
        )
        corpus = scored.corpus(name)
        if corpus.value is not None:
            details = corpus.details
            agreement[name] = Agreement(details["precision"], details["recall"], corpus.value)
    return agreement


def _in_words(edits: Sequence[GoldEdit]) -> tuple[GoldEdit, ...]:
    """Without edits that change nothing, which no output can match."""
    return tuple(edit for edit in edits if edit.kind != "UNK")


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None
