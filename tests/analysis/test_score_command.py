"""`manage.py score` and `manage.py metrics`, without a database."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from metrics import METRICS, parameter_fields
from tests.analysis.judgment_files import Capture

SOURCE = "he go home .\nthe cats sits .\nit is fine .\n" * 4
GOOD = "he goes home .\nthe cats sit .\nit is fine .\n" * 4
BAD = "he go house .\nthe cats sits .\nit was fine .\n" * 4
GOLD = """\
S he go home .
A 1 2|||SVA|||goes||went|||REQUIRED|||-NONE-|||0

S the cats sits .
A 2 3|||SVA|||sit|||REQUIRED|||-NONE-|||0
A 0 2|||Nn|||the cat|||REQUIRED|||-NONE-|||1

S it is fine .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

"""
EDITS = """\
S he go home .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0

S the cats sits .
A 2 3|||R:VERB:SVA|||sit|||REQUIRED|||-NONE-|||0

S it is fine .

"""

Score = Callable[..., str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the files, in which commands are called."""
    files = {"source": SOURCE, "good.txt": GOOD, "bad.txt": BAD, "gold.txt": GOOD, "gold.m2": GOLD * 4}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(folder: Path, capsys: Capture) -> Score:
    """Score the systems good and bad."""

    def run(arguments: str, outputs: str = "bad.txt good.txt") -> str:
        call_command("score", "--source", "source", "--output", *outputs.split(), *arguments.split())
        return capsys.readouterr().out

    return run


@pytest.fixture
def scores(run: Score) -> Callable[..., Any]:
    """Score the systems good and bad, with the result from JSON."""
    return lambda arguments, **outputs: json.loads(run(f"{arguments} --json", **outputs))


def refusal(run: Score, arguments: str, outputs: str = "good.txt") -> str:
    with pytest.raises(CommandError) as refused:
        run(arguments, outputs)
    return str(refused.value)


def test_json_has_the_form_that_is_documented(scores: Any) -> None:
    result = scores("--reference gold.txt --metric exact-match gleu")
    assert list(result) == ["exact-match", "gleu"]
    assert result["exact-match"]["signature"].startswith("exact-match|refs:1|tok:given|assay:")
    assert list(result["exact-match"]["systems"]) == ["good", "bad"]
    unknown = dict.fromkeys(("low", "high", "p_value"))
    stated = {"score": 1.0, "reason": "", "details": {}, "not_scored": {}}
    assert result["exact-match"]["systems"]["good"] == stated | unknown


def test_sentences_intervals_and_comparisons_as_asked(scores: Any) -> None:
    arguments = "--reference gold.txt --metric minld --sentences --bootstrap 100 --compare"
    systems = scores(arguments)["minld"]["systems"]
    assert systems["good"]["sentences"] == [1.0] * 12
    assert len(systems["bad"]["sentences"]) == 12
    bad = systems["bad"]
    assert bad["low"] <= bad["score"] <= bad["high"] < 1
    assert systems["good"]["p_value"] is None
    assert bad["p_value"] == 1 / 101
    assert scores(arguments) == scores(f"{arguments} --seed 0")


def test_gold_edits_serve_as_references_too(scores: Any) -> None:
    """An annotator who is absent is no reference: the second sentence has two, the others one."""
    result = scores("--m2 gold.m2 --metric m2 m2:beta=1 exact-match")
    assert list(result) == ["m2", "m2:beta=1", "exact-match"]
    assert result["m2"]["systems"]["good"]["score"] == 1
    assert result["m2"]["systems"]["good"]["details"]["precision"] == 1
    assert result["m2"]["systems"]["bad"]["score"] == 0
    assert "|refs:1-2|" in result["exact-match"]["signature"]
    assert result["exact-match"]["systems"]["good"]["score"] == 1


def test_references_replace_the_texts_of_gold_edits(scores: Any, folder: Path) -> None:
    (folder / "gold.txt").write_text(BAD, encoding="utf-8")
    result = scores("--m2 gold.m2 --reference gold.txt --metric exact-match m2")
    assert list(result["exact-match"]["systems"]) == ["bad", "good"]
    assert list(result["m2"]["systems"]) == ["good", "bad"]


