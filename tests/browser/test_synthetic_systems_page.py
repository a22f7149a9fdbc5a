"""Metrics over synthetic systems and over the values of a parameter, in the browser."""

import pytest
from playwright.sync_api import Page, expect

from analysis.analyses.metrics.sensitivity.hybrids import HYBRIDS
from analysis.analyses.metrics.sensitivity.metric_sweep import METRIC_SWEEP, MetricSweepParameters
from analysis.analyses.metrics.sensitivity.mixed_systems import HybridsParameters
from annotate.models import Role, User
from tests.analysis.scored_campaigns import compared_campaign, result_of
from tests.annotate.samples import small_corpus
from tests.annotate.scores.scoring import scored
from tests.browser.conftest import NewVisitor
from tests.browser.visits import looks


def expect_figures(page: Page) -> None:
    """All figures of the page are drawn."""
    for figure in page.locator("figure img:visible").all():
        figure.scroll_into_view_if_needed()
        expect(figure).to_have_js_property("complete", True)
        assert figure.evaluate("image => image.naturalWidth") > 0


@pytest.mark.parametrize(("scheme", "device"), looks("dark", "phone"))
def test_a_researcher_looks_at_synthetic_systems_and_at_a_parameter(
    new_visitor: NewVisitor, transactional_db: None, scheme: str, device: str
) -> None:
    corpus = small_corpus()
    scored(corpus, "ibleu")
    campaign = compared_campaign(corpus)
    result_of(HYBRIDS, campaign, HybridsParameters(with_source=True, draws=1))
    result_of(METRIC_SWEEP, campaign, MetricSweepParameters(step=0.1))
    visitor = new_visitor(scheme=scheme, device=device)
    visitor.log_in(User.objects.create_user("rita", role=Role.RESEARCHER))
    page = visitor.page
    visitor.visit(f"/campaigns/{campaign.uuid}/metrics/synthetic-systems/?with_source=yes&draws=1")
    table = page.get_by_role("table", name="Correlation of each metric with people")
    expect(table.get_by_role("row")).to_have_count(5)
    page.locator("summary", has_text="Systems by metric and people").click()
    expect_figures(page)
    page.get_by_text("How this is computed").click()
    visitor.check()
    visitor.picture("synthetic-systems")
    with page.expect_download() as download:
        page.get_by_text("the scores of all systems").get_by_role("link", name="CSV").click()
    assert download.value.suggested_filename == "hybrids-systems.csv"
    visitor.visit(f"/campaigns/{campaign.uuid}/metrics/sweep/?step=0.1")
    expect(page.get_by_text("computed from statistics without scoring again")).to_be_visible()
    expect_figures(page)
    visitor.check()
    visitor.picture("metric-by-parameter")
    page.get_by_text("Another metric or parameter").click()
    page.get_by_role("listitem").filter(has_text="GLEU").get_by_role("link", name="Iterations").click()
    expect(page.get_by_text("Waiting for a worker")).to_be_visible()
