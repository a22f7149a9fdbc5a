"""Corrections that the annotators of a campaign wrote, and outputs that they judged valid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from annotate.design.protocols import kind_of_answers
from annotate.judgments.kept_snapshots import kept_snapshot
from annotate.judgments.pseudonyms import pseudonym
from annotate.models import Campaign, Output
from core.later import pd
from formats.snapshot.vocabulary import AnswerKind, ProtocolName
from metrics.references import (
    AcceptedOutput,
    CorrectedSentence,
    JudgedOutput,
    LeftOutSentence,
    WrittenAnswer,
    accepted_by_most,
    corrected_sentences,
    judged_outputs,
    without_annotators,
    written_answers,
)

Judged = TypeVar("Judged", AcceptedOutput, JudgedOutput)


@dataclass(frozen=True, slots=True)
class Corrections:
    """The corrections of a campaign, annotators by pseudonym.

    Attributes:
        sentences: with at least one correction each, in the order of the corpus.
        left_out: sentences that nobody could correct.
        answers: number of answers that count.
    """

    sentences: tuple[CorrectedSentence, ...]
    left_out: tuple[LeftOutSentence, ...]
    answers: int


def collects_corrections(campaign: Campaign) -> bool:
    """Whether annotators write corrections in the campaign."""
    return campaign.protocol == ProtocolName.CORRECTION


def judges_validity(campaign: Campaign) -> bool:
    """Whether annotators judge in the campaign whether outputs are valid."""
    return campaign.protocol == ProtocolName.VALIDITY


def judges_edits(campaign: Campaign) -> bool:
    """Whether annotators judge edits of outputs whose sentences are known in the campaign."""
    return campaign.corpus.has_texts and kind_of_answers(campaign.protocol) is AnswerKind.EDITS


def counted_snapshot(campaign: Campaign) -> pd.DataFrame:
    """The snapshot of a campaign without excluded annotators."""
    names = campaign.annotators.exclude(excluded_at=None).values_list("name", flat=True)
    return without_annotators(kept_snapshot(campaign), [pseudonym(campaign, name) for name in names])


def corrections_of(campaign: Campaign) -> Corrections:
    """The corrections that count: current answers of annotators who are not excluded."""
    answers = written_answers(counted_snapshot(campaign))
    sentences, left_out = of_answers(campaign, answers)
    return Corrections(sentences, left_out, len(answers))


def of_answers(
    campaign: Campaign, answers: tuple[WrittenAnswer, ...]
) -> tuple[tuple[CorrectedSentence, ...], tuple[LeftOutSentence, ...]]:
    """Corrected sentences made from these answers, and the sentences left out, each with the reason."""
    rows = list(campaign.corpus.sentences.order_by("position").values_list("text", "document"))
    sentences, left_out = corrected_sentences(
        [text or "" for text, _ in rows], answers, documents=[document for _, document in rows]
    )
    return tuple(sentence for sentence in sentences if sentence.corrections), left_out


def accepted_in(campaign: Campaign) -> list[tuple[AcceptedOutput, str]]:
    """The outputs with an edit that most people accepted, each with the sentence as these edits make it."""
    sources = dict(campaign.corpus.sentences.values_list("position", "text"))
    accepted = accepted_by_most(counted_snapshot(campaign))
    return [(each, each.text(sources[each.sentence] or "")) for each in _of_shown_systems(campaign, accepted)]


def judged_in(campaign: Campaign) -> list[tuple[JudgedOutput, str]]:
    """The outputs that people judged, each with its text."""
    judged = judged_outputs(counted_snapshot(campaign))
    rows = Output.objects.filter(items__campaign=campaign).values_list("sentence__position", "digest", "text")
    texts = {(position, digest): text or "" for position, digest, text in rows}
    return [(each, texts[each.sentence, each.output]) for each in _of_shown_systems(campaign, judged)]


def _of_shown_systems(campaign: Campaign, judged: Sequence[Judged]) -> list[Judged]:
    """The outputs without the names of systems that were withdrawn."""
    withdrawn = set(campaign.corpus.withdrawn.values_list("name", flat=True))
    return [
        replace(each, systems=tuple(name for name in each.systems if name not in withdrawn))
        for each in judged
    ]
