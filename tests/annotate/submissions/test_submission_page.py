"""An admin makes submission links, and accepts what comes by them."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from annotate.models import AuditEntry, Corpus, Submission, SubmissionLink, User
from jobs.worker import run_queued_jobs
from tests.annotate.samples import small_corpus
from tests.annotate.submissions.steps import address, opened, page, submitted

pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus() -> Corpus:
    return small_corpus()


def test_an_admin_makes_a_link_and_accepts_what_comes(admin: Client, client: Client, corpus: Corpus) -> None:
    where = f"/corpora/{corpus.uuid}/submissions/"
    assert where in admin.get(corpus.get_absolute_url()).content.decode()
    ends_at = timezone.localtime(timezone.now() + timedelta(days=1)).strftime("%Y-%m-%dT%H:%M")
    admin.post(where, {"task": "Task <b>", "ends_at": ends_at})
    link = SubmissionLink.objects.get()
    assert address(link) in admin.get(where).content.decode()
    assert "Task &lt;b&gt;" in admin.get(where).content.decode()
    own = submitted(client, link)
    assert "Nothing has been submitted yet." in admin.get(where).content.decode()
    client.post(f"{own}confirm/")
    assert "(1 to accept)" in admin.get(corpus.get_absolute_url()).content.decode()
    admin.post(f"{where}{Submission.objects.get().uuid}/accept/")
    run_queued_jobs()
    assert "accepted as <code>Elm</code>" in admin.get(where).content.decode()
    assert AuditEntry.objects.get(action="accept").user == User.objects.get(username="the-admin")
    assert "has been added to the task" in page(client, own)
    admin.post(f"{where}links/{link.uuid}/revoke/")
    assert "This link does not work" in page(client, address(link), 404)


def test_a_date_that_is_over_is_refused(admin: Client, corpus: Corpus) -> None:
    form = {"task": "Task", "ends_at": "2020-01-01T00:00"}
    answer = admin.post(f"/corpora/{corpus.uuid}/submissions/", form)
    assert (answer.status_code, SubmissionLink.objects.count()) == (422, 0)
    assert "Choose a time to come." in answer.content.decode()


def test_what_is_not_confirmed_cannot_be_accepted(admin: Client, client: Client, corpus: Corpus) -> None:
    submitted(client, opened(corpus))
    submission = Submission.objects.get()
    answer = admin.post(f"/corpora/{corpus.uuid}/submissions/{submission.uuid}/accept/")
    assert answer.status_code == 404
