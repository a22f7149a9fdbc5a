"""What the scores of a corpus say: tests against the highest, the heading, and the metrics that it cites."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from django.test import Client

from annotate.models import SystemRole, SystemScore
from annotate.scores import queries
from annotate.scores.findings import about_clear_scores, cited_metrics_first, finding_of_scores
from annotate.scores.queries import (
    ScoreRow,
    ScoreTable,
    current_sets,
    score_table,
    scored_of,
)
from annotate.scores.scoring import REPLICATES, SEED
from annotate.scores.stored_rows import packed_resamples
from annotate.web.registered_pages import PeoplesRanking
from metrics import compare_with_best
from metrics.base.resampling import FEWEST_SENTENCES
from tests.annotate.samples import small_campaign, small_corpus
from tests.annotate.scores.scoring import address, edited_corpus, page, scored, scores_of

pytestmark = pytest.mark.django_db


def table_of(**scores: str) -> ScoreTable:
    """Systems with a letter for each of the metrics A, B, C, ...: h highest, c clearly so, - neither."""
    rows = []
    for name, letters in scores.items():
        system: Any = SimpleNamespace(name=name, shown=name, role=SystemRole.SYSTEM)
        cells: Any = [
            SimpleNamespace(is_best=each in "hc", is_clear=each == "c", score=None) for each in letters
        ]
        rows.append(ScoreRow(system, cells))
    columns: Any = [SimpleNamespace(title=title) for title in "ABCDE"[: len(rows[0].cells)]]
    return ScoreTable(columns, rows, 0, is_untested=False)


@pytest.mark.parametrize(
    ("scores", "finding"),
    [
        ({"Alder": "-", "Birch": "-"}, ""),
        ({"Alder": "c", "Birch": "-"}, "Alder scores clearly above all other systems by A"),
        ({"Alder": "h", "Birch": "-"}, "No system scores clearly above all others by A"),
        ({"Alder": "hc", "Birch": "--"}, "Alder scores clearly above all other systems by 1 of 2 metrics"),
        (
            {"Alder": "hh", "Birch": "--"},
            "No system scores clearly above all others by any of 2 metrics",
        ),
        (
            {"Alder": "h-c-", "Birch": "-c-c"},
            "Birch scores clearly above all other systems by 2 of 4 metrics, Alder by 1",
        ),
        (
            {"Alder": "--c-", "Birch": "cc-c"},
            "Birch scores clearly above all other systems by 3 of 4 metrics, Alder by 1",
        ),
        (
            {"A": "c----", "B": "-c---", "C": "--c--", "D": "---c-", "E": "----h"},
            "One system scores clearly above all others by 4 of 5 metrics, but not always the same",
        ),
    ],
)
def test_the_heading_says_by_how_many_metrics_a_system_is_clearly_above(
    scores: dict[str, str], finding: str
) -> None:
    assert finding_of_scores(table_of(**scores), None) == finding


def test_the_heading_says_whom_people_rank_first(researcher: Client) -> None:
    corpus = edited_corpus()
    assert "<h1>Scores of" in page(researcher, address(corpus))
    scored(corpus, "gleu", "m2")
    finding = "No system scores clearly above all others by any of 2 metrics"
    assert f"<h1>{finding}</h1>" in page(researcher, address(corpus))
    table = score_table(corpus, current_sets(corpus))
    campaign = small_campaign(small_corpus("other"))
    for ranks, more in (
        ({"Birch": "1", "Alder": "2–3", "Cedar": "2–3"}, "; people rank Birch first"),
        ({"Birch": "1–2", "Alder": "2–3", "Cedar": "2–3"}, "; people rank Birch 1–2"),
        ({"Birch": "1–2", "Alder": "1–3", "Cedar": "2–3"}, ""),
    ):
        assert finding_of_scores(table, PeoplesRanking(campaign, ranks)) == f"{finding}{more}"


def test_the_page_names_the_metrics_of_the_clear_scores_and_those_by_which_the_source_is_not_beaten(
    researcher: Client,
) -> None:
    corpus = edited_corpus()
    scored(corpus, "m2", "gleu", "ld-source")
    tell_apart(Alder=0.9, Birch=0.5, Cedar=0.4)
    said = (
        "Alder scores clearly above each other system by M2 (MaxMatch) and GLEU. "
        "By LD source, no system scores clearly higher than the unchanged sentences, so it does not count."
    )
    assert about_clear_scores(score_table(corpus, current_sets(corpus))) == said
    assert f"<p>{said}</p>" in page(researcher, address(corpus))


def test_a_metric_by_which_no_system_beats_the_source_does_not_count(researcher: Client) -> None:
    corpus = edited_corpus()
    scored(corpus, "ld-source")
    tell_apart(Alder=0.9, Birch=0.5, Cedar=0.4)
    nothing = "By no metric does a system score clearly higher than the unchanged sentences"
    assert f"<h1>{nothing}</h1>" in page(researcher, address(corpus))
    scored(corpus, "m2")
    table = score_table(corpus, current_sets(corpus))
    assert finding_of_scores(table, None) == "No system scores clearly above all others by M2 (MaxMatch)"
    tell_apart(Alder=0.9, Birch=0.5, Cedar=0.4, INPUT=0.899)
    assert finding_of_scores(score_table(corpus, current_sets(corpus)), None) == nothing
    assert [each.title for each in cited_metrics_first(table).columns] == ["M2 (MaxMatch)", "LD source"]


def test_the_highest_score_is_tested_against_each_other_system(
    researcher: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = edited_corpus()
    score_set = scores_of(corpus, "gleu")

    def p_values() -> dict[str, float | None]:
        table = score_table(corpus, [score_set])
        return {row.system.name: row.cells[0].p_value for row in table.rows}

    best, tests = compare_with_best(scored_of(score_set), REPLICATES, SEED)
    others = {name: test.p_value for name, test in tests.items()}
    assert set(p_values().values()) == {None}, "of so few sentences nothing is said"
    monkeypatch.setattr(queries, "FEWEST_SENTENCES", 1)
    assert p_values() == {best: None, **others}
    not_told_apart = [p for p in others.values() if p and p > 0.05]
    assert page(researcher, address(corpus)).count("≈<span") == len(not_told_apart) == 1


def test_a_score_is_clearly_the_highest_if_each_test_says_so(db: None) -> None:
    corpus = edited_corpus()
    score_set = scores_of(corpus, "m2")

    def clear() -> list[str]:
        table = score_table(corpus, [score_set])
        assert not any(cell.is_clear and not cell.is_best for row in table.rows for cell in row.cells)
        return [row.system.name for row in table.rows if row.cells[0].is_clear]

    tell_apart(Alder=0.5, Birch=0.3, Cedar=0.2)
    assert clear() == ["Alder"]
    tell_apart(Alder=0.5, Birch=0.3, Cedar=0.4999)
    assert clear() == []
    tell_apart(Alder=0.5, Birch=0.5, Cedar=0.2)
    assert clear() == [], "two are the highest"
    score_set.system_scores.update(resamples=None)
    assert clear() == []


def test_scores_that_were_stored_without_resamples_get_them_when_scored_again(researcher: Client) -> None:
    corpus = edited_corpus()
    score_set = scores_of(corpus, "m2")
    before = list(score_set.system_scores.order_by("pk").values_list("pk", "value", "resamples"))
    score_set.system_scores.update(resamples=None)
    message = "before systems were tested against each other"
    assert message in page(researcher, address(corpus))
    scored(corpus, "m2")
    assert message not in page(researcher, address(corpus))
    assert list(score_set.system_scores.order_by("pk").values_list("pk", "value", "resamples")) == before


def tell_apart(**values: float) -> None:
    """Give systems these scores by all metrics, with resamples that vary by a hundredth, each by itself."""
    for seed, (name, value) in enumerate(values.items()):
        resamples = np.random.default_rng(seed).normal(value, 0.01, REPLICATES)
        scores = SystemScore.objects.filter(system__name=name)
        scores.update(value=value, resamples=packed_resamples(resamples), scored=FEWEST_SENTENCES)


def test_the_metrics_of_the_heading_come_first() -> None:
    table = cited_metrics_first(table_of(Alder="hcc", Birch="---"))
    assert [each.title for each in table.columns] == ["B", "C", "A"]
    assert [cell.is_clear for cell in table.rows[0].cells] == [True, True, False]
    table = cited_metrics_first(table_of(Alder="-cc-", Birch="h--c"))
    assert [each.title for each in table.columns] == ["B", "D", "C", "A"]
