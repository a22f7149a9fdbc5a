"""Jobs on the large site: each kind of job and each analysis, queued as pages do."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from io import BytesIO
from typing import TYPE_CHECKING, Any

from dev.benchmarks.large_site.answers import CORRECTIONS, VALIDITY, store_answers, store_references
from dev.benchmarks.large_site.parses import keep_parses
from dev.benchmarks.large_site.size import BEGIN, DURATION, NAME, OUTPUTS
from formats import MAX_LINES

if TYPE_CHECKING:
    from django.core.files.uploadedfile import UploadedFile

    from jobs.models import Job

METRICS = ("exact-match", "sari")
"""Metrics whose scores analyses compare with people."""

FURTHER_METRICS = ("errant", "gleu")
IMPORTED = "Imported"
A_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Queued:
    """A job to measure.

    Attributes:
        kind: its kind.
        queue: queues it, and returns its row.
        alters: whether it changes what other jobs read; such jobs run on a copy of the database, in the order
            of `queued_jobs`.
        by_scores: whether it reads scores in place of ranks.
        anew: whether the snapshot of the campaign is read anew.
    """

    kind: str
    queue: Callable[[], "Job"]
    alters: bool = False
    by_scores: bool = False
    anew: bool = False


def prepare() -> None:
    """Store what jobs read beside rankings: further campaigns, scores by metrics, and parses."""
    from annotate.judgments.kept_snapshots import kept_tables
    from annotate.models import Campaign, Corpus, ScoreSet
    from annotate.scores.scoring import score_corpus
    from core.progress import NoProgress
    from metrics import metric_from_text

    store_references()
    store_answers()
    keep_parses()
    kept_tables(Campaign.objects.get(name=NAME), progress=lambda answers: None)
    corpus = Corpus.objects.get(name=NAME)
    ScoreSet.objects.filter(corpus=corpus, signature="made up").update(is_uploaded=True)
    score_corpus(corpus=corpus, metrics=[*map(metric_from_text, METRICS)], by=None, steps=NoProgress())


def queued_jobs() -> tuple[dict[str, Queued], dict[str, str]]:
    """The jobs by name, and the analyses that are not measured, with the reason."""
    from analysis.analyses.base import analyses
    from analysis.runs.sources import source_of
    from analysis.runs.sources.beside_machine import machines_that_judged

    cases: dict[str, Queued] = {}
    left_out: dict[str, str] = {}
    for name, analysis in sorted(analyses().items()):
        for subject in _subjects(analysis):
            if not source_of(analysis).why_not(subject, analysis):
                cases[name] = Queued("run-analysis", _analysis(name, subject.name))
                break
            left_out[name] = source_of(analysis).why_not(subject, analysis)
    for name in ("agreement", "quality", "ranking"):
        cases[f"{name} by scores"] = Queued("run-analysis", _analysis(name, NAME), by_scores=True)
    cases["answers-per-hour, no snapshot yet"] = Queued(
        "run-analysis", _analysis("answers-per-hour", NAME), anew=True
    )
    if machines_that_judged(_large()):
        included = _analysis("ranking", NAME, machines=True)
        cases["ranking, machines included"] = Queued("run-analysis", included)
        cases["stopping, counting on a machine"] = Queued(
            "run-analysis", _analysis("stopping", NAME, machine=1)
        )
    return {**cases, **_others()}, {name: reason for name, reason in left_out.items() if name not in cases}


def _subjects(analysis: Any) -> list[Any]:
    from analysis.runs.sources import source_of
    from annotate.models import Campaign, Corpus

    source = source_of(analysis)
    rows = (
        [Corpus.objects.get(name=NAME)]
        if source.subject is Corpus
        else [Campaign.objects.get(name=name) for name in (NAME, CORRECTIONS, VALIDITY)]
    )
    return [row for row in rows if source.concerns(row, analysis)]


def _analysis(name: str, subject: str, **parameters: object) -> Callable[[], "Job"]:
    def queue() -> "Job":
        from analysis.analyses.base import analysis_named
        from analysis.runs.queries import compute_anew
        from analysis.runs.requests import request_of

        analysis = analysis_named(name)
        [row] = [row for row in _subjects(analysis) if row.name == subject]
        stated = analysis.parameters(**parameters)
        return compute_anew(request_of(analysis, row, stated), asked_by=_admin())

    return queue


def _others() -> dict[str, Queued]:
    """Jobs that are no analyses, in the order in which they run on one database."""
    return {
        "look-at-ranking": Queued("look-at-ranking", _look, alters=True),
        "publish ranking": Queued("publish-ranking", _publication("ranking"), alters=True),
        "publish metrics-people": Queued("publish-ranking", _publication("metrics-people"), alters=True),
        "check-data-release": Queued("check-data-release", _release, alters=True),
        "write-data-release": Queued("write-data-release", _confirmed_release, alters=True),
        "check-upload of a corpus": Queued("check-upload", _check_of_corpus, alters=True),
        "import-upload of a corpus": Queued("import-upload", _confirmed("corpus"), alters=True),
        "check-upload of judgments": Queued("check-upload", _check_of_judgments, alters=True),
        "import-upload of judgments": Queued("import-upload", _confirmed("judgments"), alters=True),
        "make-controls": Queued("make-controls", _controls, alters=True),
        "label-edits": Queued("label-edits", _labels, alters=True),
        "preview-campaign": Queued("preview-campaign", _preview, alters=True),
        "launch-campaign": Queued("launch-campaign", _launch, alters=True),
        "score-corpus": Queued("score-corpus", _scores, alters=True),
        "store-scores": Queued("store-scores", _uploaded_scores, alters=True),
        "delete-scores": Queued("delete-scores", _deletion_of_scores, alters=True),
        "draft-validity": Queued("draft-validity", _draft, alters=True),
        "make-references, written": Queued(
            "make-references", _references(CORRECTIONS, "references"), alters=True
        ),
        "remove-references": Queued("remove-references", _removal, alters=True),
        "make-references, valid": Queued("make-references", _references(VALIDITY, "valid"), alters=True),
        "grown-references": Queued("run-analysis", _analysis("grown-references", NAME), alters=True),
        "make-references, a system": Queued(
            "make-references", _references(CORRECTIONS, "system"), alters=True
        ),
        "delete-campaign": Queued("delete-campaign", _deletion("campaign", NAME), alters=True),
        "delete-corpus": Queued("delete-corpus", _deletion("corpus", NAME), alters=True),
    }


def _admin() -> Any:
    from annotate.models import User

    return User.objects.get(username="admin")


def _large() -> Any:
    from annotate.models import Campaign

    return Campaign.objects.select_related("corpus", "design").get(name=NAME)


def _queued(kind: str, parameters: Mapping[str, object]) -> "Job":
    from jobs.queue import queue

    return queue(kind=kind, title=kind, parameters=parameters, owner=_admin())


def _look() -> "Job":
    from annotate.models import Campaign, Design, Watch

    campaign = _large()
    Campaign.objects.filter(pk=campaign.pk).update(state="running")
    Design.objects.filter(campaign=campaign).update(stops_when="order", stop_after=100)
    Watch.objects.update_or_create(campaign=campaign, defaults={"next_look": 100})
    return _queued("look-at-ranking", {"campaign": str(campaign.uuid)})


def _publication(analysis: str) -> Callable[[], "Job"]:
    def queue() -> "Job":
        from analysis.analyses.base import analysis_named
        from analysis.publishing.publications import publish
        from annotate.models import Campaign

        campaign = _large()
        Campaign.objects.filter(pk=campaign.pk).update(state="closed")
        campaign.refresh_from_db()
        published = analysis_named(analysis)
        parameters = published.resolved(published.parameters(), scored=False)
        made = publish(
            campaign, published, title=analysis, with_names=False, parameters=parameters, by=_admin()
        )
        assert made.job
        return made.job

    return queue


def _release() -> "Job":
    """The check of a data release with texts, which replaces one that was checked but not written."""
    from analysis.releases.options import NO_OPTIONS
    from analysis.releases.stored.requests import ask
    from annotate.models import Campaign

    campaign = _large()
    Campaign.objects.filter(pk=campaign.pk).update(state="closed")
    campaign.refresh_from_db()
    stated = {
        "name": "large",
        "title": "Large",
        "description": "Judgments of a large campaign.",
        "version": "1.0.0",
        "date": BEGIN.date().isoformat(),
        "url": "https://example.org/large",
        "licence": "CC-BY-4.0",
        "text_licence": "CC-BY-4.0",
        "authors": [{"family": "Example"}],
    }
    made = ask(campaign, stated, NO_OPTIONS, by=_admin())
    assert made.job
    return made.job


def _confirmed_release() -> "Job":
    from analysis.models import DataRelease
    from analysis.releases.stored.requests import confirm

    release = DataRelease.objects.latest("pk")
    assert release.checks
    return confirm(release, list(release.checks["to_confirm"]), by=_admin())


def _check_of_corpus() -> "Job":
    """The texts of the large corpus, as parallel files."""
    from annotate.models import Corpus
    from annotate.scores.corpus_outputs import corpus_outputs, texts_of

    corpus = Corpus.objects.get(name=NAME)
    outputs = corpus_outputs(corpus)
    texts = texts_of(corpus, outputs)
    files = {
        "source": {"source.txt": list(corpus.sentences.order_by("position").values_list("text", flat=True))},
        "systems": {
            f"{name}.txt": [texts[pick] for pick in picks] for name, (_, picks) in outputs.systems.items()
        },
        "references": {
            "reference.txt": list(
                corpus.sentences.filter(references__annotator="0")
                .order_by("position")
                .values_list("references__text", flat=True)
            )
        },
    }
    options = {"name": IMPORTED, "language": "en", "absent": "", "lenient": False}
    sent = {
        field: [_file(name, ("\n".join(lines) + "\n").encode()) for name, lines in of_field.items()]
        for field, of_field in files.items()
    }
    return _check("corpus", options, sent)


def _check_of_judgments() -> "Job":
    """The judgments of the large campaign as exported: of its first days, as many as one file may hold."""
    from annotate.judgments.exporting import export_judgments
    from annotate.judgments.stream import Selection
    from formats.writers import FORMATS

    share = min(1.0, MAX_LINES / (OUTPUTS * _large().judgments.count()))
    first_days = Selection(submitted_to=BEGIN.date() + int(share * DURATION.days) * A_DAY - A_DAY)
    pieces = export_judgments(
        campaign=_large(), file_format=FORMATS["parquet"], selection=first_days, names=False, by=None
    )
    options = {
        "name": IMPORTED,
        "corpus": str(_large().corpus.uuid),
        "first_sentence": None,
        "synthetic": False,
    }
    return _check("judgments", options, {"judgments": [_file("judgments.parquet", b"".join(pieces))]})


def _check(
    what: str, options: Mapping[str, object], files: Mapping[str, list["UploadedFile[bytes]"]]
) -> "Job":
    from annotate.web.uploads import files_in, keep_files

    upload = keep_files(files)
    return _queued(
        "check-upload", {"upload": str(upload), "what": what, "options": options, "files": files_in(upload)}
    )


def _file(name: str, content: bytes) -> "UploadedFile[bytes]":
    from django.core.files.uploadedfile import UploadedFile

    return UploadedFile(BytesIO(content), name, size=len(content))


def _confirmed(what: str) -> Callable[[], "Job"]:
    def queue() -> "Job":
        from jobs.models import Job

        check = Job.objects.filter(kind="check-upload", parameters__what=what).latest("pk")
        return _queued("import-upload", check.parameters)

    return queue


def _imported() -> Any:
    from annotate.models import Corpus

    return Corpus.objects.get(name=IMPORTED)


def _controls() -> "Job":
    corpus = _imported()
    corpus.systems.filter(role="control").update(role="system")
    return _queued("make-controls", {"corpus": str(corpus.uuid), "seed": 1, "additions": ["reference"]})


def _labels() -> "Job":
    from annotate.corpora.labelling_jobs import queue_labelling

    return queue_labelling(_imported(), by=_admin())


def _preview() -> "Job":
    from annotate.models import Campaign

    return _queued("preview-campaign", {"campaign": str(Campaign.objects.get(name="Draft").uuid)})


def _launch() -> "Job":
    from annotate.models import Campaign

    return _queued("launch-campaign", {"campaign": str(Campaign.objects.get(name="Draft").uuid)})


def _scores() -> "Job":
    from annotate.scores.queueing import queue_scoring

    return queue_scoring(_large().corpus, [*FURTHER_METRICS], by=_admin())


def _uploaded_scores() -> "Job":
    from annotate.scores.queueing import queue_storing

    corpus = _large().corpus
    lines = [
        f"mine,{system},{sentence},{sentence % 100 / 100}"
        for system in corpus.systems.values_list("name", flat=True)
        for sentence in range(corpus.sentence_count)
    ]
    content = "\n".join(["metric,system,sentence,score", *lines])
    return queue_storing(corpus, _file("scores.csv", content.encode()), by=_admin())


def _deletion_of_scores() -> "Job":
    from annotate.models import ScoreSet
    from annotate.scores.queueing import queue_deletion

    return queue_deletion(ScoreSet.objects.get(name="mine"), by=_admin())


def _draft() -> "Job":
    from annotate.references.queueing import queue_draft

    return queue_draft(_large().corpus, name="Drafted", most=100_000, annotators=3, by=_admin())


def _references(campaign: str, what: str) -> Callable[[], "Job"]:
    def queue() -> "Job":
        from annotate.models import Campaign
        from annotate.references.queueing import queue_making

        return queue_making(Campaign.objects.get(name=campaign), what, name="people", by=_admin())

    return queue


def _removal() -> "Job":
    from annotate.models import ReferenceSet
    from annotate.references.queueing import queue_removal

    return queue_removal(ReferenceSet.objects.latest("pk"), by=_admin())


def _deletion(kind: str, name: str) -> Callable[[], "Job"]:
    def queue() -> "Job":
        from annotate.models import Campaign, Corpus

        row = (Campaign if kind == "campaign" else Corpus)._default_manager.get(name=name)
        return _queued(f"delete-{kind}", {kind: str(row.uuid)})

    return queue
