"""`manage.py rank` and `agree`: rankings and agreement from the terminal, without a database."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from analysis.analyses.judgment_inputs import judgments
from analysis.analyses.systems.ranking import RANKING, RankingParameters
from analysis.runs.computing import computed
from annotate.judgments.queries import snapshot
from annotate.models import Campaign
from core.progress import NoProgress
from formats.snapshot.judgment_columns import COLUMNS, SCHEMA_VERSION
from tests.analysis.judgment_files import Capture, as_json, printed, write_judgments
from tests.annotate import protocols
from tests.annotate.running import answer_all, cast, running

JUDGED = [
    (judge, sentence, "Alder > Birch > Cedar" if sentence % 8 else "Birch > Cedar > Alder")
    for judge in ("anna", "ben")
    for sentence in range(40)
]


@pytest.fixture
def judged(tmp_path: Path) -> str:
    return write_judgments(tmp_path / "judged.csv", *JUDGED)


def refusal(*arguments: str) -> str:
    with pytest.raises(CommandError) as refused:
        call_command(*arguments)
    return str(refused.value)


class TestRank:
    def test_the_table_has_ranks_and_intervals(self, judged: str, capsys: Capture) -> None:
        text = printed(capsys, "rank", judged, "--unit", "sentence", "--confidence", ".9")
        assert "ExpectedWins over 240 expanded pairs, 0 of them ties" in text
        assert text.index("Alder") < text.index("Birch") < text.index("Cedar")
        assert "Rank ranges at 90 % from 1,000 replicates, resampled by sentence; ± is" in text
        assert "how the ranking would vary with other sentences of the same kind" in text
        assert "The border below cluster 1 is clean in" in text
        assert (
            "Signature ew|pairs:expanded|ties:dropped|unit:sentence|replicates:1000|confidence:0.9|seed:0"
            in text
        )

    def test_lines_in_a_pipe_end_without_blanks(self, judged: str, capsys: Capture) -> None:
        call_command("rank", judged, "--bootstrap", "20")
        lines = capsys.readouterr().out.splitlines()
        assert lines[0].startswith("Alder is ranked first")
        assert [line for line in lines if line != line.rstrip()] == []

    @pytest.mark.parametrize("method", ["ew", "trueskill", "bradley-terry"])
    def test_json_has_the_same_form_by_each_method(self, judged: str, capsys: Capture, method: str) -> None:
        result = as_json(capsys, "rank", judged, "--method", method, "--bootstrap", "100")
        best = result["systems"][0]
        assert (best["name"], best["rank_low"], best["rank_high"], best["cluster"]) == ("Alder", 1, 1, 1)
        assert best["score"] > result["systems"][1]["score"]
        assert result["pairs"] == {"expanded": 240, "ties": 0, "unexpanded": 240, "unexpanded_ties": 0}
        assert result["signature"].startswith(f"{method}|")
        assert (result["unit"], result["warning"]) == ("sentence", None)

    def test_it_warns_where_pairs_claim_more_than_sentences(self, tmp_path: Path, capsys: Capture) -> None:
        """Two sentences, judged often and one against the other: many pairs, little evidence."""
        rankings = [("anna", number % 2, "A > B" if number % 2 else "B > A") for number in range(100)]
        file = write_judgments(tmp_path / "judged.csv", *rankings, *[("anna", 1, "A > B")] * 60)
        warning = "Resampling pairs claims 2 clusters, resampling sentences 1."
        assert as_json(capsys, "rank", file, "--unit", "pair")["warning"].startswith(warning)
        assert warning in printed(capsys, "rank", file, "--unit", "pair")
        assert as_json(capsys, "rank", file)["warning"] is None

    def test_the_seed_decides(self, judged: str, capsys: Capture) -> None:
        options = (judged, "--method", "trueskill", "--bootstrap", "5")
        first, again, other = (as_json(capsys, "rank", *options, "--seed", seed)["systems"] for seed in "112")
        assert first == again != other

    def test_systems_can_be_left_out(self, judged: str, capsys: Capture) -> None:
        result = as_json(capsys, "rank", judged, "--exclude-systems", "Alder")
        assert [system["name"] for system in result["systems"]] == ["Birch", "Cedar"]
        assert result["pairs"]["expanded"] == 80

    def test_there_are_reasons_for_missing_ranges(self, judged: str, tmp_path: Path, capsys: Capture) -> None:
        text = printed(capsys, "rank", judged, "--bootstrap", "0")
        assert "No rank ranges: nothing was resampled." in text
        file = write_judgments(tmp_path / "judged.csv", ("anna", 0, "A > B"), ("anna", 1, "A > B"))
        result = as_json(capsys, "rank", file, "--unit", "judge")
        assert result["reason"] == "there is only one judge, so resampling is impossible"
        assert result["systems"][0]["rank_low"] is None
        assert "No rank ranges: there is only one judge" in printed(capsys, "rank", file, "--unit", "judge")
        text = printed(capsys, "rank", write_judgments(tmp_path / "judged.csv", ("anna", 0, "A = B")))
        assert "all its comparisons are ties" in text
        assert "No rank ranges: no system has a score." in text

    @pytest.mark.parametrize(
        ("options", "cause"),
        [
            ("--exclude-systems Fir", "there is no system Fir; there are Alder, Birch, Cedar"),
            ("--confidence 95", "confidence should be at most 0.999, not 95"),
            ("--bootstrap 2", "2 replicates are too few"),
            ("--bootstrap -1", "replicates should be at least 0, not -1"),
            ("--method elo", "method should be one of ew, trueskill, bradley-terry, mean, not 'elo'"),
            ("--unit word", "unit should be one of pair, judgment, sentence, judge, not 'word'"),
            ("--method mean", "need scores, and these are rankings"),
            ("--tie-width 5", "need scores, and these are rankings"),
            ("--z-scores", "need scores, and these are rankings"),
        ],
    )
    def test_impossible_options_are_reported(self, judged: str, options: str, cause: str) -> None:
        assert cause in refusal("rank", judged, *options.split())

    def test_a_faulty_file_is_named_with_its_line(self, tmp_path: Path) -> None:
        file = tmp_path / "judged.csv"
        file.write_text("srcIndex,judgeID,system1Id,system1rank,system2Id,system2rank\n1,anna,A,1,B,high\n")
        assert f"{file}:2: " in refusal("rank", str(file))
        assert str(tmp_path / "none.csv") in refusal("rank", str(tmp_path / "none.csv"))


class TestRankOfScores:
    """Exported scores of a campaign."""

    @pytest.fixture
    def scores(self, db: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
        """Each of three sentences scored by both annotators."""
        monkeypatch.setattr(protocols, "current", protocols.SCALARS)
        campaign = running(items=3, annotators_per_item=2, shared_percent=100)
        for annotator in cast(campaign):
            answer_all(annotator)
        file = tmp_path / "campaign.csv"
        call_command("export_judgments", campaign.name, "--format", "csv", "--output", str(file), "--names")
        return str(file)

    def test_scores_are_ranked_by_their_means_as_on_the_page(self, scores: str, capsys: Capture) -> None:
        result = as_json(capsys, "rank", scores, "--source", "INPUT")
        assert (result["method"], result["unit"], result["judgments"]) == ("mean", "sentence", 6)
        assert result["signature"].startswith("mean|scores:raw|unit:sentence|")
        for system in result["systems"]:
            assert system["score_low"] <= system["score"] <= system["score_high"]
        assert result["scoring"]["split_half"]["group_size"] == 1
        changes = {change["system"]: change for change in result["scoring"]["changes"]}
        assert changes["INPUT"]["unchanged"] == 1
        assert changes["Alder"]["unchanged"] == 0
        frame = snapshot(Campaign.objects.get())
        parameters = RANKING.resolved(RankingParameters(), scored=True)
        ranked = computed(RANKING, judgments(frame, RANKING.columns), parameters, NoProgress()).standings
        assert [(row["name"], row["score"]) for row in result["systems"]] == [
            (row.system, row.score) for row in ranked.systems
        ]

    @pytest.mark.any_database
    def test_a_table_has_intervals_and_what_else_scores_tell(self, scores: str, capsys: Capture) -> None:
        text = printed(capsys, "rank", scores, "--unit", "judge", "--z-scores")
        assert "Mean z-score over 6 judgments" in text
        for part in ("split halves, Pearson, outputs", "ICC of one score", "Some shares are missing"):
            assert part in text

    @pytest.mark.any_database
    def test_pairs_tie_within_a_width(self, scores: str, capsys: Capture) -> None:
        by_pairs = ("rank", scores, "--method", "ew", "--tie-width")
        ties = [as_json(capsys, *by_pairs, width)["pairs"]["unexpanded_ties"] for width in ("0", "10", "100")]
        assert ties == sorted(set(ties))

    @pytest.mark.any_database
    @pytest.mark.parametrize(
        ("options", "cause"),
        [
            ("--unit pair", "resampled by sentence or judge, not by pair"),
            ("--tie-width -1", "tie-width should be at least 0, not -1"),
            ("--tie-width nan", "tie-width should be a number, not nan"),
            ("--bootstrap 2", "2 replicates are too few"),
        ],
    )
    def test_options_that_scores_do_not_allow_are_refused(
        self, scores: str, options: str, cause: str
    ) -> None:
        assert cause in refusal("rank", scores, *options.split())


class TestAgree:
    SCORES = {"A": (90, 80, 70, 60), "B": (50, 60, 45, 52)}
    """Scores that anna gives to the outputs of each system; ben gives five less."""

    @pytest.fixture
    def scores(self, tmp_path: Path) -> str:
        """Scores as a campaign exports them, in JSON Lines; of the last sentence ben scores nothing."""
        common: dict[str, Any] = {
            **dict.fromkeys(COLUMNS),
            "schema_version": SCHEMA_VERSION,
            "campaign": "scores",
            "protocol": "partial-ranking-with-scalars",
            "state": "complete",
            "revision": 1,
        }
        rows = [
            common
            | {"judgment": f"{judge}-{sentence}", "annotator": judge, "sentence": sentence, "item": sentence}
            | {"repetition": repetition, "position": position, "systems": [system]}
            | {"output": hashlib.sha256(f"{system} {sentence}".encode()).hexdigest()}
            | {"score": self.SCORES[system][sentence] - less}
            for repetition, (judge, less, sentences) in enumerate((("anna", 0, 4), ("ben", 5, 3)))
            for sentence in range(sentences)
            for position, system in enumerate(self.SCORES)
        ]
        file = tmp_path / "scores.jsonl"
        file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
        return str(file)

    def test_json_has_kappa_and_alpha(self, tmp_path: Path, capsys: Capture) -> None:
        """Two judges share 60 pairs; two of three outcomes are the same."""
        rankings = [("anna", sentence, "A > B") for sentence in range(60)]
        rankings += [("ben", sentence, "A > B" if sentence % 3 else "B > A") for sentence in range(60)]
        result = as_json(capsys, "agree", write_judgments(tmp_path / "judged.csv", *rankings))
        expected = (100 / 120) ** 2 + (20 / 120) ** 2
        kappa = pytest.approx((2 / 3 - expected) / (1 - expected))
        assert result["inter"] == {"kappa": kappa, "n": 60, "reason": None}
        assert (result["intra"]["kappa"], result["intra"]["n"]) == (None, 0)
        assert result["pairs"] == [{"first": "anna", "second": "ben", **result["inter"]}]
        assert result["alpha"]["pairs"]["n"] == 120
        assert result["alpha"]["ranks"]["n"] == 240
        none = {"alpha": None, "n": 0, "units": 0}
        assert result["alpha"]["scores"] == {**none, "reason": "ranks are no scores"}
        assert (result["icc"]["single"], result["icc"]["reason"]) == (
            None,
            "fewer than two outputs were scored",
        )
        for half in (result["split_half"]["sentence"], result["split_half"]["system"]):
            assert (half["pearson"], half["reason"]) == (None, "no output was scored by 2 annotators")
        stated = "agreement|rule:3|pairs:unexpanded|min-comparisons:50|snapshot:"
        assert result["signature"].startswith(stated)

    def test_scores_have_all_but_an_alpha_over_ranks(self, scores: str, capsys: Capture) -> None:
        result = as_json(capsys, "agree", scores)
        assert result["inter_pooled"]["n"] == 3
        [pair] = [pair for pair in result["pairs"] if pair["first"] != pair["second"]]
        assert (pair["first"], pair["second"], pair["n"]) == ("anna", "ben", 3)
        none = {"alpha": None, "n": 0, "units": 0}
        assert result["alpha"]["ranks"] == {**none, "reason": "scores are not ranks"}
        assert result["alpha"]["scores"]["units"] == 6
        assert 0.9 < result["alpha"]["scores"]["alpha"] < 1
        assert (result["icc"]["outputs"], result["icc"]["ratings"]) == (8, 14)
        assert result["icc"]["low"] < result["icc"]["single"] < result["icc"]["high"]
        assert result["split_half"]["group_size"] == 1
        assert result["split_half"]["sentence"]["n"] == 6
        assert result["signature"].startswith("agreement|rule:3|pairs:unexpanded|by:scores|tie-width:0|")
        text = printed(capsys, "agree", scores)
        for part in ("alpha over scores, interval", "split halves, Pearson, outputs", "split halves have 1"):
            assert part in text

    def test_a_wide_tie_leaves_no_pair_decided(self, scores: str, capsys: Capture) -> None:
        result = as_json(capsys, "agree", scores, "--tie-width", "100")
        reason = "all values are the same, so agreement by chance is complete"
        assert result["alpha"]["pairs"]["reason"] == reason
        assert "|tie-width:100|" in result["signature"]

    def test_tables_show_names_as_they_are(self, tmp_path: Path, capsys: Capture) -> None:
        rankings = [(judge, sentence, "A > B") for judge in ("[red]anna", "ben") for sentence in range(2)]
        text = printed(capsys, "agree", write_judgments(tmp_path / "judged.csv", *rankings))
        assert "[red]anna" in text
        assert "alpha over ranks, ordinal" in text

    def test_a_judge_with_one_rating_has_reasons_instead_of_values(
        self, tmp_path: Path, capsys: Capture
    ) -> None:
        judged = write_judgments(tmp_path / "judged.csv", ("anna", 0, "A > B"))
        result = as_json(capsys, "agree", judged)
        assert result["pairs"] == []
        for kappa in (result["inter"], result["intra"]):
            assert kappa["kappa"] is None
            assert kappa["reason"]
        assert result["alpha"]["pairs"]["reason"] == "no two annotators judged the same thing"
        assert "need scores, and these are rankings" in refusal("agree", judged, "--tie-width", "5")