def test_a_table_is_sorted_and_says_how_it_was_made(run: Score) -> None:
    text = run("--m2 gold.m2 --metric m2 --bootstrap 50 --compare --seed 3")
    words = " ".join(text.split())
    assert "│ System ┃" not in words
    assert words.index("good") < words.index("bad")
    assert "1.0000 to 1.0000" in words
    assert "Precision" in words
    assert "p: paired bootstrap against good, two-sided, seed 3; not corrected." in words
    assert "Signature m2|beta:0.5|" in words
    assert max(map(len, text.splitlines()[:-1])) <= 80


def test_sentences_are_tab_separated_below_the_table(run: Score) -> None:
    lines = run("--reference gold.txt --metric exact-match --sentences").splitlines()
    start = lines.index("sentence\tgood\tbad")
    assert lines[start + 1] == "1\t1.0000\t0.0000"
    assert len(lines) == start + 13


def test_unscored_sentences_are_reported(run: Score, scores: Any, folder: Path) -> None:
    (folder / "gold.m2").write_text(
        "S he go home .\n\nS the cats sits .\nA 2 3|||SVA|||sit|||REQUIRED|||-NONE-|||0\n\n"
        "S it is fine .\nA 0 1|||SVA|||x|||REQUIRED|||-NONE-|||1\n\n" + GOLD * 3,
        encoding="utf-8",
    )
    text = " ".join(run("--m2 gold.m2 --metric exact-match").split())
    assert "good, bad: 1 of 12 sentences are not scored and add nothing to the score. Sentence 1:" in text
    good = scores("--m2 gold.m2 --metric exact-match --sentences")["exact-match"]["systems"]["good"]
    assert good["not_scored"] == {"1": "the sentence has no reference"}
    assert good["sentences"][:2] == [None, 1.0]
    assert good["score"] == pytest.approx(10 / 11)


def test_systems_and_references_may_be_named(scores: Any) -> None:
    result = scores("--reference A=gold.txt --metric exact-match", outputs="one=good.txt two=bad.txt")
    assert set(result["exact-match"]["systems"]) == {"one", "two"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--metric m2", "m2 needs gold edits: give --m2 FILE."),
        ("--metric bleu", "bleu needs references: give --reference FILE or --m2 FILE."),
        ("--metric m2 m2 --m2 gold.m2", "A metric is given twice."),
        ("--metric m3", "there is no metric 'm3'; metrics are: bleu, "),
        ("--metric green:gamma=1", "green: there is no parameter 'gamma'; parameters are: beta, order"),
        ("--metric ibleu:sign=times", "ibleu: sign should be one of minus, plus, not 'times'"),
        ("--metric bleu --reference gold.txt d/gold.txt", "are both called 'gold'; name one"),
        ("--metric bleu --reference nothing.txt", "nothing.txt: no such file"),
        ("--metric grammaticality --checker localhost", "'localhost' is not the address of a server"),
        ("--m2 gold.m2 --metric errant --pipeline en_none", "there is no English pipeline 'en_none'"),
    ],
)
def test_wrong_arguments_are_told(run: Score, arguments: str, message: str) -> None:
    assert message in refusal(run, arguments)


def test_wrong_files_are_named_with_line_and_cause(run: Score, folder: Path) -> None:
    reference = "--metric bleu --reference gold.txt"
    (folder / "short.txt").write_text("a\nb\n", encoding="utf-8")
    (folder / "empty.txt").write_text("", encoding="utf-8")
    (folder / "wide.m2").write_text(GOLD.replace("A 1 2", "A 1 9") * 4, encoding="utf-8")
    (folder / "other.m2").write_text(GOLD.replace("fine", "finer") * 4, encoding="utf-8")
    assert refusal(run, reference, "short.txt") == (
        "short.txt:3: 2 lines, but 12 in the source source: line 3 is missing in short.txt"
    )
    assert refusal(run, reference, "empty.txt") == "empty.txt: the file is empty"
    assert refusal(run, "--metric m2 --m2 wide.m2") == (
        "wide.m2:2: the span 1 9 is outside the sentence of 4 tokens"
    )
    assert refusal(run, "--metric m2 --m2 other.m2") == (
        "other.m2:8: the tokens of sentence 3 differ from source:3"
    )
    assert refusal(run, "--m2 gold.m2 --metric errant", "gold.m2") == (
        "gold.m2: the edits of a system must have one annotator, but this file has: 0, 1"
    )


