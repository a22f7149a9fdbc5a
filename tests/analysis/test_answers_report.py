"""The answers about a campaign on one page, as files."""

import re
from html import unescape

import pytest
from django.test import Client

from analysis.pages.answers_report import report_of
from analysis.runs.answering import stored_answers
from annotate.models import Campaign
from figures.answers_report import report_svg
from tests.analysis.scored_campaigns import JUDGES, compute_answers, edited_campaign
from tests.annotate.references.answers import correcting_campaign, judging_campaign
from tests.annotate.samples import small_corpus

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def campaign() -> Campaign:
    """Judged by annotators with names so long that nothing else holds them, and analysed."""
    campaign = edited_campaign()
    compute_answers(campaign)
    return campaign


def html(client: Client, campaign: Campaign) -> str:
    response = client.get(f"/campaigns/{campaign.uuid}/answers/report.html")
    assert response["Content-Disposition"] == 'attachment; filename="answers.html"'
    return unescape(response.content.decode())


def drawn(campaign: Campaign) -> str:
    """The texts of the page from which the PDF is made."""
    svg = report_svg(report_of(campaign, stored_answers(campaign, for_admins=False)))
    return unescape(" ".join(re.findall("<text[^>]*>([^<]*)</text>", svg)))


def test_both_files_say_what_the_page_says(researcher: Client, campaign: Campaign) -> None:
    answered = researcher.get(f"/campaigns/{campaign.uuid}/answers/").context["answers"].answered
    page, picture = html(researcher, campaign), drawn(campaign)
    assert len(answered) == 4
    for each in answered:
        if not each.computed_at:  # It tells researchers what to do.
            assert each.question.key == "metrics"
            assert each.answer.heading not in page
            continue
        for said in (each.question.words, each.answer.heading, *each.answer.further):
            assert said in page
            assert said in picture
        for row in each.answer.rows:
            assert row.label in page
            assert row.value in picture
        for signature in each.answer.signatures:
            assert signature in page
            assert signature in picture.replace("| ", "|")
    about = "6 answers by 2 annotators about 3 systems."
    assert about in page
    assert about in picture


def test_the_pdf_is_one_page(researcher: Client, campaign: Campaign) -> None:
    response = researcher.get(f"/campaigns/{campaign.uuid}/answers/report.pdf")
    assert (response["Content-Type"], response["Content-Disposition"]) == (
        "application/pdf",
        'attachment; filename="answers.pdf"',
    )
    assert response.content.startswith(b"%PDF-")
    assert re.findall(rb"/Type /Page\b", response.content) == [b"/Type /Page"]
    assert b"/MediaBox [0 0 595 842]" in response.content


def test_the_html_needs_no_other_file(researcher: Client, campaign: Campaign) -> None:
    page = html(researcher, campaign)
    assert not re.search(r"""(src|href)=|url\(|@import|<script""", page)
    assert "@page { size: A4;" in page


def test_it_is_the_same_for_admins_and_names_no_annotator(
    admin: Client, researcher: Client, campaign: Campaign
) -> None:
    page = html(admin, campaign)
    assert page == html(researcher, campaign)
    for text in (page, drawn(campaign)):
        assert "flagged" not in text
        assert not any(name in text for name in JUDGES)


def test_it_says_what_is_missing(researcher: Client) -> None:
    campaign = edited_campaign()
    address = f"/campaigns/{campaign.uuid}/answers/"
    assert "report.pdf" not in researcher.get(address).content.decode()
    refused = researcher.get(f"{address}report.pdf", follow=True)
    assert refused.redirect_chain == [(address, 302)]
    assert "no answer has been computed" in refused.content.decode()
    researcher.get(f"/campaigns/{campaign.uuid}/ranking/")
    assert "report.pdf" in researcher.get(address).content.decode()
    page = html(researcher, campaign)
    assert page.count("Not computed yet") == 2
    assert drawn(campaign).count("Not computed yet") == 2


def test_there_are_no_other_files(researcher: Client, campaign: Campaign) -> None:
    assert researcher.get(f"/campaigns/{campaign.uuid}/answers/report.csv").status_code == 404


@pytest.mark.parametrize(
    ("role", "status"), [("stranger", 302), ("annotator", 403), ("researcher", 200), ("admin", 200)]
)
@pytest.mark.parametrize("file", ["html", "pdf"])
def test_it_is_for_researchers_and_admins(
    request: pytest.FixtureRequest, campaign: Campaign, role: str, status: int, file: str
) -> None:
    client = Client() if role == "stranger" else request.getfixturevalue(role)
    assert client.get(f"/campaigns/{campaign.uuid}/answers/report.{file}").status_code == status


def test_campaigns_without_ranks_have_one_too(researcher: Client) -> None:
    corpus = small_corpus(language="de")
    for campaign, about in (
        (correcting_campaign(corpus), "9 answers by 3 annotators."),
        (judging_campaign(corpus), "12 answers by 3 annotators."),
    ):
        compute_answers(campaign)
        page = html(researcher, campaign)
        assert about in page
        assert "Can I trust the judgments?" in page
        assert about in drawn(campaign)
