"""Machines that are asked elsewhere: items and answers as files."""

import json
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command

from annotate.machines import answering
from annotate.machines.making import machine_of_token
from annotate.management.commands import machine_answers
from annotate.models import Annotator, Campaign, Judgment
from tests.annotate.machine_judges import machine_of
from tests.annotate.running import running
from tests.annotate.samples import SYSTEMS

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
RANKINGS = "relative-ranking"


@pytest.fixture
def campaign() -> Campaign:
    return running(protocol=RANKINGS)


def items(*options: str) -> list[dict[str, object]]:
    out = StringIO()
    call_command("machine_items", "campaign", "gpt", *options, stdout=out)
    assert not any(system in out.getvalue() for system in SYSTEMS)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def answers(folder: Path, *lines: object) -> Path:
    file = folder / "answers.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return file


def said(item: dict[str, object], **more: object) -> dict[str, object]:
    fields = {f"rank-{place}": str(place + 1) for place, _ in enumerate(item["outputs"])}  # type: ignore[arg-type]
    return {"item": item["number"], "answer": fields, **more}


def store(file: Path) -> str:
    out = StringIO()
    call_command("machine_answers", "campaign", "gpt", file, stdout=out)
    return out.getvalue()


def test_a_command_makes_a_machine_and_prints_its_token(campaign: Campaign, tmp_path: Path) -> None:
    prompt = tmp_path / "prompt.txt"
    prompt.write_text("Rank: {outputs}")
    out = StringIO()
    call_command(
        *("make_machine", "campaign", "gpt", "--model", "gpt-4o", "--temperature", "0", "--seed", "7"),
        *("--family", "GPT"),
        *("--prompt", str(prompt), "--date", "2026-05-04", "--run-by", "Ada"),
        stdout=out,
        stderr=StringIO(),
    )
    machine = machine_of_token(out.getvalue().strip())
    assert machine is not None
    assert machine.machine.prompt == "Rank: {outputs}"
    assert machine.machine.description["date"] == "2026-05-04"
    assert machine.machine.description["family"] == "GPT"


def test_answers_are_stored_once(campaign: Campaign, tmp_path: Path) -> None:
    machine_of(campaign)
    asked = items()
    file = answers(
        tmp_path, *map(said, asked[1:]), {"item": asked[0]["number"], "answer": None, "note": "no"}
    )
    assert store(file) == f"{len(asked)} answers stored, 0 there already.\n"
    assert store(file) == f"0 answers stored, {len(asked)} there already.\n"
    assert set(Judgment.every.values_list("state", flat=True)) == {"complete", "skipped"}
    assert not campaign.judgments.exists()


def test_a_refusal_says_how_many_answers_before_it_are_stored(
    campaign: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine_answers, "ANSWERS_AT_ONCE", 2)
    machine_of(campaign)
    first, second, third, *_ = map(said, items())
    faulty = {**third, "answer": {}}
    with pytest.raises(CommandError, match=r"Still to rank.* Stored are the first 2 answers of the file"):
        store(answers(tmp_path, first, second, faulty))
    assert store(answers(tmp_path, first, second, third)) == "1 answer stored, 2 there already.\n"


def test_a_machine_that_is_asked_again_sees_another_order(campaign: Campaign, tmp_path: Path) -> None:
    machine_of(campaign)
    first, again = items(), items("--repetition", "1")
    assert [each["outputs"] for each in first] != [each["outputs"] for each in again]
    store(answers(tmp_path, *map(said, first)))
    store(answers(tmp_path, *(said(each, repetition=1) for each in again)))
    machine = Annotator.every.get(kind="machine")
    assert machine.complete == 2 * len(first)


def test_storing_reads_no_answers_of_other_repetitions(
    campaign: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine_of(campaign)
    first, again = items(), items("--repetition", "1")
    store(answers(tmp_path, *map(said, first)))
    read: list[int] = []

    def counted(*asked: Any) -> dict[tuple[int, int], UUID]:
        found = stored(*asked)
        read.append(len(found))
        return found

    stored = answering._stored
    monkeypatch.setattr(answering, "_stored", counted)
    store(answers(tmp_path, *(said(each, repetition=1) for each in again)))
    store(answers(tmp_path, *(said(each, repetition=1) for each in again)))
    assert read == [0, len(again)]


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ({"item": 1, "answer": {"rank-0": 1}}, ":1: answer must be an object of texts or null"),
        ({"answer": None}, ":1: item must be a whole number from 0"),
        ({"item": 1, "answers": {}}, ":1: unknown key 'answers'"),
        ({"item": 10**6, "answer": None}, "Item 1000000: there is no such item."),
        ({"item": 1, "answer": {}}, "Item 1: Still to rank"),
    ],
)
def test_a_faulty_line_is_refused_with_its_cause(
    line: object, fault: str, campaign: Campaign, tmp_path: Path
) -> None:
    machine_of(campaign)
    with pytest.raises(CommandError) as refusal:
        store(answers(tmp_path, line))
    assert fault in str(refusal.value)
    assert not Judgment.every.exists()


@pytest.mark.parametrize(("campaign_name", "machine"), [("nowhere", "gpt"), ("campaign", "nobody")])
def test_unknown_names_are_refused(campaign_name: str, machine: str, campaign: Campaign) -> None:
    machine_of(campaign)
    with pytest.raises(CommandError, match="There is no"):
        call_command("machine_items", campaign_name, machine)
