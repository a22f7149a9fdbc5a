"""The page of the coverage of references, its figure and its files."""

import pytest
from django.test import Client

from annotate.models import Corpus
from formats import Reference
from jobs.worker import run_queued_jobs
from tests.analysis.described import covered_corpus
from tests.annotate.samples import sentence, small_corpus

pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus() -> Corpus:
    return covered_corpus()


def address(corpus: Corpus, path: str = "") -> str:
    return f"{corpus.get_absolute_url()}analyses/coverage/{path}"


def test_the_page_begins_with_the_result(researcher: Client, corpus: Corpus) -> None:
    page = researcher.get(address(corpus)).content.decode()
    assert "Against 20 references, a perfect corrector would be right on" in page
    assert "Sentences have 2 references at the median. That says little" in page
    assert "Left out: 1 with an answer that often leaves them unchanged." in page
    assert "nan" not in page.lower().replace("annan", "")


def test_figure_and_files_are_of_the_result(researcher: Client, corpus: Corpus) -> None:
    figure = researcher.get(address(corpus, "curve.svg"))
    assert figure["Content-Type"].startswith("image/svg+xml")
    assert b"perfect corrector" in figure.content
    lines = researcher.get(address(corpus, "curve-table.csv")).getvalue().decode().splitlines()
    assert lines[0].startswith("references,accuracy,accuracy_low")
    assert len(lines) == 21
    assert lines[1].endswith(f"assay:{lines[1].rpartition(':')[2]}")
    latex = researcher.get(address(corpus, "curve-table.tex")).getvalue().decode()
    assert latex.count("\\\\") == 21


@pytest.mark.parametrize(
    "path", ["curve.svg?loss=0.1", "curve-table.csv?loss=0.1", "curve-table.xlsx", "curve.bmp"]
)
def test_there_is_no_file_of_what_was_not_computed(researcher: Client, corpus: Corpus, path: str) -> None:
    assert researcher.get(address(corpus, path)).status_code == 404


def test_wrong_parameters_are_said_in_words(researcher: Client, corpus: Corpus) -> None:
    refused = researcher.get(address(corpus, "?loss=2"))
    assert refused.status_code == 400
    assert "loss should be at most 0.999" in refused.content.decode()
    assert researcher.get(address(corpus, "curve.svg?loss=2")).status_code == 400


def test_a_corpus_without_two_references_says_what_to_do(researcher: Client) -> None:
    alone = small_corpus("alone", sentences=[sentence("a b", references=[Reference("0", "a c", None)])])
    researcher.get(address(alone))
    run_queued_jobs()
    assert "no sentence has two references that correct it" in researcher.get(address(alone)).content.decode()
