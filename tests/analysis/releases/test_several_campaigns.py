"""Releases of several campaigns on one corpus: written, described, checked and read back."""

import json
import re
from hashlib import sha256
from pathlib import Path

import pandas as pd
import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from analysis.analyses.metrics.metrics_people import METRICS_PEOPLE
from analysis.models import DataRelease
from analysis.releases.checks import Confirmation, ReleaseRefusedError, checked, released_together
from analysis.releases.facts import compared
from analysis.releases.options import Layout, Options
from analysis.releases.stored import working
from analysis.releases.stored.requests import ask, confirm
from annotate.models import Annotator, Campaign, CampaignState, Link, PracticeAnswer, Revision
from core.progress import NoProgress
from jobs.worker import run_queued_jobs
from tests.analysis.releases.released import (
    ABOUT,
    about_of,
    campaign_to_release,
    contents,
    recomputed,
    release_of,
    table,
)
from tests.analysis.releases.stored import STATED, releaser
from tests.analysis.releases.test_croissant import read_with_its_library
from tests.analysis.releases.test_resuming import STEPS, write_until
from tests.analysis.releases.test_stored import FORM, page
from tests.analysis.scored_campaigns import result_of, upload_scores
from tests.annotate.machine_judges import with_machine
from tests.annotate.protocols import EACH, RATING
from tests.annotate.running import answer_all, cast, running
from tests.annotate.samples import ranking, small_campaign

pytestmark = pytest.mark.django_db

FOLLOW_UP = [
    ranking(judge, *judged)
    for judge in ("anna", "dora", "eric")
    for judged in ((3, "Birch > Alder"), (1, "Alder > Birch" if judge == "dora" else "Birch > Alder"))
]
"""Rankings of two of the systems."""


def two_campaigns() -> list[Campaign]:
    """Imported judgments with a control and a machine, and a follow-up of two systems."""
    first = campaign_to_release()
    with_machine(first)
    return [first, small_campaign(first.corpus, "follow-up", rankings=FOLLOW_UP)]


def imported(name: str = "again") -> list[Campaign]:
    return list(Campaign.objects.filter(name__startswith=f"{name}: ").order_by("pk"))


@pytest.mark.parametrize("protocol", EACH, indirect=True)
def test_campaigns_of_two_protocols_are_read_back_with_equal_numbers(protocol: str, tmp_path: Path) -> None:
    first = campaign_to_release()
    with_machine(first)
    second = running("other", corpus=first.corpus, annotators_per_item=3)
    for annotator in cast(second, "anna ben carla"):
        answer_all(annotator)
    Campaign.objects.filter(pk=second.pk).update(state=CampaignState.CLOSED)
    campaigns = [first, Campaign.objects.get(pk=second.pk)]
    names = first.corpus.systems.values_list("name", flat=True)
    upload_scores(first.corpus, tmp_path, *[f"luck,{each},,0.{place}" for place, each in enumerate(names, 1)])
    release = release_of(campaigns, tmp_path)
    for path in (release.folder, release.zip):
        call_command("verify", str(path))
    call_command("import_release", "again", str(release.folder))
    again = imported()
    assert [each.name for each in again] == ["again: learners", "again: other"]
    assert [each.protocol for each in again] == [each.protocol for each in campaigns]
    assert len({each.corpus_id for each in again}) == 1
    for before, after in zip(campaigns, again, strict=True):
        assert compared(after, NoProgress()) == compared(before, NoProgress())
        if before.protocol in RATING:
            correlations = [result_of(METRICS_PEOPLE, each).metrics for each in (before, after)]
            assert correlations[0] == correlations[1]
    assert Annotator.every.filter(campaign=again[0], kind="machine").count() == 1
    number = Revision.objects.count()
    call_command("import_release", "again", str(release.folder))
    assert Revision.objects.count() == number


