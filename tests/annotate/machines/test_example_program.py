"""The example program judges a campaign by a stand-in for a model: with retries, a budget and its log."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from django.conf import settings
from pytest_django.live_server_helper import LiveServer

from annotate.machines.making import mint_token
from annotate.models import Judgment
from tests.annotate.machine_judges import machine_of
from tests.annotate.running import running

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.any_database, pytest.mark.slow]
PROGRAM = settings.BASE_DIR / "docs" / "examples" / "judge_by_model.py"


@dataclass
class Model:
    """A stand-in: busy at the first request, and unable to answer the last of these replies."""

    prompts: list[str] = field(default_factory=list)
    refusals: int = 1
    unreadable: int = 1

    def reply(self, prompt: str) -> str:
        self.prompts.append(prompt)
        if self.unreadable:
            self.unreadable -= 1
            return "I would rather not."
        number = prompt.partition("Corrections:\n")[2].partition("\n\n")[0].count("\n") + 1
        return f"Here: {list(range(1, number + 1))}"


@contextmanager
def served(model: Model) -> Iterator[str]:
    """The address of the stand-in."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if model.refusals:
                model.refusals -= 1
                self.send_response(429)
                self.send_header("Retry-After", "0")
                self.end_headers()
                return
            said = model.reply(body["messages"][0]["content"])
            answer = json.dumps({"choices": [{"message": {"content": said}}]}).encode()
            self.send_response(200)
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *args: object) -> None:
            """Keep the output of tests clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1/chat/completions"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_it_judges_within_its_budget_and_goes_on_where_it_stopped(
    live_server: LiveServer, tmp_path: Path
) -> None:
    campaign = running(protocol="relative-ranking")
    machine = machine_of(campaign)
    token = mint_token(machine, by=None)
    model, log = Model(), tmp_path / "replies.jsonl"
    items = campaign.items.count()

    def run(endpoint: str, budget: int) -> str:
        done = subprocess.run(
            [
                *(sys.executable, PROGRAM, "--site", live_server.url, "--endpoint", endpoint),
                *("--model", "stand-in", "--budget", str(budget), "--log", log),
            ],
            env={**os.environ, "ASSAY_TOKEN": token, "MODEL_KEY": "key"},
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stderr

    with served(model) as endpoint:
        assert "the budget of 2 requests is spent" in run(endpoint, 2)
        assert len(model.prompts) == 2
        of_machine = Judgment.every.filter(annotator=machine)
        assert sorted(of_machine.values_list("state", flat=True)) == ["complete", "skipped"]
        machine.machine_leases.update(leased_until=campaign.touched_at)
        of_machine.filter(state="complete").delete()  # As if the answer had been lost.
        assert "2 replies in the log" in run(endpoint, 100)
    assert len(model.prompts) == items
    assert of_machine.count() == items
    assert len(log.read_text().splitlines()) == items
