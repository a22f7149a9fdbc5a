"""Nothing that annotators see gives away the plan of their campaign, or the systems behind the outputs."""

import re
from collections.abc import Iterable, Iterator
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from annotate.campaigns.lifecycle import create_campaign, launch
from annotate.campaigns.preview import EXAMPLE
from annotate.corpora.importing import plan_corpus, store_corpus
from annotate.design.assignment import shown_order
from annotate.design.draws import keyed_seed, new_secret
from annotate.judging.entering import add_annotator, mint_personal_link
from annotate.judging.orders import order_for
from annotate.models import Annotator, Campaign, Corpus, Design, ItemOutput, Showing
from formats import SentenceRecord
from tests.annotate import protocols
from tests.annotate.judging.at_work import JSON, address, answer
from tests.annotate.judging.plan_attack import (
    Guess,
    SeenScreen,
    find_plans,
    guessed_seed,
    seen_screen,
    usual_plan,
)
from tests.annotate.running import SECRET
from tests.annotate.running import answer as answer_showing
from tests.annotate.samples import SYSTEMS, corpus_record, no_progress, sentence, small_corpus
from tests.depth import DEEP

ITEMS = 420
SCREENS = 40
FEW_SIZES = (*range(1, 5001, 700), ITEMS)
SIZES = [range(begin, begin + 250) for begin in range(1, 5001, 250)] if DEEP else [FEW_SIZES]
"""Sizes of campaigns that the attacker tries, up to 5,000."""

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture(scope="module")
def launched(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Campaign]:
    """A campaign with the usual plan, by a secret as a site makes it; each screen shows all four outputs."""
    sentences = [
        sentence(f"He go to {at} .", f"He goes to {at} .", f"He went to {at} .", f"He go in {at} .")
        for at in range(ITEMS)
    ]
    with django_db_blocker.unblock(), transaction.atomic():
        design = Design(items=ITEMS, sampling="uniform", marks_edits=False)
        yield campaign_of(small_corpus("attacked", sentences=sentences), "attacked", design, new_secret())
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def ada(launched: Campaign, django_db_blocker: DjangoDbBlocker) -> Annotator:
    with django_db_blocker.unblock():
        return add_annotator(launched, name="ada")


@pytest.fixture(scope="module")
def screens(ada: Annotator, django_db_blocker: DjangoDbBlocker) -> list[SeenScreen]:
    """The screens of one annotator, read from their pages."""
    seen: list[SeenScreen] = []
    with django_db_blocker.unblock():
        client = entered(ada)
        while len(seen) < SCREENS:
            page = client.get(address(ada.campaign), follow=True)
            if not page.context.get("showing"):
                page = client.get(address(ada.campaign, "next-batch"), follow=True)
            seen.append(seen_screen(page.content.decode()))
            answer_showing(Showing.objects.get(uuid=page.context["showing"].uuid), timezone.now())
    return seen


def campaign_of(corpus: Corpus, name: str, design: Design, secret: str) -> Campaign:
    campaign = create_campaign(
        name=name,
        corpus=corpus,
        protocol=protocols.current,
        systems=list(corpus.systems.all()),
        design=design,
    )
    launch(campaign, progress=no_progress, secret=secret)
    return campaign


def entered(annotator: Annotator) -> Client:
    client = Client()
    assert client.post(f"/join/{mint_personal_link(annotator)}/").status_code == 302
    return client


def guessed_secret(secret: str, annotator: Annotator) -> Guess:
    return Guess(
        keyed_seed(secret, "slots"),
        lambda outputs, item: shown_order(outputs, seed=keyed_seed(secret, "screen", item, annotator.number)),
    )


def stored(campaign: Campaign, item: int) -> list[ItemOutput]:
    """The outputs of the item of this number in the order stored."""
    rows = ItemOutput.objects.filter(item__campaign=campaign, item__number=item)
    return list(rows.select_related("output").order_by("pk"))