def test_tables_are_shared_and_name_the_campaign(tmp_path: Path) -> None:
    campaigns = two_campaigns()
    for each in campaigns:
        anna = each.annotators.get(name="anna")
        PracticeAnswer.objects.create(annotator=anna, attempt=1, number=1, agrees=True, fields={})
    release = release_of(campaigns, tmp_path)
    judgments = table(release, "judgments")
    assert judgments.groupby("campaign")["judgment"].nunique().to_dict() == {"learners": 12, "follow-up": 6}
    assert judgments["judgment"].nunique() == 18
    assert set(table(release, "practice")["campaign"]) == {"learners", "follow-up"}
    assert release.facts.judgments == 18
    assert len(table(release, "sentences")) == campaigns[0].corpus.sentence_count
    stated = json.loads((release.folder / "numbers.json").read_text())
    assert stated["campaigns"]["follow-up"]["systems"] == ["Alder", "Birch"]
    assert list(stated["campaigns"]["follow-up"]["ranking"]) == ["Birch", "Alder"]
    designs = json.loads((release.folder / "design.json").read_text())["campaigns"]
    assert [each["campaign"] for each in designs] == ["learners", "follow-up"]


def test_only_an_account_is_one_person_in_two_campaigns(tmp_path: Path) -> None:
    campaigns = two_campaigns()
    Annotator.objects.filter(campaign=campaigns[0], name="ben").update(user=releaser())
    Annotator.objects.filter(campaign=campaigns[1], name="dora").update(user=releaser())
    release = release_of(campaigns, tmp_path)
    judges = table(release, "judgments").groupby("campaign")["annotator"].agg(set)
    shared = judges["learners"] & judges["follow-up"]
    # Anna is a name in both campaigns, which the program does not know to be one person.
    assert (len(judges["learners"]), len(judges["follow-up"]), len(shared)) == (3, 3, 1)
    assert release.facts.annotators == 5
    assert "by 5 annotators" in (release.folder / "README.md").read_text()
    alone = release_of(campaigns[0], tmp_path, into="alone")
    assert judges["learners"].isdisjoint(table(alone, "judgments")["annotator"])


def test_the_card_recomputes_each_ranking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release = release_of(two_campaigns(), tmp_path)
    card = (release.folder / "README.md").read_text()
    programs = re.findall(r"```python\n(.*?)```", card, re.DOTALL)
    assert len(programs) == 2
    for part, program in zip(release.facts.campaigns, programs, strict=True):
        (release.folder / "README.md").write_text(f"```python\n{program}```")
        assert recomputed(release.folder, monkeypatch).to_dict() == pytest.approx(dict(part.ranking))
    for heading in ("How it was judged", "Ranking"):
        assert f"## {heading} in follow-up\n" in card


def test_the_order_in_which_they_are_named_does_not_matter(tmp_path: Path) -> None:
    campaigns = two_campaigns()
    first = release_of(released_together(campaigns), tmp_path, into="first")
    second = release_of(released_together(campaigns[::-1]), tmp_path, into="second")
    assert contents(first.folder) == contents(second.folder)
    assert first.zip.read_bytes() == second.zip.read_bytes()


def test_croissant_describes_each_campaign(tmp_path: Path) -> None:
    release = release_of(two_campaigns(), tmp_path)
    read = read_with_its_library(release.folder)
    assert read["issues"] == []
    assert read["rows"] == release.facts.rows
    stated = json.loads((release.folder / "croissant.json").read_text())
    generated = [each["prov:label"] for each in stated["prov:wasGeneratedBy"]]
    assert generated == ["Campaign learners", "Campaign follow-up"]