def test_a_lenient_reading_clips_and_warns(folder: Path, capsys: Capture) -> None:
    (folder / "wide.m2").write_text(GOLD.replace("A 2 3", "A 2 9") * 4, encoding="utf-8")
    files = "--source source --output good.txt --m2 wide.m2"
    call_command("score", *files.split(), "--metric", "m2", "--lenient")
    warning = "wide.m2:5: the span 2 9 is outside the sentence of 4 tokens; clipped to 2 4"
    assert warning in capsys.readouterr().err


def test_grammaticality_by_harper(scores: Any) -> None:
    systems = scores("--metric grammaticality")["grammaticality"]["systems"]
    assert 0.5 < systems["bad"]["score"] <= systems["good"]["score"] <= 1


def test_metrics_lists_all_with_needs_and_parameters(capsys: Capture) -> None:
    call_command("metrics")
    words = " ".join(capsys.readouterr().out.replace("│", " ").split())
    for name, metric in METRICS.items():
        assert name in words
        for parameter in parameter_fields(metric.Parameters):
            assert f"{parameter.name}=" in words
    assert "gold edits" in words
    assert "a grammar checker" in words


def test_conll14_as_the_official_scorer(reference_data: Path, capsys: Capture) -> None:
    """AMU .4162 .2140 .3501 and UFC .7000 .0172 .0784: precision, recall and F of the official scorer."""
    folder = reference_data / "conll14"
    source, *outputs = (str(folder / "outputs" / name) for name in ("INPUT", "AMU", "UFC"))
    gold = ("--m2", str(folder / "official-2014.combined.m2"), "--metric", "m2", "--json")
    call_command("score", "--source", source, "--output", *outputs, *gold)
    figures = {
        name: [each["details"]["precision"], each["details"]["recall"], each["score"]]
        for name, each in json.loads(capsys.readouterr().out)["m2"]["systems"].items()
    }
    assert figures["AMU"] == pytest.approx([0.4162, 0.214, 0.3501], abs=5e-5)
    assert figures["UFC"] == pytest.approx([0.7, 0.0172, 0.0784], abs=5e-5)


def test_systems_and_references_as_m2_files_of_edits_need_no_pipeline(scores: Any, folder: Path) -> None:
    (folder / "mine.m2").write_text(EDITS * 4)
    (folder / "typed.m2").write_text(EDITS.replace("sit|||", "sat|||") * 4)
    arguments = "--m2 typed.m2 --metric errant cleme2 gleu --pipeline en_no_such"
    result = scores(arguments, outputs="mine.m2 lazy=typed.m2")
    assert "|gold:given|" in result["errant"]["signature"]
    assert "|pipeline:none|" in result["errant"]["signature"]
    assert result["errant"]["systems"]["mine"]["details"]["TP of type R:VERB:SVA"] == 4
    assert result["errant"]["systems"]["lazy"]["score"] == result["cleme2"]["systems"]["lazy"]["score"] == 1.0
    assert 0 < result["gleu"]["systems"]["mine"]["score"] < 1


def test_texts_are_parsed_by_the_pipeline_that_ships(scores: Any) -> None:
    result = scores("--m2 gold.m2 --metric errant", outputs="good.txt")
    assert "|pipeline:assay_en_ewt-" in result["errant"]["signature"]
    assert "|gold:extracted|" in result["errant"]["signature"]
    assert result["errant"]["systems"]["good"]["details"]["TP"] == 8
