import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotate.corpora import importing
from annotate.models import Corpus, Production, Reference, Sentence, System
from tests.annotate.commands.files import FILES, PARALLEL, refusal, write
from tests.annotate.faults import fail_at, press_ctrl_c
from tests.annotate.tables import contents

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("folder")]


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """The lines that the command prints; warnings are left to the test."""
    call_command("import_corpus", *arguments)
    return capsys.readouterr().out.splitlines()


# --- What is imported -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "stored"),
    [((), "tokens"), (("--tokenisation", "running"), "running"), (("--tokenisation", "unstated"), "")],
)
def test_tokenisation_is_detected_or_stated(options: tuple[str, ...], stored: str) -> None:
    call_command("import_corpus", "letters", *PARALLEL, *options)
    assert Corpus.objects.get().tokenisation == stored


def test_parallel_text() -> None:
    options = ["--m2", "gold.m2", "--reference", "mary=annotator.txt"]
    options += ["--documents", "documents.txt", "--domains", "domains.txt", "--language", "en-GB"]
    call_command("import_corpus", "letters", *PARALLEL, *options)
    corpus = Corpus.objects.get()
    assert (corpus.name, corpus.language, corpus.state) == ("letters", "en-GB", "ready")
    assert list(corpus.sentences.values_list("text", "document", "domain")) == [
        ("She go home .", "letter", "private"),
        ("I has two cat .", "letter", "private"),
        ("It is fine .", "report", "work"),
    ]
    assert dict(corpus.systems.values_list("name", "role")) == {
        "INPUT": "source",
        "Alder": "system",
        "Birch": "system",
    }
    birch = Production.objects.filter(system__name="Birch").order_by("sentence__position")
    assert list(birch.values_list("output__text", flat=True)) == ["She goes home .", "", "It is fine ."]
    references = Reference.objects.filter(sentence__position=1).order_by("annotator")
    assert list(references.values_list("annotator", "text", "edits")) == [
        (
            "0",
            "I have two cats .",
            [[1, 2, "Vform", ["have"], "REQUIRED", "-NONE-"], [3, 4, "Nn", ["cats"], "REQUIRED", "-NONE-"]],
        ),
        ("mary", "I have two cats .", None),
    ]


def test_a_name_that_is_no_identifier_is_a_label(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--system", "Model A (large)=Alder", "Birch", "--role", "Model A (large)=control"]
    call_command("import_corpus", "letters", "--source", "source.txt", *options)
    assert "System 'Model A (large)' has the identifier Model-A-large." in capsys.readouterr().out
    assert set(System.objects.values_list("name", "label", "role")) == {
        ("Model-A-large", "Model A (large)", "control"),
        ("Birch", "", "system"),
    }


def test_families_are_stated_by_name_or_label() -> None:
    options = ["--system", "Model A (large)=Alder", "Birch", "--family", "Model A (large)=GPT"]
    call_command("import_corpus", "letters", "--source", "source.txt", *options)
    assert set(System.objects.values_list("name", "family")) == {("Model-A-large", "GPT"), ("Birch", "")}
    with pytest.raises(CommandError, match="different content or import options"):
        call_command("import_corpus", "letters", "--source", "source.txt", *options[:-2])


def test_a_copy_of_the_source_is_pointed_out(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("import_corpus", "letters", *PARALLEL[:-2])
    assert "INPUT is identical to the source: --role INPUT=source" in capsys.readouterr().out


def test_json_lines() -> None:
    call_command("import_corpus", "letters", "--jsonl", "corpus.jsonl", "--role", "Birch=control")
    assert list(Sentence.objects.values_list("text", "document")) == [
        ("She go home .", ""),
        ("I has two cat .", "letter"),
        ("It is fine .", ""),
    ]
    assert Production.objects.filter(system__name="Birch").count() == 2
    assert System.objects.get(name="Birch").role == "control"
    assert Reference.objects.get().annotator == "0"


def test_texts_that_differ_by_blanks_around_them_are_one_output(folder: Path) -> None:
    write(folder, {"Birch": "\t She goes home .  \r\nI have two cats .\u3000\r\nIt is fine .\r\n"})
    call_command("import_corpus", "letters", *PARALLEL)
    outputs = Sentence.objects.get(position=0).outputs.order_by("text")
    assert [output.text for output in outputs] == ["She go home .", "She goes home ."]
    assert Sentence.objects.get(position=1).outputs.count() == 2


def test_source_sentences_alone_are_a_corpus() -> None:
    call_command("import_corpus", "letters", "--source", "source.txt")
    assert Sentence.objects.count() == 3
    assert not System.objects.exists()


def test_a_system_is_named_by_its_file_or_by_hand() -> None:
    call_command("import_corpus", "letters", "--source", "source.txt", "--system", "My-2=Alder", "INPUT")
    assert set(System.objects.values_list("name", flat=True)) == {"My-2", "INPUT"}


# --- What is said ---------------------------------------------------------------------------------


def test_an_import_reports_its_counts(capsys: pytest.CaptureFixture[str]) -> None:
    documents = ["--documents", "documents.txt"]
    assert said(capsys, "letters", *PARALLEL, "--m2", "gold.m2", *documents) == [
        "Corpus 'letters' (und): 3 sentences, 3 systems, 6 distinct outputs, 3 references, 2 documents. "
        "Tokens: punctuation stands between blanks.",
        "Imported.",
    ]


def test_a_dry_run_reports_the_plan_and_stores_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "letters", "--jsonl", "corpus.jsonl", "--dry-run") == [
        "Corpus 'letters' (und): 3 sentences, 2 systems, 4 distinct outputs, 1 reference, 1 document. "
        "Tokens: punctuation stands between blanks.",
        "Dry run: nothing was stored.",
    ]
    assert contents() == {}


def test_the_same_files_twice_change_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "letters", *PARALLEL)
    before = contents()
    for options in (PARALLEL, (*PARALLEL, "--dry-run")):
        assert said(capsys, "letters", *options)[-1] == "It has already been imported; nothing changed."
    assert contents() == before


