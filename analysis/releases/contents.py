"""What a release will hold, in numbers, before it is written."""

from collections.abc import Sequence

from analysis.releases.score_rows import released_sets
from analysis.releases.text_rows import systems_of
from annotate.models import Annotator, Campaign, Judgment, PracticeAnswer, Reference
from formats.machines import AnnotatorKind


def contents_of(campaigns: Sequence[Campaign]) -> list[tuple[str, int]]:
    """What there is in the campaigns to release, each with its number; nothing that there is none of."""
    people = Annotator.objects.filter(campaign__in=campaigns, excluded_at=None, answers_sent__gt=0)
    accounts = people.exclude(user=None).order_by().values("user").distinct().count()
    judgments = Judgment.every.filter(campaign__in=campaigns, annotator__excluded_at=None)
    corpus = campaigns[0].corpus
    practice = PracticeAnswer.objects.filter(
        annotator__campaign__in=campaigns, annotator__kind=AnnotatorKind.PERSON, annotator__excluded_at=None
    )
    machines = judgments.filter(annotator__kind=AnnotatorKind.MACHINE)
    numbers = [
        ("campaigns", len(campaigns) if len(campaigns) > 1 else 0),
        ("judgments of people", judgments.filter(annotator__kind=AnnotatorKind.PERSON).count()),
        ("annotators, under pseudonyms", people.filter(user=None).count() + accounts),
        ("judgments of machines", machines.count()),
        ("answers to practice items", practice.count()),
        ("systems, with their names", systems_of(campaigns).count()),
        ("sentences", corpus.sentence_count),
        ("references", Reference.objects.filter(sentence__corpus=corpus).count()),
        ("metrics with scores", len(released_sets(campaigns))),
    ]
    return [(label, number) for label, number in numbers if number]
