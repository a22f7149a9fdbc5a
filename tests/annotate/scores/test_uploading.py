"""Upload of scores: a wrong line is named, and nothing of the file is stored."""

from datetime import timedelta
from pathlib import Path
from uuid import uuid5

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from annotate.models import Corpus, OutputScore, Production, ScoreSet, SystemScore
from annotate.scores import uploading
from annotate.scores.corpus_outputs import corpus_outputs
from annotate.scores.queries import current_sets, scores_by_output
from annotate.scores.queueing import queue_storing
from annotate.web.uploads import folder_of
from core import progress
from jobs.models import Job
from jobs.running import RunningJob
from jobs.worker import MOST_ATTEMPTS, run_queued_jobs, sweep
from tests.annotate.scores.scoring import Told, edited_corpus, scored
from tests.jobs.kinds import user

pytestmark = pytest.mark.django_db

GOOD = """\
metric,system,sentence,score
BERTScore,Alder,,0.9
BERTScore,Birch,,-0.25
BERTScore,Alder,0,0.5
BERTScore,Birch,0,0.5
BERTScore,Cedar,1,0.125
LM,Alder,,1
"""


def upload(client: Client, corpus: Corpus, text: str | bytes) -> tuple[int, str]:
    content = text.encode() if isinstance(text, str) else text
    file = SimpleUploadedFile("mine.csv", content)
    response = client.post(f"/corpora/{corpus.uuid}/scores/upload/", {"file": file})
    return response.status_code, response.content.decode()


def test_they_are_stored_and_marked_everywhere(researcher: Client) -> None:
    corpus = edited_corpus()
    assert upload(researcher, corpus, GOOD)[0] == 302
    job = Job.objects.get()
    assert not ScoreSet.objects.exists()
    run_queued_jobs()
    assert not folder_of(job.parameters["upload"]).exists()
    bert, lm = ScoreSet.objects.order_by("name")
    assert (bert.name, bert.is_uploaded, bert.signature, bert.replicates) == ("BERTScore", True, "", 0)
    values = dict(bert.system_scores.values_list("system__name", "value"))
    assert values == {"Alder": 0.9, "Birch": -0.25, "Cedar": None}
    assert dict(lm.system_scores.values_list("system__name", "value")) == {"Alder": 1.0}
    assert list(bert.output_scores.order_by("pk").values_list("position", "score")) == [(0, 0.5), (1, 0.125)]
    page = researcher.get(f"/corpora/{corpus.uuid}/scores/").content.decode()
    assert page.count('<span class="badge">uploaded</span>') == 4
    for path in (bert.get_absolute_url(), corpus.get_absolute_url()):
        assert '<span class="badge">uploaded</span>' in researcher.get(path).content.decode()
    table = researcher.get(f"/corpora/{corpus.uuid}/scores/table.csv").getvalue().decode()
    assert "BERTScore,uploaded,Birch,-0.25" in table


