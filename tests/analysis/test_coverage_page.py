"""The page of the coverage of references, its figure and its files."""

import pytest
from django.test import Client

from annotate.models import Corpus
from formats import Reference
from jobs.models import Job
from tests.analysis.described import covered_corpus
from tests.annotate.samples import sentence, small_corpus

pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus() -> Corpus:
    return covered_corpus()


def address(corpus: Corpus, path: str = "") -> str:
    return f"{corpus.get_absolute_url()}analyses/coverage/{path}"


@pytest.mark.any_database
def test_the_page_begins_with_the_result(researcher: Client, corpus: Corpus) -> None:
    page = researcher.get(address(corpus)).content.decode()
    assert "Against 20 references, a perfect corrector would match in" in page
    assert "Sentences have 2 references at the median. That says little" in page
    assert "Left out: 1 sentence that many people left unchanged (1)." in page
    assert "nan" not in page.lower().replace("annan", "")


@pytest.mark.any_database
def test_figure_and_files_are_of_the_result(researcher: Client, corpus: Corpus) -> None:
    figure = researcher.get(address(corpus, "coverage.svg"))
    assert figure["Content-Type"].startswith("image/svg+xml")
    assert b"perfect corrector" in figure.content
    lines = researcher.get(address(corpus, "coverage.csv")).getvalue().decode().splitlines()
    assert lines[0].startswith("references,accuracy,accuracy_low")
    assert len(lines) == 21
    assert lines[1].endswith(f"assay:{lines[1].rpartition(':')[2]}")
    latex = researcher.get(address(corpus, "coverage.tex")).getvalue().decode()
    assert latex.count("\\\\") == 21


@pytest.mark.any_database
@pytest.mark.parametrize(
    "path", ["coverage.svg?loss=0.1", "coverage.csv?loss=0.1", "coverage.xlsx", "coverage.bmp"]
)
def test_files_without_a_result_are_404(researcher: Client, corpus: Corpus, path: str) -> None:
    assert researcher.get(address(corpus, path)).status_code == 404


@pytest.mark.any_database
def test_wrong_parameters_are_said_in_words(researcher: Client, corpus: Corpus) -> None:
    refused = researcher.get(address(corpus, "?loss=2"))
    assert refused.status_code == 400
    assert "loss should be at most 0.999" in refused.content.decode()
    assert researcher.get(address(corpus, "coverage.svg?loss=2")).status_code == 400


@pytest.mark.parametrize(
    ("analysis", "references", "reason"),
    [
        ("coverage", 1, "No sentence of the corpus has 2 references."),
        ("perfect-corrector", 1, "No sentence of the corpus has 2 references."),
        ("human-performance", 1, "No sentence of the corpus has 2 references."),
        ("oracle-reranking", 1, "No sentence of the corpus has 2 references."),
        ("conservatism", 0, "The corpus has no references."),
    ],
)
def test_a_corpus_without_references_says_what_to_do(
    researcher: Client, analysis: str, references: int, reason: str
) -> None:
    corrected = [Reference("0", "a c", None)][:references]
    alone = small_corpus("alone", sentences=[sentence("a b", "a c", references=corrected)])
    page = researcher.get(f"{alone.get_absolute_url()}analyses/{analysis}/").content.decode()
    assert f"{reason} Import it with" in page
    assert not Job.objects.exists()


def test_systems_are_needed_to_compare_them(researcher: Client) -> None:
    references = [Reference("0", "a c", None), Reference("1", "a d", None)]
    pilot = small_corpus("pilot", sentences=[sentence("a b", references=references)])
    page = researcher.get(f"{pilot.get_absolute_url()}analyses/conservatism/").content.decode()
    assert "The corpus has no systems. Import it with their outputs." in page
