from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotate.judgments.queries import compared_by
from annotate.models import Campaign, Corpus, Judgment, Rating
from tests.analysis.campaigns_with_error_spans import campaign_with_error_spans
from tests.annotate.commands.files import FILES, PARALLEL, refusal, write
from tests.annotate.faults import fail_at, press_ctrl_c
from tests.annotate.samples import small_corpus
from tests.annotate.suggested_marks import campaign_with_suggestions, marks_of, states_of
from tests.annotate.tables import contents
from tests.formats.spans.test_collected_spans import batches as appraise_batches
from tests.formats.spans.test_collected_spans import lines as pearmut_log
from tests.formats.spans.test_collected_spans import row as appraise_row
from tests.formats.spans.test_collected_spans import screen as pearmut_screen

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("folder")]

FILE = ("judged", "judgments.xml")
OF_LETTERS = ("--corpus", "letters")


@pytest.fixture
def letters(folder: Path) -> Corpus:
    call_command("import_corpus", "letters", *PARALLEL)
    return Corpus.objects.get()


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    capsys.readouterr()
    call_command("import_judgments", *arguments)
    return capsys.readouterr().out.splitlines()


def ranked(campaign: Campaign) -> list[tuple[int, str, list[tuple[int, str]]]]:
    """Sentence, judge and ranked outputs of each judgment."""
    return [
        (
            judgment.item.sentence.position,
            judgment.annotator.name,
            [
                (rating.rank or 0, " ".join(rating.item_output.systems))
                for rating in Rating.objects.filter(revision__judgment=judgment).order_by("position")
            ],
        )
        for judgment in Judgment.objects.filter(item__campaign=campaign).order_by("pk")
    ]


# --- What is imported -----------------------------------------------------------------------------


@pytest.mark.usefixtures("letters")
@pytest.mark.parametrize("options", [(), OF_LETTERS])
def test_appraise_xml(options: tuple[str, ...]) -> None:
    call_command("import_judgments", *FILE, *options)
    assert ranked(Campaign.objects.get()) == [
        (0, "anna", [(2, "INPUT"), (1, "Alder Birch")]),
        (1, "ben", [(1, "Alder"), (3, "Birch")]),
        (1, "anna", []),
        (2, "ben", [(1, "Alder Birch INPUT")]),
    ]


def test_systems_of_a_published_study_keep_names_that_a_new_corpus_may_not_have(folder: Path) -> None:
    rows = (
        "srcIndex,judgeID,system1Id,system1rank,system2Id,system2rank\n1,anna,AMU,1,amu,2\n1,ben,nul,1,A.,2\n"
    )
    write(folder, {"other.csv": rows})
    call_command("import_judgments", "judged", "other.csv")
    assert set(Corpus.objects.get().systems.values_list("name", flat=True)) == {"AMU", "amu", "nul", "A."}


def test_wmt_csv_without_a_corpus_keeps_systems_and_numbers_as_they_are() -> None:
    call_command("import_judgments", "judged", "judgments.csv")
    assert ranked(Campaign.objects.get()) == [
        (1, "anna", [(1, "Alder"), (1, "Birch"), (2, "INPUT")]),
        (2, "ben", [(1, "Alder"), (2, "INPUT")]),
    ]


@pytest.mark.usefixtures("letters")
def test_wmt_csv_with_a_corpus_takes_equal_texts_together_and_counts_from_one() -> None:
    call_command("import_judgments", "judged", "judgments.csv", *OF_LETTERS)
    assert ranked(Campaign.objects.get()) == [
        (0, "anna", [(1, "Alder Birch"), (2, "INPUT")]),
        (1, "ben", [(1, "Alder"), (2, "INPUT")]),
    ]


@pytest.mark.usefixtures("letters")
def test_the_number_of_the_first_sentence_can_be_told(folder: Path) -> None:
    write(folder, {"judgments.xml": FILES["judgments.xml"].replace('src-id="', 'src-id="10')})
    call_command("import_judgments", *FILE, *OF_LETTERS, "--first-sentence", "100")
    assert [sentence for sentence, _, _ in ranked(Campaign.objects.get())] == [0, 1, 1, 2]


