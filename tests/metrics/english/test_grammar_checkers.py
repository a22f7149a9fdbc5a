"""Grammar checkers: Harper in this process, and LanguageTool simulated by a small server."""

import json
import time
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs

import pytest

from metrics import EvaluationSet, InputError, metric_from_text, score
from metrics.english.grammar_checkers import CheckerError, HarperChecker, LanguageToolChecker
from tests.metrics.reference_data import CoNLL14


@pytest.fixture(scope="module")
def harper() -> HarperChecker:
    return HarperChecker()


class LanguageTool(BaseHTTPRequestHandler):
    """Answers as LanguageTool does: one error of a rule for each "wrong"."""

    asked: list[dict[str, list[str]]] = []
    answer: tuple[int, bytes] | None = None
    seconds: float = 0.0
    promised: int | None = None

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        form = parse_qs(body, keep_blank_values=True)
        assert self.path == "/v2/check"
        self.asked.append(form)
        matches = [{"rule": {"id": "WRONG"}} for _ in range(form["text"][0].count("wrong"))]
        software = {"name": "LanguageTool", "version": "6.5"}
        time.sleep(self.seconds)
        status, answer = self.answer or (200, json.dumps({"software": software, "matches": matches}).encode())
        self.send_response(status)
        if self.promised is not None:
            self.send_header("Content-Length", str(self.promised))
        self.end_headers()
        with suppress(BrokenPipeError, ConnectionResetError):
            self.wfile.write(answer)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(LanguageTool, "asked", [])
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with ThreadingHTTPServer(("127.0.0.1", 0), LanguageTool) as playing:
        thread = Thread(target=playing.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{playing.server_port}"
        playing.shutdown()
        thread.join()


def test_harper_names_rules(harper: HarperChecker) -> None:
    [wrong, right, empty] = harper.check(["This is an test of the the linter .", "It is a test .", ""])
    assert wrong == {"AnA": 1, "RepeatedWords": 1}
    assert right == empty == {}
    assert harper.signature == "harper-py-0.2.0"


@pytest.mark.parametrize("text", ["\u2028", "😀 é", "a " * 2000, "the " * 300, "x" * 5000, "\" ( ] '"])
def test_harper_bears_any_text(harper: HarperChecker, text: str) -> None:
    [rules] = harper.check([text])
    assert all(count > 0 for count in rules.values())


def test_grammaticality_is_1_less_errors_for_each_token(harper: HarperChecker) -> None:
    data = EvaluationSet(("x",) * 3, checker=harper)
    texts = ["This is an test of the the linter .", "It is a test .", ""]
    scored = score(metric_from_text("grammaticality"), data, {"x": texts})
    assert scored.sentences("x").tolist() == [1 - 2 / 9, 1, 1]
    assert scored.corpus("x").value == pytest.approx(1 - 2 / 27)
    assert scored.signature.startswith("grammaticality|tok:detokenised|checker:harper-py-0.2.0|assay:")


def test_systems_are_more_grammatical_than_learners(conll14: CoNLL14, harper: HarperChecker) -> None:
    data = EvaluationSet(tuple(conll14.outputs("INPUT")[:40]), checker=harper)
    outputs = {name: conll14.outputs(name)[:40] for name in ("INPUT", "CAMB")}
    scored = score(metric_from_text("grammaticality"), data, outputs)
    learners, camb = scored.corpus("INPUT").value, scored.corpus("CAMB").value
    assert learners is not None
    assert camb is not None
    assert 0.9 < learners < camb < 1


def test_grammaticality_needs_a_checker() -> None:
    with pytest.raises(InputError, match="grammaticality needs a grammar checker"):
        score(metric_from_text("grammaticality"), EvaluationSet(("a",)), {"x": ["a"]})


def test_languagetool_is_asked_once_for_each_text_in_running_text(server: str) -> None:
    checker = LanguageToolChecker(server + "/", language="en-GB")
    counts = checker.check(["It 's wrong , wrong .", "fine .", "It 's wrong , wrong ."])
    assert counts == [{"WRONG": 2}, {}, {"WRONG": 2}]
    assert LanguageTool.asked == [
        {"text": ["It's wrong, wrong."], "language": ["en-GB"]},
        {"text": ["fine."], "language": ["en-GB"]},
    ]
    assert checker.signature == "languagetool-6.5-en-GB"


def test_the_signature_asks_the_server_for_its_version(server: str) -> None:
    assert LanguageToolChecker(server).signature == "languagetool-6.5-en-US"


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (500, b"out of memory", "refuses: 500 out of memory"),
        (400, b"", "refuses: 400 Bad Request"),
        (200, b"<html>", "does not answer like LanguageTool: Expecting value"),
        (200, b"{}", "does not answer like LanguageTool: no 'software'"),
        (200, b"[]", "does not answer like LanguageTool"),
        (200, b"\xff\xfe\x00", "does not answer like LanguageTool: 'utf"),
        (
            200,
            b'{"software": {"name": "x", "version": "1"}, "matches": 3}',
            "does not answer like LanguageTool",
        ),
    ],
)
def test_a_strange_answer_is_told(
    server: str, monkeypatch: pytest.MonkeyPatch, status: int, body: bytes, words: str
) -> None:
    monkeypatch.setattr(LanguageTool, "answer", (status, body))
    with pytest.raises(CheckerError) as told:
        LanguageToolChecker(server).check(["a"])
    assert f"{server}/v2/check {words}" in str(told.value)


def test_a_slow_server_is_waited_for_and_a_silent_one_is_told(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LanguageTool, "seconds", 0.2)
    assert LanguageToolChecker(server, timeout=30).check(["wrong"]) == [{"WRONG": 1}]
    with pytest.raises(
        CheckerError, match=r"does not answer: timed out\. Is the LanguageTool server running"
    ):
        LanguageToolChecker(server, timeout=0.05).check(["wrong"])


def test_an_answer_that_breaks_off_is_told(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LanguageTool, "answer", (200, b'{"software": {"name"'))
    monkeypatch.setattr(LanguageTool, "promised", 100)
    with pytest.raises(CheckerError, match=r"does not answer like LanguageTool: IncompleteRead"):
        LanguageToolChecker(server).check(["wrong"])


def test_nothing_is_kept_of_texts_that_could_not_be_checked(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    checker = LanguageToolChecker(server)
    monkeypatch.setattr(LanguageTool, "answer", (500, b""))
    data = EvaluationSet(("a",) * 2, checker=checker)
    with pytest.raises(CheckerError, match="refuses: 500 Internal Server Error"):
        score(metric_from_text("grammaticality"), data, {"x": ["wrong .", "right ."]})
    monkeypatch.setattr(LanguageTool, "answer", None)
    scored = score(metric_from_text("grammaticality"), data, {"x": ["wrong .", "right ."]})
    assert scored.sentences("x").tolist() == [0.5, 1.0]


def test_no_server_is_told(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), LanguageTool) as unused:
        port = unused.server_port
    with pytest.raises(CheckerError, match=r"does not answer: .*Is the LanguageTool server running there"):
        LanguageToolChecker(f"http://127.0.0.1:{port}").check(["a"])


@pytest.mark.parametrize("url", ["localhost:8081", "file:///etc/passwd", "http://", ""])
def test_only_addresses_of_servers(url: str) -> None:
    with pytest.raises(CheckerError, match="is not the address of a server"):
        LanguageToolChecker(url)
