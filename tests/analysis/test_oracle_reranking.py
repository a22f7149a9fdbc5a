"""Oracle re-ranking: from files, of a stored corpus, the page, its figure and its files."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from analysis.analyses.inputs import corpus_corrections
from analysis.analyses.oracle_reranking import OracleReranking, RerankingParameters, headline, rerank
from annotate.models import Corpus
from core.names import Naming
from core.parameters import ParameterError
from core.progress import NoProgress
from core.results import Computed
from formats import Reference, SentenceRecord
from tests.analysis.described import reranked_corpus

TIMID, BOLD = "He walk home .", "He has walked to his house ."


def texts(outputs: dict[str, str], references: list[str], number: int = 30) -> list[SentenceRecord]:
    people = tuple(Reference(str(place), text, None) for place, text in enumerate(references))
    return [SentenceRecord(TIMID, outputs, people, "", "")] * number


def reranked(outputs: dict[str, str], references: list[str], **parameters: Any) -> OracleReranking:
    inputs = corpus_corrections(texts(outputs, references), roles={}, parser=None)
    return rerank(inputs, RerankingParameters(**parameters), NoProgress())


def test_more_references_let_the_oracle_change_more() -> None:
    """Against the timid reference the unchanged output is best, against the bold ones the bold output."""
    result = reranked({"a": BOLD, "b": TIMID}, [BOLD, TIMID], metric="exact-match")
    one, two = result.points
    assert one.unchanged == pytest.approx(0.5, abs=0.1)
    assert one.words == pytest.approx(5 * (1 - one.unchanged))
    assert (two.unchanged, two.words, two.words_low, two.words_high) == (0, 5, 5, 5)
    assert list(two.by_words) == [0, 0, 0, 0, 0, 30, 0, 0, 0, 0, 0]
    assert (result.sentences, result.candidates) == (30, 2)
    assert headline(Computed(None, result), Naming("", {}, {}, {})).startswith(
        "Picked against 2 references, the best candidates change more words than against one: 5.00"
    )


def test_the_same_seed_picks_the_same() -> None:
    assert reranked({"a": BOLD, "b": TIMID}, [BOLD, TIMID], seed=3) == reranked(
        {"a": BOLD, "b": TIMID}, [BOLD, TIMID], seed=3
    )


@pytest.mark.parametrize(
    ("outputs", "references", "metric", "message"),
    [
        ({"a": BOLD}, [], "gleu", "has no references"),
        ({"a": BOLD}, [TIMID], "gleu", "there is one reference"),
        ({}, [TIMID, BOLD], "gleu", "has no systems"),
        ({"a": BOLD}, [TIMID, BOLD], "glue", "glue"),
        ({"a": BOLD}, [TIMID, BOLD], "ld-source", "does not compare with references"),
        ({"a": BOLD}, [TIMID, BOLD], "errant", "is for English"),
    ],
)
def test_missing_values_have_a_reason_in_words(
    outputs: dict[str, str], references: list[str], metric: str, message: str
) -> None:
    with pytest.raises(ParameterError, match=message):
        reranked(outputs, references, metric=metric)


def test_a_list_of_candidates_is_reranked_from_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in (("INPUT", TIMID), ("A", BOLD), ("B", TIMID)):
        (tmp_path / name).write_text(f"{text}\n")
    (tmp_path / "list").write_text(f"0 ||| {TIMID} ||| -1\n0 ||| {BOLD} ||| -2\n")
    source, first, second, nbest = (str(tmp_path / name) for name in ("INPUT", "A", "B", "list"))
    files = [source, "--reference", first, second, "--nbest", nbest]
    call_command("analyse", "oracle-reranking", *files, "--metric", "m2", "--json")
    result = json.loads(capsys.readouterr().out)
    assert (result["sentences"], result["candidates"], len(result["points"])) == (1, 2, 2)
    call_command("analyse", "oracle-reranking", *files)
    assert "Picked against 2 references" in capsys.readouterr().out
    (tmp_path / "list").write_text(f"0 ||| {TIMID}\n")
    with pytest.raises(CommandError, match="list:1: 2 fields"):
        call_command("analyse", "oracle-reranking", *files)


@pytest.mark.django_db
class TestPage:
    @pytest.fixture
    def corpus(self) -> Corpus:
        return reranked_corpus()

    @pytest.mark.any_database
    def test_the_page_begins_with_the_result(self, researcher: Client, corpus: Corpus) -> None:
        page = researcher.get(f"{corpus.get_absolute_url()}analyses/oracle-reranking/").content.decode()
        assert "Picked against 2 references, the best candidates change" in page
        assert "nan" not in page

    @pytest.mark.any_database
    @pytest.mark.parametrize(
        ("path", "kind"),
        [
            ("oracle-reranking.svg", "image/svg"),
            ("oracle-reranking.csv", "text/csv"),
            ("oracle-reranking.tex", "application/x-tex"),
        ],
    )
    def test_figure_and_files(self, researcher: Client, corpus: Corpus, path: str, kind: str) -> None:
        address = f"{corpus.get_absolute_url()}analyses/oracle-reranking/{path}"
        response = researcher.get(address)
        assert response["Content-Type"].startswith(kind)
        assert len(response.getvalue()) > 200
        assert researcher.get(address, {"draws": 7}).status_code == 404
