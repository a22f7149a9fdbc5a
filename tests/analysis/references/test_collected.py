"""Analyses, pages and files of corrections, of validity by frequency, and of growing references."""

import io
import json
import zipfile
from pathlib import Path

import pandas as pd
import pytest
from django.test import Client
from django.urls import reverse

from analysis.analyses.references.collected import written_corrections
from analysis.analyses.references.corrections import CORRECTIONS, CorrectionsParameters, corrections
from analysis.analyses.references.grown_references import GROWN_REFERENCES
from analysis.analyses.references.valid_outputs import VALID_OUTPUTS
from annotate.judgments.pseudonyms import pseudonym
from annotate.models import Campaign, Corpus
from annotate.references.collecting import make_references
from core.progress import NoProgress
from formats import Reference
from formats.m2 import read_m2
from metrics.references import CorrectedSentence
from tests.analysis.references.collected_references import computed, corrected_campaign, grown_corpus
from tests.annotate.references.answers import correcting_campaign, judging_campaign
from tests.annotate.samples import no_progress, sentence, small_corpus
from tests.annotate.scores.scoring import Told

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def corpus() -> Corpus:
    return small_corpus(language="de")


def page(client: Client, subject: Campaign | Corpus, analysis: str, **query: str) -> str:
    route = "analysis" if isinstance(subject, Campaign) else "corpus-analysis"
    response = client.get(reverse(route, args=[subject.uuid, analysis]), query)
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def test_corrections_by_frequency_with_the_agreement_of_edits(admin: Client, corpus: Corpus) -> None:
    campaign = corrected_campaign(corpus)
    result = computed(CORRECTIONS, campaign)
    first = result.sentences[0]
    assert [(each.text, each.frequency) for each in first.distinct] == [
        ("She goes home .", 2),
        ("She is going home .", 1),
        ("She went home .", 1),
    ]
    assert [sentence.place for sentence in result.left_out] == [2]
    by_name = {person.annotator: person for person in result.people}
    ben = by_name[pseudonym(campaign, "ben")]
    assert (ben.sentences, ben.each.tp, ben.best.tp) == (2, 1, 1)
    shown = page(admin, campaign, "corrections")
    assert "3 sentences have 2.7 corrections on average, 2.0 of them distinct" in shown
    assert "Sentences 1 to 3 of 3" in shown
    assert "not-annotatable: 1" in shown
    assert "accuracy" in page(admin, campaign, "corrections-coverage").lower()


def test_edits_are_compared_for_many_sentences_at_a_time_with_the_same_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = (("ann", "He goes ."), ("ben", "He went ."))
    sentences = tuple(CorrectedSentence((place,), "He go .", answers, {}) for place in range(5))
    inputs, parameters = written_corrections(sentences, (), 10, parser=None), CorrectionsParameters()
    together, told = corrections(inputs, parameters, NoProgress()), Told()
    monkeypatch.setattr("analysis.analyses.references.corrections.SENTENCES_AT_ONCE", 2)
    assert corrections(inputs, parameters, told) == together
    assert told == Told(steps=["Comparing edits"], done=5)


def test_only_campaigns_of_corrections_list_their_analyses(researcher: Client, corpus: Corpus) -> None:
    written, judged = correcting_campaign(corpus), judging_campaign(corpus)
    listed = {
        campaign.name: researcher.get(reverse("analyses", args=[campaign.uuid])).content.decode()
        for campaign in (written, judged)
    }
    assert "analyses/corrections/" in listed["written"]
    assert "analyses/corrections/" not in listed["asked"]
    assert "analyses/valid-outputs/" in listed["asked"]
    assert "No corrections are written in this campaign" in page(researcher, judged, "corrections")
    judged.judgments.all().delete()
    assert "Nobody has judged an output yet" in page(researcher, judged, "valid-outputs")


def test_share_judged_valid_by_how_many_systems_or_people_gave_it(admin: Client, corpus: Corpus) -> None:
    campaign = judging_campaign(corpus)
    by_systems = computed(VALID_OUTPUTS, campaign)
    assert [(row.label, row.outputs, row.valid) for row in by_systems.rows] == [("1", 4, 2)]
    correcting_campaign(corpus)
    by_people = computed(VALID_OUTPUTS, campaign, corrections="written")
    assert [(each.text, each.frequency) for each in by_people.outputs] == [
        ("She went home .", 1),
        ("I have two cat .", None),
        ("He likes tea and cake .", 1),
        ("He likes tea <b> & cake .", None),
    ]
    assert (by_people.unknown, by_people.valid) == (2, 2)
    shown = page(admin, campaign, "valid-outputs", corrections="written")
    assert "2 of 4 outputs were judged valid (50 %)" in shown
    refused = admin.get(
        reverse("analysis", args=[campaign.uuid, "valid-outputs"]), {"corrections": "none such"}
    )
    assert refused.status_code == 400
    assert "there is no campaign" in refused.content.decode()


