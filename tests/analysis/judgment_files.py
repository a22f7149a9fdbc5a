"""Files for commands, and what commands print."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

Capture = pytest.CaptureFixture[str]
Row = tuple[str, int, str]

DEMO = Path("fixtures/demo")
SYSTEMS = sorted(map(str, (DEMO / "systems").iterdir()))
TEXTS = ("--source", str(DEMO / "source.txt"), "--output", *SYSTEMS)
JUDGED = str(DEMO / "judgments.xml")
JUDGED_TEXTS = (JUDGED, *TEXTS, "--m2", str(DEMO / "references.m2"))
"""The demo campaign, its texts, and references with edits."""


def write_judgments(path: Path, *rankings: Row) -> str:
    """Write rankings (judge, sentence, "A > B = C") in WMT CSV and return the path as an argument."""
    width = max(len(_places(ranking)) for _, _, ranking in rankings)
    columns = [f"system{number}Id,system{number}rank" for number in range(1, width + 1)]
    lines = [",".join(["srcIndex,judgeID", *columns])]
    for judge, sentence, ranking in rankings:
        places = [f"{system},{rank}" for system, rank in _places(ranking)]
        lines.append(",".join([str(sentence), judge, *places, *[","] * (width - len(places))]))
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def write_orders(folder: Path, *orders: str) -> str:
    """Write rankings by one judge, of a sentence each from 1."""
    rankings = [("anna", number, order) for number, order in enumerate(orders, start=1)]
    return write_judgments(folder / "judged.csv", *rankings)


def write_scores(folder: Path, *rows: str, heading: str = "metric,system,score") -> str:
    """Write scores that were computed elsewhere, and return the path."""
    path = folder / "scores.csv"
    path.write_text("\n".join([heading, *rows]) + "\n")
    return str(path)


def printed(capsys: Capture, *arguments: str) -> str:
    """The output of a command, in one line."""
    capsys.readouterr()
    call_command(*arguments)
    return " ".join(capsys.readouterr().out.split())


def as_json(capsys: Capture, *arguments: str) -> Any:
    """The JSON that a command prints."""
    text = printed(capsys, *arguments, "--json")
    assert "NaN" not in text
    return json.loads(text)


def _places(ranking: str) -> list[tuple[str, int]]:
    tiers = enumerate(ranking.split(" > "), start=1)
    return [(system, rank) for rank, tier in tiers for system in tier.split(" = ")]
