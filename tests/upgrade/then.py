"""Make a database by the code of another commit and write down what it shows; see `tests.upgrade.make`.

Nothing here may import a package of the project before `main` has said whose.
"""

import json
import os
import random
import re
import sys
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import django
import pytest
import vl_convert
from django.core.management import call_command
from django.test import Client
from django.test.utils import setup_test_environment

from tests.upgrade.clock import set_clock
from tests.upgrade.facts import facts_of
from tests.upgrade.forms import Form, form_in
from tests.upgrade.judging import entered, judged, opened, screen, send, text_of

BEGIN = datetime(2026, 5, 4, 9, tzinfo=UTC)
SECRET_KEY = "of-a-database-that-is-kept-for-tests"
SEED = 13


class Site:
    """The site of the old commit, and its people.

    Attributes:
        now: the time, which goes on with what people do.
        people: by name, their browser, how they came in, and what they have on their screen.
    """

    def __init__(self) -> None:
        self.now = BEGIN
        self.draw = random.Random(SEED)  # noqa: S311
        self.people: dict[str, dict[str, Any]] = {}

    def populate(self) -> None:
        """Load the demo, publish results, run two campaigns, and stop in the middle of the work."""
        printed = StringIO()
        call_command("migrate", verbosity=0)
        call_command("load_demo", address="http://testserver/", stdout=printed)
        self.passwords = dict(re.findall(r"^ +(demo-\S+) +(\S+)$", printed.getvalue(), re.MULTILINE))
        self.admin = self._log_in("admin", "demo-admin")
        self._log_in("researcher", "demo-researcher")
        campaigns = self.admin.get("/api/v1/campaigns/").json()["results"]
        self._publish(next(row["uuid"] for row in campaigns if row["name"] == "demo-judgments"))
        ranking = next(row for row in campaigns if row["name"] == "demo-ranking")
        shared, *_ = re.findall(r"http://testserver(/join/\S+)", printed.getvalue())
        self._rank(ranking["uuid"], shared)
        self._score(self._launch_scores())
        self._send(self.admin, f"/campaigns/{ranking['uuid']}/clone/", having="name", name="upgrade-draft")

    def _publish(self, campaign: str) -> None:
        """Publish the ranking of judgments that were imported, with the names of systems and without."""
        from jobs.worker import run_queued_jobs

        for job in self.admin.get("/api/v1/jobs/").json()["results"]:
            self.admin.post(f"/jobs/{job['uuid']}/cancel/")  # Scoring the demo takes long.
        for title, with_names in (("Published with names", "on"), ("Published without names", "")):
            address = f"/campaigns/{campaign}/published/"
            self._send(self.admin, address, having="title", title=title, with_names=with_names)
        run_queued_jobs()

    def _rank(self, campaign: str, shared: str) -> None:
        """Rankings by people who were invited, have an account, or found the shared link; one is excluded."""
        anna = self._invite("anna", campaign)
        self._judge(anna, campaign, 14)
        self._skip(anna, campaign)
        self._revise(anna, campaign)
        self._judge(anna, campaign, 2)
        self._stop("anna", campaign, draft=True)

        self._invite("carl", campaign, account="demo-annotator")
        carl = self._log_in("carl", "demo-annotator")
        self._judge(carl, campaign, 16)
        self._stop("carl", campaign)

        visitor = self._person("visitor")
        visitor.post(shared, {"key": "first-visit"})
        page = visitor.get(f"/judge/{campaign}/code/").content.decode()
        [self.people["visitor"]["code"]] = re.findall(r'id="code">([^<]+)<', page)
        self._judge(visitor, campaign, 9)
        self._stop("visitor", campaign)

        eve = self._invite("eve", campaign)
        self._judge(eve, campaign, 6)
        exclusion = f"/campaigns/{campaign}/annotators/{self.people['eve']['key']}/exclude/"
        assert self.admin.post(exclusion, {"reason": "Made up."}).status_code == 302

    def _launch_scores(self) -> str:
        """A campaign of scores for a crowd, as the forms make it. Returns its UUID."""
        corpus = self.admin.get("/api/v1/corpora/").json()["results"][0]["uuid"]
        self._send(
            self.admin,
            f"/campaigns/new/?corpus={corpus}&protocol=partial-ranking-with-scalars",
            having="annotators_per_item",
            name="upgrade-scores",
            items="12",
            annotators_per_item="3",
            batch_size="5",
            separates_domains="False",
            guidelines="Score them.",
        )
        campaigns = self.admin.get("/api/v1/campaigns/").json()["results"]
        [uuid] = [str(row["uuid"]) for row in campaigns if row["name"] == "upgrade-scores"]
        assert self.admin.post(f"/campaigns/{uuid}/launch/").status_code == 302
        self._send(
            self.admin, f"/campaigns/{uuid}/crowd/", having="platform", platform="prolific", is_open="on"
        )
        return uuid

    def _score(self, campaign: str) -> None:
        """Scores by workers: one is done and has a code, two are not."""
        page = self.admin.get(f"/campaigns/{campaign}/crowd/").content.decode()
        [entrance] = re.findall(r"http://testserver(/crowd/[^/]+/)", page)
        for name, screens in (("done", 0), ("early", 1), ("worker", 3)):
            client = self._person(name)
            address = f"{entrance}?PROLIFIC_PID=pid-{name}&SESSION_ID=session-{name}&STUDY_ID=study"
            self._send(client, address, having="agree")
            self.people[name]["address"] = address
            if screens:
                self._judge(client, campaign, screens)
                self._stop(name, campaign, draft=name == "worker")
            else:
                self._finish(name, campaign)

    def _person(self, name: str) -> Client:
        client: Client = self.people.setdefault(name, {"client": Client()})["client"]
        return client

    def _log_in(self, name: str, account: str) -> Client:
        client = self._person(name)
        form = {"username": account, "password": self.passwords[account]}
        assert client.post("/login/", form).status_code == 302
        return client

    def _invite(self, name: str, campaign: str, account: str = "") -> Client:
        """Have the admin invite somebody, who comes by the personal link unless they have an account."""
        response = self.admin.post(f"/campaigns/{campaign}/invite/", {"name": name, "account": account})
        page = self.admin.get(response["Location"]).content.decode()
        [link] = re.findall(r"http://testserver(/join/[^<]+)<", page)
        client = self._person(name)
        [self.people[name]["key"]] = re.findall("/annotators/([0-9]+)/", response["Location"])
        if not account:
            self.people[name]["link"] = link
            assert client.post(link).status_code == 302
        return client

    def _judge(self, client: Client, campaign: str, screens: int) -> None:
        for _ in range(screens):
            form = screen(client, campaign)
            self._answer(client, form)

    def _finish(self, name: str, campaign: str) -> None:
        """Judge all that there is for a visit, and be shown its code."""
        client = self.people[name]["client"]
        self._judge(client, campaign, 1)
        while 'name="key"' in (page := opened(client, f"/judge/{campaign}/")[1]):
            self._answer(client, form_in(page, having="key"))
        [self.people[name]["code"]] = re.findall(r"cc=(\w+)", page)

    def _answer(self, client: Client, form: Form) -> None:
        self.now += timedelta(seconds=45)
        answer = judged(form, self.draw)
        send(client, form, answer, now=self.now, draw=self.draw)

    def _skip(self, client: Client, campaign: str) -> None:
        form = screen(client, campaign)
        self.now += timedelta(seconds=45)
        skipping = Form(f"{form.action}skip/", form.fields)
        send(client, skipping, {"note": "Two lines are mixed up."}, now=self.now, draw=self.draw)

    def _revise(self, client: Client, campaign: str) -> None:
        """Open the last answer again and give another one."""
        page = client.get(f"/judge/{campaign}/answers/").content.decode()
        address = re.findall(rf'href="(/judge/{campaign}/[0-9a-f-]{{36}}/)"', page)[1]
        self._answer(client, form_in(client.get(address).content.decode(), having="key"))

    def _stop(self, name: str, campaign: str, *, draft: bool = False) -> None:
        """Leave a screen open, with something entered if there is to be a draft."""
        client = self.people[name]["client"]
        form = screen(client, campaign)
        if draft:
            first, *_ = judged(form, self.draw).items()
            assert client.post(f"{form.action}draft/", dict([first])).status_code == 204
            form = screen(client, campaign)
        self.people[name] |= {"campaign": campaign, "screen": entered(form)}

    def _send(self, client: Client, address: str, *, having: str, **changes: str) -> None:
        """Send the form at the address with these changes; a button that it is found by is pressed."""
        form = form_in(client.get(address).content.decode(), having=having)
        pressed = {} if having in form.fields else {having: form.choices[having][0]}
        response = client.post(urljoin(address, form.action), {**form.fields, **pressed, **changes})
        assert response.status_code == 302, text_of(response.content.decode())


