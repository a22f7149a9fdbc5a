"""Releases in the layouts of gec-metrics and mt-metrics-eval, read back as those programs read them."""

import json
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from defusedxml import ElementTree

from analysis.releases.checks import ReleaseRefusedError
from analysis.releases.layouts import judged
from analysis.releases.layouts.judged import ReleasedTables
from analysis.releases.options import Layout, Options
from analysis.releases.releasing import Release
from annotate.judgments.queries import snapshot
from annotate.models import Campaign, CampaignState
from core.progress import NoProgress
from ranking import count_pairs
from ranking.judgments.snapshot import without_systems
from ranking.models.trueskill import trueskill_scores
from tests.analysis.releases.released import campaign_to_release, release_of
from tests.annotate.protocols import CORRECTION, RATING
from tests.annotate.running import answer_all, cast, running

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

BOTH = Options(layouts=tuple(Layout))


def lines_of(path: Path) -> list[str]:
    """The lines as the reader of gec-metrics takes them."""
    return path.read_text(encoding="utf-8").rstrip().split("\n")


def ranks_in(path: Path, models: list[str]) -> list[list[list[int | None]]]:
    """By sentence in the order of `src-id`, by judgment: the negative rank of each system, or None."""
    results = ElementTree.parse(path).getroot()
    assert results is not None
    root = results.find("error-correction-ranking-result")
    assert root is not None
    found: dict[int, list[list[int | None]]] = {}
    for item in root:
        scores: list[int | None] = [None] * len(models)
        for translation in item:
            for system in translation.attrib["system"].split():
                if system in models:
                    scores[models.index(system)] = -int(translation.attrib["rank"])
        found.setdefault(int(item.attrib["src-id"]), []).append(scores)
    return [scores for _, scores in sorted(found.items())]


def expected_wins_of(judged: list[list[list[int | None]]], models: list[str]) -> dict[str, float | None]:
    """ExpectedWins by its definition, from what the file says."""
    wins = {(one, two): 0 for one in models for two in models}
    for scores in (each for sentence in judged for each in sentence):
        for (one, first), (two, second) in combinations(zip(models, scores, strict=True), 2):
            if first is not None and second is not None and first != second:
                wins[(one, two) if first > second else (two, one)] += 1
    result: dict[str, float | None] = {}
    for one in models:
        shares = [
            wins[one, two] / decided
            for two in models
            if two != one and (decided := wins[one, two] + wins[two, one])
        ]
        result[one] = sum(shares) / len(shares) if shares else None
    return result


def released(folder: Path, protocol: str) -> tuple[Campaign, Release]:
    campaign = running(annotators_per_item=3)
    for annotator in cast(campaign, "anna ben carla"):
        answer_all(annotator)
    Campaign.objects.filter(pk=campaign.pk).update(state=CampaignState.CLOSED)
    campaign = Campaign.objects.get(pk=campaign.pk)
    return campaign, release_of(campaign, folder, options=BOTH)


def test_layouts_can_be_stopped_between_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Counting(NoProgress):
        reports = 0

        def advance(self, parts: int) -> None:
            self.reports += 1

    release = release_of(campaign_to_release(), tmp_path)
    rows = release.facts.rows["judgments"]
    monkeypatch.setattr(judged, "ROWS_AT_ONCE", 1)
    counting = Counting()
    answers = list(ReleasedTables(release.folder, counting).judged())
    assert len(answers) < rows <= counting.reports


@pytest.mark.parametrize("protocol", RATING, indirect=True)
def test_gec_metrics_reads_the_same_numbers(protocol: str, tmp_path: Path) -> None:
    campaign, release = released(tmp_path, protocol)
    [top] = tmp_path.glob("release/**/SEEDA")
    scores = {path.stem: [float(line) for line in lines_of(path)] for path in top.glob("scores/human/*.txt")}
    assert scores.keys() == {"EW_edit", "EW_sent", "TS_edit", "TS_sent"}
    models = sorted(release.facts.ranking)
    assert scores["EW_sent"] == pytest.approx([release.facts.ranking[each] for each in models])
    counts = count_pairs(snapshot(campaign))
    if protocol == RATING[0]:
        assert scores["TS_sent"] == pytest.approx(trueskill_scores(counts).tolist())
    judged = ranks_in(top / "data" / "judgments_sent.xml", models)
    assert expected_wins_of(judged, models) == pytest.approx(dict(release.facts.ranking))
    subset = top / "outputs" / "subset"
    for name in (*models, "INPUT", "REF0", "REF1"):
        assert len((subset / f"{name}.txt").read_text().splitlines()) == len(judged)
    outputs = [json.loads(line) for line in (release.folder / "data/outputs.jsonl").read_text().splitlines()]
    positions = sorted({each["sentence"] for each in outputs})
    of_first = {each["sentence"]: each["text"] for each in outputs if each["system"] == models[0]}
    written = (subset / f"{models[0]}.txt").read_text().split("\n")[:-1]
    assert set(written) <= set(of_first.values())
    assert len(positions) >= len(written)


