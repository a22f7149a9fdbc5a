"""The ranking of systems with long names, on a desktop and a phone."""

import pytest

from annotate.models import Role, User
from tests.annotate.samples import ranking, sentence, small_campaign, small_corpus
from tests.browser.conftest import NewVisitor
from tests.browser.visits import LOOKS

LONG = "gpt-4o-mini_few-shot_temperature-0.0_minimal-edits"


@pytest.mark.parametrize(("scheme", "device"), LOOKS)
def test_long_names_leave_the_figure_whole(
    new_visitor: NewVisitor, transactional_db: None, scheme: str, device: str
) -> None:
    corpus = small_corpus(sentences=[sentence("He go .", "He goes .", "He gone .", "He went .")])
    corpus.systems.filter(name="Alder").update(name=LONG)
    campaign = small_campaign(corpus, rankings=[ranking("anna", 0, f"{LONG} > Birch > INPUT > Cedar")] * 9)
    visitor = new_visitor(scheme=scheme, device=device)
    visitor.log_in(User.objects.create_user("rosa", role=Role.RESEARCHER))
    visitor.visit(f"/campaigns/{campaign.uuid}/ranking/")
    figure = visitor.page.locator("figure img")
    assert ("layout=narrow" in figure.evaluate("image => image.currentSrc")) == (device == "phone")
    box, frame = figure.bounding_box(), visitor.page.locator("figure .scroll").bounding_box()
    assert box is not None
    assert frame is not None
    assert box["width"] <= frame["width"]
    visitor.picture("ranking-with-long-names")
