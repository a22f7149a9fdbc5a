"""Queries and bytes of every page of an annotator, by either kind of link.

A page loads less than 60 KB of our own scripts and styles, and takes at most 12 queries, answers included.
`test_every_text_is_translated` goes the same way by every protocol, within the same limits.
"""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.staticfiles import finders
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotate.design.protocols import PROTOCOLS, Practisable, Protocol
from annotate.judging.entering import add_annotator, mint_personal_link, mint_shared_link
from annotate.judging.views import SCREEN_ASSETS
from annotate.models import Annotator, Campaign, Judgment
from annotate.web.interface_languages import LETTERS
from tests.annotate import protocols
from tests.annotate.designs import running_campaign
from tests.annotate.judging.at_work import JSON, address
from tests.annotate.protocols import filled_in, said
from tests.annotate.samples import sentence, small_corpus

pytestmark = pytest.mark.django_db

MOST_BYTES = 60_000
MOST_QUERIES = 12

TEXTS = [sentence(f"Say {n} .", f"Say {n} !", f"Say {n} ?", f"Says {n} .") for n in range(10)]
ASSETS = re.compile(r'<(?:script|link)\b[^>]*(?:src|href)="/static/([^"]+\.(?:js|css))"')
IMPORTED = re.compile(r'^(?:import|export)\b[^;]*?"\./([^"]+)";', re.MULTILINE)


@cache
def loaded_with(name: str) -> frozenset[Path]:
    """A script or style of ours, and the scripts that it imports."""
    path = Path(str(finders.find(name)))
    imported = IMPORTED.findall(path.read_text()) if path.suffix == ".js" else []
    return frozenset({path}).union(*(loaded_with(f"js/{script}") for script in imported))


def weight(page: str) -> int:
    """The bytes of all scripts and styles that the page loads."""
    return sum(path.stat().st_size for path in frozenset().union(*map(loaded_with, ASSETS.findall(page))))


@pytest.mark.parametrize("letters", LETTERS.values())
@pytest.mark.parametrize("protocol", PROTOCOLS.values())
def test_letters_of_another_language_are_within_the_bytes(protocol: Protocol, letters: str) -> None:
    names = (*SCREEN_ASSETS, letters, *protocol.styles, *protocol.scripts)
    assert sum(path.stat().st_size for path in frozenset().union(*map(loaded_with, names))) < MOST_BYTES


class Visitor:
    """Somebody who follows a link to a campaign in two batches of five screens.

    Attributes:
        seen: the name of each page that was looked at.
    """

    def __init__(self, campaign: Campaign, token: str) -> None:
        self.client = Client()
        self.campaign = campaign
        self.join = f"/join/{token}/"
        self.seen: set[str] = set()

    def get(self, page: str) -> Any:
        return self._checked(page, lambda: self.client.get(page))

    def post(self, page: str, **fields: str) -> Any:
        return self._checked(page, lambda: self.client.post(page, fields))

    def at(self, *rest: object) -> str:
        return address(self.campaign, *rest)

    def arrive(self) -> Any:
        """The page on which the way to the next screen ends."""
        response = self.get(self.at())
        while response.status_code == 302:
            response = self.get(response["Location"])
        return response

    def send(self, *rest: str, revised: str = "") -> str:
        """Send an answer, or with “skip” a skip, as the script does; the next screen, if it comes with it."""
        shown = (self.get(revised) if revised else self.arrive()).context
        page = self.at(shown["showing"].uuid, *rest)
        ranks = range(1, len(shown["outputs"]) + 1)
        fields = {"key": str(uuid4()), "note": "odd", "revises": str(shown["revises"]), **filled_in(ranks)}
        reply = self._checked(page, lambda: self.client.post(page, fields, headers=JSON))
        return str(reply.json().get("screen", ""))

    def _checked(self, page: str, ask: Callable[[], Any]) -> Any:
        with CaptureQueriesContext(connection) as queries:
            response = ask()
        assert response.status_code in (200, 204, 302), page
        statements = [query["sql"] for query in queries]
        sent = [sql for sql in statements if not sql.startswith(("SAVEPOINT", "RELEASE"))]
        assert len(sent) <= MOST_QUERIES, (page, sent)
        if response.status_code == 200 and response.templates and "html" in response["Content-Type"]:
            assert 0 < weight(response.content.decode()) < MOST_BYTES, page
            self.seen.add(response.templates[0].name.removeprefix("annotate/").removesuffix(".html"))
        return response


