"""What is checked before a release, its description, and the command."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from analysis.releases.about import AboutError, read_about
from analysis.releases.checks import Checked, Confirmation, checked
from analysis.releases.personal_data import found_in
from annotate.models import Annotator, Campaign, CampaignState, Link
from core.progress import NoProgress
from tests.analysis.releases.released import (
    ABOUT,
    about_of,
    campaign_to_release,
    campaign_with_personal_data,
)
from tests.annotate.designs import running_campaign
from tests.annotate.samples import small_campaign, small_corpus

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def check(campaign: Campaign, folder: Path, *confirmed: Confirmation, **changes: str) -> Checked:
    return checked([campaign], about_of(folder, **changes), confirmed, NoProgress())


def found(text: str) -> list[tuple[str, str]]:
    return [(each.kind, each.text) for each in found_in([("here", text)])]


@pytest.mark.parametrize(
    ("text", "kind", "part"),
    [
        ("Write to ada@example.org .", "e-mail address", "ada@example.org"),
        ("Write to ada @ example . org now", "e-mail address", "ada @ example . org"),
        ("See https://example.org/a?b=c .", "web address", "https://example.org/a?b=c"),
        ("See www.example.org .", "web address", "www.example.org"),
        ("Call +49 (30) 123 45 67 .", "phone number", "+49 (30) 123 45 67"),
        ("Call 030-1234567 .", "phone number", "030-1234567"),
        ("Pay by 4111 1111 1111 1111 .", "card number", "4111 1111 1111 1111"),
        ("Pay by 5500-0000-0000-0004 .", "card number", "5500-0000-0000-0004"),
    ],
)
def test_what_may_be_personal_data_is_found(text: str, kind: str, part: str) -> None:
    assert found(text) == [(kind, part)]


@pytest.mark.parametrize(
    "text",
    [
        "In 1990 - 2000 he lived @ home .",
        "It costs 1,000,000.00 dollars .",
        "From 1939-1945 to 1990 .",
        "12 34 56 78",
        "Pay by 4111 1111 1111 1112 .",
        "She went www home .",
    ],
)
def test_what_is_none_is_not_found(text: str) -> None:
    assert found(text) == []


def test_places_are_listed_once_and_need_a_confirmation(tmp_path: Path) -> None:
    campaign = campaign_with_personal_data()
    result = check(campaign, tmp_path)
    assert [str(each) for each in result.found] == [
        "sentence 0, document: e-mail address: bob@example.org",
        "sentence 0: e-mail address: ada @ example.org",
        "sentence 0: phone number: +49 30 1234567",
        "sentence 0, output of Alder: e-mail address: ada@example.org",
        "sentence 0, output of Cedar: card number: 4111 1111 1111 1111",
        "sentence 0, reference 1: web address: https://example.org/ada",
        "sentence 0, an edit of reference 1: e-mail address: eve@example.org",
    ]
    assert list(result.to_confirm) == [Confirmation.TEXTS_CHECKED]
    assert not check(campaign, tmp_path, Confirmation.TEXTS_CHECKED).to_confirm
    without = check(campaign, tmp_path, text_licence="", leave_out_texts="true")
    assert (without.found, without.to_confirm, without.refusals) == ([], {}, [])


def test_the_licence_of_the_texts_must_be_stated(tmp_path: Path) -> None:
    [refusal] = check(campaign_to_release(), tmp_path, text_licence="").refusals
    assert "is not stated" in refusal
    assert "leave out the texts (leave_out_texts)" in refusal


def test_few_annotators_must_agree(tmp_path: Path) -> None:
    campaign = small_campaign(small_corpus())
    result = check(campaign, tmp_path)
    assert result.to_confirm[Confirmation.FEW_ANNOTATORS].startswith("Only 2 annotators judged")
    assert not check(campaign, tmp_path, Confirmation.FEW_ANNOTATORS).to_confirm


@pytest.mark.parametrize("state", [CampaignState.RUNNING, CampaignState.PAUSED, CampaignState.DRAFT])
def test_a_campaign_must_be_closed(state: CampaignState, tmp_path: Path) -> None:
    campaign = campaign_to_release()
    Campaign.objects.filter(pk=campaign.pk).update(state=state)
    campaign.refresh_from_db()
    [refusal] = check(campaign, tmp_path).refusals
    assert "is not closed. A release names the systems" in refusal


def test_there_must_be_judgments(tmp_path: Path) -> None:
    campaign = running_campaign(small_corpus())
    Campaign.objects.filter(pk=campaign.pk).update(state=CampaignState.CLOSED)
    campaign.refresh_from_db()
    assert check(campaign, tmp_path).refusals == [f"Campaign {campaign.name!r} has no judgments that count."]


def test_links_and_others_who_judge_the_corpus_are_warned_of(tmp_path: Path) -> None:
    campaign = campaign_to_release()
    before = check(campaign, tmp_path).warnings
    Link.objects.create(campaign=campaign, token_digest="0")
    running_campaign(campaign.corpus, "spring")
    added = [each for each in check(campaign, tmp_path).warnings if each not in before]
    assert added[0] == "Links of campaign 'learners' are still valid: revoke them."
    assert "still judge the same corpus in spring" in added[1]


def test_guidelines_may_quote_texts_that_are_left_out(tmp_path: Path) -> None:
    campaign = running_campaign(small_corpus(), guidelines="Rank “She goes home .” first.")
    Campaign.objects.filter(pk=campaign.pk).update(state=CampaignState.CLOSED)
    campaign = Campaign.objects.get(pk=campaign.pk)
    warning = f"The guidelines of {campaign.name!r} are released as they are"
    without = check(campaign, tmp_path, text_licence="", leave_out_texts="true").warnings
    assert any(each.startswith(warning) for each in without)
    assert not any(each.startswith(warning) for each in check(campaign, tmp_path).warnings)


@pytest.mark.parametrize(
    ("changes", "cause"),
    [
        ({"title": ""}, "about.toml: title: is missing."),
        ({"version": '"1.0"'}, "version: must be three numbers such as 1.0.0, not '1.0'"),
        ({"date": '"2026-11-26"'}, "date: must be a day without quotes"),
        ({"licence": '"GPL"'}, "licence: 'GPL' is not one of CC-BY-4.0"),
        ({"licence": ""}, "licence: is missing; use one such as CC-BY-4.0"),
        ({"licence": '{name = "Own"}'}, "licence.url: is missing"),
        ({"name": '"../evil"'}, "name: must be small letters and digits"),
        ({"url": '"javascript:x"'}, "url: must be an address"),
        ({"title": '"a\\nb"'}, "title: has characters that cannot be printed in a line"),
        ({"orcid": '"1"'}, "authors 1: orcid: '1' is not like"),
        ({"colour": '"red"'}, "about.toml: colour: there is no such key."),
        ({"biases": "1"}, "answers.biases: must be a text, not 1"),
        ({"title": '"'}, "cannot be read as TOML"),
    ],
)
def test_a_wrong_description_names_file_key_and_cause(
    changes: dict[str, str], cause: str, tmp_path: Path
) -> None:
    with pytest.raises(AboutError) as raised:
        about_of(tmp_path, **changes)
    assert cause in str(raised.value)
    assert str(tmp_path / "about.toml") in str(raised.value)


def test_other_licences_have_a_name_and_an_address(tmp_path: Path) -> None:
    about = about_of(tmp_path, text_licence='{name = "Own", url = "https://example.org/l"}')
    assert about.text_licence is not None
    assert (about.text_licence.name, about.text_licence.is_known) == ("Own", False)
    with pytest.raises(AboutError, match="There is no file"):
        read_about(tmp_path / "none.toml")


def run(folder: Path, *options: str, campaign: str = "learners") -> None:
    (folder / "about.toml").write_text(ABOUT, encoding="utf-8")
    call_command("release", campaign, str(folder / "out"), "--about", str(folder / "about.toml"), *options)


def test_the_command_writes_folder_and_zip(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    campaign_to_release()
    run(tmp_path)
    assert (tmp_path / "out" / "README.md").exists()
    assert (tmp_path / "out.zip").exists()
    assert "by 3 annotators" in capsys.readouterr().out


def test_a_dry_run_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    campaign_to_release()
    run(tmp_path, "--dry-run")
    assert [path.name for path in tmp_path.iterdir()] == ["about.toml"]
    printed = capsys.readouterr()
    assert "Nothing stands in the way" in printed.out
    assert "Only people can answer 12 questions" in printed.err


def test_the_command_lists_what_to_look_at(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    campaign_with_personal_data()
    with pytest.raises(CommandError, match="--texts-checked"):
        run(tmp_path, campaign="personal")
    assert "sentence 0: e-mail address: ada @ example.org" in capsys.readouterr().err
    run(tmp_path, "--texts-checked", campaign="personal")
    assert (tmp_path / "out.zip").exists()


def test_the_command_needs_a_campaign_that_is_there(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="There is no campaign 'learners'"):
        run(tmp_path)
    assert not Annotator.objects.exists()