def main(old: str, facts: str) -> None:
    """Fill the database that the environment names, and write the facts to a file."""
    # Whose packages are imported from here on. Celery looks for modules where it is started.
    os.chdir(old)
    sys.path.insert(0, old)
    _draw_from_a_seed()
    _draw_no_pdf()
    site = Site()
    set_clock(pytest.MonkeyPatch(), lambda: site.now)  # Before models take `timezone.now` for a default.
    django.setup()
    import annotate

    assert Path(annotate.__file__ or "").is_relative_to(old), annotate.__file__
    setup_test_environment()
    site.populate()
    # A page that failed then is a fact too.
    site.admin.raise_request_exception = False
    written = {
        "made_at": site.now.isoformat(),
        "people": {
            name: {key: value for key, value in person.items() if key != "client"}
            | {"cookies": {key: morsel.value for key, morsel in person["client"].cookies.items()}}
            for name, person in site.people.items()
        },
        **facts_of(site.admin, site.people["researcher"]["client"]),
    }
    Path(facts).write_text(json.dumps(written, sort_keys=True), encoding="utf-8")


def _draw_from_a_seed() -> None:
    """Identifiers, salts and tokens are the same each time."""
    source = random.Random(SEED)  # noqa: S311
    os.urandom = source.randbytes
    random._urandom = source.randbytes  # type: ignore[attr-defined]  # `secrets` draws from it.


def _draw_no_pdf() -> None:
    """No two PDF files of a figure are equal, and they would be most of what is kept of a publication."""
    empty = b"%PDF\ntrailer\n<< /Size 1 /Root 1 0 R >>\nstartxref\n0\n%%EOF"
    vl_convert.svg_to_pdf = lambda *given, **options: empty


if __name__ == "__main__":
    main(*sys.argv[1:])
