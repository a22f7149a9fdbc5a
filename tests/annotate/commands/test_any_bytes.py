"""Importing a file with any content gives a consistent corpus, or an error and nothing else."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.db.models import Count, F
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotate.models import Campaign, Corpus, ItemOutput, Output, Production, Rating
from formats.digests import text_digest
from tests.annotate.commands.files import FILES, PARALLEL, write
from tests.annotate.tables import contents
from tests.depth import examples

CORPUS_OPTIONS = ("import_corpus", "x", *PARALLEL, "--m2", "gold.m2", "--documents", "documents.txt")
IMPORTS = {
    "source": ("source.txt", CORPUS_OPTIONS),
    "system": ("Alder", CORPUS_OPTIONS),
    "references": ("gold.m2", CORPUS_OPTIONS),
    "lenient references": ("gold.m2", (*CORPUS_OPTIONS, "--lenient")),
    "documents": ("documents.txt", CORPUS_OPTIONS),
    "JSON Lines": ("corpus.jsonl", ("import_corpus", "x", "--jsonl", "corpus.jsonl")),
    "XML": ("judgments.xml", ("import_judgments", "x", "judgments.xml")),
    "XML of a corpus": ("judgments.xml", ("import_judgments", "x", "judgments.xml", "--corpus", "letters")),
    "CSV": ("judgments.csv", ("import_judgments", "x", "judgments.csv")),
    "CSV of a corpus": ("judgments.csv", ("import_judgments", "x", "judgments.csv", "--corpus", "letters")),
}

anything = st.binary(max_size=100) | st.text(max_size=50).map(str.encode)
fragment = st.sampled_from(
    [b"", b" ", b"\n", b"\r\n", b"\0", b"\xff", b"\xe2\x80\xa8", b"-1", b"9", b'"', b"<"]
)


@st.composite
def faulty(draw: st.DrawFn, content: str) -> bytes:
    """The content of a file with up to three places of it replaced."""
    raw = content.encode()
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(raw)))
        end = draw(st.integers(start, min(start + 5, len(raw))))
        raw = raw[:start] + draw(fragment | anything) + raw[end:]
    return raw


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("kind", IMPORTS)
@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_an_import_is_refused_and_leaves_nothing_or_is_consistent(
    kind: str, data: st.DataObject, folder: Path
) -> None:
    file, command = IMPORTS[kind]
    with transaction.atomic():
        write(folder, FILES)
        call_command("import_corpus", "letters", *PARALLEL)
        before = contents()
        write(folder, {file: data.draw(anything | faulty(FILES[file]), label=file)})
        try:
            call_command(*command)
        except CommandError:
            assert contents() == before
        else:
            check_corpora()
            check_campaigns()
        transaction.set_rollback(True)


def check_corpora() -> None:
    for corpus in Corpus.objects.filter(has_texts=True):
        assert corpus.state == "ready"
        texts = list(corpus.sentences.values_list("text", flat=True))
        assert texts
        assert all(text and text == text.strip() for text in texts)
        assert list(corpus.sentences.values_list("position", flat=True)) == list(range(len(texts)))
    assert not Production.objects.exclude(sentence=F("output__sentence")).exists()
    assert not Production.objects.exclude(system__corpus=F("sentence__corpus")).exists()
    systems = Production.objects.values("sentence", "system")
    assert not systems.annotate(outputs=Count("pk")).filter(outputs__gt=1).exists()
    outputs = Output.objects.filter(sentence__corpus__has_texts=True)
    assert not outputs.filter(productions=None).exists()
    for output in outputs:
        assert output.text == str(output).strip()
        assert output.digest == text_digest(output.text)


def check_campaigns() -> None:
    for campaign in Campaign.objects.all():
        assert campaign.state == "imported"
        assert campaign.corpus.state == "ready"
        assert campaign.items.exists()
        assert not campaign.items.filter(judgments=None).exists()
        assert not campaign.items.exclude(sentence__corpus=campaign.corpus).exists()
    assert not Rating.objects.exclude(item_output__item=F("revision__judgment__item")).exists()
    shown = ItemOutput.objects.all()
    assert not shown.exclude(output__sentence=F("item__sentence")).exists()
    for row in shown.filter(item__campaign__corpus__has_texts=True):
        assert set(row.systems) <= set(row.output.systems.values_list("name", flat=True))