def test_the_attack_finds_a_plan_that_was_drawn_from_a_seed() -> None:
    outputs = ("unchanged", "corrected", "fluent", "worse")
    items = [slot.item for slot in usual_plan(ITEMS, seed=1).slots[: SCREENS // 2]]
    orders = [tuple(shown_order(4, seed=[1, item, 7])) for item in items]
    screens = [
        SeenScreen(f"{item} unchanged", tuple(f"{item} {outputs[place]}" for place in order))
        for item, order in zip(items, orders, strict=True)
    ]
    [found] = find_plans(screens, guessed_seed(1, 7), FEW_SIZES)
    assert (found.size, found.items, found.places) == (ITEMS, tuple(items), tuple(orders))


@pytest.mark.parametrize("sizes", SIZES, ids=max)
@pytest.mark.parametrize("seed", [1, 0])
def test_the_plan_of_a_campaign_is_not_found_from_a_seed(
    screens: list[SeenScreen], ada: Annotator, seed: int, sizes: Iterable[int]
) -> None:
    for key in {ada.pk, ada.number}:
        assert not list(find_plans(screens, guessed_seed(seed, key), sizes))


@pytest.mark.parametrize("sizes", SIZES, ids=max)
@pytest.mark.parametrize("public", [EXAMPLE, "", "{uuid}", "{uuid.hex}", "{name}", SECRET])
def test_the_plan_of_a_campaign_is_not_found_from_what_is_public(
    screens: list[SeenScreen], ada: Annotator, public: str, sizes: Iterable[int]
) -> None:
    guess = guessed_secret(public.format(uuid=ada.campaign.uuid, name=ada.campaign.name), ada)
    assert not list(find_plans(screens, guess, sizes))


def test_with_the_secret_anybody_can_repeat_the_draw(screens: list[SeenScreen], ada: Annotator) -> None:
    guess = guessed_secret(ada.campaign.secret, ada)
    [found] = find_plans(screens, guess, FEW_SIZES)
    assert found.size == ITEMS
    by_source = {screen.source: screen for screen in screens}
    for screen, item, places in zip(by_source.values(), found.items, found.places, strict=True):
        rows = stored(ada.campaign, item)
        assert [rows[place].output.text for place in places] == list(screen.texts)


def test_systems_lie_in_every_place_of_the_stored_order_alike(launched: Campaign) -> None:
    shares = shares_of_places([[row.systems for row in stored(launched, item)] for item in range(ITEMS)])
    # Of 420 items, a standard deviation is 0.021; the tolerance is four of them.
    assert shares == pytest.approx(np.full((4, 4), 0.25), abs=0.085)


def test_systems_are_shown_in_every_place_alike(launched: Campaign) -> None:
    rows = [stored(launched, item) for item in range(ITEMS)]
    people = [Annotator(campaign=launched, number=number) for number in range(1, 6)]
    screens = [
        [rows[item][place].systems for place in order_for(person, "screen", item, 4)]
        for person in people
        for item in range(ITEMS)
    ]
    # Of 2,100 screens, a standard deviation is 0.0094; the tolerance is four of them.
    assert shares_of_places(screens) == pytest.approx(np.full((4, 4), 0.25), abs=0.038)


def shares_of_places(screens: Iterable[list[list[str]]]) -> np.ndarray:
    """For each system, the share of the screens on which it is at each place."""
    systems = [[SYSTEMS.index(name) for [name] in screen] for screen in screens]
    return np.array([np.bincount(places, minlength=4) for places in np.argsort(systems, axis=1).T]) / len(
        systems
    )


def test_a_campaign_launched_before_there_were_secrets_keeps_its_orders() -> None:
    campaign = Campaign()
    campaign.design = Design(seed=5)
    annotator = Annotator(pk=31, number=2, campaign=campaign)
    # As `numpy.random.default_rng([5, 7, 31]).permutation(6)` gave them when these campaigns were launched.
    assert order_for(annotator, "screen", 7, 6) == order_for(annotator, "practice", 7, 6)
    assert order_for(annotator, "screen", 7, 6) == np.random.default_rng([5, 7, 31]).permutation(6).tolist()


def test_practice_tells_nothing_about_screens(launched: Campaign) -> None:
    annotator = Annotator(number=1, campaign=launched)
    orders = [
        [order_for(annotator, purpose, item, 9) for item in range(5)] for purpose in ("screen", "practice")
    ]
    assert not {*map(tuple, orders[0])} & {*map(tuple, orders[1])}


def test_secrets_are_long_and_differ() -> None:
    made = {new_secret() for _ in range(100)}
    assert len(made) == 100
    assert all(re.fullmatch("[0-9a-f]{64}", secret) for secret in made)


def test_a_launch_makes_a_secret_and_a_draft_has_none(launched: Campaign) -> None:
    assert re.fullmatch("[0-9a-f]{64}", launched.secret)
    draft = create_campaign(
        name="draft",
        corpus=launched.corpus,
        protocol=protocols.RANKING,
        systems=list(launched.corpus.systems.all()),
        design=Design(items=3),
    )
    assert draft.secret == ""


ROLES = (
    {"INPUT": "source", "Cedar": "control"},
    {"Cedar": "source", "Alder": "control", "Birch": "reference"},
)


@pytest.mark.usefixtures("noon", "protocol")
def test_pages_depend_on_texts_alone() -> None:
    """The pages of two campaigns are equal if the same outputs have other systems, roles and keys."""
    texts = [
        (f"He go to {at} .", f"He goes to {at} .", f"He went to {at} .", f"He go in {at} .")
        for at in range(4)
    ] + [("It is fine .",) * 4]
    visits = []
    for number, roles in enumerate(ROLES):
        order = SYSTEMS if not number else SYSTEMS[::-1]
        sentences = [
            SentenceRecord(outputs[0], dict(sorted(zip(order, outputs, strict=True))), (), "", "")
            for outputs in texts
        ]
        plan = plan_corpus(
            name=f"corpus {number}", language="en", record=corpus_record(sentences), roles=roles
        )
        design = Design(
            **protocols.fitting(
                {"items": 5, "sampling": "uniform", "guidelines": "Be *fair*.", "repeat_percent": 0}
            )
        )
        corpus = store_corpus(plan, progress=no_progress)
        campaign = campaign_of(corpus, f"campaign {number}", design, SECRET)
        visits.append(pages_of(add_annotator(campaign, name="ada")))
    assert len(visits[0]) > 8
    assert visits[0] == visits[1]
    assert not any(word in page for page in visits[0] for word in (SECRET, *SYSTEMS))


def pages_of(annotator: Annotator) -> list[str]:
    """Everything that the server sends an annotator who answers all screens, without what is random."""
    campaign = annotator.campaign
    client = Client()
    link = f"/join/{mint_personal_link(annotator)}/"
    replies = [client.get(link), client.post(link), client.get(address(campaign, "guidelines"))]
    client.post(address(campaign, "guidelines"))
    while (screen := client.get(address(campaign), follow=True)).context.get("showing"):
        showing = screen.context["showing"].uuid
        fields = answer(client, campaign)
        replies += [
            screen,
            client.post(address(campaign, showing, "draft"), fields),
            client.post(address(campaign, showing), {"key": str(uuid4())}, headers=JSON),
            client.post(address(campaign, showing), fields, headers=JSON),
            client.get(address(campaign, showing)),
            client.get(address(campaign, "ahead")),
        ]
    replies += [screen, client.get(address(campaign, "answers"))]
    return [without_identifiers(reply, campaign) for reply in replies]


def without_identifiers(reply: Any, campaign: Campaign) -> str:
    random = {"X-Request-ID", "Expires"}
    head = "".join(f"{name}: {value}\n" for name, value in reply.headers.items() if name not in random)
    text = f"{reply.status_code}\n{head}\n{reply.content.decode()}".replace(campaign.name, "campaign")
    text = re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "uuid", text)
    return re.sub(r'csrfmiddlewaretoken\\?" value=\\?"\w+|/join/[\w-]+/', "", text)
