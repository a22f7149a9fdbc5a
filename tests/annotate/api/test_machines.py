"""Machines take items by the API and answer them; they see no names, and nobody loses a slot."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotate.api.throttling import MachineThrottle
from annotate.machines.making import mint_token, revoke_token
from annotate.models import Annotator, Campaign, CampaignState, Judgment, MachineLease, Role, Slot
from tests.annotate.api.asking import ask, post, problem_of, program, with_token
from tests.annotate.machine_judges import machine_of
from tests.annotate.protocols import EACH
from tests.annotate.running import answer_all, cast, running, shown
from tests.annotate.samples import SYSTEMS

pytestmark = pytest.mark.django_db
RANKINGS = "relative-ranking"
Item = dict[str, Any]


@pytest.fixture
def campaign() -> Campaign:
    return running(protocol=RANKINGS)


@pytest.fixture
def machine(campaign: Campaign) -> Annotator:
    return machine_of(campaign)


@pytest.fixture
def caller(machine: Annotator) -> Client:
    return with_token(mint_token(machine, by=None))


def take(client: Client, limit: int = 20) -> list[Item]:
    response = post(client, f"/api/v1/machine/items/?limit={limit}")
    assert response.status_code == 200, response.content
    items: list[Item] = response.json()
    return items


def send(client: Client, *answers: Item) -> Any:
    return client.post("/api/v1/machine/answers/", {"answers": answers}, content_type="application/json")


def ranks(item: Item, key: object = None) -> Item:
    """The outputs as they stand, the first the best."""
    fields = {f"rank-{place}": str(place + 1) for place, _ in enumerate(item["outputs"])}
    return {"item": item["number"], "key": str(key or uuid4()), "answer": fields}


def one_answer(fields: str) -> str:
    """The body of a request with an answer of these fields."""
    return f'{{"answers": [{{"item": 1, "key": "{uuid4()}", "answer": {{{fields}}}}}]}}'


def test_a_machine_reads_the_task_takes_all_items_and_answers_them(
    caller: Client, campaign: Campaign, machine: Annotator
) -> None:
    task = ask(caller, "machine/")
    assert task["protocol"] == RANKINGS
    assert task["task"] == campaign.task
    items = take(caller, 4) + take(caller)
    assert [item["number"] for item in items] == list(campaign.items.values_list("number", flat=True))
    assert take(caller) == []
    assert send(caller, *map(ranks, items)).json() == {"stored": len(items)}
    machine.refresh_from_db()
    assert machine.complete == len(items)
    judgments = Judgment.every.filter(annotator=machine)
    assert judgments.filter(state="complete", slot=None, by_machine=1).count() == len(items)
    assert not MachineLease.objects.exists()


def test_the_items_name_no_system_score_or_campaign(caller: Client, campaign: Campaign) -> None:
    text = post(caller, "/api/v1/machine/items/").content.decode() + str(ask(caller, "machine/"))
    assert not any(system in text for system in SYSTEMS)
    assert campaign.name not in text.replace("the campaign", "")
    assert str(campaign.uuid) not in text


def test_outputs_are_in_an_order_of_the_machine(campaign: Campaign) -> None:
    """The order of each machine is drawn, and stays."""
    orders: set[tuple[str, ...]] = set()
    for number in range(6):
        caller = with_token(mint_token(machine_of(campaign, f"gpt-{number}"), by=None))
        orders.add(tuple(take(caller, 1)[0]["outputs"]))
    assert len(orders) > 1


def test_ratings_belong_to_the_outputs_shown(caller: Client, machine: Annotator) -> None:
    [item] = take(caller, 1)
    send(caller, ranks(item))
    ratings = Judgment.every.get(annotator=machine).revisions.get().ratings.order_by("rank")
    assert [rating.item_output.output.text for rating in ratings] == item["outputs"]


def test_people_keep_their_slots_and_screens(caller: Client, campaign: Campaign) -> None:
    before = list(Slot.objects.order_by("pk").values("state", "annotator", "assignment"))
    send(caller, *map(ranks, take(caller)))
    assert list(Slot.objects.order_by("pk").values("state", "annotator", "assignment")) == before
    [anna] = cast(campaign, "anna")
    assert len(answer_all(anna)) == campaign.items.count()


def test_another_process_of_the_machine_gets_other_items_until_the_lease_ends(caller: Client) -> None:
    first, second = take(caller, 2), take(caller, 2)
    assert {item["number"] for item in first}.isdisjoint(item["number"] for item in second)
    MachineLease.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    assert take(caller, 4) == first + second


def test_machines_do_not_wait_for_each_other(caller: Client, campaign: Campaign) -> None:
    other = with_token(mint_token(machine_of(campaign, "other"), by=None))
    assert [item["number"] for item in take(caller)] == [item["number"] for item in take(other)]


def test_an_answer_sent_twice_is_stored_once(caller: Client, machine: Annotator) -> None:
    [item] = take(caller, 1)
    key = uuid4()
    assert send(caller, ranks(item, key)).json() == {"stored": 1}
    assert send(caller, ranks(item, key)).json() == {"stored": 0}
    assert send(caller, ranks(item, key), ranks(item, key)).json() == {"stored": 0}
    assert "another key" in problem_of(send(caller, ranks(item)), 409)["detail"]
    machine.refresh_from_db()
    assert (machine.complete, machine.answers_sent) == (1, 1)


def test_a_refusal_is_a_missing_answer(caller: Client, machine: Annotator) -> None:
    [item] = take(caller, 1)
    sent = {**ranks(item), "answer": None, "note": "I cannot help with that."}
    assert send(caller, sent).json() == {"stored": 1}
    judgment = Judgment.every.get(annotator=machine)
    assert judgment.state == "skipped"
    assert judgment.revisions.get().note == "I cannot help with that."
    assert not campaign_items_held(machine)


def campaign_items_held(machine: Annotator) -> bool:
    return machine.campaign.items.filter(is_held=True).exists()


def test_an_incomplete_answer_is_refused_with_all_beside_it(caller: Client) -> None:
    first, second = take(caller, 2)
    wrong = {**ranks(second), "answer": {"rank-0": "1"}}
    problem = problem_of(send(caller, ranks(first), wrong), 409)
    assert f"Item {second['number']}: Still to rank" in problem["detail"]
    assert not Judgment.every.exists()
    problem_of(send(caller, {**ranks(first), "item": 999}), 409)
    problem_of(send(caller, {"item": 1}), 400)
    problem_of(caller.post("/api/v1/machine/answers/", "{", content_type="application/json"), 400)


@pytest.mark.parametrize(
    ("body", "cause"),
    [
        ('{"answers": ' + "[" * 100_000, "nested too deeply"),
        ('{"answers": [' + "1," * 200_000 + "1]}", "no more than 100 elements"),
        (one_answer(", ".join(f'"{number}": []' for number in range(5000))), "at most 2,500 fields"),
        (one_answer('"\\ud800": []'), "The name of a field contains the surrogate"),
        ('{"answers": [{"item": NaN}]}', "JSON parse error"),
        ('{"answers": []' + " " * 3_000_000 + "}", "at most 2.5 MB"),
    ],
    ids=["deep", "many answers", "many fields", "half a character", "no number", "long"],
)
def test_hostile_json_is_refused_in_few_words(body: str, cause: str, caller: Client) -> None:
    response = caller.post("/api/v1/machine/answers/", body, content_type="application/json")
    problem_of(response, 400)
    assert cause in response.content.decode()
    assert len(response.content) < 1000


@pytest.mark.parametrize("state", [CampaignState.PAUSED, CampaignState.CLOSED])
def test_machines_may_come_later_than_people(state: CampaignState, caller: Client) -> None:
    Campaign.objects.update(state=state)
    assert send(caller, *map(ranks, take(caller))).json()["stored"] > 0


def test_a_draft_has_no_items(caller: Client) -> None:
    Campaign.objects.update(state=CampaignState.DRAFT)
    problem_of(post(caller, "/api/v1/machine/items/"), 409)


@pytest.mark.parametrize("path", ["", "items/", "answers/"])
def test_only_machines_may_ask(path: str, campaign: Campaign, machine: Annotator) -> None:
    address = f"/api/v1/machine/{path}"

    def asked_by(client: Client) -> Any:
        return post(client, address) if path else client.get(address)

    problem_of(asked_by(Client()), 401)
    for role in Role:
        problem_of(asked_by(program(role)), 403)
    token = mint_token(machine, by=None)
    revoke_token(machine, by=None)
    problem_of(asked_by(with_token(token)), 401)


@pytest.mark.parametrize("path", ["corpora/", "campaigns/", "jobs/"])
def test_a_machine_may_read_nothing_else(path: str, caller: Client) -> None:
    problem_of(caller.get(f"/api/v1/{path}"), 401)
    assert caller.get("/").status_code == 302


def test_a_machine_that_asks_too_often_has_to_wait(caller: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MachineThrottle, "THROTTLE_RATES", {"user": "2/min"})
    statuses = [caller.get("/api/v1/machine/").status_code for _ in range(3)]
    assert statuses == [200, 200, 429]


def test_the_cost_does_not_grow_with_what_was_answered(caller: Client) -> None:
    def cost() -> int:
        with CaptureQueriesContext(connection) as captured:
            send(caller, *map(ranks, take(caller, 2)))
        return len(captured)

    first = cost()
    assert cost() <= first


@pytest.mark.parametrize("protocol", EACH)
def test_every_protocol_hands_out_its_items(protocol: str) -> None:
    campaign = running(protocol=protocol)
    caller = with_token(mint_token(machine_of(campaign), by=None))
    [anna] = cast(campaign, "anna")
    showing = shown(anna)
    [item] = [each for each in take(caller) if each["number"] == showing.slot.item.number]
    texts = set(showing.slot.item.outputs.values_list("text", flat=True))
    assert set(item["outputs"]) == texts
