"""The released scores of GMEG from its sentence scores, and Table 6's shares of unchanged sentences."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from scipy.stats import pearsonr

from analysis.reproduction.cells import Cell, Verdict
from analysis.reproduction.gmeg import MEAN_SCORES, PAPER, UNCHANGED
from analysis.reproduction.gmeg_ensemble import learning_domains
from analysis.reproduction.gmeg_metrics import drawn_figure_3
from analysis.reproduction.public_data.gmeg_data import (
    REFERENCES,
    SYSTEMS,
    Domain,
    Gmeg,
    Split,
    read_domain,
    read_segment_scores,
)
from formats import FormatError
from metrics.learned.gmeg import Settings, corpora, train

RELEASED = ("released scores", MEAN_SCORES, UNCHANGED)
METRICS = (
    "chrF++",
    "ERRANT F0.2",
    "ERRANT F0.5",
    "GLEU",
    "charGLEU",
    "I-measure",
    "M2 F0.2",
    "M2 F0.5",
)


@pytest.fixture(scope="module")
def tables(reference_data: Path) -> dict[str, dict[str, Cell]]:
    return PAPER.reproduce(Gmeg(reference_data), RELEASED)


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """Two sentences of a domain whose texts are not public; the second has no scores."""
    (tmp_path / "tiny-segment-scores.csv").write_text("amu,source\n70.5,60\n,\n")
    (tmp_path / "tiny-corpus-scores.csv").write_text("system,score\namu,70.5\nsource,60\n")
    return tmp_path


def test_every_released_score_is_the_mean_of_its_sentences(tables: dict[str, dict[str, Cell]]) -> None:
    cells = tables["released scores"]
    assert len(cells) == 24
    assert {name: cell for name, cell in cells.items() if cell.ok is not True} == {}
    assert {cell.tolerance for cell in cells.values()} == {1e-9}


def test_empty_rows_are_left_out(tables: dict[str, dict[str, Cell]]) -> None:
    notes = {name.split()[0]: cell.note for name, cell in tables["released scores"].items()}
    assert notes == {
        "fce": "released; mean of 962 sentences",
        "wiki": "released; mean of 980 sentences",
        "yahoo": "released; mean of 971 sentences",
    }


def test_shares_of_unchanged_sentences_stand_beside_the_papers(tables: dict[str, dict[str, Cell]]) -> None:
    """The other half of the sentences is lacking; two points are what a share of 1,000 may be off."""
    cells = tables[UNCHANGED]
    assert len(cells) == 27
    for name, cell in cells.items():
        assert cell.ok is None
        if name.startswith("yahoo"):
            assert (cell.ours, cell.note) == (None, "the texts of this domain are not public")
        else:
            assert cell.ours == pytest.approx(cell.published, abs=2)
    assert cells["fce amu"].ours == pytest.approx(100 * 588 / 968)
    assert cells["wiki source+error"].ours == pytest.approx(100 * 1 / 992)


def test_half_of_the_sentences_are_not_compared(tables: dict[str, dict[str, Cell]]) -> None:
    cells = {name: cell for table in RELEASED[1:] for name, cell in tables[table].items()}
    assert {cell.verdict for cell in cells.values()} == {Verdict.CANNOT}
    assert len(tables[MEAN_SCORES]) == 27
    assert cells["wiki source+error"].note.startswith("of 992 development sentences; the paper counts")


def split_of(folder: Path, texts: dict[str, str], scores: str) -> dict[str, Domain]:
    """A split of FCE in which all systems but those of `texts` leave the sentences "A ." as they are."""
    (folder / "fce").mkdir(parents=True)
    (folder / "fce-segment-scores.csv").write_text(f"amu,source\n{scores}")
    (folder / "fce-corpus-scores.csv").write_text("system,score\namu,75\nsource,60\n")
    unchanged = "A .\n" * scores.count("\n")
    texts = {"source+error": unchanged.replace("A", "C"), **texts}
    for system in ("source", "source+error", *SYSTEMS, *REFERENCES):
        (folder / "fce" / system).write_text(texts.get(system, unchanged))
    return {"fce": read_domain(folder, "fce")}


def test_table_6_counts_the_sentences_of_both_splits(tmp_path: Path) -> None:
    """Means and shares are over all sentences, and those of the reference over all four."""
    development = split_of(tmp_path / "dev", {"amu": "B .\nA .\n", "ref1": "B .\nB .\n"}, "70,60\n60,60\n")
    test = split_of(tmp_path / "test", {"amu": "B .\n", "ref0": "B .\n", "ref1": "B .\n"}, "82.1,60\n")
    data = Gmeg(tmp_path, train=tmp_path / "dev", test=tmp_path / "test")
    data.development.domains, (data.tested or data.development).domains = development, test
    made = PAPER.reproduce(data, RELEASED)
    assert made["released scores"].keys() == {"fce amu", "fce source", "test fce amu", "test fce source"}
    means, shares = made[MEAN_SCORES], made[UNCHANGED]
    assert means["fce amu"].ours == pytest.approx((70 + 60 + 82.1) / 3)
    assert means["fce amu"].verdict is Verdict.AGREES
    assert means["fce source"].verdict is Verdict.DIFFERS
    assert means["fce source+error"].note == "its scores are not released"
    assert shares["fce amu"].ours == pytest.approx(100 / 3)
    assert shares["fce ref"].ours == pytest.approx(100 * (2 + 2 + 2 + 0 + 1 + 1) / 12)
    assert shares["fce ref"].note == "mean of four references"
    assert shares["fce source"].verdict is Verdict.AGREES
    assert {cell.verdict for cell in shares.values()} == {Verdict.AGREES, Verdict.DIFFERS}


def test_a_domain_without_texts_has_its_scores(release: Path) -> None:
    domain = read_domain(release, "tiny")
    assert not domain.has_texts
    assert domain.snapshot["score"].tolist() == [70.5, 60]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("1\n", ":2: 1 cells, but 2 systems in the header"),
        ("1,2\n3,\n", ":3: a score is not a number"),
        ("1,nan\n", ":2: a score is not finite"),
    ],
)
def test_a_faulty_row_is_refused_by_line(release: Path, rows: str, message: str) -> None:
    path = release / "tiny-segment-scores.csv"
    path.write_text(f"amu,source\n{rows}")
    with pytest.raises(FormatError, match=message):
        read_segment_scores(path)


@pytest.fixture
def release_with_texts(release: Path) -> Path:
    """The release with a domain of one sentence that nobody changed."""
    names = ["amu", "lstm", "lstm-r", "marian", "nus", "transformer", "source", "source+error"]
    (release / "tiny").mkdir()
    for name in names + [f"ref{number}" for number in range(4)]:
        (release / "tiny" / name).write_text("One .\n")
    return release


def test_texts_and_scores_must_be_as_many(release_with_texts: Path) -> None:
    with pytest.raises(FormatError, match="2 rows, but 1 sentences"):
        read_domain(release_with_texts, "tiny")


def test_the_same_text_cannot_have_two_scores(release_with_texts: Path) -> None:
    (release_with_texts / "tiny-segment-scores.csv").write_text("amu,source\n70.5,60\n")
    with pytest.raises(FormatError, match=r"amu .* have the same text but different scores"):
        read_domain(release_with_texts, "tiny")


SENTENCES = 24
"""Sentences of each made-up split: enough for correlations, and parsed in a few seconds."""


@pytest.fixture(scope="module")
def test_split(reference_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first sentences of the release."""
    return part_of(reference_data, tmp_path_factory.mktemp("test-split"), begin=0)


