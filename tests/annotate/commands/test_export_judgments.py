from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError

from annotate.judgments.pseudonyms import pseudonym
from annotate.management.commands import export_judgments
from annotate.models import AuditEntry, Campaign, CampaignState
from formats import read_judgments
from formats.snapshot.judgment_columns import SCHEMA_VERSION
from formats.writers import FORMATS
from tests.annotate.commands.files import refusal
from tests.annotate.samples import RANKINGS, campaign_without_texts

pytestmark = pytest.mark.django_db
NAME = "judged-alone"


@pytest.fixture(autouse=True)
def campaign() -> Campaign:
    return campaign_without_texts(NAME)


def test_it_writes_to_standard_output(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    call_command("export_judgments", NAME, "--format", "jsonl")
    output, said = capfdbinary.readouterr()
    assert output.startswith(b'{"schema_version": %d, ' % SCHEMA_VERSION)
    assert output.count(b"\n") == 15
    assert said.decode() == f"Exported {len(RANKINGS)} judgments.\n"


@pytest.mark.parametrize("file_format", [name for name, each in FORMATS.items() if not each.holds_spans])
def test_it_writes_to_a_file(file_format: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("what was there before")
    call_command("export_judgments", NAME, "--format", file_format, "--output", str(file))
    content = read_judgments(file)
    assert len(content.records) + len(content.judgments) > 0
    assert list(tmp_path.iterdir()) == [file]
    assert AuditEntry.objects.get().who == ""


def test_filters(campaign: Campaign, tmp_path: Path) -> None:
    file = tmp_path / "file"

    def exported(*options: str) -> list[tuple[str, str]]:
        call_command("export_judgments", NAME, "--format", "csv", "--output", str(file), *options)
        return [(judgment.annotator, judgment.state) for judgment in read_judgments(file).judgments]

    ben = pseudonym(campaign, "ben")
    assert exported("--names", "--state", "skipped", "auto") == [("ben", "skipped"), ("ben", "auto")]
    assert exported("--annotator", "ben") == [(ben, "complete"), (ben, "skipped"), (ben, "auto")]
    assert exported("--annotator", ben, "--state", "auto") == [(ben, "auto")]
    campaign.items.get(number=0).judgments.get(repetition=0).revisions.update(
        submitted_at="2026-05-04T12:00:00Z"
    )
    assert exported("--names", "--from", "2026-05-04", "--to", "2026-05-04") == [("anna", "complete")]
    campaign.items.get(number=0).judgments.get(repetition=0).revisions.create(number=2, is_current=False)
    call_command("export_judgments", NAME, "--format", "csv", "--output", str(file), "--history")
    assert [len(judgment.answers) for judgment in read_judgments(file).judgments] == [2, 1, 1, 1, 1, 1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["other", "--format", "csv"], "There is no campaign 'other'. Campaigns are: judged-alone."),
        ([NAME, "--format", "xls"], "Error: argument --format: invalid choice: 'xls'"),
        ([NAME], "Error: the following arguments are required: --format"),
        ([NAME, "--format", "csv", "--annotator", "eve"], "There is no annotator 'eve' in campaign 'judged"),
        ([NAME, "--format", "csv", "--state", "late"], "Error: argument --state: invalid choice: 'late'"),
        (
            [NAME, "--format", "csv", "--to", "4.5."],
            "Error: argument --to: '4.5.' is not a day like 2026-05-04",
        ),
        ([NAME, "--format", "csv", "--output", "nowhere/file"], "There is no folder nowhere."),
        ([NAME, "--format", "csv", "--output", "."], ". is a folder: name a file in it."),
        ([NAME, "--format", "wmt-csv", "--history"], "WMT CSV holds current answers only"),
    ],
)
def test_arguments_that_do_not_fit_are_explained(arguments: list[str], message: str) -> None:
    assert refusal("export_judgments", *arguments).startswith(message)
    assert not AuditEntry.objects.exists()


def test_an_unfinished_import_cannot_be_exported(campaign: Campaign) -> None:
    Campaign.objects.update(state=CampaignState.IMPORTING)
    assert refusal("export_judgments", NAME, "--format", "csv").endswith("Campaigns are: none.")


@pytest.mark.parametrize(
    ("fault", "message", "status"),
    [
        (KeyboardInterrupt(), "Interrupted before the export was complete.", 130),
        (DatabaseError("gone"), "The export failed because of a database error: gone.", 1),
        (OSError("disk full"), "The export failed: disk full.", 1),
    ],
)
def test_an_export_that_fails_leaves_the_folder_as_it_was(
    fault: BaseException, message: str, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pieces(**options: object) -> Iterator[bytes]:
        yield b"a beginning"
        fail()

    def fail() -> NoReturn:
        raise fault

    monkeypatch.setattr(export_judgments, "export_judgments", pieces)
    file = tmp_path / "file"
    file.write_text("what was there before")
    with pytest.raises(CommandError) as error:
        call_command("export_judgments", NAME, "--format", "csv", "--output", str(file))
    assert (str(error.value), error.value.returncode) == (message, status)
    assert [path.read_text() for path in tmp_path.iterdir()] == ["what was there before"]
