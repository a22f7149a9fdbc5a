"""The public data that the project reproduces can be imported: CoNLL-2014 outputs and GJG15 judgments."""

from collections import Counter
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pandas as pd
import pytest
from django.core.management import call_command
from django.db import transaction
from pytest_django import DjangoDbBlocker

from annotate.corpora import queries as corpora_queries
from annotate.judgments import queries as judgments_queries
from annotate.models import Campaign, Corpus, Reference
from formats import read_judgments
from formats.snapshot.resolution import resolve
from formats.snapshot.snapshots import frame_of_file, frame_of_judgments
from ranking import (
    HeadToHead,
    Unit,
    agreement,
    annotator_counts,
    count_pairs,
    expanded_pairs,
    expected_wins,
    group_pairs,
    head_to_head,
)

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


@pytest.fixture(scope="module")
def imported(
    reference_data: Path, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[str]:
    """Both are imported once for all tests here. Returns what the import of the judgments says."""
    with django_db_blocker.unblock(), transaction.atomic():
        output = StringIO()
        import_all(reference_data, output)
        yield output.getvalue()
        transaction.set_rollback(True)


def import_all(reference_data: Path, output: StringIO) -> None:
    outputs = reference_data / "conll14" / "outputs"
    systems = [str(path) for path in sorted(outputs.iterdir())]
    references = reference_data / "conll14" / "official-2014.combined.m2"
    options = ["--system", *systems, "--role", "INPUT=source", "--m2", str(references)]
    call_command("import_corpus", "conll14", "--language", "en", "--source", str(outputs / "INPUT"), *options)
    judgments = reference_data / "gjg15" / "judgments.xml"
    call_command("import_judgments", "gjg15", str(judgments), "--corpus", "conll14", stdout=output)


@pytest.fixture
def conll14(imported: str) -> Corpus:
    return Corpus.objects.get()


@pytest.fixture
def gjg15(imported: str) -> Campaign:
    assert "2,306 rankings checked: all agree with the texts of corpus 'conll14'" in imported
    return Campaign.objects.get()


def exported(file_format: str, folder: Path) -> Path:
    """GJG15 in a file."""
    file = folder / f"{file_format}.file"
    call_command("export_judgments", "gjg15", "--format", file_format, "--names", "--output", str(file))
    return file


def without_ids(snapshot: pd.DataFrame) -> bytes:
    """The snapshot as bytes, its judgments numbered and its campaign left out."""
    numbers = pd.factorize(snapshot["judgment"])[0]
    return snapshot.assign(judgment=numbers).drop(columns="campaign").to_csv().encode()


def rankings(snapshot: pd.DataFrame) -> bytes:
    """All that is computed from a snapshot of rankings."""
    counts = count_pairs(snapshot)
    return repr(
        (expected_wins(counts), duels(snapshot), annotator_counts(snapshot), agreement(snapshot))
    ).encode()


def duels(snapshot: pd.DataFrame) -> HeadToHead:
    return head_to_head(group_pairs(snapshot, Unit.SENTENCE))


def test_gjg15_goes_out_and_comes_in_again_with_equal_bytes(gjg15: Campaign, tmp_path: Path) -> None:
    before = judgments_queries.snapshot(gjg15, names=True)
    call_command("import_judgments", "again", str(exported("appraise", tmp_path)), "--corpus", "conll14")
    after = judgments_queries.snapshot(Campaign.objects.get(name="again"), names=True)
    assert rankings(after) == rankings(before)
    assert without_ids(after) == without_ids(before)
    for table in ("csv", "jsonl", "parquet"):
        assert without_ids(frame_of_file(exported(table, tmp_path))) == without_ids(before)


@pytest.mark.deep
def test_wmt_csv_of_gjg15_has_its_expanded_pairs(gjg15: Campaign, tmp_path: Path) -> None:
    before = expected_wins(count_pairs(judgments_queries.snapshot(gjg15, names=True)))
    file = exported("wmt-csv", tmp_path)
    of_corpus = resolve(read_judgments(file), file, texts=corpora_queries.texts(gjg15.corpus))
    for after in (frame_of_file(file), frame_of_judgments(of_corpus, campaign="again")):
        assert len(expanded_pairs(after)) == 109_098  # GJG15, Table 1
        assert expected_wins(count_pairs(after)) == before


def test_conll14_has_its_sentences_systems_and_references(conll14: Corpus) -> None:
    assert conll14.sentences.count() == 1312
    assert conll14.systems.count() == 13
    assert conll14.systems.get(role="source").name == "INPUT"
    annotators = Reference.objects.values_list("annotator", flat=True).order_by("annotator").distinct()
    assert list(annotators) == ["0", "1"]


def test_conll14_collapses_as_the_published_counts_say(conll14: Corpus, reference_data: Path) -> None:
    published = {}
    for line in (reference_data / "gjg15" / "distinct-outputs.txt").read_text().splitlines():
        number, distinct, multiplicities = line.split("\t")
        published[int(number)] = sorted(int(systems) for systems in multiplicities.split())
        assert len(published[int(number)]) == int(distinct)
    shapes = corpora_queries.multiplicities(conll14, roles=("system",))
    assert {number: sorted(shape) for number, shape in enumerate(shapes, start=1)} == published


@pytest.mark.any_database
def test_gjg15_agrees_with_the_texts_and_ranks_as_the_file(gjg15: Campaign, reference_data: Path) -> None:
    states = Counter(gjg15.judgments.values_list("state", flat=True))
    assert states == {"complete": 2279, "auto": 27, "skipped": 13}
    assert gjg15.annotators.count() == 8
    stored, read = (
        judgments_queries.snapshot(gjg15, names=True),
        frame_of_file(reference_data / "gjg15" / "judgments.xml"),
    )
    counts, expected = count_pairs(stored), count_pairs(read)
    assert expected_wins(counts) == expected_wins(expected)
    assert duels(stored) == duels(read)
    assert annotator_counts(stored) == annotator_counts(read)
    assert agreement(stored) == agreement(read)
