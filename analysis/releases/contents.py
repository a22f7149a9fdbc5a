"""What a release will hold, in numbers, before it is written."""

from analysis.releases.score_rows import released_sets
from annotate.models import Campaign, Judgment, PracticeAnswer, Reference
from formats.machines import AnnotatorKind


def contents_of(campaign: Campaign) -> list[tuple[str, int]]:
    """What there is in the campaign to release, each with its number; nothing that there is none of."""
    people = campaign.annotators.filter(excluded_at=None, answers_sent__gt=0)
    judgments = Judgment.every.filter(campaign=campaign, annotator__excluded_at=None)
    practice = PracticeAnswer.objects.filter(
        annotator__campaign=campaign, annotator__kind=AnnotatorKind.PERSON, annotator__excluded_at=None
    )
    machines = judgments.filter(annotator__kind=AnnotatorKind.MACHINE)
    numbers = [
        ("judgments of people", judgments.filter(annotator__kind=AnnotatorKind.PERSON).count()),
        ("annotators, under pseudonyms", people.count()),
        ("judgments of machines", machines.count()),
        ("answers to practice items", practice.count()),
        ("systems, with their names", campaign.systems.count()),
        ("sentences", campaign.corpus.sentence_count),
        ("references", Reference.objects.filter(sentence__corpus=campaign.corpus_id).count()),
        ("metrics with scores", len(released_sets(campaign))),
    ]
    return [(label, number) for label, number in numbers if number]
