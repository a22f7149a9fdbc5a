"""Learned metrics in the browser: what they have learned, the card, and offering one."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from analysis.analyses.metrics.learned.gmeg_training import GmegParameters
from analysis.analyses.metrics.learned.learned_gmeg import LEARNED_GMEG
from analysis.analyses.metrics.learned.learned_mterater import LEARNED_MTERATER
from analysis.analyses.metrics.learned.mterater_training import MteraterParameters
from annotate.models import Role, User
from metrics.learned import shelf
from tests.analysis.scored_campaigns import edited_campaign, result_of
from tests.annotate.scores.scoring import edited_corpus, scored
from tests.browser.conftest import NewVisitor
from tests.browser.test_synthetic_systems_page import expect_figures
from tests.browser.visits import looks


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[None]:
    """Learned metrics are offered from here."""
    shelf.set_up(tmp_path / "learned")
    yield
    shelf.set_up(None)


@pytest.mark.parametrize(("scheme", "device"), looks("dark", "phone"))
def test_a_researcher_looks_at_learned_metrics_and_offers_one(
    new_visitor: NewVisitor, transactional_db: None, scheme: str, device: str
) -> None:
    corpus = edited_corpus()
    scored(corpus, "gleu", "chrf", "imeasure")
    campaign = edited_campaign(corpus)
    result_of(LEARNED_GMEG, campaign, GmegParameters(splits=2, folds=2, draws=1))
    result_of(LEARNED_MTERATER, campaign, MteraterParameters(folds=3, replicates=20))
    visitor = new_visitor(scheme=scheme, device=device)
    visitor.log_in(User.objects.create_user("rita", role=Role.RESEARCHER))
    page = visitor.page
    visitor.visit(f"/campaigns/{campaign.uuid}/analyses/learned-gmeg/?splits=2&folds=2&draws=1")
    expect(page.get_by_role("heading", name="Use the model")).to_be_visible()
    expect(page.get_by_role("rowheader").first).to_contain_text("GMEG-Metric")
    page.locator("summary", has_text="Model card").click()
    expect_figures(page)
    page.get_by_text("How this is computed").click()
    visitor.check()
    visitor.picture("learned-gmeg")
    page.get_by_role("button", name="Offer as a metric").click()
    expect(page.get_by_text("is offered as a metric on the page Scores")).to_be_visible()
    visitor.check()
    page.get_by_role("button", name="Withdraw").click()
    expect(page.get_by_text("is no longer offered")).to_be_visible()
    visitor.visit(f"/campaigns/{campaign.uuid}/analyses/learned-mterater/?folds=3&replicates=20")
    expect(page.get_by_role("rowheader").first).to_contain_text("MTeRater")
    page.get_by_text("Differences between metrics").click()
    expect(page.get_by_role("table", name="Differences of tau")).to_be_visible()
    expect_figures(page)
    visitor.check()
    visitor.picture("learned-mterater")
    visitor.visit(f"/campaigns/{campaign.uuid}/analyses/learned-mterater/?folds=1", status=400)
