"""Judgments of machines change nothing unless a parameter asks for them, and then everything says so."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from analysis.analyses.annotators.judged_by_machines import JudgedByMachines
from analysis.analyses.base import analyses
from analysis.analyses.judgment_inputs import JudgmentsBesideMachine
from analysis.analyses.systems.ranking import RANKING, RankingParameters
from analysis.publishing.publications import WITH_MACHINES, publish
from analysis.publishing.storing import zip_of
from analysis.runs.computing import computed
from analysis.runs.queries import in_this_process
from analysis.runs.requests import Request, request_of
from analysis.runs.results import to_json
from analysis.runs.sources import source_of, version_of, version_of_request
from annotate.accounts.tokens import mint_token
from annotate.campaigns import progress, site_overview
from annotate.judgments.exporting import export_judgments
from annotate.judgments.queries import machines
from annotate.judgments.stream import Selection
from annotate.models import Annotator, Campaign, CampaignState, Judgment, Revision, User
from core.parameters import ParameterError
from core.progress import NoProgress
from formats import frame_of_file, read_judgments
from formats.machines import AnnotatorKind
from formats.snapshot.resolution import resolve
from formats.snapshot.vocabulary import ProtocolName
from formats.writers import FORMATS
from jobs.refusals import RefusedError
from ranking import SnapshotError
from tests.analysis.publishing.published import draw_nothing, files_of, published_result
from tests.analysis.references.collected_references import grown_corpus
from tests.analysis.scored_campaigns import edited_campaign, upload_scores
from tests.annotate.api.asking import ask, program, with_token
from tests.annotate.machine_judges import PROMPT, description, with_machine
from tests.annotate.references.answers import correcting_campaign
from tests.annotate.running import answer, cast, running, shown
from tests.annotate.samples import SYSTEMS, small_corpus
from tests.annotate.scores.scoring import EDITED, scored

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

QUICK = {"replicates": 100, "permutations": 100, "draws": 1, "seeds": 2, "folds": 3, "splits": 2}
EVERYBODY = list(AnnotatorKind)


def requests(campaign: Campaign) -> Iterator[Request]:
    """A request of each analysis of the campaign, except those that are about machines."""
    for analysis in analyses().values():
        source = source_of(analysis)
        if source.subject is not Campaign or not source.concerns(campaign, analysis):
            continue
        if analysis.inputs in (JudgmentsBesideMachine, JudgedByMachines):
            continue  # They are about machines.
        known = {each for each in QUICK if hasattr(analysis.parameters(), each)}
        yield request_of(analysis, campaign, analysis.parameters(**{name: QUICK[name] for name in known}))


def result(request: Request, *, at_once: bool) -> object:
    """What comes of a request, computed anew."""
    try:
        size = version_of_request(request).size
        inputs = source_of(request.analysis).load(request, size, NoProgress(), at_once=at_once)
        return to_json(computed(request.analysis, inputs, request.parameters, NoProgress()))
    except (ParameterError, SnapshotError, RefusedError) as error:
        return str(error)


def exported(campaign: Campaign, name: str, **selection: Any) -> bytes:
    file_format = FORMATS[name]
    pieces = export_judgments(
        campaign=campaign, file_format=file_format, selection=Selection(**selection), names=False, by=None
    )
    return b"".join(pieces)


def facts(campaign: Campaign) -> dict[str, object]:
    """Everything that is computed, counted and written of a campaign by default."""
    campaign = Campaign.objects.get(pk=campaign.pk)
    found: dict[str, object] = {}
    for request in requests(campaign):
        found[request.analysis.name] = result(request, at_once=False)
        found[f"version for {request.analysis.name}"] = version_of(request.analysis, campaign)
    found["ranking of few judgments"] = result(
        request_of(RANKING, campaign, RankingParameters()), at_once=True
    )
    for name, file_format in FORMATS.items():
        if file_format.holds_all or (
            campaign.protocol == ProtocolName.RELATIVE_RANKING and not file_format.holds_spans
        ):
            found[f"export as {name}"] = exported(campaign, name)
    client = with_token(mint_token(User.objects.get(username="boss")))
    for address in ("judgments/", "annotators/", "items/", ""):
        found[f"API: {address}"] = ask(client, f"campaigns/{campaign.uuid}/{address}")
    overview = site_overview.site_overview(User.objects.get(username="boss"))
    found["overview"] = [
        (each.filled, each.annotator_count, each.answered_at, each.judgment_count)  # type: ignore[attr-defined]
        for each in (*overview.results, *(running.campaign for running in overview.running))
    ]
    if hasattr(campaign, "design"):
        found["slots"] = progress.slot_counts(campaign)
        found["items"] = progress.with_counts(list(progress.items(campaign)))
        found["over time"] = progress.answered_over_time(campaign)
        found["needs newcomers"] = progress.needs_newcomers(campaign, campaign.annotators.all())
    if campaign.state == CampaignState.IMPORTED:
        found["published"] = files_of(published_result(campaign))
    return found


def judged_in_the_browser() -> Campaign:
    """A running campaign in which two people have answered one screen each."""
    campaign = running()
    for annotator in cast(campaign):
        answer(shown(annotator))
    return campaign


def with_scores(folder: Path) -> Campaign:
    """Imported rankings of a corpus with metric scores."""
    corpus = small_corpus("scored", sentences=EDITED)
    scored(corpus, "gleu")
    upload_scores(corpus, folder, *(f"of systems,{system},,{place}" for place, system in enumerate(SYSTEMS)))
    return edited_campaign(corpus)


def asked_about_validity() -> Campaign:
    """A campaign in which people judged whether outputs are valid."""
    grown_corpus()
    return Campaign.objects.get(name="grown by")


MAKERS: dict[str, Callable[[Path], Campaign]] = {
    "scores": with_scores,
    "running": lambda folder: judged_in_the_browser(),
    "corrections": lambda folder: correcting_campaign(grown_corpus()),
    "validity": lambda folder: asked_about_validity(),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", MAKERS)
def test_machines_change_nothing_by_default(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw_nothing(monkeypatch)
    User.objects.create_superuser("boss", password="x")
    campaign = MAKERS[kind](tmp_path)
    before = facts(campaign)
    with_machine(campaign)
    assert Judgment.every.filter(campaign=campaign).count() == 2 * campaign.judgments.count()
    after = facts(campaign)
    unlike = {name for name in before if after[name] != before[name]}
    assert unlike == set()


def test_a_parameter_counts_them_and_everything_says_so(admin: Client) -> None:
    campaign = edited_campaign()
    machine = with_machine(campaign)
    campaign.refresh_from_db()
    people = in_this_process(request_of(RANKING, campaign, RankingParameters(replicates=50)), NoProgress())
    request = request_of(RANKING, campaign, RankingParameters(replicates=50, machines=True))
    both = in_this_process(request, NoProgress())
    assert "|with-machines|" in both.signature
    assert "machines" not in people.signature
    assert both.standings != people.standings
    assert result(request, at_once=True) == result(request, at_once=False)
    page = admin.get(f"/campaigns/{campaign.uuid}/ranking/?replicates=50&machines=yes").content.decode()
    assert "People and machines: " in page
    assert "Machine 1" in page
    figure = admin.get(f"/campaigns/{campaign.uuid}/analyses/ranking/ranking.svg?replicates=50&machines=yes")
    assert "(people and machines)" in figure.content.decode()
    Annotator.every.filter(pk=machine.pk).update(answers_sent=99)
    assert version_of_request(request).state.endswith("|machines:99")


def test_a_form_offers_machines_only_where_there_are_any(admin: Client) -> None:
    campaign = edited_campaign()
    addresses = [f"/campaigns/{campaign.uuid}/{page}/" for page in ("ranking", "analyses/fragility")]
    assert not any("With machines" in admin.get(each).content.decode() for each in addresses)
    with_machine(campaign)
    assert all("With machines" in admin.get(each).content.decode() for each in addresses)


def test_results_with_machines_are_not_published() -> None:
    campaign = edited_campaign()
    with_machine(campaign)
    with pytest.raises(RefusedError) as refusal:
        publish(
            campaign,
            RANKING,
            title="Both",
            with_names=True,
            parameters=RankingParameters(machines=True),
            by=User.objects.create_superuser("boss", password="x"),
        )
    assert str(refusal.value) == WITH_MACHINES


def test_an_export_holds_them_on_request_with_what_is_known_of_them(tmp_path: Path) -> None:
    """All formats of rankings are read back to the same judgments."""
    campaign = edited_campaign()
    machine = with_machine(campaign)
    for name in (name for name, each in FORMATS.items() if not each.holds_spans):
        file = tmp_path / name
        file.write_bytes(exported(campaign, name, kinds=EVERYBODY))
        judgments = resolve(read_judgments(file), file)
        by_machine = [each for each in judgments if each.annotator_kind == AnnotatorKind.MACHINE]
        assert 0 < len(by_machine) < len(judgments)
        assert all(each.machine == description(machine) for each in by_machine)
        assert all(each.machine is None for each in judgments if each not in by_machine)
        assert len(frame_of_file(file)) < len(frame_of_file(file, machines=True))


def test_an_import_keeps_people_and_machines_apart(tmp_path: Path) -> None:
    campaign = edited_campaign()
    machine = with_machine(campaign)
    file = tmp_path / "both.jsonl"
    file.write_bytes(exported(campaign, "jsonl", kinds=EVERYBODY))
    call_command("import_judgments", "again", file, corpus=campaign.corpus.name)
    again = Campaign.objects.get(name="again")
    assert again.judgments.count() == campaign.judgments.count()
    [copy] = machines(again)
    assert copy.known_as == "Machine 1"
    assert copy.machine.description == description(machine)
    assert copy.complete == Judgment.every.filter(annotator=copy).count()
    assert again.annotators.count() == campaign.annotators.count()
    assert again.last_annotator_number == campaign.last_annotator_number


def test_the_page_of_judgments_lists_machines_apart(admin: Client) -> None:
    campaign = edited_campaign()
    with_machine(campaign)
    address = f"/campaigns/{campaign.uuid}/"
    page = admin.get(address).content.decode()
    assert "gpt-4o <small>2024-08-06</small>" in page
    assert "temperature 0, seed 7" in page
    people, of_machine = page.partition('id="judgments"')[2], admin.get(f"{address}?annotator=machine-1")
    assert "Machine 1" not in people.partition("</form>")[2]
    assert "Machine 1" in of_machine.content.decode().partition("</form>")[2]


def test_the_api_lists_machines_on_request() -> None:
    campaign = edited_campaign()
    machine = with_machine(campaign)
    client = program()
    [listed] = ask(client, f"campaigns/{campaign.uuid}/annotators/", kind="machine")["results"]
    assert listed["machine"] == {**description(machine), "prompt": PROMPT}
    judgments = ask(client, f"campaigns/{campaign.uuid}/judgments/", kind="machine")["results"]
    assert {each["annotator_kind"] for each in judgments} == {"machine"}
    assert len(judgments) == campaign.judgments.count()
    file = client.get(f"/api/v1/campaigns/{campaign.uuid}/export/?format=csv&machines=true")
    assert b"gpt-4o" in b"".join(file)
    assert b"gpt-4o" not in b"".join(client.get(f"/api/v1/campaigns/{campaign.uuid}/export/?format=csv"))


def test_results_say_that_annotators_saw_a_machines_opinion(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the signature, and in the methods and the data sheet of a published result, which is verified."""
    draw_nothing(monkeypatch)
    campaign = edited_campaign()
    request = request_of(RANKING, campaign, RankingParameters(replicates=20))
    shown = Revision.objects.filter(judgment__campaign=campaign, is_current=True)
    shown.update(opinion="not-shown")
    few = shown.order_by("pk")
    few.filter(pk__in=[each.pk for each in few[:2]]).update(opinion="shown-after")
    few.filter(pk=few[2].pk).update(opinion="shown-before")
    assert "|opinions|snapshot:" in in_this_process(request, NoProgress()).signature
    for at_once in (True, False):
        assert "|opinions|" in str(result(request, at_once=at_once))
    publication = published_result(campaign, replicates="20")
    files = files_of(publication)
    methods = files["methods.txt"].decode()
    assert "After 2 of the answers, annotators were shown the answer of a program; 1 further" in methods
    assert "Screens after which a machine's answer was shown: 2" in files["datasheet.md"].decode()
    bundle = tmp_path / "bundle.zip"
    bundle.write_bytes(b"".join(zip_of(publication)))
    call_command("verify", bundle)
