"""Systems and references join a corpus that is there; campaigns do not change."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from annotate.corpora import additions
from annotate.corpora.addition_files import read_addition
from annotate.corpora.additions import AdditionPlan, plan_addition, store_addition
from annotate.database.staging import ImportRefusedError
from annotate.judgments.exporting import ExportError, export_judgments
from annotate.judgments.queries import snapshot
from annotate.judgments.stream import Selection
from annotate.models import (
    AuditAction,
    AuditEntry,
    Campaign,
    Corpus,
    Item,
    ItemOutput,
    Output,
    OutputScore,
    Reference,
    Role,
    ScoreSet,
    Slot,
    System,
    User,
)
from annotate.scores.queries import outdated_sets
from annotate.scores.scoring import score_corpus
from core.progress import NoProgress
from formats import FormatError
from formats.naming import SystemNames
from formats.writers import FORMATS
from jobs.models import Job
from jobs.worker import run_queued_jobs
from metrics import metric_from_text
from tests.annotate.running import SECRET, answer_all, cast, running
from tests.annotate.samples import SENTENCES, no_progress, small_campaign, small_corpus

pytestmark = pytest.mark.django_db

ELM = "She goes home .\nI have 2 cats .\nIt is fine .\nHe likes tea <b> & cake .\n"
"""Equal to Alder but for its second sentence."""


def planned(
    corpus: Corpus,
    folder: Path,
    files: Mapping[str, str | bytes],
    names: Mapping[str, SystemNames] | None = None,
) -> AdditionPlan:
    """The plan of files of outputs, named after systems; those called *ref…* are references."""
    paths = {}
    for name, content in files.items():
        paths[name] = folder / name
        paths[name].write_bytes(content.encode() if isinstance(content, str) else content)
    systems = {name: path for name, path in paths.items() if not name.startswith("ref")}
    record = read_addition(
        corpus,
        systems=systems,
        references={name: path for name, path in paths.items() if name not in systems},
        m2=[],
        whole={},
    )
    return plan_addition(corpus=corpus, record=record, names=names)


def added(corpus: Corpus, folder: Path, **files: str | bytes) -> AdditionPlan:
    plan = planned(corpus, folder, files)
    store_addition(plan, by=None, progress=no_progress)
    return plan


def outputs_of(corpus: Corpus, system: str) -> list[str | None]:
    outputs = Output.objects.filter(sentence__corpus=corpus, systems__name=system)
    return list(outputs.order_by("sentence__position").values_list("text", flat=True))


def test_identical_texts_are_one_output(tmp_path: Path) -> None:
    corpus = small_corpus()
    before = Output.objects.count()
    plan = added(corpus, tmp_path, Elm=ELM)
    assert (plan.new_outputs, plan.shared_outputs) == (1, 3)
    assert Output.objects.count() == before + 1
    assert outputs_of(corpus, "Elm") == ELM.splitlines()
    shared = Output.objects.get(sentence__position=0, text="She goes home .")
    assert set(shared.systems.values_list("name", flat=True)) == {"Alder", "Birch", "Elm"}
    corpus.refresh_from_db()
    assert corpus.distinct_outputs == [0, 1, 0, 2, 0, 1]


def test_the_plan_says_what_would_change_and_changes_nothing(tmp_path: Path) -> None:
    corpus = small_corpus()
    plan = planned(corpus, tmp_path, {"Elm": ELM, "ref": ELM})
    assert plan.description == (
        "Corpus 'small' gets 1 system (1 new output, 3 that other systems have produced too) and 4 "
        "references by 1 annotator."
    )
    assert System.objects.count() == 4
    assert not Reference.objects.filter(annotator="ref").exists()


def state_of(campaign: Campaign) -> dict[str, object]:
    """All of a campaign that annotators, analyses and exports depend on."""
    exports = {}
    for name, file_format in FORMATS.items():
        try:
            exports[name] = b"".join(
                export_judgments(
                    campaign=campaign, file_format=file_format, selection=Selection(), names=False, by=None
                )
            )
        except ExportError as error:
            exports[name] = str(error).encode()
    return {
        "campaign": Campaign.objects.filter(pk=campaign.pk).values().get(),
        "systems": list(campaign.systems.order_by("pk").values_list("name", "role")),
        "items": list(Item.objects.filter(campaign=campaign).order_by("pk").values()),
        "shown": list(ItemOutput.objects.filter(item__campaign=campaign).order_by("pk").values()),
        "slots": list(Slot.objects.filter(campaign=campaign).order_by("pk").values()),
        "snapshot": snapshot(campaign).to_csv(),
        "exports": exports,
    }


def test_campaigns_do_not_change_bit_by_bit(tmp_path: Path) -> None:
    """One that runs, with annotators at work, and one that was imported."""
    corpus = small_corpus()
    judged = small_campaign(corpus)
    campaign = running(corpus=corpus, secret=SECRET)
    [anna, ben] = cast(campaign)
    answer_all(anna)
    before = state_of(campaign), state_of(judged)
    added(corpus, tmp_path, Elm=ELM, ref=ELM)
    assert (state_of(campaign), state_of(judged)) == before
    answer_all(ben)  # The work goes on.


def test_what_is_there_already_is_left_out(tmp_path: Path) -> None:
    corpus = small_corpus()
    added(corpus, tmp_path, Elm=ELM, ref=ELM)
    again = planned(corpus, tmp_path, {"Elm": ELM, "ref": ELM})
    assert again.is_stored
    assert again.warnings == (
        "System Elm is there already, with the same outputs.",
        "The references by ref are there already.",
    )
    more = added(corpus, tmp_path, Elm=ELM, Fir=ELM.upper())
    assert [names.name for names in more.systems] == ["Fir"]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"Alder": ELM}, "has a system Alder with other outputs"),
        ({"ALDER": ELM}, "differ only in case"),
        ({"Elm": "One .\n"}, r"Elm:2: 1 lines, but 4 in the source corpus small"),
        ({"Elm": ELM + "Five .\n"}, r"Elm:5: 5 lines, but 4"),
        ({"Elm": b"\xff\n"}, r"Elm"),
        ({"ref.a": ELM, "Elm": "a\x00b\nb\nc\nd\n"}, r"Elm:1"),
        ({}, "hold no outputs"),
    ],
)
def test_bad_files_are_named(tmp_path: Path, files: dict[str, str | bytes], message: str) -> None:
    corpus = small_corpus()
    with pytest.raises((ImportRefusedError, FormatError), match=message):
        planned(corpus, tmp_path, files)
    assert System.objects.count() == 4


def test_names_of_annotators_that_are_taken(tmp_path: Path) -> None:
    corpus = small_corpus()
    added(corpus, tmp_path, ref=ELM)
    with pytest.raises(ImportRefusedError, match="has other references by 'ref'"):
        planned(corpus, tmp_path, {"ref": ELM.upper()})


def test_windows_line_ends_and_other_scripts(tmp_path: Path) -> None:
    corpus = small_corpus()
    names = {"Elm": SystemNames("Elm", "Ульм 榆树 نظام", "system", "GPT")}
    plan = planned(corpus, tmp_path, {"Elm": ELM.replace("\n", "\r\n")}, names)
    store_addition(plan, by=None, progress=no_progress)
    assert System.objects.get(name="Elm").shown == "Ульм 榆树 نظام"
    assert outputs_of(corpus, "Elm") == ELM.splitlines()


def test_a_label_that_turns_text_around_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ImportRefusedError, match="U\\+202E"):
        planned(small_corpus(), tmp_path, {"Elm": ELM}, {"Elm": SystemNames("Elm", "E\u202elm", "system")})


def test_a_second_source_is_refused(tmp_path: Path) -> None:
    source = "".join(f"{each.source}\n" for each in SENTENCES)
    with pytest.raises(ImportRefusedError, match="cannot be the source: the corpus has one"):
        planned(small_corpus(), tmp_path, {"Elm": source}, {"Elm": SystemNames("Elm", "", "source")})


def test_a_file_of_another_system_is_warned_of(tmp_path: Path) -> None:
    corpus = small_corpus()
    alder = "".join(f"{each.outputs['Alder']}\n" for each in SENTENCES)
    assert planned(corpus, tmp_path, {"Elm": alder, "Fir": "\n" * 4}).warnings == (
        "System Elm: all outputs are those of Alder.",
        "System Fir: all outputs are empty.",
    )


def test_json_lines_name_their_sentences(tmp_path: Path) -> None:
    """In any order; sentences may be missing, and others are refused."""
    corpus = small_corpus()
    path = tmp_path / "late.jsonl"
    path.write_text(
        '{"source": "It is fine .", "outputs": {"Elm": "It is OK ."}}\n'
        '{"source": "She go home .", "outputs": {"Elm": "She goes home ."}, "references": ["She goes ."]}\n'
    )

    def planned_whole() -> AdditionPlan:
        record = read_addition(corpus, systems={}, references={}, m2=[], whole={"jsonl": path})
        return plan_addition(corpus=corpus, record=record)

    plan = planned_whole()
    assert plan.annotators == ("late.jsonl.0",), "The corpus has an annotator 0 of its own."
    store_addition(plan, by=None, progress=no_progress)
    assert outputs_of(corpus, "Elm") == ["She goes home .", "It is OK ."]
    assert planned_whole().is_stored
    path.write_text('{"source": "She go home ?", "outputs": {"Elm": "x"}}\n')
    with pytest.raises(ImportRefusedError, match=r"Sentence 1 of the file is not in corpus 'small'"):
        planned_whole()


def test_an_m2_file_with_an_id_that_is_taken(tmp_path: Path) -> None:
    corpus = small_corpus()
    path = tmp_path / "late.m2"
    path.write_text(
        "".join(f"S {each.source}\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n" for each in SENTENCES)
    )
    record = read_addition(corpus, systems={}, references={}, m2=[path], whole={})
    assert plan_addition(corpus=corpus, record=record).annotators == ("late.0",)


def scored(corpus: Corpus, *metrics: str) -> None:
    score_corpus(
        corpus=corpus, metrics=[metric_from_text(name) for name in metrics], by=None, steps=NoProgress()
    )


def test_new_systems_alone_are_scored(tmp_path: Path) -> None:
    corpus = small_corpus()
    scored(corpus, "gleu")
    before = list(OutputScore.objects.order_by("pk").values())
    added(corpus, tmp_path, Elm=ELM)
    run_queued_jobs()
    summary = (Job.objects.get(kind="score-corpus").result or {})["summary"]
    assert "1 scores of outputs computed, 11 already stored" in summary
    assert list(OutputScore.objects.order_by("pk").values())[: len(before)] == before
    assert ScoreSet.objects.get().system_scores.filter(system__name="Elm").exists()


def test_scores_that_lack_new_references_are_not_computed_unasked(tmp_path: Path) -> None:
    corpus = small_corpus()
    scored(corpus, "gleu", "exact-match")
    plan = added(corpus, tmp_path, Elm=ELM, ref=ELM)
    corpus.refresh_from_db()
    assert set(plan.outdated) == {each.name for each in outdated_sets(corpus)} == {"gleu", "exact-match"}
    assert "Scores by" in plan.description
    assert not Job.objects.filter(kind="score-corpus").exists()
    scored(corpus, "gleu")
    assert [each.name for each in outdated_sets(corpus)] == ["exact-match"]


def test_an_addition_is_in_the_audit_log(tmp_path: Path) -> None:
    by = User.objects.create_user("ada", role=Role.ADMIN)
    corpus = small_corpus()
    store_addition(planned(corpus, tmp_path, {"Elm": ELM, "ref": ELM}), by=by, progress=no_progress)
    entry = AuditEntry.objects.get(action=AuditAction.ADD)
    assert (entry.who, entry.name, entry.details) == ("ada", "small", {"systems": ["Elm"], "references": 4})


def test_a_killed_addition_leaves_nothing_to_see_and_is_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = small_corpus()
    monkeypatch.setattr(additions, "OUTPUTS_PER_PIECE", 2)
    plan = planned(corpus, tmp_path, {"Elm": ELM, "ref": ELM})
    with monkeypatch.context() as killed:
        killed.setattr("annotate.corpora.staged_systems._discard_unfinished", lambda corpus: None)
        killed.setattr(additions, "_finish", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            store_addition(plan, by=None, progress=no_progress)
    assert not System.objects.get(name="Elm").is_whole
    assert not Reference.objects.filter(annotator="ref").exists()
    with pytest.raises(ImportRefusedError, match="Something else is being added"):
        store_addition(plan, by=None, progress=no_progress)
    store_addition(plan, by=None, progress=no_progress, takes_over=True)
    assert System.objects.get(name="Elm").is_whole
    assert outputs_of(corpus, "Elm") == ELM.splitlines()


def test_a_failed_addition_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = small_corpus()
    outputs = Output.objects.count()
    monkeypatch.setattr(additions, "_finish", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        added(corpus, tmp_path, Elm=ELM)
    assert (System.objects.count(), Output.objects.count()) == (4, outputs)
