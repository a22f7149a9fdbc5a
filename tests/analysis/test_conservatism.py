"""Under-correction: from files and from a stored corpus, the page, its figures and files."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from analysis.analyses.conservatism import (
    CONSERVATISM,
    ConservatismParameters,
    UnderCorrection,
    headline,
    lead,
    resampled_means,
    under_correction,
)
from analysis.analyses.inputs import corpus_corrections
from analysis.runs.queries import in_this_process
from analysis.runs.requests import request_of
from annotate.models import Corpus
from core.names import Naming
from core.parameters import ParameterError
from core.progress import NoProgress
from core.results import Computed
from formats import Reference, SentenceRecord
from tests.analysis.described import compared_corpus
from tests.annotate.samples import small_corpus
from tests.memory import peak_of

SOURCES = ("He walk home .", "I has dogs .", "Fine .")
TIMID = ("He walks home .", "I has dogs .", "Fine .")
BOLD = ("He has been walking to his house .", "We had had a dog .", "Very fine indeed .")
ANN = ("He walks home .", "I have dogs .", "Fine .")


def sentences(
    systems: dict[str, tuple[str, ...]], people: dict[str, tuple[str, ...]]
) -> list[SentenceRecord]:
    return [
        SentenceRecord(
            source,
            {name: texts[place] for name, texts in systems.items()},
            tuple(Reference(name, texts[place], None) for name, texts in people.items()),
            "",
            "",
        )
        for place, source in enumerate(SOURCES)
    ]


def compared(systems: Any, people: Any, roles: dict[str, str] | None = None) -> UnderCorrection:
    texts = corpus_corrections(sentences(systems, people), roles=roles or {}, parser=None)
    return under_correction(texts, ConservatismParameters(replicates=50), NoProgress())


def shown(result: UnderCorrection) -> Computed:
    return Computed(ConservatismParameters(replicates=50), result)


def test_correctors_come_by_words_changed() -> None:
    result = compared({"timid": TIMID, "bold": BOLD}, {"ann": ANN})
    assert [(each.name, each.is_person) for each in result.correctors] == [
        ("bold", False),
        ("ann", True),
        ("timid", False),
    ]
    ann = result.correctors[1]
    assert (ann.changed, ann.deleted, ann.added, ann.edit_distance) == (2, 0, 0, 2)
    assert ann.words.value == pytest.approx(2 / 3)
    assert ann.unchanged.value == pytest.approx(1 / 3)
    assert ann.by_words[:3] == (1, 2, 0)
    assert (result.types, result.no_types) == (None, "edits are typed by ERRANT, which is for English")
    assert headline(shown(result), Naming("", {"bold": "Bold"}, {}, {})) == (
        "Bold changes the most words of all systems, more than 1 of 1 people."
    )


def test_sentences_are_resampled_one_replicate_at_a_time() -> None:
    """They are the draws of one matrix of replicates and sentences, which would take 8 MB here."""
    figures = np.random.default_rng(1).integers(9, size=(2000, 2))
    steps: list[None] = []
    peak = peak_of(lambda: resampled_means(figures, 1000, 5, lambda: steps.append(None)))
    draws = np.random.default_rng(5).integers(2000, size=(1000, 2000), dtype=np.int32)
    means = np.stack([values[draws].mean(axis=1) for values in figures.T], axis=1)
    assert (resampled_means(figures, 1000, 5, lambda: None) == means).all()
    assert len(steps) == 1000
    assert peak < 200_000


def test_source_references_and_controls_are_no_competitors() -> None:
    roles = {"INPUT": "source", "timid": "system"}
    result = compared({"INPUT": SOURCES, "timid": TIMID}, {"ann": ANN}, roles)
    assert [each.name for each in result.correctors] == ["ann", "timid"]
    naming = Naming("", {}, {}, {})
    assert (
        headline(shown(result), naming)
        == "Every system changes fewer words than any person; timid comes closest."
    )
    assert lead(shown(result), naming).endswith(
        "timid leaves 67\N{NO-BREAK SPACE}% of the sentences unchanged, the fewest of all systems; "
        "annotator ann leaves 33\N{NO-BREAK SPACE}%, the most of all people."
    )
    table = CONSERVATISM.filled_tables(shown(result), naming)["correctors"]
    assert next(line for line in table.latex() if line.startswith("ann ")).startswith(
        "ann (person) & 0.67 & 2 & 0 & 0 & 0.333 & "
    )


@pytest.mark.parametrize(
    ("systems", "people", "message"),
    [({"timid": TIMID}, {}, "has no references"), ({}, {"ann": ANN}, "has no systems")],
)
def test_nothing_to_compare_is_said_in_words(systems: Any, people: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        compared(systems, people)


def test_files_are_compared_from_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, texts in (("INPUT", SOURCES), ("bold", BOLD), ("ann", ANN)):
        (tmp_path / name).write_text("\n".join(texts) + "\n")
    files = [
        str(tmp_path / "INPUT"),
        "--output",
        str(tmp_path / "bold"),
        "--reference",
        str(tmp_path / "ann"),
    ]
    call_command("analyse", "conservatism", *files, "--json")
    result = json.loads(capsys.readouterr().out)
    assert [each["name"] for each in result["correctors"]] == ["bold", "ann"]
    assert {row["type"] for row in result["types"]["types"]} >= {"VERB:SVA"}
    assert "|pipeline:assay_en_ewt" in result["signature"]
    call_command("analyse", "conservatism", *files)
    printed = capsys.readouterr().out
    assert "What each system and person changed" in printed
    assert "ann person" in printed
    (tmp_path / "ann").write_text("One line .\n")
    with pytest.raises(CommandError, match="ann:2: 1 lines, but 3"):
        call_command("analyse", "conservatism", *files)


@pytest.mark.django_db
class TestPage:
    @pytest.fixture
    def corpus(self) -> Corpus:
        return compared_corpus()

    def address(self, corpus: Corpus, path: str = "") -> str:
        return f"{corpus.get_absolute_url()}analyses/conservatism/{path}"

    @pytest.mark.any_database
    def test_the_page_begins_with_the_result(self, researcher: Client, corpus: Corpus) -> None:
        page = researcher.get(self.address(corpus)).content.decode()
        assert "words of all systems" in page or "fewer words than any person" in page
        assert "Edits by type" in page
        assert "nan" not in page

    @pytest.mark.any_database
    @pytest.mark.parametrize("path", ["correctors.svg", "types.svg", "correctors.csv", "types.tex"])
    def test_figures_and_files_have_the_parameters_of_a_result(
        self, researcher: Client, corpus: Corpus, path: str
    ) -> None:
        assert len(researcher.get(self.address(corpus, path)).getvalue()) > 200
        assert researcher.get(self.address(corpus, path), {"types": "no"}).status_code == 404

    def test_a_new_system_is_a_new_state(self) -> None:
        corpus = small_corpus()
        request = request_of(CONSERVATISM, corpus, ConservatismParameters(types=False, replicates=0))
        first = in_this_process(request, NoProgress())
        assert {each.name for each in first.correctors if each.is_person}
        assert first.signature.startswith(
            "conservatism|rule:2|types:no|confidence:0.95|replicates:0|seed:0|texts:"
        )
