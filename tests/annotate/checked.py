"""A campaign with controls, and annotators who rank the control below the source or do not."""

from uuid import uuid4

from annotate.corpora.adding_controls import make_controls
from annotate.design.protocols import Answer, PartialRankingWithScalars, RatingValue
from annotate.judging.handout import Submission, give_next_showing, shown_outputs, submit
from annotate.models import Annotator, Campaign, Showing
from tests.annotate.running import running
from tests.annotate.samples import no_progress, sentence, small_corpus

SENTENCES = [
    sentence(f"She go to town number {n} today .", f"She goes to town number {n} today .") for n in range(4)
]
CONTROL = "SOURCE+ERROR"


def checked_campaign(name: str = "checked") -> Campaign:
    """Four sentences, each on one screen with source, control and a correction, which everybody scores."""
    corpus = small_corpus(f"corpus of {name}", sentences=SENTENCES)
    make_controls(corpus=corpus, seed=1, progress=no_progress)
    return running(
        name,
        corpus=corpus,
        protocol=PartialRankingWithScalars.name,
        items=4,
        sampling="uniform",
        annotators_per_item=4,
        shared_percent=100,
        outputs_per_screen=3,
    )


def _judge(showing: Showing, control: int) -> None:
    scores = [_score(output.systems, control) for output in shown_outputs(showing)]
    ratings = [RatingValue(score=score, meaning_changed=False, touched=True) for score in scores]
    submission = Submission(uuid4(), active_ms=20_000)
    submit(showing.annotator, showing.uuid, lambda outputs: Answer(tuple(ratings)), submission)


def judged_by(campaign: Campaign, name: str, *, control: int) -> Annotator:
    """Somebody who gives all controls this score, 50 to the source and 90 to the correction."""
    annotator = Annotator.objects.create(campaign=campaign, name=name)
    while (showing := give_next_showing(annotator)) is not None:
        _judge(showing, control)
    return annotator


def _score(systems: list[str], control: int) -> int:
    if CONTROL in systems:
        return control
    return 50 if "INPUT" in systems else 90
