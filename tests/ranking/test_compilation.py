"""Compiled functions: where their machine code may be cached, and what they may use."""

import ast
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from ranking.compilation import compiled
from ranking.models.trueskill_kernel import last_largest

ROOT = Path(__file__).parents[2]
PACKAGES = ("metrics", "ranking")
MODULES = sorted(
    path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
    for package in PACKAGES
    for path in (ROOT / package).rglob("*.py")
    if "ranking.compilation import compiled" in path.read_text()
)


def imported_names(module: str) -> set[str]:
    """The names that a module imports from this project."""
    tree = ast.parse((ROOT / f"{module.replace('.', '/')}.py").read_text())
    return {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGES)
        for alias in node.names
    }


def test_modules_with_compiled_functions_are_seen() -> None:
    assert {"metrics.kernels.m2_kernel.lattice", "ranking.models.trueskill_kernel"} <= set(MODULES)


def test_all_compiled_functions_are_in_these_packages() -> None:
    packages = {
        path.relative_to(ROOT).parts[0]
        for folder in ROOT.iterdir()
        if folder.is_dir() and not folder.name.startswith(".") and folder.name not in ("tests", "var")
        for path in folder.rglob("*.py")
        if "import compiled" in path.read_text(encoding="utf-8")
    }
    assert packages == set(PACKAGES)


@pytest.mark.parametrize("module", MODULES)
def test_compiled_functions_use_nothing_of_another_file(module: str) -> None:
    """Numba would go on using the old machine code after a change of the other file."""
    imported = imported_names(module)
    functions = {
        name: each.py_func for name, each in vars(import_module(module)).items() if hasattr(each, "py_func")
    }
    assert functions
    used = {name: imported.intersection(function.__code__.co_names) for name, function in functions.items()}
    assert {name: names for name, names in used.items() if names} == {}


def test_where_machine_code_cannot_be_kept_it_is_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package folder and the home are both read-only."""
    monkeypatch.setattr("numba.core.config.CACHE_LOCATOR_CLASSES", "IPythonCacheLocator")
    assert compiled(last_largest.py_func)(np.array([2.0, 3.0, 3.0, 1.0])) == 2  # type: ignore[attr-defined]
