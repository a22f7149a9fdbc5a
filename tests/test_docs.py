"""The documentation names everything there is, and its examples run."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import get_commands, load_command_class

BASE: Path = settings.BASE_DIR
COMMANDS = sorted(name for name, app in get_commands().items() if app in ("annotate", "analysis"))


def test_every_setting_is_documented() -> None:
    source = (BASE / "config" / "settings.py").read_text()
    read = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', source))
    documented = set(re.findall(r"^\| `([A-Z_]+)` \|", (BASE / "docs" / "settings.md").read_text(), re.M))
    assert read
    assert read <= documented
    assert documented - read == {"BROWSER_TESTS", "CHROMIUM", "REQUIRE_ALL_TESTS"}


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


def test_every_make_target_is_documented() -> None:
    targets = re.findall(r"^([a-z]+):", (BASE / "Makefile").read_text(), re.M)
    documented = (BASE / "docs" / "commands.md").read_text()
    assert [target for target in targets if target != "serve" and f"`make {target}`" not in documented] == []


def test_the_readme_example_runs(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(BASE)
    [example] = re.findall(r"```python\n(.*?)```", (BASE / "README.md").read_text(), re.S)
    exec(example, {})  # noqa: S102
    system, kappa = capsys.readouterr().out.split()
    assert system == "Maple"
    assert 0 < float(kappa) < 1


@pytest.mark.parametrize(
    "page", ["README.md", *(f"docs/{path.name}" for path in (BASE / "docs").glob("*.md"))]
)
def test_links_between_pages_lead_somewhere(page: str) -> None:
    path = BASE / page
    links = re.findall(r"\]\((?!https?://)([^)#]+)\)", path.read_text())
    assert [link for link in links if not (path.parent / link).exists()] == []
