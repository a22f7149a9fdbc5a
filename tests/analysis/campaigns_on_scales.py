"""Campaigns whose outputs were rated on scales."""

from collections.abc import Sequence

from annotate.corpora.queries import texts
from annotate.design.protocols import Scales
from annotate.judgments.importing import plan_judgments, store_judgments
from annotate.models import Campaign, Corpus
from formats import AnswerRecord, JudgmentRecord, RatingRecord
from formats.digests import text_digest
from tests.annotate.samples import no_progress

OPTIONS = Scales.options()
JUDGES = ("anna", "ben", "cara")


def points_of(judge: int, sentence: int, system: int) -> dict[str, int | None]:
    """Points that differ by judge, sentence and system: the first system is fluent, and loses the meaning."""
    return {
        "Grammaticality": 1 + (3 * system + sentence + judge) % 4,
        "Fluency": max(1, 4 - system - (judge == 2)),
        "Meaning": None if (judge, system) == (0, 1) else min(4, 1 + system + sentence % 2),
    }


def judgments_on_scales(corpus: Corpus, judges: Sequence[str] = JUDGES) -> list[JudgmentRecord]:
    """Each judge rates all outputs of each sentence by the usual scales, beside each other."""
    known = texts(corpus)
    records = []
    for judge, name in enumerate(judges):
        for sentence in corpus.sentences.order_by("position"):
            shown: dict[str, list[str]] = {}
            for system, text in sorted(known[sentence.position].items()):
                shown.setdefault(text, []).append(system)
            ratings = []
            for number, (text, systems) in enumerate(shown.items()):
                points = points_of(judge, sentence.position, number)
                mark = ", ".join(f"{scale} {'?' if at is None else at}" for scale, at in points.items())
                [rating] = Scales().expected([mark], OPTIONS).ratings
                ratings.append(
                    RatingRecord(
                        text_digest(text),
                        tuple(sorted(systems)),
                        score=rating.score,
                        rating_details=rating.rating_details,
                    )
                )
            answer = AnswerRecord(tuple(ratings), active_ms=20_000)
            key = f"{name}-{sentence.position}"
            records.append(
                JudgmentRecord(
                    key, "scales", name, sentence.position, sentence.position, judge, "complete", (answer,)
                )
            )
    return records


def campaign_on_scales(
    corpus: Corpus, name: str = "on scales", *, judges: Sequence[str] = JUDGES
) -> Campaign:
    """An imported campaign of the corpus."""
    judgments = tuple(judgments_on_scales(corpus, judges))
    plan = plan_judgments(name=name, corpus=corpus, judgments=judgments, synthetic=False)
    return store_judgments(plan, progress=no_progress)