def test_each_campaign_has_layouts_of_its_own(tmp_path: Path) -> None:
    campaigns = two_campaigns()
    both = Options(layouts=tuple(Layout))
    alone = [release_of(each, tmp_path, into=each.name, options=both) for each in campaigns]
    together = release_of(campaigns, tmp_path, options=both)
    for number, release in enumerate(alone, start=1):
        path = Path("mt-metrics-eval/human-scores/en-en.wins.sys.score")
        scores = (release.folder / "layouts" / path).read_text().splitlines()
        shared = (together.folder / "layouts" / f"campaign-{number}" / path).read_text().splitlines()
        assert set(scores) <= set(shared)
        seeda = Path("gec-metrics/SEEDA/outputs/subset")
        below = together.folder / "layouts" / f"campaign-{number}" / seeda
        assert contents(release.folder / "layouts" / seeda) == contents(below)
    assert (
        "## follow-up\n\nIn the folder `campaign-2/`."
        in (together.folder / "layouts" / "README.md").read_text()
    )


def test_verify_names_the_campaign_whose_ranking_does_not_follow(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    release = release_of(two_campaigns(), tmp_path)
    stated = json.loads((release.folder / "numbers.json").read_text())
    stated["campaigns"]["follow-up"]["ranking"]["Birch"] = 0.5
    stated["campaigns"]["lost"] = stated["campaigns"]["learners"]
    content = json.dumps(stated).encode()
    (release.folder / "numbers.json").write_bytes(content)
    manifest = release.folder / "manifest.sha256"
    text = re.sub(r"\w{64}(?=  numbers\.json)", sha256(content).hexdigest(), manifest.read_text())
    manifest.write_text(text)
    with pytest.raises(CommandError):
        call_command("verify", str(release.folder))
    said = capsys.readouterr().out
    assert "Campaign follow-up: numbers.json states the score 0.5 of Birch" in said
    assert "do not both have these campaigns: lost." in said
    assert "Campaign learners" not in said


def test_campaigns_that_do_not_belong_together_are_refused() -> None:
    first, second = two_campaigns()
    with pytest.raises(ReleaseRefusedError, match="'learners' is named twice"):
        released_together([first, second, first])
    other = campaign_to_release("strangers")
    with pytest.raises(ReleaseRefusedError, match="'strangers' judges corpus 'corpus of strangers', and"):
        released_together([first, other])


def test_every_campaign_is_checked(tmp_path: Path) -> None:
    first, second = two_campaigns()
    Campaign.objects.filter(pk=second.pk).update(state=CampaignState.RUNNING)
    Link.objects.create(campaign=second, token_digest="0")
    second.annotators.filter(name="eric").update(excluded_at="2026-05-04T00:00Z", exclusion_reason="careless")
    Revision.objects.filter(judgment__annotator__name="dora").update(text="Ask ada@example.org .")
    second.refresh_from_db()
    result = checked([first, second], about_of(tmp_path), (), NoProgress())
    assert [each.startswith("Campaign 'follow-up' is not closed") for each in result.refusals] == [True]
    few = result.to_confirm[Confirmation.FEW_ANNOTATORS]
    assert few.startswith("Only 2 annotators judged in 'follow-up': those")
    assert any("of follow-up: e-mail address" in str(each) for each in result.found)
    assert "Links of campaign 'follow-up' are still valid: revoke them." in result.warnings
    assert "Judgments of 1 excluded annotator of 'follow-up' are left out." in result.warnings


def test_a_later_version_names_a_campaign_that_is_new(tmp_path: Path) -> None:
    campaigns = two_campaigns()
    first = release_of(campaigns[0], tmp_path, into="first")
    second = release_of(campaigns, tmp_path, into="second", previous=first.folder, version='"1.1.0"')
    assert "- new campaigns: follow-up" in (second.folder / "CHANGES.md").read_text()


def test_the_command_takes_several(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    two_campaigns()
    about = tmp_path / "about.toml"
    about.write_text(ABOUT, encoding="utf-8")
    call_command("release", "follow-up", "learners", str(tmp_path / "out"), "--about", str(about))
    assert "2 campaigns: learners" in capsys.readouterr().out
    rows = pd.read_json(tmp_path / "out" / "data" / "judgments.jsonl", lines=True)
    assert rows["campaign"].unique().tolist() == ["learners", "follow-up"]
    with pytest.raises(CommandError, match="is named twice"):
        call_command("release", "learners", "learners", str(tmp_path / "twice"), "--about", str(about))


def test_further_campaigns_are_ticked_on_the_page(admin: Client) -> None:
    first, second = two_campaigns()
    stranger = campaign_to_release("strangers")
    shown = admin.get(page(first)).content.decode()
    assert str(second.uuid) in shown
    assert str(stranger.uuid) not in shown
    assert "Together with" not in admin.get(page(stranger)).content.decode()
    refused = admin.post(page(first), {**FORM, "further": [str(stranger.uuid)]})
    assert refused.status_code == 422
    admin.post(page(first), {**FORM, "further": [str(second.uuid)]})
    run_queued_jobs()
    release = DataRelease.objects.get()
    shown = admin.get(page(first, release)).content.decode()
    assert "18 judgments of people" in shown
    assert "together with" in shown
    confirm(release, (), by=releaser())
    run_queued_jobs()
    # It is a release of both, and the next version begins with the other one ticked.
    for each, other in ((first, second), (second, first)):
        shown = admin.get(page(each)).content.decode()
        assert "2 campaigns" in shown
        assert re.search(rf'value="{other.uuid}"[^>]* checked', shown)
        assert "together with" in admin.get(page(each, release)).content.decode()


def test_the_api_takes_further_campaigns(admin: Client) -> None:
    first, second = two_campaigns()
    body = {"about": STATED, "further": [str(second.uuid)]}
    asked = admin.post(page(first, api=True), body, "application/json")
    assert (asked.status_code, asked.json()["further"]) == (202, [str(second.uuid)])
    run_queued_jobs()
    [listed] = admin.get(page(second, api=True)).json()["results"]
    assert dict(map(tuple, listed["checks"]["contents"]))["judgments of people"] == 18
    unknown = "00000000-0000-4000-8000-000000000000"
    for further, status, said in (
        ([unknown], 400, "There is no campaign"),
        ([str(first.uuid)], 409, "is named twice"),
        ([str(campaign_to_release("strangers").uuid)], 409, "judge the same corpus"),
    ):
        answer = admin.post(
            page(first, api=True),
            {"about": {**STATED, "version": "2.0.0"}, "further": further},
            "application/json",
        )
        assert (answer.status_code, said in str(answer.json())) == (status, True)


def test_a_campaign_that_is_deleted_meanwhile_has_to_be_confirmed_anew() -> None:
    first, second = two_campaigns()
    release = ask(first, STATED, Options(), further=[second], by=releaser())
    run_queued_jobs()
    release.refresh_from_db()
    job = confirm(release, (), by=releaser())
    second.delete()
    run_queued_jobs()
    job.refresh_from_db()
    release.refresh_from_db()
    assert job.error == working.HAS_CHANGED
    assert release.checks is not None
    assert release.checks["campaigns"] == ["learners"]


def test_a_worker_that_goes_on_does_no_step_twice_unless_a_campaign_has_changed() -> None:
    first, second = two_campaigns()

    def to_write(version: str) -> DataRelease:
        stated = {**STATED, "version": version}
        release = ask(first, stated, Options(), further=[second], by=releaser())
        run_queued_jobs()
        release.refresh_from_db()
        confirm(release, (), by=releaser())
        return release

    release = to_write("1.0.0")
    assert write_until(*STEPS) == dict.fromkeys(STEPS, 1)
    release.refresh_from_db()
    assert release.is_written
    to_write("2.0.0")
    renamed = second.annotators.filter(name="dora")
    worked = write_until("texts", then=lambda: renamed.update(name="doris"))
    assert (worked["texts"], worked["judgments by people"], worked["zip"]) == (2, 2, 1)


def test_a_release_of_many_campaigns_cannot_be_made() -> None:
    first, _ = two_campaigns()
    with pytest.raises(ReleaseRefusedError, match="at most 100 campaigns"):
        released_together([first] * 101)
