"""Bundles with scores by metrics."""

import shutil
from pathlib import Path

import pytest
from django.core.management import call_command

from tests.analysis.judgment_files import Capture, write_judgments
from tests.analysis.publishing.bundles import ANSWERS, changed, contents, found, replacing
from tests.analysis.publishing.published import draw_nothing


def scored_bundle(folder: Path) -> Path:
    """A bundle of files: a metric of texts, one computed elsewhere, and a domain for each sentence."""
    judged = write_judgments(folder / "judged.csv", *ANSWERS)
    texts = {"A": "a b c d\n", "B": "a b c\n", "C": "d c b a\n", "source": "a c b d\n"}
    for name, text in texts.items():
        (folder / name).write_text(text * 4)
    rows = [
        f"lm,{system},{number},0.{place}{number}" for place, system in enumerate("ABC") for number in range(4)
    ]
    (folder / "scores.csv").write_text("\n".join(["metric,system,sentence,score", *rows]) + "\n")
    (folder / "domains").write_text("news\nnews\nessays\nessays\n")
    call_command(
        *("bundle", "metrics-people", judged, folder / "scored.zip", "--first-sentence", "0"),
        *("--source", str(folder / "source"), "--reference", str(folder / "A")),
        *("--output", *(str(folder / system) for system in "ABC"), "--metric", "gleu"),
        *("--scores", str(folder / "scores.csv"), "--domains", str(folder / "domains")),
        *("--replicates", "20", "--permutations", "100"),
        verbosity=0,
    )
    return folder / "scored.zip"


@pytest.fixture(scope="module")
def scores(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patched:
        draw_nothing(patched)
        return scored_bundle(tmp_path_factory.mktemp("scored"))


@pytest.fixture
def scored(scores: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    draw_nothing(monkeypatch)
    return Path(shutil.copy(scores, tmp_path))


class TestScores:
    def test_a_bundle_holds_scores_and_their_signatures(self, scored: Path, capsys: Capture) -> None:
        call_command("verify", scored)
        assert "Everything follows from the judgments." in capsys.readouterr().out
        files = contents(scored)
        assert files["scores.csv"].startswith(b"metric,system,sentence,score,output\r\ngleu,A,,1,\r\n")
        assert b"lm,B,3,0.13," in files["scores.csv"]
        assert b"1,news" in files["sentences.csv"]
        assert b"Signature of the scores by gleu: `gleu|" in files["datasheet.md"]
        assert b"- Metrics: 2" in files["datasheet.md"]

    @pytest.mark.parametrize(
        ("name", "old", "new", "messages"),
        [
            (
                *("scores.csv", b"gleu,A,2,1,", b"gleu,A,2,0.5,"),
                [
                    "The score of A by gleu in sentence 2 was changed.",
                    "The score of A by gleu in sentence 2 is 0.5, and its statistics give 1.",
                ],
            ),
            (
                *("scores.csv", b"lm,B,3,0.13,", b"lm,B,3,0.99,"),
                ["The score of B by lm in sentence 3 was changed.", "tables/systems.csv differs"],
            ),
            (
                *("scores.csv", b"lm,B,3,0.13,", b"lm,B,3,much,"),
                ["The results cannot be computed again: scores.csv"],
            ),
            ("statistics.csv", b"gleu,0,0,0,4 4 4 4", b"gleu,0,0,0,4 4 1 4", ["The score of A by gleu"]),
            (
                *("statistics.csv", b"gleu,0,0,0,4 4 4 4", b"gleu,0,0,0,4 4 x 4"),
                ["The results cannot be computed again: statistics.csv: could not convert"],
            ),
            (
                *("statistics.csv", b"gleu,0,0,", b"gleu,0,7,"),
                ["statistics.csv has a sentence that sentences.csv"],
            ),
            (
                *("parameters.json", b'"computed_by": "gleu"', b'"computed_by": "bleurt"'),
                ["is not installed here"],
            ),
            (
                *("sentences.csv", b"essays", b"letters"),
                ["sentences.csv was changed", "tables/domains.csv differs"],
            ),
        ],
    )
    def test_the_score_that_was_changed_is_named(
        self, scored: Path, capsys: Capture, name: str, old: bytes, new: bytes, messages: list[str]
    ) -> None:
        told = found(changed(scored, name, replacing(old, new, 1)), capsys)
        assert all(message in told for message in messages)