@pytest.mark.parametrize(("options", "synthetic"), [((), False), (("--synthetic",), True)])
def test_simulated_judgments_are_labelled(options: tuple[str, ...], synthetic: bool) -> None:
    call_command("import_judgments", *FILE, *options)
    assert Campaign.objects.get().synthetic is synthetic


# --- What is said ---------------------------------------------------------------------------------


def test_an_import_reports_its_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, *FILE) == [
        "Campaign 'judged': 4 judgments (1 auto, 2 complete, 1 skipped) by 2 judges of 3 systems. "
        "No corpus was given, so outputs are identified by their systems only.",
        "Imported.",
    ]


@pytest.mark.usefixtures("letters")
def test_a_dry_run_checks_against_the_corpus_and_stores_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    before = contents()
    assert said(capsys, *FILE, *OF_LETTERS, "--dry-run") == [
        "Campaign 'judged': 4 judgments (1 auto, 2 complete, 1 skipped) by 2 judges of 3 systems. "
        "3 rankings checked: all agree with the texts of corpus 'letters'.",
        "Dry run: nothing was stored.",
    ]
    assert contents() == before


@pytest.mark.usefixtures("letters")
@pytest.mark.parametrize("options", [(), OF_LETTERS])
def test_the_same_file_twice_changes_nothing(
    options: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    said(capsys, *FILE, *options)
    before = contents()
    again = said(capsys, *FILE, *options)
    assert again[-1] == "It has already been imported; nothing changed."
    assert contents() == before


# --- What is refused ------------------------------------------------------------------------------


@pytest.mark.usefixtures("letters")
@pytest.mark.parametrize(
    ("file", "old", "new", "fault"),
    [
        ("judgments.xml", 'rank="3"', 'rank="9"', "9: rank 9 is out of range 1 to 5"),
        ("judgments.xml", "Alder Birch", "Alder, ?", "5: bad system name '?'"),
        ("judgments.xml", 'system="INPUT"', 'system="OAK"', "3: the corpus has no output of system 'OAK'"),
        ("judgments.xml", "</appraise-results>", "", "17: malformed XML"),
        ("judgments.xml", "<appraise", "<!DOCTYPE x [<!ENTITY a 'b'>]><appraise", "1: document type"),
        (
            "judgments.xml",
            'src-id="2"',
            'src-id="3"',
            "12: sentence 3 is not in the corpus of 3 sentences",
        ),
        ("judgments.xml", "Birch INPUT", "Birch", "12: the group Alder Birch leaves out INPUT"),
        ("judgments.csv", "judgeID", "judge", "1: neither Appraise XML, which begins with '<', nor WMT CSV"),
        ("judgments.csv", "Birch,1", "Birch,2", "2: Alder and Birch have the same text in the corpus but"),
        ("judgments.csv", "ben,2", "ben,9", "3: sentence 9 is not in the corpus of 3 sentences"),
    ],
)
def test_a_faulty_file_is_named_with_line_and_cause_and_leaves_nothing(
    file: str, old: str, new: str, fault: str, folder: Path
) -> None:
    before = contents()
    write(folder, {file: FILES[file].replace(old, new)})
    assert refusal("import_judgments", "judged", file, *OF_LETTERS).startswith(f"{file}:{fault}")
    assert contents() == before


@pytest.mark.usefixtures("letters")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["judged", "nowhere.xml"], "nowhere.xml: no such file"),
        (["judged", "source.txt"], "source.txt:1: neither Appraise XML"),
        (["", "judgments.xml"], "name: This field cannot be blank."),
        (
            [*FILE, "--corpus", "leters"],
            "There is no corpus 'leters'. Corpora are: letters.",
        ),
        (
            [*FILE, "--first-sentence", "1"],
            "--first-sentence refers to a corpus",
        ),
        (
            [*FILE, *OF_LETTERS, "--first-sentence", "1"],
            "judgments.xml:3: sentence 0 is not",
        ),
        (
            [*FILE, *OF_LETTERS, "--first-sentence", "1"],
            "judgments.xml:3: sentence 0 is not in the corpus of 3 sentences; does the file count its "
            "sentences from another number?\nIt fits with --first-sentence 0.",
        ),
        (["letters", "judgments.xml"], "A corpus named 'letters' exists. If these are judgments of it"),
    ],
)
def test_arguments_that_do_not_fit_are_explained_and_leave_nothing(
    arguments: list[str], message: str
) -> None:
    before = contents()
    assert refusal("import_judgments", *arguments).startswith(message)
    assert contents() == before


