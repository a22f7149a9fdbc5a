"""Corpora of essays: from MultiGEC's files and back by commands, and errors that change nothing."""

from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from annotate.models import Corpus, Reference, System, SystemScore
from annotate.scores.evaluation import evaluation_set
from annotate.scores.queries import current_sets
from formats.multigec import read_essays
from jobs.worker import run_queued_jobs
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
    assert (corpus.language, corpus.sentence_count, corpus.holds_essays) == ("cs", 2, True)
    assert corpus.sentences.get(position=0).text == "Já mám pes . ¶ ¶ Je hezká ."
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


LONG = "\n\n".join(["Můj den", *(" ".join(f"Slovo{n}" for n in range(200)) + " ." for _ in range(10))])


def test_files_of_essays_come_back_byte_for_byte(tmp_path: Path) -> None:
    """Two thousand words each, with a last line end as the shared task writes them."""
    given, back = tmp_path / "given", tmp_path / "back"
    given.mkdir()
    write(
        given,
        {
            f"cs-own-{name}-test.md": "".join(
                f"### essay_id = {essay}\n{LONG.replace('Slovo7 ', change)}\n\n" for essay in essays
            )
            for name, essays, change in (
                ("orig", ("1", "x 2"), "Slovo7 "),
                ("ref1", ("1", "x 2"), "slova "),
                ("hypo1", ("1", "x 2"), ""),
                ("hypo2", ("x 2",), "slovo\n\n \n  a "),
            )
        },
    )
    call_command("import_corpus", "own", "--essays", str(given))
    call_command("export_essays", "own", str(back), "--essays", "cs-own-test")
    assert {path.name: path.read_bytes() for path in back.iterdir()} == {
        path.name: path.read_bytes() for path in given.iterdir()
    }


def test_parallel_text_with_line_ends_is_a_corpus_of_essays(tmp_path: Path) -> None:
    write(tmp_path, {"essays.txt": "Ja . ¶ Ne .\nAno .\n", "sentences.txt": "Ja .\nA¶b .\n"})
    for name in ("essays", "sentences"):
        call_command("import_corpus", name, "--source", str(tmp_path / f"{name}.txt"))
    assert dict(Corpus.objects.values_list("name", "holds_essays")) == {"essays": True, "sentences": False}


def test_systems_and_references_join_as_files_of_essays(essays: Path, tmp_path: Path) -> None:
    call_command("import_corpus", "own", "--essays", str(essays))
    write(
        tmp_path,
        {
            "LATE.md": "### essay_id = b\nDobrý den !\n",
            "fluent.md": "### essay_id = a\nMám psa .\n\nJe hezký .\n",
            "other.md": "### essay_id = c\nNe .\n",
            "lines": "Ne .\nNe .\n",
        },
    )
    late, fluent = str(tmp_path / "LATE.md"), str(tmp_path / "fluent.md")
    other, lines = str(tmp_path / "other.md"), str(tmp_path / "lines")
    assert "corpus own has no essay 'c'" in refusal("add_to_corpus", "own", "--system", other)
    assert "give both in two additions" in refusal("add_to_corpus", "own", "--system", late, lines)
    call_command("add_to_corpus", "own", "--system", late, "--reference", fluent)
    assert System.objects.get(name="LATE").outputs.get().text == "Dobrý den !"
    assert Reference.objects.get(annotator="fluent").text == "Mám psa . ¶ ¶ Je hezký ."


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


# --- Styles of references -----------------------------------------------------------------------------

DESCRIBED = (
    "reference_essays_1:\n  correction_style: minimal\nreference_essays_2:\n  correction_style: fluency\n"
)


@pytest.fixture
def styled(essays: Path) -> Corpus:
    """Two essays with a minimal reference of both and a fluent one of the second."""
    (essays / "metadata.yaml").write_text(DESCRIBED)
    call_command("import_corpus", "styled", "--essays", str(essays))
    return Corpus.objects.get()


def names_of_scores(corpus: Corpus) -> list[str]:
    return [score_set.name for score_set in current_sets(corpus)]


def test_systems_are_scored_against_one_style(styled: Corpus, capsys: pytest.CaptureFixture[str]) -> None:
    assert styled.reference_styles == {"ref1": "minimal", "ref2": "fluency"}
    call_command("score_corpus", "styled", "--metric", "gleu", "ld-source")
    for style in ("minimal", "fluency"):
        call_command("score_corpus", "styled", "--metric", "gleu", "ld-source", "--style", style)
    assert "GLEU (references=fluency)" in capsys.readouterr().out
    assert names_of_scores(styled) == [
        "gleu",
        "ld-source",
        "gleu:references=minimal",
        "gleu:references=fluency",
    ]
    by_name = {each.name: each for each in current_sets(styled)}
    assert [by_name[name].references for name in ("gleu", "gleu:references=minimal")] == ["1-2", "1"]
    assert evaluation_set(styled, style="fluency").references == ((), ("Dobrý den !",))
    assert "styles are: fluency, minimal" in refusal(
        "score_corpus", "styled", "--metric", "gleu", "--style", "free"
    )


def test_the_page_and_the_api_offer_styles(styled: Corpus, researcher: Client) -> None:
    address = f"{styled.get_absolute_url()}scores/"
    assert "<option>minimal</option>" in researcher.get(f"{address}?choose").content.decode()
    researcher.post(f"{address}compute/", {"metric": "gleu", "style": "minimal"})
    run_queued_jobs()
    assert names_of_scores(styled) == ["gleu:references=minimal"]
    assert "GLEU (references=minimal)" in researcher.get(address).content.decode()
    refused = researcher.post(f"{address}compute/", {"metric": "gleu", "style": "free"})
    assert refused.status_code == 422
    assert "Choose a style" in refused.content.decode()


def test_a_system_that_joins_is_scored_by_style_too(styled: Corpus, tmp_path: Path) -> None:
    call_command("score_corpus", "styled", "--metric", "gleu", "--style", "minimal")
    late = tmp_path / "LATE"
    late.write_text("Já mám psa . ¶ ¶ Je hezký .\nDobrý den .\n", encoding="utf-8")
    call_command("add_to_corpus", "styled", "--system", str(late))
    run_queued_jobs()
    score = SystemScore.objects.get(system__name="LATE")
    assert (score.score_set.name, score.value) == ("gleu:references=minimal", 1)
