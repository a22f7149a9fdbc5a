import json

import pytest
from django.test import Client

from annotate.judgments.pseudonyms import pseudonym
from annotate.models import AuditEntry, Campaign
from formats.writers import FORMATS
from tests.annotate.designs import running_campaign
from tests.annotate.samples import RANKINGS, small_campaign, small_corpus

OF_RANKINGS = [each for each in FORMATS.values() if not each.holds_spans]


@pytest.fixture
def campaign(db: None) -> Campaign:
    return small_campaign(small_corpus())


def address(campaign: Campaign, query: str = "") -> str:
    return f"{campaign.get_absolute_url()}export/{query and '?'}{query}"


def content(browser: Client, campaign: Campaign, query: str) -> str:
    response = browser.get(address(campaign, query))
    assert response.status_code == 200
    assert response.streaming
    return response.getvalue().decode()


def test_pages_of_campaigns_and_imported_sets_lead_there(admin: Client, researcher: Client) -> None:
    corpus = small_corpus()
    imported, run_here = small_campaign(corpus), running_campaign(corpus)
    for page in (imported.get_absolute_url(), run_here.get_absolute_url()):
        assert f'href="{page}export/"' in researcher.get(page).content.decode()
    managed = admin.get(f"{run_here.get_absolute_url()}manage/").content.decode()
    assert f'href="{address(run_here)}"' in managed


@pytest.mark.parametrize("file_format", OF_RANKINGS, ids=lambda each: each.name)
def test_a_file_is_streamed_under_its_name(researcher: Client, campaign: Campaign, file_format) -> None:  # type: ignore[no-untyped-def]
    response = researcher.get(address(campaign, f"file_format={file_format.name}"))
    assert response.streaming
    assert response["Content-Type"] == file_format.content_type
    assert response["Content-Disposition"] == (f'attachment; filename="judged-judgments{file_format.suffix}"')
    assert response["Cache-Control"] == "no-store"
    assert response.getvalue()
    assert AuditEntry.objects.get().who == "the-researcher"


def test_filters(researcher: Client, campaign: Campaign) -> None:
    def judgments(query: str) -> int:
        lines = content(researcher, campaign, f"file_format=jsonl&{query}").splitlines()
        return len({json.loads(line)["judgment"] for line in lines})

    assert judgments("") == len(RANKINGS)
    assert judgments("state=skipped&state=auto") == 2
    assert judgments(f"annotator={pseudonym(campaign, 'anna')}") == 3
    assert judgments("submitted_from=2026-01-01") == 0
    campaign.items.get(number=0).judgments.get(repetition=0).revisions.update(
        submitted_at="2026-05-04T12:00:00Z"
    )
    assert judgments("submitted_from=2026-05-04&submitted_to=2026-05-04") == 1
    assert judgments("history=on") == len(RANKINGS)


def test_researchers_never_see_names(researcher: Client, campaign: Campaign) -> None:
    page = researcher.get(address(campaign)).content.decode()
    assert '<option value="1">Annotator 1</option>' in page
    assert "anna" not in page
    assert 'name="names"' not in page
    assert "anna" not in content(researcher, campaign, "file_format=csv&names=on")
    assert researcher.get(address(campaign, "file_format=csv&annotator=anna")).status_code == 400


def test_admins_see_names_if_they_ask(admin: Client, campaign: Campaign) -> None:
    assert "anna (Annotator 1)" in admin.get(address(campaign)).content.decode()
    assert "anna" not in content(admin, campaign, "file_format=csv")
    assert "anna" in content(admin, campaign, "file_format=csv&names=on")


@pytest.mark.parametrize(
    "query",
    [
        "state=skipped",
        "file_format=xls",
        "file_format=csv&state=late",
        "file_format=csv&annotator=eve",
        "file_format=csv&submitted_from=soon",
        "file_format=csv&submitted_from=2026-02-01&submitted_to=2026-01-31",
        "file_format=appraise&history=on",
    ],
)
def test_wrong_fields_are_marked_and_nothing_is_exported(
    researcher: Client, campaign: Campaign, query: str
) -> None:
    response = researcher.get(address(campaign, query))
    assert response.status_code == 400
    assert "Nothing was exported" in response.content.decode()
    assert "errorlist" in response.content.decode()
    assert not AuditEntry.objects.exists()