def test_scores_before_and_after_references_have_grown(admin: Client) -> None:
    corpus = grown_corpus()
    result = computed(GROWN_REFERENCES, corpus)
    assert (result.grown, result.sentences) == (1, 1)
    assert result.scores is not None
    assert all(0 <= (each.share.low or 0) <= (each.share.value or 0) <= 1 for each in result.covered)
    assert all(each.changed > 0 for each in result.covered)
    birch = {each.system: each for each in result.scores.systems}["Birch"]
    assert birch.after.fp < birch.before.fp
    assert birch.without_own.fp == birch.before.fp
    assert birch.own == 1
    shown = page(admin, corpus, "grown-references")
    assert "1 output became a reference: F changed by" in shown
    assert "Systems that are not among them are at a disadvantage" in shown
    name = "grown-references"
    table = admin.get(reverse("corpus-analysis-file", args=[corpus.uuid, name, name, "csv"]))
    lines = b"".join(table.streaming_content).decode().splitlines()  # type: ignore[attr-defined]
    assert len(lines) == 1 + len(result.scores.systems)
    figures = ("f", "f_low", "f_high", "precision", "recall", "tp", "fp", "fn")
    assert lines[0].split(",") == [
        "system",
        *(f"{figure}_{kind}" for kind in ("before", "after", "without_own") for figure in figures),
        *("gain", "gain_low", "gain_high", "rank_before", "rank_after", "rank_without_own"),
        *("own_references", "signature"),
    ]


def test_outputs_of_sentences_with_references_come_first() -> None:
    """More systems gave the first output, whose sentence has no reference and is not scored.

    Of the others, outputs that change their sentence come before those that do not.
    """
    corpus = small_corpus(
        sentences=[
            sentence("a", "b", "b"),
            sentence("c", "c", "e", references=[Reference("0", "f", None)]),
        ]
    )
    result = computed(GROWN_REFERENCES, corpus)
    assert [each.output.text for each in result.most_frequent] == ["e", "c", "b"]


def file(client: Client, campaign: Campaign, ending: str) -> bytes:
    response = client.get(reverse("corrections-file", args=[campaign.uuid, ending]))
    assert response.status_code == 200
    return b"".join(response.streaming_content)  # type: ignore[attr-defined]


def test_corrections_are_exported_in_five_formats(researcher: Client, corpus: Corpus, tmp_path: Path) -> None:
    campaign = correcting_campaign(corpus)
    ada, ben, cyd = (pseudonym(campaign, name) for name in ("ada", "ben", "cyd"))
    rows = pd.read_csv(io.BytesIO(file(researcher, campaign, "csv")))
    same = pd.read_parquet(io.BytesIO(file(researcher, campaign, "parquet")))
    assert rows["correction"].fillna("").tolist() == same["correction"].fillna("").tolist()
    assert rows.loc[0, "annotators"] == " ".join(sorted([ada, ben]))
    assert rows.loc[rows["sentences"] == 2, "left_out"].tolist() == ["fragment: 1, not-annotatable: 1"]
    objects = [json.loads(line) for line in file(researcher, campaign, "jsonl").decode().splitlines()]
    assert objects[0]["corrections"][0]["frequency"] == 2
    assert (objects[2]["corrections"], objects[2]["sentences"]) == ([], [2])
    path = tmp_path / "written.m2"
    path.write_bytes(file(researcher, campaign, "m2"))
    read = read_m2(path)
    assert {each.annotator: each.text for each in read.sentences[0].references} == {
        ada: "She goes home .",
        f"{ada}-2": "She went home .",
        ben: "She goes home .",
        cyd: "She is going home .",
    }
    assert len(read.sentences) == 3
    with zipfile.ZipFile(io.BytesIO(file(researcher, campaign, "zip"))) as packed:
        lines = {name: packed.read(name).decode().splitlines() for name in packed.namelist()}
    assert len(lines["source.txt"]) == len(lines["reference-4.txt"]) == 3
    assert lines["left-out.tsv"][1] == "2\tIt is fine .\tfragment: 1, not-annotatable: 1"
    other = reverse("corrections-file", args=[judging_campaign(corpus).uuid, "csv"])
    assert researcher.get(other).status_code == 404


def test_edits_of_an_english_corpus_have_errants_types(researcher: Client, tmp_path: Path) -> None:
    corpus = small_corpus()
    campaign = correcting_campaign(corpus)
    path = tmp_path / "written.m2"
    path.write_bytes(file(researcher, campaign, "m2"))
    exported = {
        (" ".join(sentence.tokens), edit.kind)
        for sentence in read_m2(path).sentences
        for reference in sentence.references
        for edit in reference.edits or ()
    }
    assert {("She go home .", "R:VERB:SVA"), ("I has two cat .", "R:NOUN:NUM")} <= exported
    made = make_references(campaign, by=None, progress=no_progress)
    stored = made.collected.values_list("reference__edits", flat=True)
    assert {kind for edits in stored for _, _, kind, *_ in edits or ()} == {kind for _, kind in exported}
