"""The public data that the project reproduces goes in whole: CoNLL-2014 outputs and GJG15 judgments."""

from collections import Counter
from pathlib import Path

import pytest
from django.core.management import call_command

from annotate import queries
from annotate.models import Campaign, Corpus, Reference
from annotate.snapshots import frame_of_file
from ranking import agreement, count_pairs, expected_wins, head_to_head, judge_counts

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


@pytest.fixture
def conll14(reference_data: Path) -> Corpus:
    outputs = reference_data / "conll14" / "outputs"
    systems = [str(path) for path in sorted(outputs.iterdir())]
    references = reference_data / "conll14" / "official-2014.combined.m2"
    options = ["--system", *systems, "--role", "INPUT=source", "--m2", str(references)]
    call_command("import_corpus", "conll14", "--language", "en", "--source", str(outputs / "INPUT"), *options)
    return Corpus.objects.get()


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
    shapes = queries.multiplicities(conll14, roles=("system",))
    assert {number: sorted(shape) for number, shape in enumerate(shapes, start=1)} == published


def test_gjg15_agrees_with_the_texts_and_ranks_as_the_file(
    conll14: Corpus, reference_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = reference_data / "gjg15" / "judgments.xml"
    call_command("import_judgments", "gjg15", str(path), "--corpus", "conll14")
    assert "2,306 rankings checked: all agree with the texts of corpus 'conll14'" in capsys.readouterr().out
    campaign = Campaign.objects.get()
    states = Counter(queries.judgments(campaign).values_list("state", flat=True))
    assert states == {"complete": 2279, "auto": 27, "skipped": 13}
    assert campaign.annotators.count() == 8
    stored, read = queries.snapshot(campaign), frame_of_file(path)
    counts, expected = count_pairs(stored), count_pairs(read)
    assert expected_wins(counts) == expected_wins(expected)
    assert head_to_head(counts) == head_to_head(expected)
    assert judge_counts(stored) == judge_counts(read)
    assert agreement(stored) == agreement(read)
