"""The documentation covers all settings, commands and pages, and its examples run."""

import re
import shlex
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command, get_commands, load_command_class
from pytest_django.live_server_helper import LiveServer

import metrics
import metrics.meta_evaluation
import metrics.references
import ranking
import ranking.machines
from analysis.analyses.base import analyses
from analysis.api import urls as analysis_api
from analysis.runs.sources import source_of
from annotate.accounts.tokens import mint_token
from annotate.api import urls as annotate_api
from annotate.design.protocols import PROTOCOLS
from annotate.models import Campaign, Role, User
from tests.annotate.protocols import EACH
from tests.annotate.samples import small_campaign, small_corpus

BASE: Path = settings.BASE_DIR
PAGES = (
    *("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"),
    *(f"docs/{path.name}" for path in (BASE / "docs").glob("*.md")),
)
LONGEST_LINE = 200
BEYOND_SETTINGS = {"BROWSER_TESTS", "CHROMIUM", "DEEP_TESTS", "OPENBLAS_NUM_THREADS", "REQUIRE_ALL_TESTS"}
"""Read from the environment, but not by the settings."""

COMMANDS = sorted(
    name for name, app in get_commands().items() if app in ("annotate", "analysis", "operation")
)


def test_every_setting_is_documented() -> None:
    source = (BASE / "config" / "settings.py").read_text()
    read = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', source))
    documented = set(re.findall(r"^\| `([A-Z_]+)` \|", (BASE / "docs" / "settings.md").read_text(), re.M))
    assert read
    assert read <= documented
    assert documented - read == BEYOND_SETTINGS


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_documented(name: str) -> None:
    sections = (BASE / "docs" / "commands.md").read_text().split("\n## ")
    [section] = [text for text in sections if text.startswith(f"`{name}`")]
    parser = load_command_class(get_commands()[name], name).create_parser("manage.py", name)
    own = {
        action.option_strings[-1]
        for action in parser._actions
        if action.option_strings and not is_djangos(action.option_strings[-1])
    }
    undocumented = {option for option in own if f"`{option}`" not in section}
    assert not undocumented


def is_djangos(option: str) -> bool:
    return option in {
        "--help",
        "--version",
        "--verbosity",
        "--settings",
        "--pythonpath",
        "--traceback",
        "--no-color",
        "--force-color",
        "--skip-checks",
    }


def test_every_make_target_is_documented_and_listed() -> None:
    makefile = (BASE / "Makefile").read_text()
    [targets] = re.findall(r"^\.PHONY: (.*)", makefile, re.M)
    documented = (BASE / "docs" / "commands.md").read_text()
    for target in set(targets.split()) - {"style"}:  # A part of others.
        assert f"`make {target}`" in documented
        assert re.search(rf"^## .+\n{target}:", makefile, re.M), f"`make help` does not list {target}"


def test_every_protocol_is_documented_and_tested() -> None:
    """A protocol that `protocols.EACH` lacks is not asked in the tests that run over all of them."""
    documented = re.findall(r"^\| `([\w-]+)` \|", (BASE / "docs" / "protocols.md").read_text(), re.M)
    assert set(PROTOCOLS) <= set(documented)
    assert set(PROTOCOLS) == set(EACH)


@pytest.mark.parametrize(
    ("page", "public"),
    [
        ("docs/ranking.md", ranking.__all__),
        ("docs/machine-judges.md", ranking.machines.__all__),
        ("docs/metrics.md", metrics.__all__),
        ("docs/metrics-against-people.md", metrics.meta_evaluation.__all__),
        ("docs/references.md", metrics.references.__all__),
    ],
)
def test_every_public_name_is_documented(page: str, public: list[str]) -> None:
    documented = set(re.findall(r"`(\w+)`", (BASE / page).read_text()))
    assert set(public) - documented == {"__version__"} & set(public)


def test_every_metric_is_documented() -> None:
    documented = set(
        re.findall(
            r"`([\w-]+)`", "".join(re.findall(r"^### (.*)", (BASE / "docs" / "metrics.md").read_text(), re.M))
        )
    )
    assert set(metrics.METRICS) - documented == set()


def test_every_analysis_is_documented() -> None:
    documented = set(re.findall(r"^\| `([\w-]+)` \|", (BASE / "docs" / "analyses.md").read_text(), re.M))
    in_the_program = {
        name
        for name, analysis in analyses().items()
        if not analysis.parameters.__module__.startswith("tests.")
    }
    assert documented == in_the_program


def test_every_analysis_of_a_campaign_is_said_to_be_publishable_or_not() -> None:
    possible, impossible = (
        (BASE / "docs" / "publishing.md").read_text().partition("## What the zip")[0].split("Others cannot")
    )
    for analysis in analyses().values():
        if analysis.parameters.__module__.startswith("tests.") or source_of(analysis).subject is not Campaign:
            continue
        assert f"`{analysis.name}`" in (possible if analysis.is_publishable else impossible)


def test_the_api_example_runs(
    live_server: LiveServer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    small_campaign(small_corpus())
    monkeypatch.setenv("ASSAY_SITE", live_server.url)
    monkeypatch.setenv("ASSAY_TOKEN", mint_token(User.objects.create_user("rita", role=Role.RESEARCHER)))
    [example] = re.findall(r"```python\n(.*?)```", (BASE / "docs" / "api.md").read_text(), re.S)
    assert len(example.split("\n\n")) == 3
    exec(example, {})  # noqa: S102
    assert capsys.readouterr().out == "judged Alder Birch Cedar INPUT\n"


def test_every_address_of_the_api_is_documented() -> None:
    documented = set(re.findall(r"`([a-z/.{}]+)`", (BASE / "docs" / "api.md").read_text()))
    found = {
        re.sub(r"<\w+:(\w+)>", r"{\1}", str(pattern.pattern))
        for pattern in [*annotate_api.urlpatterns, *analysis_api.urlpatterns]
    }
    assert found <= documented


def test_the_commands_of_the_tour_run(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(BASE)
    tour = (
        (BASE / "README.md")
        .read_text()
        .partition("### Five minutes as a researcher")[2]
        .partition("\n## ")[0]
    )
    one_line_each = tour.replace("\\\n", "")
    commands = re.findall(r"^\.venv/bin/python manage\.py (.+)$", one_line_each, re.M)
    assert [command.split()[0] for command in commands] == ["rank", "agree", "score"]
    for command in commands:
        call_command(*shlex.split(command))
        assert "Signature" in capfd.readouterr().out


@pytest.mark.parametrize("page", PAGES)
def test_links_between_pages_lead_somewhere(page: str) -> None:
    path = BASE / page
    links = re.findall(r"\]\((?!https?://)([^)#]*)(?:#([^)]+))?\)", path.read_text())
    assert [link for link, _ in links if not (path.parent / link).exists()] == []
    sections = [(path.parent / link if link else path, section) for link, section in links if section]
    assert [section for target, section in sections if section not in _sections(target)] == []


@pytest.mark.parametrize("page", PAGES)
def test_lines_are_short_enough_to_compare(page: str) -> None:
    """A row of a table is one line, however long."""
    lines = (BASE / page).read_text().splitlines()
    assert [line for line in lines if len(line) > LONGEST_LINE and not line.startswith("|")] == []


def test_rows_of_analyses_are_short_too() -> None:
    lines = (BASE / "docs" / "analyses.md").read_text().splitlines()
    assert [line for line in lines if len(line) > LONGEST_LINE] == []


def _sections(page: Path) -> set[str]:
    """The names by which GitHub links to the headings of a page."""
    headings = re.findall(r"^#+ (.*)", page.read_text(), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
