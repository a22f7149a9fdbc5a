"""A participant submits a system by a link, without an account, and sees only their own file's check."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from annotate.campaigns.lifecycle import create_campaign
from annotate.corpora.queries import texts
from annotate.models import (
    AuditEntry,
    Corpus,
    Design,
    Output,
    Submission,
    SubmissionLink,
    SubmittedFile,
    System,
)
from annotate.submissions import submitting, views
from annotate.submissions.links import revoke_link, token_of
from config.request_log import TOKENS
from jobs.models import Job
from jobs.worker import run_queued_jobs
from tests.annotate.protocols import RANKING
from tests.annotate.samples import SENTENCES, small_corpus
from tests.annotate.submissions.steps import ELM, FIR, address, opened, page, send, submitted
from tests.annotate.uploading import sent

pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus() -> Corpus:
    return small_corpus("Secret corpus")


def fault(client: Client, link: SubmissionLink, content: str | bytes, name: str = "Elm") -> str:
    """What is said about a file or name that is refused."""
    response = send(client, link, name, content)
    assert response.status_code == 422
    assert not Submission.objects.exists()
    said: str = response.content.decode()
    return said


def test_a_system_is_checked_confirmed_and_in(client: Client, corpus: Corpus) -> None:
    link = opened(corpus)
    welcome = page(client, address(link))
    assert "Shared task 2026" in welcome
    assert "each of the 4 sentences" in welcome
    own = submitted(client, link)
    check = page(client, own)
    assert "Check your file" in check
    assert "4 lines, as many as there are sentences" in check
    assert own in check, "The private link is shown."
    response = client.post(f"{own}confirm/", follow=True)
    assert "Your submission is in" in response.content.decode()
    assert SubmittedFile.objects.get().text.split("\n") == ELM.splitlines()
    assert not System.objects.filter(name="Elm").exists(), "An admin accepts it."
    entry = AuditEntry.objects.get(action="submit")
    assert entry.details == {"task": "Shared task 2026", "system": "Elm", "file": "elm.txt"}


def test_nothing_about_the_corpus_is_shown(client: Client, corpus: Corpus) -> None:
    """No other system, output, reference, source or name, on any page of a participant."""
    link = opened(corpus, accepts_by_itself=True)
    client.post(f"{submitted(client, link, 'Hidden-system', FIR)}confirm/")
    own = submitted(client, link)
    pages = [page(client, address(link)), page(client, own)]
    client.post(f"{own}confirm/")
    run_queued_jobs()
    pages += [page(client, own), send(client, link, "Elm", "One .\n").content.decode()]
    hidden = {"Alder", "Birch", "Cedar", "Hidden-system", "adores", "Secret corpus"}
    hidden |= {text for outputs in texts(corpus).values() for text in outputs.values() if text}
    hidden |= {reference.text for each in SENTENCES for reference in each.references}
    assert not [text for text in hidden for one in pages if text in one]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("One .\n", "elm.txt:2: 1 lines, but 4 in the source sentences: line 2 is missing in elm.txt"),
        (ELM + "Five .\n", "elm.txt:5: 5 lines, but 4"),
        (b"\xff\xfe\x00", "elm.txt: the file is in UTF-16"),
        (b"PK\x03\x04" + b"\0" * 100, "elm.txt: the file is a ZIP archive"),
        (b"\x1f\x8b" + b"\0" * 100, "elm.txt: the file is compressed by gzip"),
        ("She goes\x00\nb\nc\nd\n", "elm.txt:1: "),
        ("a\n" + "x" * 20_001 + "\nc\nd\n", "elm.txt:2: "),
        ("", "Nothing was submitted"),
    ],
)
def test_a_wrong_file_is_refused(client: Client, corpus: Corpus, content: str | bytes, said: str) -> None:
    assert said in fault(client, opened(corpus), content)


def test_a_large_file_is_refused(client: Client, corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submitting, "MOST_BYTES", 50)
    assert "elm.txt: the file is larger than" in fault(client, opened(corpus), ELM)


@pytest.mark.parametrize("name", ["E\u202elm", "", "x" * 151, "a\nb", "\u200b"])
def test_a_wrong_name_is_refused(client: Client, corpus: Corpus, name: str) -> None:
    assert "correct what is marked" in fault(client, opened(corpus), ELM, name)


def test_windows_line_ends(client: Client, corpus: Corpus) -> None:
    submitted(client, opened(corpus), content=ELM.replace("\n", "\r\n"))
    assert SubmittedFile.objects.get().text.split("\n") == ELM.splitlines()


def test_a_file_of_the_source_or_of_empty_lines_is_asked_about(client: Client, corpus: Corpus) -> None:
    link = opened(corpus)
    source = "".join(f"{each.source}\n" for each in SENTENCES)
    assert "Every line is the source sentence." in page(client, submitted(client, link, "a", source))
    assert "Every line is empty." in page(client, submitted(client, link, "b", "\n" * 4))


def test_a_link_that_accepts_by_itself(client: Client, corpus: Corpus) -> None:
    own = submitted(client, opened(corpus, accepts_by_itself=True))
    client.post(f"{own}confirm/")
    run_queued_jobs()
    assert "has been added to the task" in page(client, own)
    assert System.objects.get(name="Elm").role == "system"
    outputs = Output.objects.filter(systems__name="Elm").order_by("sentence__position")
    assert list(outputs.values_list("text", flat=True)) == ELM.splitlines()
    assert Job.objects.get(kind="accept-submission").owner is None


def test_taken_names_get_a_number_and_nobody_is_told(client: Client, corpus: Corpus) -> None:
    link = opened(corpus, accepts_by_itself=True)
    for name in ("Alder", "ALDER", "Ульм", "УЛЬМ", "榆树"):
        own = submitted(client, link, name)
        client.post(f"{own}confirm/")
        run_queued_jobs()
        assert f"<bdi>{name}</bdi>" in page(client, own)
    late = list(System.objects.filter(submissions__isnull=False).order_by("pk"))
    assert [system.shown for system in late] == ["Alder (2)", "ALDER (3)", "Ульм", "УЛЬМ (2)", "榆树"]
    assert len({system.name.casefold() for system in late}) == 5
    assert [system.name for system in late[:2]] == ["Alder-2", "ALDER-3"]


# --- Replacing ------------------------------------------------------------------------------------


def test_the_file_is_replaced_by_the_private_link(client: Client, corpus: Corpus) -> None:
    own = submitted(client, opened(corpus))
    client.post(f"{own}confirm/")
    client.post(own, {"file": sent("better.txt", FIR)})
    waiting = page(client, own)
    assert "Check your file" in waiting
    assert "Until then <bdi>elm.txt</bdi> counts." in waiting
    client.post(f"{own}confirm/")
    assert "better.txt" in page(client, own)
    assert SubmittedFile.objects.get().text.split("\n") == FIR.splitlines()


def test_an_accepted_system_is_replaced_under_its_name(client: Client, corpus: Corpus) -> None:
    own = submitted(client, opened(corpus, accepts_by_itself=True))
    for content in (ELM, FIR):
        client.post(own, {"file": sent("elm.txt", content)})
        client.post(f"{own}confirm/")
        run_queued_jobs()
    outputs = Output.objects.filter(systems__name="Elm").order_by("sentence__position")
    assert list(outputs.values_list("text", flat=True)) == FIR.splitlines()
    assert not Output.objects.filter(text__contains="loves").exists()
    assert System.objects.count() == 5


def test_a_system_that_is_being_judged_is_not_replaced(client: Client, corpus: Corpus) -> None:
    own = submitted(client, opened(corpus, accepts_by_itself=True))
    client.post(f"{own}confirm/")
    run_queued_jobs()
    systems = list(System.objects.all())
    create_campaign(name="judged", corpus=corpus, protocol=RANKING, systems=systems, design=Design(items=2))
    response = client.post(own, {"file": sent("elm.txt", FIR)})
    assert "is being judged already" in response.content.decode()


def test_private_links_are_of_no_use_for_others(client: Client, corpus: Corpus) -> None:
    link = opened(corpus)
    own, other = submitted(client, link, "Elm"), submitted(client, link, "Fir")
    assert "Fir" not in page(client, own)
    assert own != other
    assert page(client, "/submitted/x/", 404)
    assert page(client, f"/submitted/{token_of(link)}/", 404)
    stored = Submission.objects.values_list("token_digest", flat=True)
    assert not [digest for digest in stored if digest in own + other]


# --- The end --------------------------------------------------------------------------------------


def test_after_the_date_a_page_says_so(client: Client, corpus: Corpus) -> None:
    link = opened(corpus)
    own = submitted(client, link)
    client.post(f"{own}confirm/")
    SubmissionLink.objects.update(ends_at=timezone.now() - timedelta(minutes=1))
    assert "Submissions are closed" in page(client, address(link))
    assert "Submissions are closed" in send(client, link, "Late", ELM).content.decode()
    assert Submission.objects.count() == 1
    ended = page(client, own)
    assert "Your submission is in" in ended
    assert "Replace the file" not in ended
    answer = client.post(own, {"file": sent("late.txt", FIR)})
    assert (answer.status_code, SubmittedFile.objects.count()) == (422, 1)


def test_a_file_that_was_not_confirmed_in_time_does_not_count(client: Client, corpus: Corpus) -> None:
    own = submitted(client, opened(corpus))
    SubmissionLink.objects.update(ends_at=timezone.now() - timedelta(minutes=1))
    assert client.post(f"{own}confirm/").status_code == 422
    assert "Nothing was submitted" in page(client, own)


def test_a_revoked_link_is_dead(client: Client, corpus: Corpus) -> None:
    link = opened(corpus)
    where, own = address(link), submitted(client, link)
    revoke_link(link, by=None)
    assert "This link does not work" in page(client, where, 404)
    assert client.post(f"{own}confirm/").status_code == 422
    assert AuditEntry.objects.filter(action="revoke-link", details={"submissions": link.task}).exists()


# --- Limits ---------------------------------------------------------------------------------------


def test_files_from_one_address_are_limited(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "UPLOADS_PER_HOUR", 2)
    link = opened(corpus)
    sender = Client(REMOTE_ADDR="93.184.216.34")
    for _ in range(2):
        submitted(sender, link)
    said = send(sender, link, "Elm", ELM).content.decode()
    assert "Too many files have come from your network" in said
    assert Submission.objects.count() == 2


def test_submissions_of_a_link_are_limited_and_unconfirmed_ones_forgotten(
    client: Client, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submitting, "MOST_SUBMISSIONS", 2)
    link = opened(corpus)
    client.post(f"{submitted(client, link)}confirm/")
    submitted(client, link)
    assert "too many submissions" in send(client, link, "Elm", ELM).content.decode()
    Submission.objects.update(created_at=timezone.now() - timedelta(days=2))
    submitted(client, link)
    assert Submission.objects.count() == 2


def test_one_submission_keeps_one_waiting_file(client: Client, corpus: Corpus) -> None:
    own = submitted(client, opened(corpus))
    for _ in range(3):
        client.post(own, {"file": sent("elm.txt", FIR)})
    assert SubmittedFile.objects.count() == 1


def test_log_lines_hold_no_tokens() -> None:
    line = "GET /submit/abc/ and /submitted/def/confirm/"
    assert TOKENS.sub(r"\1-", line) == "GET /submit/- and /submitted/-"