@pytest.mark.parametrize("protocol", RATING, indirect=True)
def test_mt_metrics_eval_reads_the_same_numbers(protocol: str, tmp_path: Path) -> None:
    campaign, release = released(tmp_path, protocol)
    top = release.folder / "layouts" / "mt-metrics-eval"
    sources = (top / "sources" / "en-en.txt").read_text().split("\n")[:-1]
    documents = (top / "documents" / "en-en.docs").read_text().split("\n")[:-1]
    assert len(sources) == len(documents) == campaign.corpus.sentence_count
    places = [line.split()[1] for line in documents]
    assert all(len(line.split()) == 2 for line in documents)
    changes = sum(one != two for one, two in pairwise(places))
    assert changes == len(set(places)) - 1, "documents are contiguous"
    systems = sorted(path.stem for path in (top / "system-outputs" / "en-en").iterdir())
    assert systems == sorted(release.facts.ranking)
    of_systems = dict(line.split("\t") for line in lines_of(top / "human-scores" / "en-en.wins.sys.score"))
    assert {name: float(score) for name, score in of_systems.items()} == pytest.approx(
        dict(release.facts.ranking)
    )
    segments = [line.split("\t") for line in lines_of(top / "human-scores" / "en-en.wins.seg.score")]
    assert [name for name, _ in segments] == [name for name in systems for _ in sources]
    rows = [json.loads(line) for line in (release.folder / "data/judgments.jsonl").read_text().splitlines()]
    judged = {(name, row["sentence"]) for row in rows for name in row["systems"] or ()}
    numbered = [(name, place % len(sources), score) for place, (name, score) in enumerate(segments)]
    assert {(name, place) for name, place, score in numbered if score != "None"} == judged
    if protocol != RATING[0]:
        sentence = rows[0]["sentence"]
        of_first = [
            row["score"] for row in rows if row["sentence"] == sentence and systems[0] in row["systems"]
        ]
        [score] = [float(s) for name, place, s in numbered if (name, place) == (systems[0], sentence)]
        assert score == pytest.approx(sum(of_first) / len(of_first))


def test_controls_are_in_no_layout(tmp_path: Path) -> None:
    campaign = campaign_to_release(control="Cedar")
    release = release_of(campaign, tmp_path, options=BOTH)
    files = [path for path in (release.folder / "layouts").rglob("*") if path.is_file()]
    assert files
    assert not any("Cedar" in path.name or "Cedar" in path.read_text() for path in files)
    counts = count_pairs(without_systems(snapshot(campaign), {"Cedar"}))
    [top] = release.folder.glob("**/SEEDA")
    models = sorted(release.facts.ranking)
    assert expected_wins_of(ranks_in(top / "data/judgments_sent.xml", models), models) == pytest.approx(
        dict(release.facts.ranking)
    )
    assert list(counts.systems) == models
    card = (release.folder / "README.md").read_text()
    assert "gec-metrics and mt-metrics-eval read it" in card


@pytest.mark.parametrize("protocol", [CORRECTION], indirect=True)
def test_layouts_of_comparisons_are_refused_where_nothing_is_compared(protocol: str, tmp_path: Path) -> None:
    with pytest.raises(ReleaseRefusedError, match="did not compare any"):
        released(tmp_path, protocol)


def test_layouts_hold_texts(tmp_path: Path) -> None:
    with pytest.raises(ReleaseRefusedError, match="which this release leaves out"):
        release_of(campaign_to_release(), tmp_path, options=BOTH, leave_out_texts="true", text_licence="")
