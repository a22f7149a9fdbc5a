"""Sentences in which a metric and people disagree, with the outputs, judgments and scores of a page."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from analysis.analyses.metric_titles import UPLOADED, title_of_metric
from analysis.analyses.metrics.disagreements import Disagreements
from annotate.corpora.sentences import ShownOutput, ShownSentence, shown
from annotate.judgments.shown import ShownJudgment, judged_sentences
from annotate.models import Campaign
from annotate.scores.queries import ShownScore, scores_by_output
from formats import RatingRecord

MOST_JUDGMENTS = 40
"""Judgments of a sentence that the page shows."""


@dataclass(frozen=True, slots=True)
class ComparedOutput:
    """An output as people and the metric see it.

    Attributes:
        number: in the order of people, 1 being the best; None if the output was not compared.
        output: the text with its systems and edits.
        systems: those of its systems that are compared; if none of them is, all.
        human: human score in this sentence; None if there is none.
        human_rank: rank by human score among the outputs of the sentence; equal scores share a rank.
        score: score by the metric; None if there is none.
        rank: rank by this score.
        scores: scores by all metrics, that of the metric first.
    """

    number: int | None
    output: ShownOutput
    systems: Sequence[str]
    human: float | None
    human_rank: int | None
    score: float | None
    rank: int | None
    scores: Sequence[ShownScore]


class Opposed(NamedTuple):
    """Two outputs that people and a metric order differently.

    Attributes:
        better: the one that people prefer.
        worse: the other, which the metric prefers or scores equally.
    """

    better: ComparedOutput
    worse: ComparedOutput

    @property
    def is_tie(self) -> bool:
        """Whether the metric scores both equally."""
        return self.better.score == self.worse.score


@dataclass(frozen=True, slots=True)
class ShownDisagreement:
    """A sentence on the page.

    Attributes:
        sentence: the sentence with its outputs and references.
        size: disagreement.
        pairs: number of pairs of outputs that people ordered.
        against: number of these that the metric ties or orders the other way round.
        outputs: outputs in the order of people.
        judgments: each judgment with its ratings, in the order of the numbered outputs; None for an output
            that it did not rate.
        further: number of judgments that are not shown.
    """

    sentence: ShownSentence
    size: float
    pairs: int
    against: int
    outputs: Sequence[ComparedOutput]
    judgments: Sequence[tuple[ShownJudgment, Sequence[RatingRecord | None]]]
    further: int

    @property
    def total(self) -> int:
        """Number of judgments of the sentence."""
        return len(self.judgments) + self.further

    @property
    def compared(self) -> list[ComparedOutput]:
        """The numbered outputs."""
        return [each for each in self.outputs if each.number is not None]

    @property
    def opposed(self) -> Opposed | None:
        """The two outputs that people separate most of those that the metric orders otherwise or ties.

        None if the human scores, which are of all outputs of the sentence, show no such pair.
        """
        scored = [
            (each, each.human, each.score)
            for each in self.compared
            if each.human is not None and each.score is not None
        ]
        pairs = [
            (preferred - human, other - score, Opposed(better, worse))
            for better, preferred, score in scored
            for worse, human, other in scored
            if preferred > human and score <= other
        ]
        return max(pairs, key=lambda pair: pair[:2])[2] if pairs else None


def shown_disagreements(
    campaign: Campaign, result: Disagreements, name: str, rows: Sequence[int], *, excluded: bool
) -> list[ShownDisagreement]:
    """Some rows of the metric `name`, with all that was judged there, in a fixed number of queries.

    `excluded` says whether judgments of excluded annotators count.
    """
    metric = result.metrics[name]
    positions = [int(metric.sentences[row]) for row in rows]
    sentences = {
        each.position: each for each in shown(campaign.corpus.sentences.filter(position__in=positions))
    }
    scores = scores_by_output(campaign.corpus, positions)
    judged = judged_sentences(campaign, positions, most=MOST_JUDGMENTS, excluded=excluded)
    listed = []
    for row, position in zip(rows, positions, strict=True):
        sentence = sentences[position]
        human = result.human_scores(position)
        outputs = compared_outputs(sentence, human, scores, name, counted=result.systems)
        digests = [each.output.digest for each in outputs if each.number is not None]
        of_sentence = judged.get(position)
        listed.append(
            ShownDisagreement(
                sentence=sentence,
                size=float(metric.sizes[row]),
                pairs=int(metric.pairs[row]),
                against=int(metric.against[row]),
                outputs=outputs,
                judgments=[
                    (judgment, _in_order(judgment, digests))
                    for judgment in (of_sentence.judgments if of_sentence else ())
                ],
                further=of_sentence.further if of_sentence else 0,
            )
        )
    return listed


def compared_outputs(
    sentence: ShownSentence,
    human: Mapping[str, float],
    scores: Mapping[tuple[int, str], Sequence[ShownScore]],
    name: str,
    *,
    counted: Collection[str],
) -> list[ComparedOutput]:
    """The outputs of a sentence in the order of people, those that were not compared last.

    Args:
        sentence: the sentence.
        human: human score of each system in it.
        scores: scores of outputs, by position and digest.
        name: the metric that is compared.
        counted: the systems that are compared.
    """
    of_people = [_first(human, output.systems) for output in sentence.outputs]
    by_metric = [
        sorted(scores.get((sentence.position, output.digest), ()), key=lambda each: not _is(each, name))
        for output in sentence.outputs
    ]
    values = [each[0].score if each and _is(each[0], name) else None for each in by_metric]
    compared = [value if there is not None else None for value, there in zip(values, of_people, strict=True)]
    human_ranks, ranks = _ranks(of_people), _ranks(compared)
    order = sorted(
        range(len(of_people)), key=lambda place: (of_people[place] is None, -(of_people[place] or 0.0), place)
    )
    return [
        ComparedOutput(
            number=number if of_people[place] is not None else None,
            output=sentence.outputs[place],
            systems=_counted(sentence.outputs[place].systems, counted),
            human=of_people[place],
            human_rank=human_ranks[place],
            score=values[place],
            rank=ranks[place],
            scores=by_metric[place],
        )
        for number, place in enumerate(order, start=1)
    ]


def _counted(systems: Sequence[str], counted: Collection[str]) -> Sequence[str]:
    """The systems that are compared, without the source and others that are not; all if none of them is."""
    return [system for system in systems if system in counted] or systems


def _first(human: Mapping[str, float], systems: Sequence[str]) -> float | None:
    """The human score of an output, which all its systems share."""
    return next((human[system] for system in systems if system in human), None)


def _is(score: ShownScore, name: str) -> bool:
    """Whether the score is that of the metric, as analyses name it."""
    return (score.title, score.is_uploaded) == (
        (name.removesuffix(UPLOADED), True) if name.endswith(UPLOADED) else (title_of_metric(name), False)
    )


def _ranks(values: Sequence[float | None]) -> list[int | None]:
    """1 for the highest; equal values share a rank."""
    there = [value for value in values if value is not None]
    return [None if value is None else 1 + sum(other > value for other in there) for value in values]


def _in_order(judgment: ShownJudgment, digests: Sequence[str]) -> list[RatingRecord | None]:
    ratings = {rating.output: rating for rating, _ in judgment.outputs}
    return [ratings.get(digest) for digest in digests]
