"""The ranking of systems with long names, on a desktop and a phone."""

import pytest

from annotate.models import Role, User
from tests.annotate.samples import ranking, sentence, small_campaign, small_corpus
from tests.browser.conftest import NewVisitor
from tests.browser.visits import LOOKS

LONG = "gpt-4o-mini_few-shot_temperature-0.0_minimal-edits"


@pytest.mark.parametrize(("scheme", "device"), LOOKS)
def test_each_system_has_its_interval_in_its_row(
    new_visitor: NewVisitor, transactional_db: None, scheme: str, device: str
) -> None:
    corpus = small_corpus(sentences=[sentence("He go .", "He goes .", "He gone .", "He went .")])
    corpus.systems.filter(name="Alder").update(name=LONG)
    campaign = small_campaign(corpus, rankings=[ranking("anna", 0, f"{LONG} > Birch > INPUT > Cedar")] * 9)
    visitor = new_visitor(scheme=scheme, device=device)
    visitor.log_in(User.objects.create_user("rosa", role=Role.RESEARCHER))
    visitor.visit(f"/campaigns/{campaign.uuid}/ranking/")
    plot = visitor.page.locator(".standings .plot").first.bounding_box()
    score = visitor.page.locator(".standings tbody .score").first.bounding_box()
    assert plot is not None
    assert score is not None
    assert plot["width"] > (300 if device == "phone" else 400)
    assert (plot["y"] > score["y"] + score["height"] - 2) == (device == "phone"), "below, on a phone"
    visitor.picture("ranking-with-long-names")
