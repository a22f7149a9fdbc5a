"""The interface of protocols: any kind of answer goes from the form of a campaign to an import.

Nothing but the registry knows the protocols of `tests.annotate.toys`: one shows no output and asks for texts
and a detail, one asks for a verdict on one output, and one ranks two. Real ones go the same way, among them a
ranking with the annotator's confidence.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotate.corpora.queries import texts
from annotate.design.practice import PracticeError
from annotate.design.protocols import (
    Correction,
    Edits,
    ErrorSpans,
    Pairs,
    Protocol,
    RelativeRanking,
    Scales,
    Validity,
)
from annotate.design.protocols.scale_texts import field_of
from annotate.judging.entering import add_annotator, mint_personal_link
from annotate.judgments.exporting import ExportError
from annotate.judgments.importing import plan_judgments, store_judgments
from annotate.judgments.kept_snapshots import kept_snapshot
from annotate.judgments.queries import snapshot
from annotate.models import Annotator, Campaign, Corpus, Judgment
from formats import read_judgments
from formats.snapshot.resolution import resolve
from formats.snapshot.snapshots import content_hash
from formats.snapshot.vocabulary import AnswerKind
from tests.annotate.api.asking import ask, program
from tests.annotate.campaigns.test_campaign_form import address, filled, problems
from tests.annotate.running import draft, running
from tests.annotate.samples import no_progress, small_corpus
from tests.annotate.toys import BetterOfTwo, TwoVersions, Verdict, registered
from tests.formats.writers.stored import exported

pytestmark = pytest.mark.django_db
MOST_QUERIES = 12
SEVERAL_OUTPUTS = {"sampling": "listed", "listed_sentences": "0-1,3"}
"""What the form says to ask for sentences with several outputs only."""

TABLES = {"csv": ".csv", "jsonl": ".jsonl", "parquet": ".parquet"}


@dataclass(frozen=True)
class Case:
    """A protocol, two answers by it, and what is to be found of the second everywhere.

    Attributes:
        first: the fields of an answer.
        second: those of another.
        incomplete: those of one that is refused.
        fault: with these words.
        stored: what the snapshot holds of the second.
        told: what the API tells of it.
        shown: what the page of judgments shows of it, as HTML.
        ranks: of the outputs in the second, as shown.
        options: fields of the campaign's form that choose the protocol's options.
        shown_outputs: how many outputs a screen has, if not the most that the protocol can show.
    """

    protocol: Protocol
    first: Mapping[str, str]
    second: Mapping[str, str]
    incomplete: Mapping[str, str]
    fault: str
    stored: Mapping[str, object]
    told: Mapping[str, object]
    shown: tuple[str, ...]
    ranks: tuple[int | None, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    shown_outputs: int | None = None

    @property
    def outputs(self) -> int:
        """How many outputs a screen has."""
        return self.protocol.most_outputs if self.shown_outputs is None else self.shown_outputs

    @property
    def compares(self) -> bool:
        """Whether its answers compare outputs."""
        return self.protocol.gives is AnswerKind.RATINGS


CASES = (
    Case(
        BetterOfTwo(),
        first={"better": "both"},
        second={"better": "1"},
        incomplete={"better": "2"},
        fault="Say which is better: correction 1, 2.",
        stored={"text": None, "verdict": None, "details": None, "position": 0, "rank": 2},
        told={"text": None, "further_texts": [], "verdict": None, "details": None},
        shown=('<span class="unseen">Rank </span>2</span>',),
        ranks=(2, 1),
        options={"better-of-two-ties": "on"},
    ),
    Case(
        TwoVersions(),
        first={"version-0": "One .", "version-1": "Two .", "topic": "3"},
        second={"version-0": '=Uno \u2067"ü" .', "version-1": "Dos ,\nor two .", "topic": "1"},
        incomplete={"version-0": "One .", "version-1": " ", "topic": "1"},
        fault="Write two versions.",
        stored={
            "text": '=Uno \u2067"ü" .',
            "further_texts": '["Dos ,\\nor two ."]',
            "verdict": None,
            "details": '{"topic":1}',
            "output": None,
            "rank": None,
        },
        told={
            "text": '=Uno \u2067"ü" .',
            "further_texts": ["Dos ,\nor two ."],
            "verdict": None,
            "details": {"topic": 1},
            "ratings": [],
        },
        shown=("Dos ,\nor two .", "<dt>topic</dt><dd>1</dd>"),
    ),
    Case(
        Verdict(),
        first={"verdict": "wrong"},
        second={"verdict": "right"},
        incomplete={},
        fault="Right or wrong: correction 1.",
        stored={
            "text": None,
            "further_texts": None,
            "verdict": "right",
            "details": None,
            "position": 0,
            "rank": None,
        },
        told={"text": None, "further_texts": [], "verdict": "right", "details": None},
        shown=("<dt>Verdict</dt><dd>right</dd>",),
    ),
    Case(
        Validity(),
        first={"verdict": "no"},
        second={"verdict": "yes"},
        incomplete={"verdict": "maybe"},
        fault="Still to say whether it is valid: correction 1.",
        stored={
            "text": None,
            "further_texts": None,
            "verdict": "yes",
            "details": None,
            "position": 0,
            "rank": None,
        },
        told={"text": None, "further_texts": [], "verdict": "yes", "details": None},
        shown=("<dt>Verdict</dt><dd>yes</dd>",),
    ),
    Case(
        Correction(),
        first={"version-0": "One .", "verdict": "corrected"},
        second={"version-0": '=Uno \u2067"ü" .', "verdict": "merge-with-next"},
        incomplete={"version-0": " ", "verdict": "corrected"},
        fault="There is no text.",
        stored={
            "text": '=Uno \u2067"ü" .',
            "further_texts": None,
            "verdict": "merge-with-next",
            "details": '{"instruction":"minimal","warnings":["much-changed"]}',
            "output": None,
            "rank": None,
        },
        told={
            "text": '=Uno \u2067"ü" .',
            "further_texts": [],
            "verdict": "merge-with-next",
            "details": {"instruction": "minimal", "warnings": ["much-changed"]},
            "ratings": [],
        },
        shown=("<dt>Verdict</dt><dd>merge-with-next</dd>", "<dt>instruction</dt><dd>minimal</dd>"),
    ),
    Case(
        Scales(),
        first={f"{field_of('=Bo <i>')}0": "2", f"{field_of('意味')}0": "none"},
        second={f"{field_of('=Bo <i>')}0": "0", f"{field_of('意味')}0": "11"},
        incomplete={f"{field_of('=Bo <i>')}0": "3", f"{field_of('意味')}0": "1"},
        fault="Still to rate: correction 1 (=Bo &lt;i&gt;).",
        stored={
            "text": None,
            "details": None,
            "position": 0,
            "rank": None,
            "score": 50,
            "rating_details": '{"=Bo <i>":0,"意味":11}',
        },
        told={"text": None, "details": None},
        shown=("<span>=Bo &lt;i&gt; 0</span>", "<span>意味 11</span>"),
        options={
            "scales-scales": "=Bo <i>: 0 <b>bad</b> | 1 | 2 good\r\n意味: a|b|c|d|e|f|g|h|i|j|k",
            "scales-cannot_say": "on",
            "outputs_per_screen": "1",
        },
        shown_outputs=1,
    ),
    Case(
        Pairs(),
        first={"better": "1-clearly"},
        second={"better": "2-slightly"},
        incomplete={"better": "1"},
        fault="Say which correction is better.",
        stored={"text": None, "details": '{"strength":"slightly"}', "position": 0, "rank": 2},
        told={"text": None, "details": {"strength": "slightly"}},
        shown=("<dt>strength</dt><dd>slightly</dd>",),
        ranks=(2, 1),
        options={"pairs-strength": "on"},
    ),
    Case(
        Edits(),
        first={"edit-0": "cannot-say"},
        second={"edit-0": "accepted"},
        incomplete={"edit-0": "maybe"},
        fault="Still to judge: correction 1 (edit 1).",
        stored={"text": None, "verdict": None, "details": None, "position": 0, "rank": None, "score": 100},
        told={"text": None, "verdict": None, "details": None},
        shown=("accepted",),
        options={"edits-edits": "corpus", "listed_sentences": "0", "covers_outputs": "on"},
        shown_outputs=1,
    ),
    Case(
        ErrorSpans(),
        first={"score-0": "0"},
        second={
            "score-0": "40",
            "spans-0": '{"missing":[{"severity":"minor"},{"severity":"major","type":"=<i>"}],"spans":[]}',
        },
        incomplete={"score-0": "101"},
        fault="Still to do: correction 1.",
        stored={
            "text": None,
            "details": None,
            "position": 0,
            "rank": None,
            "score": 40,
            "rating_details": '{"characters":0,"missing":[{"severity":"minor"},'
            '{"severity":"major","type":"=<i>"}],"span_score":-6,"spans":[]}',
        },
        told={"text": None, "details": None},
        shown=("<span>span_score -6</span>",),
        options={"error-spans-types": "Meaning\r\n=<i>", "error-spans-marks_missing": "on"}
        | {"error-spans-anchors": "0 none\n100 all", "error-spans-marks_below": "0"}
        | {"outputs_per_screen": "1"},
        shown_outputs=1,
    ),
    Case(
        RelativeRanking(),
        first={"rank-0": "1", "rank-1": "1", "confidence": "1"},
        second={"rank-0": "2", "rank-1": "1", "confidence": "5"},
        incomplete={"rank-0": "2", "rank-1": "1", "confidence": "6"},
        fault="Say how sure you are of this ranking, from 1 to 5.",
        stored={"details": None, "confidence": 5, "position": 0, "rank": 2},
        told={"details": None, "confidence": 5},
        shown=("<dt>confidence</dt><dd>5</dd>",),
        ranks=(2, 1),
        options={"relative-ranking-confidence": "on", "outputs_per_screen": "2"},
        shown_outputs=2,
    ),
)


@pytest.fixture(autouse=True)
def toys() -> Iterator[None]:
    with registered(*(case.protocol for case in CASES)):
        yield


def _parameter(case: Case) -> Any:
    """The two real protocols store the same parts as the toys, so that one database is enough for them."""
    is_toy = isinstance(case.protocol, BetterOfTwo | TwoVersions | Verdict)
    return pytest.param(case, id=case.protocol.name, marks=() if is_toy else pytest.mark.any_database)


@pytest.fixture(params=map(_parameter, CASES))
def case(request: pytest.FixtureRequest) -> Case:
    one: Case = request.param
    return one


@pytest.fixture
def corpus() -> Corpus:
    return small_corpus()


@pytest.fixture
def campaign(admin: Client, corpus: Corpus, case: Case) -> Campaign:
    """Launched from the form, as an admin does it; each sentence is asked once of two annotators."""
    form = filled(corpus, shared_percent=100, guidelines="", **SEVERAL_OUTPUTS)
    url = address(corpus, case.protocol.name)
    assert admin.post(url, {**form, **case.options}).status_code == 302
    campaign = Campaign.objects.get()
    assert case.protocol.title in admin.get(reverse("manage-campaign", args=[campaign.uuid])).content.decode()
    admin.post(reverse("launch-campaign", args=[campaign.uuid]))
    campaign.refresh_from_db()
    assert campaign.state == "running"
    return campaign


class AtWork:
    """An annotator's browser, which looks at each request's queries."""

    def __init__(self, annotator: Annotator) -> None:
        self._client = Client()
        self._client.post(f"/join/{mint_personal_link(annotator)}/")
        self._work = f"/judge/{annotator.campaign.uuid}/"

    def next_screen(self) -> str:
        """The address of the screen that is to be answered next."""
        page = self.get(self._work)
        return f"{self._work}{page.context['showing'].uuid}/"

    def get(self, address: str) -> Any:
        with few_queries():
            response = self._client.get(address)
        assert response.status_code == 200
        return response

    def post(self, address: str, fields: Mapping[str, str]) -> Any:
        with few_queries():
            return self._client.post(address, {"key": str(uuid4()), **fields})


@contextmanager
def few_queries() -> Iterator[None]:
    with CaptureQueriesContext(connection) as queries:
        yield
    statements = [query["sql"] for query in queries]
    assert sum(not sql.startswith(("SAVEPOINT", "RELEASE")) for sql in statements) <= MOST_QUERIES


@pytest.fixture
def judged(campaign: Campaign, case: Case) -> Campaign:
    """anna answers one item and revises it, and skips another; ben answers one."""
    anna, ben = (AtWork(add_annotator(campaign, name=name)) for name in ("anna", "ben"))
    screen = anna.next_screen()
    anna.post(screen, case.first)
    anna.post(screen, {**case.second, "revises": "1", "note": "odd"})
    anna.post(f"{anna.next_screen()}skip/", {"note": "no sentence"})
    ben.post(ben.next_screen(), case.first)
    return campaign


def test_a_screen_shows_what_the_protocol_asks_for(campaign: Campaign, case: Case) -> None:
    anna = AtWork(add_annotator(campaign, name="anna"))
    page = anna.get(anna.next_screen())
    assert len(page.context["outputs"]) == case.outputs
    html = page.content.decode()
    assert all(f'name="{field}"' in html for field in case.first)
    assert ("<dd>next, previous " in html) == (case.outputs > 0)


def test_an_answer_that_is_not_complete_is_refused(campaign: Campaign, case: Case) -> None:
    anna = AtWork(add_annotator(campaign, name="anna"))
    refused = anna.post(anna.next_screen(), case.incomplete)
    assert refused.status_code == 422
    assert case.fault in refused.content.decode()
    assert not Judgment.objects.exists()


def test_an_answer_stands_in_the_form_until_it_is_revised(campaign: Campaign, case: Case) -> None:
    anna = AtWork(add_annotator(campaign, name="anna"))
    screen = anna.next_screen()
    anna.post(f"{screen}draft/", {**case.second, "revises": "0"})
    assert anna.get(screen).context["fields"] == {**case.second, "revises": "0"}
    for fields in (case.first, case.second):
        assert anna.post(screen, fields).status_code == 302
        assert anna.get(screen).context["fields"] == {**fields, "note": ""}
    assert Judgment.objects.get().revisions.count() == 2


def test_a_skipped_item_opens_again_without_an_answer(campaign: Campaign, case: Case) -> None:
    anna = AtWork(add_annotator(campaign, name="anna"))
    screen = anna.next_screen()
    anna.post(f"{screen}skip/", {"note": "no sentence"})
    assert anna.get(screen).context["fields"] == {"note": ""}, "the reason to skip is no report"
    anna.post(screen, case.first)
    assert Judgment.objects.get().state == "complete"


def test_characters_that_no_database_stores_are_removed_or_refused(campaign: Campaign, case: Case) -> None:
    anna = AtWork(add_annotator(campaign, name="anna"))
    screen = anna.next_screen()
    nul = {field: f"\0{value}" for field, value in case.first.items()}
    assert anna.post(screen, nul).status_code == 302
    long = {field: value + " x" * 10_000 for field, value in case.first.items()}
    assert anna.post(screen, long).status_code == 422
    assert Judgment.objects.get().revisions.count() == 1


def test_the_page_of_judgments_shows_it(judged: Campaign, case: Case, researcher: Client) -> None:
    page = researcher.get(judged.get_absolute_url()).content.decode()
    assert all(words in page for words in case.shown)
    assert page.count("no outputs were rated") == 1, "the skip"


def test_the_api_tells_it(judged: Campaign, case: Case) -> None:
    client = program()
    path = f"campaigns/{judged.uuid}/judgments/"
    [first, *_] = ask(client, path)["results"]
    [current] = first["answers"]
    assert {name: current[name] for name in case.told} == case.told
    ranks = case.ranks or (None,) * case.outputs
    assert tuple(rating["rank"] for rating in current["ratings"]) == ranks
    [both, *_] = ask(client, path, history=True)["results"]
    assert [answer["revision"] for answer in both["answers"]] == [1, 2]


def test_the_snapshot_has_it(judged: Campaign, case: Case) -> None:
    frame = snapshot(judged)
    assert list(frame.groupby("judgment", sort=False)["state"].first()) == ["complete", "skipped", "complete"]
    first = frame.astype(object).where(frame.notna(), None).iloc[0]
    assert {name: first[name] for name in case.stored} == case.stored
    assert (first["score"], first["revision"]) == (case.stored.get("score"), 2)
    assert len(set().union(*frame["systems"])) >= case.protocol.least_systems
    assert content_hash(kept_snapshot(judged)) == content_hash(frame)


@pytest.mark.parametrize("table", TABLES)
def test_an_export_is_imported_to_the_same_snapshot(judged: Campaign, table: str, tmp_path: Path) -> None:
    file = tmp_path / f"copy{TABLES[table]}"
    file.write_bytes(exported(judged, table))
    records = resolve(read_judgments(file), file, texts=texts(judged.corpus))
    plan = plan_judgments(name="copy", corpus=judged.corpus, judgments=records, synthetic=False)
    imported = store_judgments(plan, progress=no_progress)
    before, after = snapshot(judged, names=True), snapshot(imported, names=True)
    ids = ["judgment", "campaign"]
    assert content_hash(after.drop(columns=ids)) == content_hash(before.drop(columns=ids))


@pytest.mark.any_database
@pytest.mark.parametrize("file_format", ["appraise", "wmt-csv"])
def test_formats_of_rankings_hold_ranks_or_say_that_there_are_none(
    judged: Campaign, case: Case, file_format: str
) -> None:
    if case.compares:
        assert exported(judged, file_format)
        return
    with pytest.raises(ExportError, match="has none; CSV, JSON Lines and Parquet hold judgments of every"):
        exported(judged, file_format)


def test_every_page_of_the_campaign_opens(judged: Campaign, admin: Client) -> None:
    for name in ("campaign", "manage-campaign", "export", "reports-and-skips", "ranking", "quality"):
        assert admin.get(reverse(name, args=[judged.uuid])).status_code == 200, name


# --- What the form of a campaign asks of each -----------------------------------------------------


def test_a_campaign_without_outputs_has_no_systems(admin: Client, corpus: Corpus) -> None:
    admin.post(address(corpus, TwoVersions.name), filled(corpus, covers_outputs="on"))
    design = Campaign.objects.get().design
    assert not design.campaign.systems.exists()
    assert (design.outputs_per_screen, design.covers_outputs) == (0, False)


def test_a_verdict_needs_one_system(admin: Client, corpus: Corpus) -> None:
    url = address(corpus, Verdict.name)
    assert problems(admin, url, filled(corpus, systems=[])) == {"systems": ["This field is required."]}
    one = filled(corpus, systems=[corpus.systems.all()[0].pk])
    assert admin.post(url, one).status_code == 302


def test_diverse_outputs_are_for_screens_that_compare(admin: Client, corpus: Corpus, case: Case) -> None:
    form, url = filled(corpus, sampling="diverse", guidelines=""), address(corpus, case.protocol.name)
    if case.protocol.most_outputs > 1:
        assert admin.post(url, form).status_code == 302
    else:
        assert problems(admin, url, form).keys() == {"sampling"}


@pytest.mark.parametrize(("sent", "ties"), [({}, "no"), ({"better-of-two-ties": "on"}, "yes")])
def test_a_yes_no_option_is_ticked_only_where_it_was(
    admin: Client, corpus: Corpus, sent: dict[str, str], ties: str
) -> None:
    url = address(corpus, BetterOfTwo.name)
    page = admin.get(url)
    new = str(page.context["form"]["better-of-two-ties"])
    assert re.search(rf'class="field ticked">\s*{re.escape(new)} <label', page.content.decode())
    assert "checked" not in new
    assert "value=" not in new, "a ticked box sends its value"
    admin.post(url, filled(corpus, guidelines="", **sent))
    campaign = Campaign.objects.get()
    assert campaign.design.protocol_options == {"ties": ties}
    form = admin.get(reverse("edit-campaign", args=[campaign.uuid])).context["form"]
    again = str(form["better-of-two-ties"])
    assert ("checked" in again) == (ties == "yes")
    assert "value=" not in again


def test_the_form_leaves_out_fields_that_the_protocol_has_no_use_for(admin: Client, corpus: Corpus) -> None:
    two, one = (admin.get(address(corpus, toy.name)).context["form"].fields for toy in (TwoVersions, Verdict))
    assert "outputs_per_screen" not in {*two, *one}
    assert {"systems", "practice_needed"}.isdisjoint(two)
    assert {"systems", "practice_needed"} <= set(one)


def test_every_output_can_have_a_screen_of_its_own(corpus: Corpus) -> None:
    campaign = running(
        corpus=corpus,
        protocol=Verdict.name,
        outputs_per_screen=1,
        covers_outputs=True,
        listed_sentences=[0, 1],
    )
    shown = campaign.items.values_list("sentence__position", "outputs__text").order_by("sentence", "outputs")
    assert len(set(shown)) == len(shown) == 3 + 4


def test_services_refuse_what_the_form_does(corpus: Corpus) -> None:
    with pytest.raises(ValidationError, match="room for 1 output"):
        draft(corpus=corpus, protocol=Verdict.name, outputs_per_screen=2)
    with pytest.raises(ValidationError, match="must be at least 1"):
        draft(corpus=corpus, protocol=Verdict.name, outputs_per_screen=0)


# --- Practice -------------------------------------------------------------------------------------

PRACTICE = "```practice\nHe go .\nright | He goes .\n\nIt agrees.\n```"


def test_practice_of_one_correction(corpus: Corpus) -> None:
    campaign = running(
        corpus=corpus,
        protocol=Verdict.name,
        outputs_per_screen=1,
        guidelines=PRACTICE,
        practice_needed=1,
        marks_edits=False,
    )
    anna = AtWork(add_annotator(campaign, name="anna"))
    practice = f"/judge/{campaign.uuid}/practice/1/"
    assert "He goes ." in anna.get(practice).content.decode()
    compared = anna.post(practice, {"verdict": "right"})
    page = anna.get(compared.url).content.decode()
    assert "Same as ours" in page
    assert [page.count(f'data-whose="{whose}"><bdi>right</bdi>') for whose in ("Yours", "Ours")] == [1, 1]


def test_practice_that_the_protocol_does_not_ask_is_refused(corpus: Corpus) -> None:
    with pytest.raises(
        PracticeError, match=r"line 1 of the guidelines: “Two versions” has no practice items"
    ):
        draft(corpus=corpus, protocol=TwoVersions.name, outputs_per_screen=0, guidelines=PRACTICE)
