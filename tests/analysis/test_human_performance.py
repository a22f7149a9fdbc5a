"""Systems beside people: scores against the others, the page, its figure and its files."""

from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from analysis.analyses.human_performance import (
    HUMAN_PERFORMANCE,
    HumanPerformance,
    HumanPerformanceParameters,
    headline,
    human_performance,
)
from analysis.analyses.inputs import corpus_corrections
from analysis.models import Run
from annotate.models import Corpus
from core.names import Naming
from core.parameters import ParameterError
from core.progress import NoProgress
from core.results import Computed
from formats import Reference, SentenceRecord
from tests.analysis.described import compared_with_people

SOURCE = "He walk home ."
PEOPLE = ["He walks home .", "He walks home .", "He walked home ."]


def performance(outputs: dict[str, str], people: list[str], **parameters: Any) -> HumanPerformance:
    references = tuple(Reference(str(place), text, None) for place, text in enumerate(people))
    sentences = [SentenceRecord(SOURCE, outputs, references, "", "")] * 6
    texts = corpus_corrections(sentences, roles={}, parser=None)
    stated = HumanPerformanceParameters(metric="exact-match", replicates=20, **parameters)
    return human_performance(texts, stated, NoProgress())


def test_each_person_is_scored_against_the_others() -> None:
    """Two people agree, so each matches the other; the third matches nobody."""
    result = performance({"walker": "He walks home .", "none": SOURCE}, PEOPLE)
    assert [(each.name, each.score.value) for each in result.people] == [("0", 1), ("1", 1), ("2", 0)]
    assert result.mean.value == pytest.approx(2 / 3)
    assert [(each.name, each.score.value, each.above) for each in result.systems] == [
        ("walker", 1, 1),
        ("none", 0, 0),
    ]
    assert (result.references, result.sentences) == (2, 6)
    naming = Naming("", {"walker": "Walker", "1": "One"}, {}, {})
    computed = Computed(HumanPerformanceParameters(), result)
    assert headline(computed, naming) == "Walker scores above 1 of 3 people."
    table = HUMAN_PERFORMANCE.filled_tables(computed, naming)["human-performance"].page()
    assert [(row[0].text, row[0].note) for row in table.rows] == [
        ("0", "person"),
        ("1", "person"),
        ("Walker", ""),
        ("2", "person"),
        ("none", ""),
    ]
    assert [mark.is_hollow for row in table.rows if (mark := row[1].mark)] == [True, True, False, True, False]
    unlucky = Computed(HumanPerformanceParameters(), performance({"none": SOURCE}, PEOPLE))
    assert headline(unlucky, naming) == "Every person scores above none, the best system."


@pytest.mark.parametrize(
    ("outputs", "people", "message"),
    [
        ({}, PEOPLE, "has no systems"),
        ({"a": SOURCE}, [], "has no references"),
        ({"a": SOURCE}, PEOPLE[:1], "there is one reference"),
    ],
)
def test_missing_values_have_a_reason_in_words(
    outputs: dict[str, str], people: list[str], message: str
) -> None:
    with pytest.raises(ParameterError, match=message):
        performance(outputs, people)


@pytest.mark.django_db
class TestPage:
    @pytest.fixture
    def corpus(self) -> Corpus:
        return compared_with_people()

    @pytest.mark.any_database
    def test_the_page_begins_with_the_result(self, researcher: Client, corpus: Corpus) -> None:
        page = researcher.get(f"{corpus.get_absolute_url()}analyses/human-performance/").content.decode()
        assert "Each person is held out in turn and scored against the 1 other;" in page
        assert "nan" not in page
        assert "human-performance.svg?" in page
        assert "<figure>" not in page, "the rows of the table draw it"

    def test_the_command_prints_everybody(self, corpus: Corpus, capsys: pytest.CaptureFixture[str]) -> None:
        call_command("analyse", "human-performance", corpus.name)
        printed = capsys.readouterr().out
        assert "scored against the 1 other" in printed
        assert "people’s mean" in printed
        assert "person" in printed

    @pytest.mark.parametrize("metric", ["gleu\x00", "g\nleu", "g" * 2001])
    def test_a_text_that_cannot_be_stored_is_refused(
        self, researcher: Client, corpus: Corpus, metric: str
    ) -> None:
        address = f"{corpus.get_absolute_url()}analyses/human-performance/"
        response = researcher.get(address, {"metric": metric})
        assert response.status_code in (200, 400)
        assert "should be a text of at most 2000 characters" in response.content.decode() or (
            "Null characters are not allowed" in response.content.decode()
        )
        assert Run.objects.count() == 1
