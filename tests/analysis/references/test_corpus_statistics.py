"""Sizes, edits and agreement of references: from files, of a stored corpus, and its page."""

import json
import re
from collections.abc import Callable
from functools import partial
from html import unescape
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from analysis.analyses.corpus_inputs import corpus_texts
from analysis.analyses.references.corpus_statistics import shown_numbers
from analysis.models import Run
from annotate.models import Corpus
from formats import Reference, SentenceRecord
from jobs.worker import run_queued_jobs
from tests.analysis.described import corpus_with_edits
from tests.annotate.samples import SENTENCES, small_corpus
from tests.depth import DEEP
from tests.metrics.reference_data import lines

pytestmark = pytest.mark.any_database

Capture = pytest.CaptureFixture[str]

STEP = 1 if DEEP else 20
"""Of the sentences of GMEG each so manieth is counted: parsing all of them takes ten seconds a domain."""

EDITS = """\
S a b c d
A 0 1|||R:NOUN|||x|||REQUIRED|||-NONE-|||0
A 2 4|||R:OTHER|||y|||REQUIRED|||-NONE-|||0
A 0 1|||R:NOUN|||x|||REQUIRED|||-NONE-|||1

S a a
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A 2 2|||M:PUNCT|||.|||REQUIRED|||-NONE-|||1

"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "source").write_text("a b c d\na a\n")
    (tmp_path / "gold.m2").write_text(EDITS)
    return tmp_path


def statistics(capsys: Capture, *arguments: str) -> dict[str, Any]:
    call_command("corpus_statistics", *arguments, "--json")
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_preparing_sentences_can_be_stopped_before_each() -> None:
    sentences = [SentenceRecord("a b", {}, (Reference("anna", "a b", edits=()),), "", "")] * 3
    steps: list[None] = []
    texts = corpus_texts(sentences, parser=None, step=lambda: steps.append(None))
    assert len(steps) == len(sentences)
    texts.evaluation(lambda: steps.append(None))
    assert len(steps) == 2 * len(sentences)


def test_edits_of_an_m2_file_are_counted(folder: Path, capsys: Capture) -> None:
    found = statistics(capsys, "--source", "source", "--m2", "gold.m2")
    agreement = found.pop("agreement")
    assert found == {
        "complete": 2,
        "sentences": 2,
        "tokens": 3,
        "tokens_deviation": 1,
        "references": 4,
        "unchanged": 0.25,
        "edits": pytest.approx(4 / 3),
        "source_tokens_an_edit": 1,
        "corrected_tokens_an_edit": 1,
        "tokens_an_edit": 1.25,
        "type_token_ratio": pytest.approx(4 / 6),
        "by_annotator": {"0": [1, 0, 1], "1": [0, 2]},
        "categories": {"NOUN": 2, "OTHER": 1, "PUNCT": 1},
    }
    # The first annotator has one of the two edits of the other one, among two.
    assert agreement["0"] == {"precision": 0.5, "recall": 0.5, "f": 0.5}


@pytest.mark.parametrize("kind", ["R:NOUN", "Nn"], ids=["edits given", "edits extracted"])
def test_sentences_without_annotators_have_no_references(folder: Path, capsys: Capture, kind: str) -> None:
    (folder / "source").write_text("a b c d\na a\nx\n")
    (folder / "gold.m2").write_text(f"{EDITS.replace('R:NOUN', kind)}S x\n\n")
    found = statistics(capsys, "--source", "source", "--m2", "gold.m2")
    assert (found["sentences"], found["references"], found["unchanged"]) == (3, 4, 0.25)
    assert set(found["agreement"]) == {"0", "1"}


def test_the_tables_hold_the_same(folder: Path, capsys: Capture) -> None:
    call_command("corpus_statistics", "--source", "source", "--m2", "gold.m2")
    shown = capsys.readouterr().out
    assert "3.0 ± 1.0" in shown
    assert "25.0\N{NO-BREAK SPACE}%" in shown
    assert (
        "75 % of the references change their sentence, from 50 % to 100 % by annotator; "
        "those that do, by 1.3 edits on average" in shown.replace("\N{NO-BREAK SPACE}", " ")
    )
    assert "NOUN" in shown
    assert "F0.5" in shown


def test_references_come_as_texts_or_as_edits(folder: Path) -> None:
    for arguments in ((), ("--m2", "gold.m2", "--reference", "source")):
        with pytest.raises(CommandError, match="either --reference FILE or --m2 FILE"):
            call_command("corpus_statistics", "--source", "source", *arguments)


@pytest.mark.parametrize("domain", ["fce", "wiki"])
def test_development_data_of_gmeg_by_a_direct_count(
    reference_data: Path, tmp_path: Path, capsys: Capture, domain: str
) -> None:
    """The paper counts the test split too: fce 18 ± 10 tokens, 23 % unchanged; wiki 27 ± 13 and 19 %."""
    files = [tmp_path / name for name in ("source", "ref0", "ref1")]
    for file in files:
        chosen = lines(reference_data / "gmeg" / "dev" / domain / file.name)[::STEP]
        file.write_text("".join(f"{text}\n" for text in chosen))
    found = statistics(capsys, "--source", str(files[0]), "--reference", *map(str, files[1:]))
    sources, *corrected = map(lines, files)
    tokens = [token for text in sources for token in text.split()]
    same = [
        text.split() == source.split()
        for texts in corrected
        for source, text in zip(sources, texts, strict=True)
    ]
    assert found["sentences"] == len(sources)
    assert found["tokens"] == pytest.approx(len(tokens) / len(sources))
    assert found["unchanged"] == pytest.approx(fmean(same))
    assert found["type_token_ratio"] == pytest.approx(len(set(tokens)) / len(tokens))
    assert sum(found["categories"].values()) == pytest.approx(found["edits"] * same.count(False))


@pytest.mark.django_db
def test_the_page_and_its_figures_show_what_a_job_has_counted(researcher: Client) -> None:
    corpus = corpus_with_edits()
    address = f"{corpus.get_absolute_url()}analyses/corpus-statistics/"
    assert "It is computed from" in researcher.get(address).content.decode()
    assert researcher.get(f"{address}edit-types.svg").status_code == 404
    run_queued_jobs()
    shown = " ".join(unescape(re.sub("<[^>]*>", " ", researcher.get(address).content.decode())).split())
    for words in (
        "Tokens in a sentence, mean ± standard deviation 3.0 ± 1.0",
        "References without an edit 25",
        "noun NOUN 50.0 % 2",
        "punctuation PUNCT",
        "0 25.0 % 1",
        "0 0.500 0.500 0.500",
    ):
        assert words in shown
    drawn = researcher.get(f"{address}edit-types.svg").content.decode()
    assert {"noun", "punctuation", "50.0%"} <= set(re.findall(">([^<>]+)</text>", drawn))
    assert "words of other kinds" not in drawn


@pytest.mark.parametrize(
    ("references", "shown"),
    [
        ([1, 3], [("0", 1, 0.25), ("1", 3, 0.75)]),
        (
            [0, *[1] * 9, 4, 0, 7],
            [("0", 0, 0.0), *((str(edits), 1, 0.05) for edits in range(1, 10)), ("10+", 11, 0.55)],
        ),
    ],
)
def test_references_with_many_edits_share_a_row(
    references: list[int], shown: list[tuple[str, int, float]]
) -> None:
    assert shown_numbers(references) == shown


@pytest.mark.django_db
def test_file_corpus_and_the_command_for_files_count_the_same(folder: Path, capsys: Capture) -> None:
    corpus = corpus_with_edits()
    told = []
    for subject in ("gold.m2", corpus.name):
        call_command("analyse", "corpus-statistics", subject, "--json")
        told.append(json.loads(capsys.readouterr().out))
    by_files = statistics(capsys, "--source", "source", "--m2", "gold.m2")
    assert told[0]["statistics"] == told[1]["statistics"] == by_files
    assert told[0]["signature"] == told[1]["signature"]
    assert (
        "corpus-statistics|rule:3|gold:given|refs:2|edits:given|pipeline:none|corpus:" in told[0]["signature"]
    )
    assert Run.objects.get().corpus == corpus


@pytest.mark.django_db
def test_texts_without_edits_are_parsed_and_the_signature_says_by_what(capsys: Capture) -> None:
    call_command("analyse", "corpus-statistics", small_corpus().name)
    shown = capsys.readouterr().out
    assert "gold:extracted|refs:0-2" in shown
    assert "pipeline:assay_en_ewt" in shown
    assert "VERB:SVA" in shown


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("make", "gold", "why"),
    [
        (partial(corpus_with_edits, language="de"), "extracted", "Assay parses English only"),
        (small_corpus, "given", "gold edits should be taken as given, but there are none"),
        (partial(small_corpus, sentences=SENTENCES[3:]), "auto", "the corpus has no references: import it"),
    ],
)
def test_edits_that_cannot_be_had_are_told_of(make: Callable[[], Corpus], gold: str, why: str) -> None:
    with pytest.raises(CommandError, match=why):
        call_command("analyse", "corpus-statistics", make().name, "--gold", gold)
