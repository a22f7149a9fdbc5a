"""The pure packages work in a fresh Python process, as in a notebook, where Django cannot be imported."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

BASE = Path(__file__).parents[1]
NO_DJANGO = "import sys; sys.modules['django'] = None\n"
NAMES = """
import formats, metrics, metrics.meta_evaluation, ranking
for package in (formats, metrics, metrics.meta_evaluation, ranking):
    for name in package.__all__:
        assert getattr(package, name) is not None, name
    exec(f"from {package.__name__} import *")
"""
EXAMPLES = """
import doctest, re
page, steps = sys.argv[1:]
blocks = re.findall(r"```python\\n(.*?)```", open(page).read(), re.S)
test = doctest.DocTestParser().get_doctest("\\n".join(blocks), {}, page, None, 0)
outcome = doctest.DocTestRunner().run(test)
assert outcome.attempted > int(steps)
sys.exit(bool(outcome.failed))
"""


def printed(program: str, *arguments: str) -> str:
    """The output of the program in a process of its own without Django; a failure shows the error."""
    environment = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    command = [sys.executable, "-c", NO_DJANGO + program, *arguments]
    run = subprocess.run(command, cwd=BASE, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def test_every_public_name_is_there() -> None:
    printed(NAMES)


def test_the_readme_example_runs() -> None:
    [example] = re.findall(r"```python\n(.*?)```", (BASE / "README.md").read_text(), re.S)
    assert re.findall(r"^(?:from|import) (\S+)", example, re.M) == ["pathlib", "formats", "ranking"]
    system, kappa = printed(example).split()
    assert system == "Maple"
    assert 0 < float(kappa) < 1


@pytest.mark.parametrize(
    ("page", "steps"),
    [
        ("docs/ranking.md", 20),
        ("docs/metrics.md", 10),
        ("docs/metrics-against-people.md", 15),
        ("docs/maege.md", 10),
    ],
)
def test_the_examples_of_a_page_run(page: str, steps: int) -> None:
    printed(EXAMPLES, page, str(steps))
