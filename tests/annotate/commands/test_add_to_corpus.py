"""The command `add_to_corpus`."""

from pathlib import Path

import pytest
from django.core.management import call_command

from annotate.models import Reference, System
from tests.annotate.commands.files import PARALLEL, refusal

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def corpus(folder: Path) -> None:
    """The corpus without Birch."""
    call_command("import_corpus", "letters", *PARALLEL[:4], "--role", "INPUT=source")


def test_files_are_checked_and_added(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("add_to_corpus", "letters", "--system", "Birch", "Ulme=Alder", "--dry-run")
    assert "Dry run: nothing was stored." in capsys.readouterr().out
    assert System.objects.count() == 1
    call_command("add_to_corpus", "letters", "--system", "Birch", "Ulme=Alder", "--m2", "gold.m2")
    out = capsys.readouterr().out
    assert "gets 2 systems (3 new outputs, 1 that other systems have produced too) and 3 references" in out
    assert "Imported." in out
    assert set(System.objects.values_list("name", flat=True)) == {"INPUT", "Birch", "Ulme"}
    assert Reference.objects.filter(annotator="0", edits__isnull=False).count() == 3
    call_command("add_to_corpus", "letters", "--system", "Birch")
    assert "nothing changed" in capsys.readouterr().out


def test_roles_and_whole_files() -> None:
    call_command("add_to_corpus", "letters", "--jsonl", "corpus.jsonl", "--role", "Birch=control")
    assert System.objects.get(name="Birch").role == "control"
    assert "--system is for parallel text" in refusal(
        "add_to_corpus", "letters", "--jsonl", "corpus.jsonl", "--system", "Alder"
    )
    assert "no system 'Elm' in the files" in refusal(
        "add_to_corpus", "letters", "--system", "Alder", "--role", "Elm=control"
    )


def test_a_wrong_file_is_named() -> None:
    assert "Birch" in refusal("add_to_corpus", "letters", "--system", "Birch=documents.txt", "Birch=Birch")
    assert "gold.m2:4: 9 lines, but 3 in the source corpus letters" in refusal(
        "add_to_corpus", "letters", "--system", "Elm=gold.m2"
    )
    assert "There is no corpus 'other'" in refusal("add_to_corpus", "other", "--system", "Alder")
