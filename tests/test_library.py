"""The library as it is installed elsewhere: `pip install`, then `from ranking import …` in any folder."""

import ast
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
from collections.abc import Iterator
from pathlib import Path
from shutil import copy, copytree, ignore_patterns
from typing import Any, cast
from zipfile import ZipFile

import pytest
from django.conf import settings
from packaging.requirements import Requirement

PACKAGES = ("core", "figures", "formats", "metrics", "ranking")
OTHERWISE_NAMED = {
    "harper": "harper-py",
    "sklearn": "scikit-learn",
    "vl_convert": "vl-convert-python",
    "yaml": "pyyaml",
}
OF_ANOTHER_INTERPRETER = {"gec_metrics"}
BESIDE = ("assay.py", "pyproject.toml", "README.md", "LICENSE")
USE = """
from pathlib import Path
from formats import frame_of_file
from metrics.english.spacy_pipelines import FOLDER
from ranking import count_pairs, expected_wins

import core.languages, figures.drawing, metrics, ranking

snapshot = frame_of_file(Path({judgments!r}))
print(expected_wins(count_pairs(snapshot)).scores[0].system)
print(ranking.__file__)
print(any(FOLDER.iterdir()))
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the library is built from, since a build writes beside its sources."""
    copied = tmp_path_factory.mktemp("project")
    for package in PACKAGES:
        copytree(settings.BASE_DIR / package, copied / package, ignore=ignore_patterns("__pycache__"))
    for name in BESIDE:
        copy(settings.BASE_DIR / name, copied)
    return copied


@pytest.fixture(scope="module")
def wheel(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built without the network."""
    folder = tmp_path_factory.mktemp("wheel")
    build = f"from setuptools import build_meta; print(build_meta.build_wheel({str(folder)!r}))"
    subprocess.run([sys.executable, "-c", build], cwd=project, check=True, capture_output=True)
    [built] = folder.iterdir()
    return built


def test_the_wheel_holds_the_packages_without_django_and_nothing_else(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if ".dist-info/" not in name]
    assert {name.split("/")[0] for name in names} == {"assay.py", *PACKAGES}
    stored = {
        str(path.relative_to(settings.BASE_DIR))
        for package in PACKAGES
        for path in (settings.BASE_DIR / package).rglob("*.*")
        if "__pycache__" not in path.parts
    }
    assert stored <= set(names), "a module or a data file is missing"


def test_it_works_in_any_folder(wheel: Path, tmp_path: Path) -> None:
    """The packages come from the wheel, and what they need from this environment."""
    site, elsewhere = tmp_path / "site", tmp_path / "elsewhere"
    elsewhere.mkdir()
    with ZipFile(wheel) as archive:
        archive.extractall(site)
    printed = used(Path(sys.executable), elsewhere, {**os.environ, "PYTHONPATH": str(site)})
    assert printed == ["Maple", str(site / "ranking/__init__.py"), "True"]


@pytest.mark.deep
@pytest.mark.parametrize("options", [[], ["--editable"]], ids=["installed", "editable"])
def test_it_installs_into_an_empty_environment(project: Path, tmp_path: Path, options: list[str]) -> None:
    """By pip, which gets what builds it from the package index.

    What it needs is lent by this environment: to get that, too, takes minutes.
    """
    venv.create(tmp_path / "empty", with_pip=True)
    python = tmp_path / "empty/bin/python"
    install = [str(python), "-m", "pip", "install", "--quiet", "--no-deps", *options, str(project)]
    subprocess.run(install, check=True, cwd=tmp_path)
    [site] = (tmp_path / "empty/lib").glob("python*/site-packages")
    (site / "lent.pth").write_text(sysconfig.get_paths()["purelib"])
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    winner, file, has_pipeline = used(python, tmp_path, environment)
    assert (winner, has_pipeline) == ("Maple", "True")
    assert Path(file).is_relative_to(project if options else site)
    site_of_ours = subprocess.run([str(python), "-c", "import config"], cwd=tmp_path, capture_output=True)
    assert b"No module named 'config'" in site_of_ours.stderr


def used(python: Path, folder: Path, environment: dict[str, str]) -> list[str]:
    """What a program in that folder prints that uses the library."""
    program = USE.format(judgments=str(settings.BASE_DIR / "fixtures/demo/judgments.xml"))
    ran = subprocess.run(
        [str(python), "-c", program],
        cwd=folder,
        env={**environment, "NUMBA_CACHE_DIR": str(folder / "numba")},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.split()


def test_it_states_every_package_that_it_imports() -> None:
    imported = {
        name.partition(".")[0]
        for package in PACKAGES
        for path in (settings.BASE_DIR / package).rglob("*.py")
        for name in _imported(ast.parse(path.read_text(encoding="utf-8")))
    }
    theirs = imported - sys.stdlib_module_names - {*PACKAGES, "assay"} - OF_ANOTHER_INTERPRETER
    stated = {Requirement(each).name for each in _project()["dependencies"]}
    assert {OTHERWISE_NAMED.get(name, name) for name in theirs} <= {name.lower() for name in stated}


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def _project() -> dict[str, Any]:
    stated = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))
    return cast(dict[str, Any], stated["project"])


def test_its_dependencies_allow_the_versions_that_the_site_runs_on() -> None:
    pinned = dict(
        re.findall(
            r"^([A-Za-z0-9_.-]+)==([^\s;]+)", (settings.BASE_DIR / "requirements.txt").read_text(), re.M
        )
    )
    for requirement in map(Requirement, _project()["dependencies"]):
        assert pinned[requirement.name] in requirement.specifier, requirement.name


def test_no_package_that_the_site_needs_has_a_name_of_ours() -> None:
    ours = {*PACKAGES, "annotate", "analysis", "config", "dev", "jobs", "operation", "assay"}
    theirs = {path.name.removesuffix(".py") for path in Path(sysconfig.get_paths()["purelib"]).iterdir()}
    assert ours & theirs == set()