def test_a_table_may_have_no_sentences(researcher: Client) -> None:
    corpus = edited_corpus()
    assert upload(researcher, corpus, "metric,system,score\nLM,Alder,1\n")[0] == 302
    run_queued_jobs()
    assert SystemScore.objects.get().value == 1
    assert not OutputScore.objects.exists()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "LM,Nobody,,1",
            "mine.csv:8: the corpus has no system &#x27;Nobody&#x27;; systems are: Alder, Birch",
        ),
        ("LM,Two words,,1", "mine.csv:8: the corpus has no system &#x27;Two words&#x27;; systems are: Alder"),
        ("LM,Birch,,many", "mine.csv:8: the score is not a finite number: &#x27;many&#x27;"),
        ("LM,Birch,,nan", "mine.csv:8: the score is not a finite number"),
        ("LM,Birch,,", "mine.csv:8: system Birch has no score"),
        ("LM,Birch,3,1", "mine.csv:8: there is no sentence 3; sentences are counted from 0 to 2"),
        ("LM,Birch,-1,1", "mine.csv:8: the sentence is negative: -1"),
        ("LM,Alder,,2", "mine.csv:8: system Alder has two scores by the same metric; the first is in line 7"),
        ("BERTScore,Birch,0,", "mine.csv:8: sentence 0 of system Birch has two scores by the same metric"),
        ("LM,Birch,1", "mine.csv:8: 3 cells, but 4 columns in the heading"),
        (",Birch,1,1", "mine.csv:8: the metric is empty"),
        (
            "L\x85M,Birch,1,1",
            "mine.csv:8: the metric &#x27;L\\x85M&#x27; contains the control",
        ),
    ],
)
def test_a_wrong_line_is_named(researcher: Client, line: str, said: str) -> None:
    status, page = upload(researcher, edited_corpus(), f"{GOOD}{line}\n")
    assert status == 422
    assert said in page
    assert "Nothing was stored." in page
    assert not Job.objects.exists()
    assert not ScoreSet.objects.exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "The file is empty"),
        ("metric,system,score\n", "mine.csv: the file holds a heading, but no score"),
        ("metric,system,value\nLM,Alder,1\n", "mine.csv:1: the heading lacks score; columns are metric"),
        ("metric,system,score,score\n", "mine.csv:1: a column occurs twice"),
        (b"metric,system,score\n\xff,Alder,1\n", "mine.csv:2: invalid UTF-8"),
        (b"metric,system,score\nL\0M,Alder,1\n", "mine.csv:2: the control character U+0000"),
        ('metric,system,score\n"LM,Alder,1\n', "mine.csv:2: malformed CSV"),
    ],
)
def test_a_wrong_file_is_refused(researcher: Client, text: str | bytes, said: str) -> None:
    status, page = upload(researcher, edited_corpus(), text)
    assert status == 422
    assert said in page


def test_equal_outputs_have_equal_scores(researcher: Client) -> None:
    _, page = upload(researcher, edited_corpus(), "metric,system,sentence,score\nM,Alder,0,1\nM,Birch,0,2\n")
    assert "mine.csv:3: Birch has the same output for this sentence as Alder" in page
    assert "another score in line 2" in page


def test_an_output_is_scored_or_not_whichever_system_it_is_of(researcher: Client) -> None:
    _, page = upload(researcher, edited_corpus(), "metric,system,sentence,score\nM,Alder,0,\nM,Birch,0,2\n")
    assert "mine.csv:3: Birch has the same output for this sentence as Alder, which has no score" in page


def test_an_empty_score_is_none(researcher: Client) -> None:
    corpus = edited_corpus()
    Production.objects.filter(system__name="Birch", sentence__position=2).delete()
    text = "metric,system,sentence,score\nM,Alder,0,\nM,Alder,1,2\nM,Birch,0,\nM,Birch,2,\n"
    assert upload(researcher, corpus, text)[0] == 302
    run_queued_jobs()
    stored = OutputScore.objects.order_by("position").values_list("position", "score", "reason")
    assert list(stored) == [(0, None, "the uploaded file has no score for it"), (1, 2.0, "")]
    counts = SystemScore.objects.order_by("system__name").values_list("system__name", "scored", "not_scored")
    assert list(counts) == [("Alder", 1, 1), ("Birch", 0, 1)]


def test_a_system_without_the_output_has_no_score_for_it(researcher: Client) -> None:
    corpus = edited_corpus()
    Production.objects.filter(system__name="Birch", sentence__position=1).delete()
    _, page = upload(researcher, corpus, "metric,system,sentence,score\nM,Birch,1,1\n")
    assert "mine.csv:2: Birch has no output for this sentence" in page


def test_a_name_is_used_once(researcher: Client) -> None:
    corpus = edited_corpus()
    upload(researcher, corpus, GOOD)
    run_queued_jobs()
    _, page = upload(researcher, corpus, GOOD)
    assert "mine.csv:2: scores named &#x27;BERTScore&#x27; have been uploaded for this corpus" in page


def test_uploaded_scores_stand_beside_computed_ones_of_the_same_name() -> None:
    corpus = edited_corpus()
    file = SimpleUploadedFile("scores.csv", b"metric,system,sentence,score\ngleu,Alder,0,1\n")
    queue_storing(corpus, file, by=user())
    run_queued_jobs()
    scored(corpus, "gleu")
    assert [score_set.is_uploaded for score_set in current_sets(corpus)] == [True, False]
    digest = OutputScore.objects.filter(position=0).first()
    assert digest is not None
    shown = scores_by_output(corpus, [0])[0, digest.output.digest]
    assert [each.is_uploaded for each in shown] == [True, False]


