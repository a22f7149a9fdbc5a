"""An annotator at work in a browser without scripts."""

import re
from datetime import datetime, timedelta
from html import unescape
from random import Random
from uuid import UUID

from django.test import Client

from tests.upgrade.forms import Form, form_in

MOST_STEPS = 20
POINTS = re.compile("(rank|score)-[0-9]+")


def opened(client: Client, address: str) -> tuple[str, str]:
    """Open an address and follow where it leads; a batch is begun in steps that lead to the same one again.

    Returns:
        The last address, and the page.
    """
    for _ in range(MOST_STEPS):
        response = client.get(address)
        if response.status_code != 302:
            assert response.status_code == 200, (address, response.status_code)
            return address, response.content.decode()
        address = response["Location"]
    raise AssertionError(f"{address} leads on and on.")


def screen(client: Client, campaign: str) -> Form:
    """The form of the screen that is shown now; guidelines, practice items and pauses are passed."""
    address, page = opened(client, f"/judge/{campaign}/")
    for before, passing in (("guidelines/", "guidelines/"), ("practice/", "practice/end/")):
        if f"/{before}" in address:
            client.post(f"/judge/{campaign}/{passing}")
            address, page = opened(client, f"/judge/{campaign}/")
    if f"/judge/{campaign}/next-batch/" in page:
        _, page = opened(client, f"/judge/{campaign}/next-batch/")
    return form_in(page, having="key")


def text_of(page: str) -> str:
    """What is read on a page, with single blanks."""
    return " ".join(unescape(re.sub("<[^>]*>", " ", page)).split())


def judged(form: Form, draw: Random) -> dict[str, str]:
    """Ranks or scores for all outputs of a screen, drawn at random."""
    names = {name for name in (*form.fields, *form.choices) if POINTS.fullmatch(name)}
    return {
        name: draw.choice(form.choices[name]) if name in form.choices else str(draw.randint(0, 100))
        for name in sorted(names, key=lambda name: int(name.rpartition("-")[2]))
    }


def send(client: Client, form: Form, answer: dict[str, str], *, now: datetime, draw: Random) -> None:
    """Submit, ten to thirty seconds after the screen was opened."""
    took = timedelta(seconds=draw.randint(10, 30))
    about = {
        "key": str(UUID(int=draw.getrandbits(128), version=4)),
        "revises": form.fields.get("revises", [""])[0],
        "started_at": (now - took).isoformat(),
        "active_ms": str(took // timedelta(milliseconds=1)),
    }
    response = client.post(form.action, {**answer, **about})
    assert response.status_code == 302, text_of(response.content.decode())


def entered(form: Form) -> dict[str, object]:
    """Which screen it is, and what is entered: what finds itself again later."""
    fields = {name: values for name, values in form.fields.items() if POINTS.fullmatch(name)}
    return {"address": form.action, "fields": fields}
