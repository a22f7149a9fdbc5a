"""Corpora of essays: from MultiGEC's files and back by commands, and errors that change nothing."""

from pathlib import Path

import pytest
from django.core.management import call_command

from annotate.models import Corpus, Reference, System
from formats.multigec import read_essays
from tests.annotate.commands.files import refusal, write
from tests.annotate.tables import contents

pytestmark = pytest.mark.django_db

ORIGINAL = "### essay_id = a\nJá mám pes .\n\nJe hezká .\n\n### essay_id = b\nDobrý den .\n"
FILES = {
    "cs-own-orig-dev.md": ORIGINAL,
    "cs-own-ref1-dev.md": ORIGINAL.replace("pes", "psa").replace("hezká", "hezký"),
    "cs-own-ref2-dev.md": "### essay_id = b\nDobrý den !\n",
    "cs-own-hypo1-dev.md": "### essay_id = a\nJá mám psa . Je hezká .\n",
}


@pytest.fixture
def essays(tmp_path: Path) -> Path:
    folder = tmp_path / "essays"
    folder.mkdir()
    write(folder, FILES)
    return folder


def test_a_folder_of_essays_comes_back_as_it_was(
    essays: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    late = tmp_path / "late.md"
    late.write_text(ORIGINAL, encoding="utf-8")
    call_command("import_corpus", "own", "--essays", str(essays), "--system", f"LATE={late}")
    corpus = Corpus.objects.get()
    assert (corpus.language, corpus.sentence_count) == ("cs", 2)
    assert corpus.sentences.get(position=0).text == "Já mám pes . ¶  ¶ Je hezká ."
    assert set(System.objects.values_list("name", flat=True)) == {"hypo1", "LATE"}
    assert Reference.objects.count() == 3
    before = contents()
    call_command("import_corpus", "own", "--essays", str(essays), "--system", f"LATE={late}")
    assert contents() == before

    capsys.readouterr()
    call_command("export_essays", "own", str(tmp_path / "back"), "--essays", "cs-own-dev")
    assert capsys.readouterr().out.splitlines() == [
        "cs-own-hypo2-dev.md has the texts of LATE.",
        "2 essays in 5 files.",
    ]
    back = {path.name: read_essays(path) for path in (tmp_path / "back").iterdir()}
    late.rename(essays / "cs-own-hypo2-dev.md")
    assert {name: {key: text for key, (_, text) in read.items()} for name, read in back.items()} == {
        path.name: {key: text for key, (_, text) in read_essays(path).items()} for path in essays.iterdir()
    }
    again = refusal("export_essays", "own", str(tmp_path / "back"), "--essays", "cs-own-dev")
    assert again.endswith("cs-own-orig-dev.md exists. Name another folder.")


def test_faults_name_the_file_and_change_nothing(essays: Path, tmp_path: Path) -> None:
    before = contents()
    (essays / "cs-own-hypo1-dev.md").write_text("### essay_id = a\nText ¶\n", encoding="utf-8")
    said = refusal("import_corpus", "own", "--essays", str(essays))
    assert "cs-own-hypo1-dev.md:2: the character ¶" in said
    said = refusal("import_corpus", "own", "--essays", str(essays), "--m2", "gold.m2")
    assert said.startswith("--m2 is for parallel text; --essays contains everything")
    assert contents() == before


def test_sentences_that_are_no_whole_essays_are_not_exported(tmp_path: Path) -> None:
    write(tmp_path, {"source.txt": "Ja .\nNe .\n", "documents.txt": "a\na\n"})
    source = ("--source", str(tmp_path / "source.txt"))
    call_command("import_corpus", "lines", *source)
    call_command("import_corpus", "parts", *source, "--documents", str(tmp_path / "documents.txt"))
    for name, said in (
        ("lines", "A sentence has no document"),
        ("parts", "Several sentences are of document"),
    ):
        assert refusal("export_essays", name, str(tmp_path / "out"), "--essays", "cs-own-dev").startswith(
            said
        )
    assert not (tmp_path / "out").exists()