@pytest.fixture(scope="module")
def training_split(reference_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sentences after those of `test_split`."""
    return part_of(reference_data, tmp_path_factory.mktemp("training-split"), begin=SENTENCES)


def part_of(reference_data: Path, folder: Path, *, begin: int) -> Path:
    """A folder in the form of the release: some sentences of the texts of fce, and scores of all domains."""
    release, chosen = reference_data / "gmeg" / "dev", slice(begin, begin + SENTENCES)
    (folder / "fce").mkdir()
    for domain in ("fce", "wiki", "yahoo"):
        header, *rows = (release / f"{domain}-segment-scores.csv").read_text().splitlines()
        (folder / f"{domain}-segment-scores.csv").write_text("\n".join([header, *rows[chosen]]) + "\n")
        scores = (release / f"{domain}-corpus-scores.csv").read_text()
        (folder / f"{domain}-corpus-scores.csv").write_text(scores)
    for texts in (release / "fce").iterdir():
        lines = texts.read_text().splitlines()[chosen]
        (folder / "fce" / texts.name).write_text("\n".join(lines) + "\n")
    return folder


@pytest.mark.slow
def test_table_8_and_figure_3_of_a_test_split_are_held_against_the_published_ones(
    reference_data: Path, test_split: Path
) -> None:
    """24 sentences are too few to agree: that cells have verdicts, and which, is what this shows."""
    split = Gmeg(reference_data, test=test_split)
    tables = PAPER.reproduce(split, ("8", "figure 3"))
    cells, matrix = tables["8"], tables["figure 3"]
    assert len(cells) == 3 * 8 * 2
    gleu = cells["fce GLEU r"]
    assert (gleu.published, gleu.tolerance) == (0.838, 0.06)
    assert "independent computation" in gleu.reason
    assert isinstance(gleu.ours, float)
    assert gleu.ok == (abs(gleu.ours - 0.838) <= 0.06)
    no_texts = "the texts of this domain are not public"
    assert cells["wiki GLEU r"].note == cells["yahoo M2 F0.5 rho"].note == no_texts
    assert len(matrix) == 8 * 7
    said = {name for name, cell in matrix.items() if cell.published is not None}
    assert said == {f"fce charGLEU over {other}" for other in METRICS if other != "charGLEU"}
    assert list(drawn_figure_3(split)) == ["figure-3-fce"]
    domain = split.compared["fce"]
    assert domain is not None
    metrics = {metric.name: metric.signature for metric in domain.metrics_and_people.metrics}
    assert tuple(metrics) == METRICS
    assert "average:categories" in metrics["ERRANT F0.2"]


@pytest.mark.slow
def test_the_learned_metric_is_trained_on_one_split_and_tested_on_the_other(
    reference_data: Path, training_split: Path, test_split: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--train", str(training_split), "--test", str(test_split), "--tables", "ensemble", "--json")
    call_command("reproduce", "gmeg", "--data", str(reference_data), *options)
    cells = json.loads(capsys.readouterr().out)["tables"]["ensemble"]
    figures = {f"fce {name} {symbol}" for name in ("GMEG-Metric", *METRICS) for symbol in ("r", "rho")}
    on_test = {name: cell for name, cell in cells.items() if name.startswith("test ")}
    assert {f"test {name}" for name in figures} == on_test.keys()
    assert figures <= cells.keys()
    learned = on_test["test fce GMEG-Metric r"]
    assert learned["published"] == 0.984
    [trained_on], [tested] = (
        learning_domains(Split(folder, lambda _: None).scored) for folder in (training_split, test_split)
    )
    systems = corpora(tested, tested.judged, Settings(), 0)
    assert len(systems.human) == 6 + 15 * 9 * 5
    predicted = train([trained_on]).predict(systems.values)
    assert learned["ours"] == pytest.approx(pearsonr(predicted, systems.human).statistic)


def test_a_split_that_is_not_there_is_named(reference_data: Path, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"fce-segment-scores\.csv"):
        call_command(
            "reproduce", "gmeg", "--data", str(reference_data), "--test", str(tmp_path), "--tables", "8"
        )


@pytest.mark.deep
def test_table_8_of_the_development_split(reference_data: Path) -> None:
    """Close to the published figures of other sentences, as an independent computation was."""
    cells = PAPER.reproduce(Gmeg(reference_data), ("8",))["8"]
    assert {cell.ok for cell in cells.values()} == {None}
    pairs = {name: (cell.published, cell.ours) for name, cell in cells.items()}
    figures = {
        name: (theirs, ours)
        for name, (theirs, ours) in pairs.items()
        if isinstance(theirs, float) and isinstance(ours, float)
    }
    assert len(figures) == 2 * 8 * 2
    for name in ("GLEU", "charGLEU", "I-measure", "ERRANT F0.5", "M2 F0.5", "M2 F0.2"):
        theirs, ours = figures[f"fce {name} r"]
        assert ours == pytest.approx(theirs, abs=0.1)
    by_r = sorted(METRICS, key=lambda name: -figures[f"fce {name} r"][1])
    assert (by_r[0], by_r[-1]) == ("charGLEU", "chrF++")


def test_other_papers_have_no_splits(reference_data: Path) -> None:
    with pytest.raises(CommandError, match="gjg15 has no split for --test"):
        call_command("reproduce", "gjg15", "--data", str(reference_data), "--test", str(reference_data))
