"""The shape of the packages: no folder is crowded, and none needs many steps to be understood."""

from collections import Counter
from functools import cache
from pathlib import Path

import grimp
import pytest
from django.conf import settings

PACKAGES = (
    "config",
    "operation",
    "analysis",
    "annotate",
    "jobs",
    "figures",
    "metrics",
    "formats",
    "ranking",
    "core",
)
MOST_MODULES, MOST_LEVELS = 25, 8


@cache
def graph() -> grimp.ImportGraph:
    """All imports between modules of Assay, even those within functions."""
    return grimp.build_graph(*PACKAGES, cache_dir=None)


def packages() -> list[str]:
    """Every package with something in it but migrations."""
    return sorted(
        module
        for module in graph().modules
        if graph().find_children(module) and not module.endswith("migrations")
    )


def levels(package: str) -> int:
    """The number of modules and packages beside each other of which each imports the next, at most."""
    imported: dict[str, set[str]] = {child: set() for child in graph().find_children(package)}
    for child in imported:
        for other in imported:
            if child != other and graph().direct_import_exists(
                importer=child, imported=other, as_packages=True
            ):
                imported[child].add(other)

    @cache
    def level(child: str) -> int:
        return 1 + max(map(level, imported[child]), default=0)

    return max(map(level, imported))


def test_no_folder_is_crowded() -> None:
    base: Path = settings.BASE_DIR
    modules = Counter(
        path.parent
        for package in PACKAGES
        for path in (base / package).rglob("*.py")
        if path.name != "__init__.py" and path.parent.name != "migrations"
    )
    assert modules
    assert {str(folder.relative_to(base)): n for folder, n in modules.items() if n > MOST_MODULES} == {}


@pytest.mark.parametrize("package", PACKAGES)
def test_no_package_is_deep(package: str) -> None:
    inside = [name for name in packages() if f"{name}.".startswith(f"{package}.")]
    assert inside
    assert {name: found for name in inside if (found := levels(name)) > MOST_LEVELS} == {}
