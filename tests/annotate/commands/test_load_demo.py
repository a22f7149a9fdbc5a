import re

import pytest
from django.core.management import call_command
from django.test import Client
from pytest_django import Settings

from annotate.judging.entering import valid_link
from annotate.judgments.queries import compared_by, snapshot
from annotate.models import AuditEntry, Campaign, Corpus, Link, Role, User
from jobs.models import Job
from ranking import agreement_on_scales, agreement_over
from ranking.agreement.error_spans import span_agreement
from ranking.judgments.edit_verdicts import edit_units, edit_verdicts
from tests.annotate.tables import contents

pytestmark = pytest.mark.django_db

CHANGING = (User, Link, AuditEntry)


@pytest.fixture(autouse=True)
def quick_passwords(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def logins(printed: str) -> dict[str, str]:
    return dict(re.findall(r"^  (\S+) +(\S+)$", printed, flags=re.MULTILINE))


def test_the_demo_is_a_corpus_with_simulated_judgments() -> None:
    call_command("load_demo")
    corpus, campaign = Corpus.objects.get(name="demo"), Campaign.objects.get(name="demo-judgments")
    assert corpus.sentences.count() >= 60
    assert corpus.systems.filter(role="system").count() == 6
    assert campaign.corpus == corpus
    assert campaign.synthetic


def test_an_annotator_of_the_demo_is_careless_and_flagged(admin: Client) -> None:
    call_command("load_demo")
    campaign = Campaign.objects.get(name="demo-judgments")
    page = admin.get(f"/campaigns/{campaign.uuid}/quality/").content.decode()
    assert "1 of 7 annotators is flagged" in page
    assert "median of 0.6 s a screen, in which nobody reads the sentence" in page
    assert campaign.annotators.get(name="sim-judge-7").complete < 20
    assert "Faster than anybody reads" not in page, "the flag says it"


def test_the_demo_has_a_pilot_of_simulated_corrections() -> None:
    call_command("load_demo")
    pilot = Corpus.objects.get(name="demo-pilot")
    assert [sentence.references.count() for sentence in pilot.sentences.all()] == [25] * 30


def test_the_demo_has_simulated_ratings_on_scales() -> None:
    call_command("load_demo")
    campaign = Campaign.objects.get(name="demo-scales-judgments")
    assert compared_by(campaign) == ("Fluency", "Grammaticality", "Meaning")
    fluency, grammaticality, meaning = agreement_on_scales(snapshot(campaign))
    assert min(each.ordinal.value or 0 for each in (fluency, grammaticality, meaning)) > 0.4
    assert meaning.missing > 0
    assert campaign.synthetic


def test_the_demo_has_simulated_verdicts_on_edits() -> None:
    call_command("load_demo")
    campaign = Campaign.objects.get(name="demo-edits-judgments")
    rows = edit_verdicts(snapshot(campaign))
    assert set(rows["verdict"]) == {"accepted", "rejected", "cannot-say"}
    assert (agreement_over(edit_units(rows)).inter_pooled.value or 0) > 0.4


def test_the_demo_has_simulated_error_spans() -> None:
    call_command("load_demo")
    campaign = Campaign.objects.get(name="demo-error-spans-judgments")
    assert compared_by(campaign) == ("span_score",)
    f1, *_, missing = span_agreement(snapshot(campaign), resamples=10, seed=1).coefficients
    assert (f1.value or 0) > 0.5
    assert missing.value is not None
    assert campaign.synthetic


def test_campaigns_are_open_by_the_printed_links(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("load_demo", "--address", "http://example.org:8080/")
    tokens = re.findall(r"http://example.org:8080/join/(\S+)/", capsys.readouterr().out)
    campaigns = [link.campaign for token in tokens if (link := valid_link(token))]
    protocols = ["relative-ranking", "pairs", "scales", "edits", "error-spans", "correction", "validity"]
    assert [campaign.protocol for campaign in campaigns] == protocols
    assert {campaign.state for campaign in campaigns} == {"running"}


def test_the_worker_scores_and_labels_it_once() -> None:
    call_command("load_demo")
    call_command("load_demo")
    assert sorted(Job.objects.values_list("kind", flat=True)) == ["label-edits", "score-corpus"]


def test_it_prints_the_address_and_a_working_login_for_each_role(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("load_demo", "--address", "http://example.org:8080/")
    printed = capsys.readouterr().out
    assert "Assay is at http://example.org:8080/" in printed
    roles = {}
    for name, password in logins(printed).items():
        user = User.objects.get(username=name)
        assert user.check_password(password)
        roles[name] = user.role
    assert set(roles.values()) == set(Role.values)


def test_loading_it_again_changes_passwords_and_the_link_and_nothing_else(
    capsys: pytest.CaptureFixture[str],
) -> None:
    call_command("load_demo")
    before = {table: rows for table, rows in contents().items() if table not in CHANGING}
    first = logins(capsys.readouterr().out)
    call_command("load_demo")
    second = logins(capsys.readouterr().out)
    assert {table: rows for table, rows in contents().items() if table not in CHANGING} == before
    assert first.keys() == second.keys()
    assert set(first.values()).isdisjoint(second.values())