def practice(protocol: str) -> str:
    """Guidelines with a practice item, where the protocol has any."""
    asked_by = PROTOCOLS[protocol]
    if not isinstance(asked_by, Practisable):
        return "Be fair."
    texts = ["He goes .", "He go ."][: asked_by.most_outputs]
    marks = asked_by.marks(said(range(1, 9), len(texts)))
    lines = [f"{mark} | {text}" for mark, text in zip(marks, texts, strict=True)]
    return "\n".join(["Be fair.", "", "```practice", "He go .", *lines, "```"])


@pytest.fixture
def campaign() -> Campaign:
    guidelines = practice(protocols.current)
    return running_campaign(
        small_corpus(sentences=TEXTS),
        items=10,
        with_replacement=False,
        batch_size=5,
        annotators_per_item=2,
        shared_percent=100,
        repeat_percent=0,
        guidelines=guidelines,
        practice_needed=int("practice" in guidelines),
        practice_tries=2,
    )


@pytest.fixture(params=["personal link", "shared link"])
def visitor(request: pytest.FixtureRequest, campaign: Campaign) -> Visitor:
    if request.param == "shared link":
        return Visitor(campaign, mint_shared_link(campaign))
    return Visitor(campaign, mint_personal_link(add_annotator(campaign, name="ada")))


def test_from_the_link_to_the_end(visitor: Visitor) -> None:
    walk(visitor)


def walk(visitor: Visitor) -> None:
    """From the link to the end, with an answer that is changed, a pause and a skip."""
    enter(visitor)
    asks_practice = visitor.campaign.design.practice_needed > 0
    if asks_practice:
        practise(visitor)
    first = visitor.at(visitor.arrive().context["showing"].uuid)
    visitor.post(f"{first}draft/", note="odd")
    assert "data-showing" in visitor.send()
    visitor.get(visitor.at("answers", "last"))
    visitor.send(revised=first)
    for _ in range(4):
        visitor.send()
    visitor.arrive()
    visitor.get(visitor.at("stop"))
    visitor.get(visitor.at("next-batch"))
    visitor.send("skip")
    for _ in range(4):
        visitor.send()
    visitor.arrive()
    visitor.get(visitor.at("answers"))
    assert Judgment.objects.count() == 10
    asked_by = PROTOCOLS[visitor.campaign.protocol]
    pages = {"welcome", "guidelines", "pause", "stopped", "answers", "nothing_left"}
    pages |= {"practised", "practice_result"} if asks_practice else set()
    assert visitor.seen >= {f"judging/{page}" for page in pages} | {
        asked_by.template.removeprefix("annotate/").removesuffix(".html")
    }


def enter(visitor: Visitor) -> None:
    visitor.get(visitor.join)
    visitor.post(visitor.join, key=str(uuid4()))
    visitor.get(visitor.at("code"))
    visitor.arrive()
    visitor.post(visitor.at("guidelines"))


def practise(visitor: Visitor) -> None:
    """Answer the one item in either order of its corrections, until an answer agrees."""
    for ranks in ([1, 2], [2, 1]):
        outputs = visitor.arrive().context["outputs"]
        response = visitor.post(visitor.at("practice", 1), **filled_in(ranks[: len(outputs)]))
        visitor.get(response["Location"])
        visitor.post(visitor.at("practice", "end"))
        visitor.get(visitor.at("practice", "result"))
        if Annotator.objects.get().has_practised:
            return
