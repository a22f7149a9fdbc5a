"""`manage.py corpus_statistics`: sizes, edits and agreement of references, from files."""

import json
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.depth import DEEP
from tests.metrics.reference_data import lines

STEP = 1 if DEEP else 20
"""Of the sentences of GMEG each so manieth is counted: parsing all of them takes ten seconds a domain."""

EDITS = """\
S a b c d
A 0 1|||R:NOUN|||x|||REQUIRED|||-NONE-|||0
A 2 4|||R:OTHER|||y|||REQUIRED|||-NONE-|||0
A 0 1|||R:NOUN|||x|||REQUIRED|||-NONE-|||1

S a a
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A 2 2|||M:PUNCT|||.|||REQUIRED|||-NONE-|||1

"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "source").write_text("a b c d\na a\n")
    (tmp_path / "gold.m2").write_text(EDITS)
    return tmp_path


def statistics(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    call_command("corpus_statistics", *arguments, "--json")
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_edits_of_an_m2_file_are_counted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = statistics(capsys, "--source", "source", "--m2", "gold.m2")
    agreement = found.pop("agreement")
    assert found == {
        "sentences": 2,
        "tokens": 3,
        "tokens_deviation": 1,
        "references": 4,
        "unchanged": 0.25,
        "edits": pytest.approx(4 / 3),
        "source_tokens_an_edit": 1,
        "corrected_tokens_an_edit": 1,
        "tokens_an_edit": 1.25,
        "type_token_ratio": pytest.approx(4 / 6),
        "categories": {"NOUN": 2, "OTHER": 1, "PUNCT": 1},
    }
    # The first annotator has one of the two edits of the other one, among two.
    assert agreement["0"] == {"precision": 0.5, "recall": 0.5, "f": 0.5}


def test_the_tables_hold_the_same(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("corpus_statistics", "--source", "source", "--m2", "gold.m2")
    shown = capsys.readouterr().out
    assert "3.0 ± 1.0" in shown
    assert "25.0\N{NO-BREAK SPACE}%" in shown
    assert "References change 75\N{NO-BREAK SPACE}% of the sentences, by 1.3 edits each." in shown
    assert "NOUN" in shown
    assert "F0.5" in shown


def test_references_come_as_texts_or_as_edits(folder: Path) -> None:
    for arguments in ((), ("--m2", "gold.m2", "--reference", "source")):
        with pytest.raises(CommandError, match="either --reference FILE or --m2 FILE"):
            call_command("corpus_statistics", "--source", "source", *arguments)


@pytest.mark.parametrize("domain", ["fce", "wiki"])
def test_development_data_of_gmeg_by_a_direct_count(
    reference_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], domain: str
) -> None:
    """The paper counts the test split too: fce 18 ± 10 tokens, 23 % unchanged; wiki 27 ± 13 and 19 %."""
    files = [tmp_path / name for name in ("source", "ref0", "ref1")]
    for file in files:
        chosen = lines(reference_data / "gmeg" / "dev" / domain / file.name)[::STEP]
        file.write_text("".join(f"{text}\n" for text in chosen))
    found = statistics(capsys, "--source", str(files[0]), "--reference", *map(str, files[1:]))
    sources, *corrected = map(lines, files)
    tokens = [token for text in sources for token in text.split()]
    same = [
        text.split() == source.split()
        for texts in corrected
        for source, text in zip(sources, texts, strict=True)
    ]
    assert found["sentences"] == len(sources)
    assert found["tokens"] == pytest.approx(len(tokens) / len(sources))
    assert found["unchanged"] == pytest.approx(fmean(same))
    assert found["type_token_ratio"] == pytest.approx(len(set(tokens)) / len(tokens))
    assert sum(found["categories"].values()) == pytest.approx(found["edits"] * same.count(False))
