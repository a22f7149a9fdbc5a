"""Files of suggestions come with a draft, by its form or the command, and are in the items of the launch."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from annotate.campaigns import forms
from annotate.campaigns.lifecycle import clone, launch
from annotate.design.protocols import ErrorSpans, Scales
from annotate.models import Campaign, Corpus, ItemOutput, Suggestion
from tests.annotate.campaigns.test_campaign_form import address, filled, problems
from tests.annotate.running import draft
from tests.annotate.samples import no_progress, sentence, small_corpus

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

SPAN = {"start": 4, "end": 6, "severity": "minor"}


@pytest.fixture
def corpus() -> Corpus:
    return small_corpus(
        sentences=[sentence("She go .", "She go .", "She goes ."), sentence("Ok .", "Ok .", "Ok .")]
    )


def names(corpus: Corpus) -> list[str]:
    return list(corpus.systems.order_by("name").values_list("name", flat=True))


def line(system: str, number: object = 0, **more: Any) -> str:
    return json.dumps({"system": system, "sentence": number, "spans": [SPAN], **more})


def file(*lines: str) -> SimpleUploadedFile:
    return SimpleUploadedFile("spans.jsonl", "\n".join(lines).encode())


def form(corpus: Corpus, **changes: Any) -> dict[str, Any]:
    options = {
        "error-spans-anchors": "0 bad\n100 good",
        "error-spans-types": "",
        "error-spans-marks_missing": "on",
        "error-spans-marks_below": "0",
    }
    sizes = {"outputs_per_screen": 1, "items": 2, "guidelines": ""}
    return filled(corpus, **sizes, **options, **changes)


def stored(campaign: Campaign) -> dict[str, Any]:
    rows = Suggestion.objects.filter(campaign=campaign).order_by("output")
    return {text or "": content for text, content in rows.values_list("output__text", "content")}


def test_a_file_of_the_form_is_in_the_items_of_the_launch(admin: Client, corpus: Corpus) -> None:
    first, *_ = names(corpus)
    text = "She go ."
    sent = form(corpus, suggestions=file(line(first, text=text)))
    assert admin.post(address(corpus, ErrorSpans.name), sent).status_code == 302
    campaign = Campaign.objects.get()
    assert stored(campaign) == {text: {"spans": [SPAN]}}
    edit = reverse("edit-campaign", args=[campaign.uuid])
    page = admin.get(edit).content.decode()
    assert "Keep the marks that are suggested for 1 output" in page
    assert 'enctype="multipart/form-data"' in page
    admin.post(edit, form(corpus, keeps_suggestions="on"))
    assert stored(campaign), "a change of something else keeps them"
    copy = clone(campaign, name="copy")
    launch(copy, progress=no_progress)
    prepared = ItemOutput.objects.filter(item__campaign=copy, output__text=text)
    assert {json.dumps(each.prepared) for each in prepared} <= {json.dumps({"spans": [SPAN]})}
    others = ItemOutput.objects.filter(item__campaign=copy).exclude(output__text=text)
    assert {each.prepared for each in others} <= {None}
    admin.post(edit, form(corpus))
    assert not stored(campaign), "they go if they are not kept"


def test_suggestions_that_stay_must_fit_the_settings(admin: Client, corpus: Corpus) -> None:
    typed = json.dumps({"system": names(corpus)[0], "sentence": 0, "spans": [{**SPAN, "type": "Verb"}]})
    sent = form(corpus, suggestions=file(typed)) | {"error-spans-types": "Verb"}
    admin.post(address(corpus, ErrorSpans.name), sent)
    campaign = Campaign.objects.get()
    edit = reverse("edit-campaign", args=[campaign.uuid])
    [fault] = problems(admin, edit, form(corpus, keeps_suggestions="on"))["keeps_suggestions"]
    assert "sentence 0 does not fit these settings" in fault
    assert "'Verb' is not a type of this campaign" in fault
    assert stored(campaign)


def test_another_protocol_drops_them(admin: Client, corpus: Corpus) -> None:
    admin.post(address(corpus, ErrorSpans.name), form(corpus, suggestions=file(line(names(corpus)[0]))))
    campaign = Campaign.objects.get()
    edit = reverse("edit-campaign", args=[campaign.uuid])
    changed = filled(
        corpus, outputs_per_screen=1, items=2, guidelines="", **{"scales-scales": Scales.options().scales}
    )
    assert admin.post(f"{edit}?protocol={Scales.name}", changed).status_code == 302
    assert not stored(campaign)


@pytest.mark.parametrize(
    ("lines", "cause"),
    [
        ((line("Nobody"),), "spans.jsonl:1: the corpus has no system 'Nobody'"),
        ((line("{0}", 2),), "spans.jsonl:1: {0} has no output for sentence 2"),
        ((line("{0}", text="She went ."),), "spans.jsonl:1: the output of {0} is 'She go .'"),
        ((line("{0}"), line("{0}")), "spans.jsonl:2: sentence 0 of {0} stands in line 1 already"),
        ((line("{0}", extra=1),), "spans.jsonl:1: unknown key 'extra'"),
        (
            (line("{0}", spans=[{**SPAN, "end": 99}]),),
            "spans.jsonl:1: number 1 of spans, 4 to 99, is",
        ),
        (
            (line("{0}", spans=[{**SPAN, "start": 4.0}]),),
            "spans.jsonl:1: number 1 of spans: start and",
        ),
        (
            (line("{0}", 1, spans=[]), line("{1}", 1, spans=[{**SPAN, "start": 0, "end": 2}])),
            "spans.jsonl:2: {1} has the same output for this sentence as {0}, for which line 1 suggests",
        ),
        (("\ufeff",), "is empty"),
        (("{{",), "spans.jsonl:1: "),
    ],
)
def test_a_file_is_refused_by_line_and_cause(
    admin: Client, corpus: Corpus, lines: tuple[str, ...], cause: str
) -> None:
    def named(text: str) -> str:
        for place, name in enumerate(names(corpus)):
            text = text.replace(f"{{{place}}}", name)
        return text

    sent = form(corpus, suggestions=file(*map(named, lines)))
    [fault] = problems(admin, address(corpus, ErrorSpans.name), sent)["suggestions"]
    assert re.sub('[“”"]', "'", named(cause)) in re.sub('[“”"]', "'", fault)
    assert not Campaign.objects.exists()


def test_bytes_that_are_no_text_are_refused(admin: Client, corpus: Corpus) -> None:
    for raw in (b"\xff\xfe{}", b"\x00", b"PK\x03\x04"):
        sent = form(corpus, suggestions=SimpleUploadedFile("spans.jsonl", raw))
        assert problems(admin, address(corpus, ErrorSpans.name), sent)["suggestions"]


def test_a_file_that_takes_long_is_for_the_command(
    admin: Client, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forms, "MOST_BYTES_OF_SUGGESTIONS", 10)
    sent = form(corpus, suggestions=file(line(names(corpus)[0])))
    [fault] = problems(admin, address(corpus, ErrorSpans.name), sent)["suggestions"]
    assert "`manage.py suggest`" in fault
    assert not Campaign.objects.exists()


def test_other_protocols_take_no_file(admin: Client, corpus: Corpus) -> None:
    assert "suggestions" not in admin.get(address(corpus, Scales.name)).context["form"].fields


def test_the_command_replaces_them(corpus: Corpus, tmp_path: Path) -> None:
    campaign = draft(corpus=corpus, protocol=ErrorSpans.name, outputs_per_screen=1, items=2)
    path = tmp_path / "spans.jsonl"
    path.write_text(line(names(corpus)[0]))
    call_command("suggest", campaign.name, path)
    assert list(stored(campaign).values()) == [{"spans": [SPAN]}]
    path.write_text(line(names(corpus)[0], spans=[]))
    call_command("suggest", campaign.name, path)
    assert list(stored(campaign).values()) == [{"spans": []}]
    path.write_text(line("Nobody"))
    with pytest.raises(CommandError, match=r"spans\.jsonl:1: the corpus has no system"):
        call_command("suggest", campaign.name, path)
    launch(Campaign.objects.get(), progress=no_progress)
    path.write_text(line(names(corpus)[0]))
    with pytest.raises(CommandError, match="has been launched and is frozen"):
        call_command("suggest", campaign.name, path)
    other = draft(name="other", corpus=corpus, protocol=Scales.name, outputs_per_screen=1, items=2)
    with pytest.raises(CommandError, match="Nothing can be suggested"):
        call_command("suggest", other.name, path)