def test_other_judgments_under_the_same_name_are_refused() -> None:
    call_command("import_judgments", *FILE)
    before = contents()
    for arguments in (["judgments.csv"], ["judgments.xml", "--synthetic"]):
        message = refusal("import_judgments", "judged", *arguments)
        assert message.startswith("A campaign named 'judged' already exists, with different content")
    assert contents() == before


@pytest.mark.usefixtures("letters")
@pytest.mark.parametrize("options", [(), OF_LETTERS])
def test_an_interrupted_import_says_so_and_leaves_nothing(
    options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents()
    fail_at(monkeypatch, Rating, 1, press_ctrl_c)
    with pytest.raises(CommandError, match="Interrupted: nothing was imported"):
        call_command("import_judgments", *FILE, *options)
    assert contents() == before


# --- Corrections of a crowd ---------------------------------------------------------------------------


CROWD = (
    "batch,worker,sentence,correction\n"
    "1,w1,She go .,She goes .\n2,w2,She go .,She went .\n2,w2,She go .,No .\n"
)


def test_corrections_of_a_crowd_bring_their_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    write(Path(), {"crowd.csv": CROWD})
    arguments = ("crowd", "crowd.csv", "--only", "batch=2", "--language", "en")
    assert said(capsys, *arguments)[1].startswith("Campaign 'crowd': 2 judgments (2 complete) by 1 judge")
    campaign = Campaign.objects.get()
    assert (campaign.protocol, campaign.corpus.name, campaign.corpus.language) == (
        "correction",
        "crowd",
        "en",
    )
    assert list(campaign.judgments.values_list("revisions__text", flat=True)) == ["She went .", "No ."]
    before = contents()
    assert said(capsys, *arguments)[-1] == "It has already been imported; nothing changed."
    assert contents() == before


@pytest.mark.usefixtures("letters")
def test_corrections_of_sentences_that_a_corpus_lacks_change_nothing() -> None:
    write(Path(), {"crowd.csv": CROWD})
    before = contents()
    message = refusal("import_judgments", "crowd", "crowd.csv", "--corpus", "letters")
    assert message.startswith("crowd.csv:2: the corpus has no sentence 'She go .'")
    assert contents() == before


# --- Ratings of essays --------------------------------------------------------------------------------

RATED = (
    "#INPUT\nGrammaticality: 1 Fluency: 2\nGrammaticality: 3 Fluency: 3\nGrammaticality: 2 Fluency: 2\n"
    "#Alder\nGrammaticality: 4 Fluency: 4\nGrammaticality: 3 Fluency: 3\nGrammaticlaity: 2 Fluency: 4\n"
)


def test_ratings_of_essays_become_a_campaign_on_scales(capsys: pytest.CaptureFixture[str]) -> None:
    write(Path(), {"eng_eval": RATED})
    description, *_, last = said(capsys, "rated", "eng_eval")
    assert description.startswith("Campaign 'rated': 3 judgments (3 complete) by 1 judge of 2 systems.")
    assert last == "Imported."
    campaign = Campaign.objects.get()
    assert (campaign.protocol, compared_by(campaign)) == ("scales", ("Fluency", "Grammaticality"))
    ratings = Rating.objects.order_by("revision__judgment__item__number", "position")
    assert [(rating.score, rating.rating_details) for rating in ratings][-1] == (
        67,
        {"Grammaticality": 2, "Fluency": 4},
    )
    before = contents()
    assert said(capsys, "rated", "eng_eval")[-1] == "It has already been imported; nothing changed."
    assert contents() == before


# --- Error spans --------------------------------------------------------------------------------------


def spans_of(campaign: Campaign) -> list[tuple[int, str, list[str], int | None, object]]:
    """Sentence, judge, systems, score and details of each rating."""
    ratings = Rating.objects.filter(revision__judgment__item__campaign=campaign).select_related(
        "revision__judgment__annotator", "item_output", "revision__judgment__item__sentence"
    )
    return [
        (
            rating.revision.judgment.item.sentence.position,
            rating.revision.judgment.annotator.name,
            rating.item_output.systems,
            rating.score,
            rating.rating_details,
        )
        for rating in ratings.order_by("revision__judgment", "position")
    ]


def test_annotations_of_pearmut_bring_their_texts(capsys: pytest.CaptureFixture[str]) -> None:
    write(Path(), {"pearmut.jsonl": pearmut_log(pearmut_screen())})
    descriptions = said(capsys, "spans", "pearmut.jsonl", "--language", "en")
    assert "2 judgments (2 complete) by 1 judge of 2 systems" in descriptions[0]
    campaign = Campaign.objects.get()
    assert (campaign.protocol, compared_by(campaign), campaign.corpus.name) == (
        "error-spans",
        ("span_score",),
        "spans",
    )
    assert [each[:4] for each in spans_of(campaign)] == [
        (0, "anna", ["Birch"], 0),
        (0, "anna", ["Alder"], 70),
        (1, "anna", ["Birch"], 100),
    ]
    before = contents()
    assert (
        said(capsys, "spans", "pearmut.jsonl", "--language", "en")[-1]
        == "It has already been imported; nothing changed."
    )
    assert contents() == before


def test_appraises_error_spans_need_texts_from_batches_or_a_corpus(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write(
        Path(),
        {
            "esa.csv": appraise_row(21),
            "batches.json": appraise_batches((21, "doc#Alder", 1, "Alder", "It is .")),
        },
    )
    assert "esa.csv: these answers have no texts: give Appraise’s batches or a corpus" in refusal(
        "import_judgments", "spans", "esa.csv"
    )
    assert said(capsys, "spans", "esa.csv", "--batches", "batches.json")[-1] == "Imported."
    campaign = Campaign.objects.get()
    details = {"characters": 7, "span_score": 0, "spans": []}
    assert spans_of(campaign) == [(0, "anna", ["Alder"], 70, details)]
    call_command("import_judgments", "again", "esa.csv", "--batches", "batches.json", "--corpus", "spans")
    assert spans_of(Campaign.objects.get(name="again")) == spans_of(campaign)


def test_an_export_in_appraises_form_is_imported_to_the_same_spans(tmp_path: Path) -> None:
    corpus = small_corpus()
    campaign = campaign_with_error_spans(corpus)
    call_command("export_judgments", campaign.name, "--format", "esa", "--output", "esa.csv", "--names")
    call_command("import_judgments", "again", "esa.csv", "--corpus", corpus.name)

    assert '""status"": ""accepted""' in Path("esa.csv").read_text()

    def without_types(of: Campaign) -> list[tuple[object, ...]]:
        """Nor what became of suggestions, which the form has for readers only."""
        rows = spans_of(of)
        for *_, details in rows:
            assert isinstance(details, dict)
            for name in ("suggested", "removed"):
                details.pop(name, None)
            for mark in (*details["spans"], *details.get("missing", ())):
                mark.pop("type", None)
                mark.pop("status", None)
        return sorted((sentence, name, *map(str, rest)) for sentence, name, *rest in rows)

    assert without_types(Campaign.objects.get(name="again")) == without_types(campaign)


@pytest.mark.parametrize("file_format", ["csv", "jsonl", "parquet"])
def test_what_became_of_suggestions_is_exported_and_imported(file_format: str) -> None:
    campaign = campaign_with_suggestions()
    assert states_of(campaign) == {"accepted", "changed", "added", "removed"}
    file = f"judgments.{file_format}"
    call_command("export_judgments", campaign.name, "--format", file_format, "--output", file)
    call_command("import_judgments", "again", file, "--corpus", campaign.corpus.name)
    assert marks_of(Campaign.objects.get(name="again")) == marks_of(campaign)
