"""Names the tests that `make check` runs for the present changes.

`python -m dev.tools.changed_tests` prints paths for pytest: the guards, and the tests of what differs from
where the branch left `main`. These are changed tests, tests in the folder that mirrors the package of a
changed file, and tests named after the file. Tests in a browser are named only if they themselves changed.
"""

import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

BASE = Path(__file__).resolve().parents[2]

GUARDS = (
    "tests/test_docs.py",
    "tests/test_structure.py",
    "tests/annotate/test_names.py",
    "tests/config/test_access_rules.py",
    "tests/dev/tools/test_table_of_analyses.py",
)
"""Tests of rules that any change may break."""


def changed_files(base: Path) -> list[str]:
    """The files that differ from the commit at which the branch left `main`, committed or not."""
    begin = _git(base, "merge-base", "main", "HEAD")
    changed = _git(base, "diff", "--name-only", "--diff-filter=d", begin[0] if begin else "HEAD")
    return sorted({*changed, *_git(base, "ls-files", "--others", "--exclude-standard")})


def _git(base: Path, *arguments: str) -> list[str]:
    """The lines of the output; none if there is no such commit."""
    done = subprocess.run(  # noqa: S603
        ["git", *arguments],  # noqa: S607
        cwd=base,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.splitlines() if done.returncode == 0 else []


def selected(base: Path, changed: Iterable[str]) -> list[str]:
    """The guards, then the tests of changed files, as paths below `base`."""
    found = {str(path.relative_to(base)) for name in changed for path in _tests_of_file(base, Path(name))}
    return [*GUARDS, *sorted(found.difference(GUARDS))]


def _tests_of_file(base: Path, changed: Path) -> Iterator[Path]:
    tests = base / "tests"
    if changed.parts[0] == "tests":
        is_test = changed.name.startswith("test_")
        yield from [base / changed] if is_test else (base / changed.parent).glob("test_*.py")
        return
    folders = changed.parent.parts
    if folders[:1] == ("templates",):
        folders = folders[1:]
    if not folders or not (tests / folders[0]).is_dir():
        return
    yield from _mirrored(tests, folders).glob("test_*.py")
    yield from (tests / folders[0]).rglob(f"test_{changed.stem.strip('_')}*.py")


def _mirrored(tests: Path, folders: tuple[str, ...]) -> Path:
    """The deepest folder of tests for a folder; the tests may leave out one level, such as `management`."""
    shorter = [folders[:place] + folders[place + 1 :] for place in range(1, len(folders) - 1)]
    for each in (folders, *shorter):
        if tests.joinpath(*each).is_dir():
            return tests.joinpath(*each)
    return _mirrored(tests, folders[:-1])


if __name__ == "__main__":
    print(*selected(BASE, changed_files(BASE)))