def test_a_lenient_reading_warns_of_repairs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, {"gold.m2": FILES["gold.m2"].replace("A 3 4", "A 3 9")})
    options = ["letters", "--source", "source.txt", "--m2", "gold.m2"]
    assert refusal("import_corpus", *options) == "gold.m2:6: the span 3 9 is outside the sentence of 5 tokens"
    call_command("import_corpus", *options, "--lenient")
    assert capsys.readouterr().err.splitlines() == [
        "warning: gold.m2:6: the span 3 9 is outside the sentence of 5 tokens; clipped to 3 5"
    ]
    assert Reference.objects.get(sentence__position=1).text == "I have two cats"


def test_outputs_that_are_all_empty_are_warned_of(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, {"Alder": "\n\n\n", "Birch": "\nI have two cats .\n\n", "annotator.txt": "\n\n\n"})
    call_command("import_corpus", "letters", *PARALLEL, "--reference", "annotator.txt", "--dry-run")
    assert capsys.readouterr().err.splitlines() == [
        "warning: System Alder: all outputs are empty (3 sentences).",
        "warning: Annotator annotator: all references are empty (3 sentences).",
    ]


# --- What is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (
            {"Alder": "One .\n"},
            "Alder:2: 1 lines, but 3 in the source source.txt: line 2 is missing in Alder",
        ),
        ({"Alder": "A\nB\nC\nD\n"}, "Alder:4: 4 lines, but 3 in the source source.txt: line 4 is missing in"),
        ({"source.txt": "A\n\nB\n"}, "source.txt:2: the source sentence is empty"),
        ({"source.txt": ""}, "source.txt: the file is empty"),
        ({"Alder": b"A\nB\nI \xff .\n"}, "Alder:3: invalid UTF-8 at byte offset 6 (byte 0xFF)"),
        ({"Alder": "A\nB \x00\nC\n"}, "Alder:2: the control character U+0000"),
        ({"gold.m2": FILES["gold.m2"].replace("S It", "S it")}, "gold.m2:8: the tokens of sentence 3 differ"),
        ({"gold.m2": FILES["gold.m2"].replace("A 3 4", "A 4 3")}, "gold.m2:6: the span 4 3 is backwards"),
        ({"documents.txt": "one\n\ntwo\n"}, "documents.txt:2: the document id is empty"),
    ],
)
def test_a_faulty_file_is_named_with_line_and_cause_and_leaves_nothing(
    files: dict[str, str | bytes], message: str, folder: Path
) -> None:
    write(folder, files)
    said = refusal("import_corpus", "x", *PARALLEL, "--m2", "gold.m2", "--documents", "documents.txt")
    assert said.startswith(message)
    assert contents() == {}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "Give one of --source, for parallel text, --jsonl, --answers and --essays."),
        (["--source", "source.txt", "--jsonl", "corpus.jsonl"], "Give one of --source"),
        (["--jsonl", "corpus.jsonl", "--m2", "gold.m2"], "--m2 is for parallel text"),
        (["--answers", "pilot.tsv", "--m2", "gold.m2"], "--m2 is for parallel text; --answers contains"),
        (["--answers", "gold.m2"], "gold.m2:1: the heading needs the columns sentence, and correction or"),
        (["--jsonl", "corpus.jsonl", "--lenient"], "--lenient is for parallel text"),
        (["--jsonl", "gold.m2"], "gold.m2:1: invalid JSON"),
        (["--source", "nowhere.txt"], "nowhere.txt: no such file"),
        (["--source", "."], ".: this is not a regular file"),
        (
            ["--source", "source.txt", "--system", "two words=Alder", "two-words=Birch"],
            "“two words” and “two-words” have the same identifier, two-words.",
        ),
        (
            ["--source", "source.txt", "--system", "A=Alder", "a=Birch"],
            "The identifiers A and a differ only in case, so on some computers files with these names "
            "overwrite each other. Rename one with NAME=FILE.",
        ),
        (
            ["--source", "source.txt", "--system", "\u202etxet=Alder"],
            "System 'txet': The label contains the character U+202E, which changes the writing direction",
        ),
        (
            ["--source", "source.txt", "--system", "A=Alder", "A=Birch"],
            "'A' is given twice: Alder and Birch.",
        ),
        ([*PARALLEL, "--role", "Alder=boss"], "'boss' is not a role; the roles are system, source"),
        ([*PARALLEL, "--family", "Oak=GPT"], "There is no system 'Oak' for the family 'GPT'"),
        (
            [*PARALLEL, "--family", "Alder=a\u202eb"],
            "System 'Alder': The family contains the character U+202E",
        ),
        ([*PARALLEL, "--role", "Oak=control"], "There is no system 'Oak' for the role control"),
        (
            ["--source", "source.txt", "--role", "INPUT=source"],
            "There is no system 'INPUT' for the role source",
        ),
        ([*PARALLEL[:-1], "Alder=source"], "System 'Alder' cannot be the source: it changes sentence 1."),
        (
            [*PARALLEL, "--language", "English!"],
            "language: “English!” is not a BCP 47 language tag. Enter a tag such as en or de-AT.",
        ),
    ],
)
def test_options_that_do_not_fit_are_explained_and_leave_nothing(options: list[str], message: str) -> None:
    assert refusal("import_corpus", "x", *options).startswith(message)
    assert contents() == {}


