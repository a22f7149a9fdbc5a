"""Metrics under stress: the command, the page, its figure and files."""

from dataclasses import replace
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from analysis.analyses.inputs import corpus_corrections
from analysis.analyses.stress import STRESS, MetricsUnderStress, Prepared, StressParameters, headline
from analysis.runs.results import from_json, to_json
from annotate.models import Corpus
from core.names import Naming
from core.parameters import ParameterError
from core.results import Computed
from formats import Reference, SentenceRecord
from tests.analysis.described import stressed_corpus
from tests.analysis.scored_campaigns import result_of


def prepared(people: list[str], **parameters: Any) -> Prepared:
    references = tuple(Reference(str(place), text, None) for place, text in enumerate(people))
    sentences = [SentenceRecord("He walk home .", {}, references, "", "")] * 6
    texts = corpus_corrections(sentences, roles={}, parser=None)
    return Prepared(texts, StressParameters(**parameters))


def test_the_first_person_is_compared_with_the_others_or_alone_with_themselves() -> None:
    several = prepared(["He walks home .", "He walked home ."], sentences=4)
    assert (several.person, several.references, len(several.corrections)) == ("0", 1, 4)
    assert several.data.references == (("He walked home .",),) * 4
    assert prepared(["He walks home ."]).references == 0


@pytest.mark.parametrize(
    ("people", "metric", "message"),
    [([], "gleu", "has no references"), (["He walks ."], " , ", "at least one metric"), (["A ."], "x", "x")],
)
def test_metrics_that_cannot_be_tried_are_refused(people: list[str], metric: str, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        prepared(people, metric=metric)


@pytest.mark.django_db
class TestPage:
    @pytest.fixture
    def corpus(self) -> Corpus:
        return stressed_corpus()

    @pytest.mark.any_database
    def test_page_and_files_hold_scores_and_findings(self, researcher: Client, corpus: Corpus) -> None:
        address = f"{corpus.get_absolute_url()}analyses/stress/"
        query = {"metric": "gleu,m2"}
        page = researcher.get(address, query).content.decode()
        assert "Fluent sentences about something else" in page
        assert "Without a single edit, precision is 1.000." in page
        assert "Faults of each metric" in page
        assert page.count('<td class="number lost-3" title="at fault">') >= 1
        assert "nan" not in page
        rows = researcher.get(f"{address}stress.csv", query).getvalue().decode()
        [unchanged] = [row for row in rows.splitlines() if row.startswith("m2,unchanged,")]
        assert "precision-without-edits" in unchanged
        assert "Outputs & GLEU" in researcher.get(f"{address}stress.tex", query).getvalue().decode()
        assert b"metrics under stress" in researcher.get(f"{address}stress.svg", query).content

    def test_the_command_prints_findings(self, corpus: Corpus, capsys: pytest.CaptureFixture[str]) -> None:
        call_command("analyse", "stress", corpus.name, "--metric", "m2")
        assert "Without a single edit, precision is 1.000." in " ".join(capsys.readouterr().out.split())

    def test_the_headline_names_the_metrics_that_pass(self, corpus: Corpus) -> None:
        result: MetricsUnderStress = result_of(STRESS, corpus, StressParameters(metric="gleu,m2"))  # type: ignore[arg-type]
        assert to_json(from_json(MetricsUnderStress, to_json(result))) == to_json(result)
        faulty = replace(result, metrics=tuple(each for each in result.metrics if each.name == "m2"))
        computed = Computed(StressParameters(), faulty)
        assert (
            headline(computed, Naming("", {}, {}, {}))
            == "None of 1 metrics sees all degenerate outputs as people would"
        )
