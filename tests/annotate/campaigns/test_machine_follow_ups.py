"""A follow-up asks where people's answers change the ranking most, given a machine, and both are ranked."""

import numpy as np
import pytest
from django.test import Client

from analysis.analyses.systems.ranking_with_machine import RANKING_WITH_MACHINE, MachineRanking
from annotate.campaigns.follow_ups.drafting import FollowUpError, create_machine_follow_up
from annotate.campaigns.lifecycle import launch
from annotate.design.sampling import SamplingError
from annotate.judgments.queries import snapshot
from annotate.models import Campaign, Design, Item
from ranking import standings
from tests.analysis.machine_campaigns import campaign_with_machines, corpus_for_machines
from tests.analysis.scored_campaigns import result_of
from tests.annotate.running import SECRET, answer_all, cast
from tests.annotate.samples import campaign_without_texts, no_progress

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.any_protocol]


@pytest.fixture
def first() -> Campaign:
    """People judged half of the sentences, machines all."""
    return campaign_with_machines(corpus_for_machines())


def address(campaign: Campaign, query: str = "") -> str:
    return f"/campaigns/{campaign.uuid}/analyses/ranking-with-machine/follow-up/{query}"


def test_the_page_drafts_what_a_launch_draws_and_a_ranking_weighs(first: Campaign, admin: Client) -> None:
    assert admin.get(address(first)).status_code == 302, "First see what the machine is worth."
    result_of(RANKING_WITH_MACHINE, first)
    html = admin.get(f"/campaigns/{first.uuid}/analyses/ranking-with-machine/").content.decode()
    assert f'href="{address(first)}' in html
    assert "Machine 1 (gpt-4o 2024-08-06)" in admin.get(address(first)).content.decode()
    sent = {"ordinary_percent": "30", "items": "40", "name": "second"}
    assert admin.post(address(first), sent | {"ordinary_percent": "4"}).status_code == 422
    assert admin.post(address(first), sent).status_code == 302
    second = Campaign.objects.get(name="second")
    asked = second.design.follow_up
    assert asked is not None
    assert second.follows == first
    assert np.mean(asked["changes"]) == pytest.approx(1, abs=0.001)
    assert len(set(asked["changes"])) > 1
    shown = admin.get(f"/campaigns/{second.uuid}/manage/").content.decode()
    assert "Sentences of this follow-up" in shown
    launch(second, progress=no_progress, secret=SECRET)
    for item in Item.objects.filter(campaign=second).select_related("sentence"):
        expected = 0.3 + 0.7 * asked["changes"][item.sentence.position] / np.mean(asked["changes"])
        assert item.propensities
        assert np.array(list(item.propensities.values())) == pytest.approx(expected, abs=0.001)
    [ben] = cast(second, "ben")
    answer_all(ben)
    ranked: MachineRanking = result_of(RANKING_WITH_MACHINE, second)
    assert (ranked.machine, ranked.weights) == ("Machine 1 (gpt-4o 2024-08-06)", "propensities")
    assert ranked.ranking.reason is None
    own = {each.system: each.score for each in standings(snapshot(second), replicates=0).systems}
    found = {each.system: each.people.score for each in ranked.ranking.systems if each.people}
    assert found == pytest.approx(own)
    both: MachineRanking = result_of(
        RANKING_WITH_MACHINE, second, RANKING_WITH_MACHINE.parameters(combined=True)
    )
    assert both.ranking.people_sentences > ranked.ranking.people_sentences
    assert both.ranking.judgments == ranked.ranking.judgments + 40


def test_only_admins_plan_it(first: Campaign, researcher: Client) -> None:
    html = researcher.get(f"/campaigns/{first.uuid}/analyses/ranking-with-machine/").content.decode()
    assert "Ask people where it matters" not in html
    assert researcher.get(address(first)).status_code == 403
    assert not Design.objects.filter(campaign__follows=first).exists()


def test_what_cannot_be_followed_up_is_refused(first: Campaign, admin: Client) -> None:
    asked = {"machine": "Machine 1", "ordinary_percent": 30, "items": 4}
    with pytest.raises(SamplingError, match="the machine judged no sentence"):
        create_machine_follow_up(first, name="second", changes={}, **asked)  # type: ignore[arg-type]
    with pytest.raises(FollowUpError, match="texts of these judgments are not known"):
        create_machine_follow_up(campaign_without_texts(), name="second", changes={0: 1.0}, **asked)  # type: ignore[arg-type]
    result_of(RANKING_WITH_MACHINE, first, RANKING_WITH_MACHINE.parameters(domain="mail"))
    page = admin.get(address(first, "?domain=mail")).content.decode()
    assert "A follow-up asks about sentences of all domains." in page