@pytest.mark.parametrize(
    ("systems", "message"),
    [
        (("Alder", "ALDER"), "The identifiers Alder and ALDER differ only in case"),
        (("NUL",), "System 'NUL': The identifier NUL is reserved by Windows: no file can have this name."),
        (("..",), "System '..': The identifier .. ends with a dot, which Windows drops from names of files."),
    ],
)
def test_identifiers_that_cannot_name_files_are_refused(
    systems: tuple[str, ...], message: str, folder: Path
) -> None:
    outputs = json.dumps({"source": "One .", "outputs": dict.fromkeys(systems, "One .")})
    write(folder, {"corpus.jsonl": outputs})
    assert refusal("import_corpus", "x", "--jsonl", "corpus.jsonl").startswith(message)
    assert contents() == {}


def test_a_file_whose_name_is_reserved_gets_another_identifier(folder: Path) -> None:
    write(folder, {"CON.txt": FILES["Alder"]})
    call_command("import_corpus", "x", "--source", "source.txt", "--system", "CON.txt")
    assert System.objects.values_list("name", "label").get() == ("system-CON", "CON")


def test_an_empty_name_is_explained() -> None:
    assert refusal("import_corpus", "", *PARALLEL) == "name: This field cannot be blank."


def test_other_content_under_the_same_name_is_refused() -> None:
    call_command("import_corpus", "letters", *PARALLEL)
    before = contents()
    message = refusal("import_corpus", "letters", "--jsonl", "corpus.jsonl")
    assert message.startswith("A corpus named 'letters' already exists, with different content")
    assert contents() == before


def test_a_role_needs_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CommandError, match="'source' is not of the form NAME=ROLE"):
        call_command("import_corpus", "x", *PARALLEL, "--role", "source")


# --- What is interrupted --------------------------------------------------------------------------


def shut_down() -> None:
    os.kill(os.getpid(), signal.SIGTERM)


@pytest.mark.parametrize("interrupt", [press_ctrl_c, shut_down])
def test_an_interrupted_import_says_so_and_leaves_nothing(
    interrupt: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "SENTENCES_PER_PIECE", 1)
    fail_at(monkeypatch, Production, 3, interrupt)
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(CommandError, match="Interrupted: nothing was imported") as error:
        call_command("import_corpus", "letters", *PARALLEL)
    assert error.value.returncode == 130
    assert contents() == {}
    assert signal.getsignal(signal.SIGTERM) == before