def test_a_job_that_is_begun_anew_stores_everything_once() -> None:
    corpus = edited_corpus()
    job = queue_storing(corpus, SimpleUploadedFile("scores.csv", GOOD.encode()), by=user())
    ScoreSet.objects.create(
        uuid=uuid5(job.uuid, "BERTScore"), corpus=corpus, name="BERTScore", is_uploaded=True, state="storing"
    )
    run_queued_jobs()
    assert [each.state for each in ScoreSet.objects.all()] == ["ready", "ready"]
    assert OutputScore.objects.count() == 2


def test_a_job_tells_of_the_lines_that_it_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "MANY", 1)
    corpus, told, path = edited_corpus(), Told(), tmp_path / "scores.csv"
    path.write_text(GOOD)
    uploading.read_scores(path, corpus, corpus_outputs(corpus), progress=told)
    assert told == Told(steps=["Reading the scores"], done=GOOD.count("\n") - 1)


class WorkerKilledError(BaseException):
    """Nothing catches it, and nothing is cleared up behind it, as after `kill -9`."""


@pytest.fixture
def killed(monkeypatch: pytest.MonkeyPatch) -> Corpus:
    """A corpus with what an upload has left whose worker was killed after the first of its scores."""
    corpus = edited_corpus()
    queue_storing(corpus, SimpleUploadedFile("scores.csv", GOOD.encode()), by=user("eve"))

    def kill(*about: object) -> None:
        raise WorkerKilledError

    with monkeypatch.context() as patched:
        patched.setattr(uploading, "SCORES_PER_PIECE", 1)
        patched.setattr(uploading, "_discard", kill)
        patched.setattr(RunningJob, "advance", kill)
        with pytest.raises(WorkerKilledError):
            run_queued_jobs()
    assert list(ScoreSet.objects.values_list("name", "state")) == [("BERTScore", "storing")]
    assert OutputScore.objects.count() == 1
    return corpus


def give_up() -> None:
    """The lease of the job ends for the last time."""
    Job.objects.update(attempts=MOST_ATTEMPTS, leased_until=timezone.now() - timedelta(seconds=1))
    sweep()
    assert Job.objects.get().state == "failed"


def test_a_new_upload_takes_over_from_one_whose_worker_died(killed: Corpus, researcher: Client) -> None:
    give_up()
    assert upload(researcher, killed, GOOD.replace("0.5", "0.75"))[0] == 302
    run_queued_jobs()
    assert list(ScoreSet.objects.order_by("name").values_list("name", "state")) == [
        ("BERTScore", "ready"),
        ("LM", "ready"),
    ]
    assert list(OutputScore.objects.order_by("position").values_list("score", flat=True)) == [0.75, 0.125]


def test_a_killed_upload_that_will_be_tried_again_keeps_its_name(killed: Corpus, researcher: Client) -> None:
    status, page = upload(researcher, killed, GOOD)
    assert status == 422
    assert "mine.csv:2: scores named &#x27;BERTScore&#x27; have been uploaded for this corpus" in page
    Job.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    sweep()
    run_queued_jobs()
    assert set(ScoreSet.objects.values_list("state", flat=True)) == {"ready"}
    assert OutputScore.objects.count() == 2


def test_a_worker_that_was_taken_for_dead_stores_nothing_more(
    researcher: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = edited_corpus()
    late = queue_storing(corpus, SimpleUploadedFile("scores.csv", GOOD.encode()), by=user("eve"))
    monkeypatch.setattr(uploading, "SCORES_PER_PIECE", 1)
    advance = RunningJob.advance

    def overtaken(self: RunningJob, parts: int) -> None:
        monkeypatch.setattr(RunningJob, "advance", advance)
        give_up()
        assert upload(researcher, corpus, GOOD)[0] == 302
        run_queued_jobs()

    monkeypatch.setattr(RunningJob, "advance", overtaken)
    run_queued_jobs()
    late.refresh_from_db()
    assert late.state == "failed"
    assert list(ScoreSet.objects.order_by("name").values_list("name", "state")) == [
        ("BERTScore", "ready"),
        ("LM", "ready"),
    ]
    assert list(OutputScore.objects.order_by("position").values_list("score", flat=True)) == [0.5, 0.125]
