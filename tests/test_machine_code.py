from pathlib import Path

from tests.machine_code import PACKAGES, ROOT, folder_of_machine_code


def test_machine_code_is_kept_until_a_source_changes(tmp_path: Path) -> None:
    for package in PACKAGES:
        (tmp_path / package).mkdir()
    source = tmp_path / "metrics" / "kernel.py"
    source.write_text("one = 1\n")
    before = folder_of_machine_code(tmp_path, tmp_path)
    assert folder_of_machine_code(tmp_path, tmp_path) == before
    source.write_text("one = 2\n")
    assert folder_of_machine_code(tmp_path, tmp_path) != before


def test_all_compiled_functions_are_in_these_packages() -> None:
    outside = {
        path.relative_to(ROOT).parts[0]
        for folder in ROOT.iterdir()
        if folder.is_dir() and not folder.name.startswith(".") and folder.name not in ("tests", "var")
        for path in folder.rglob("*.py")
        if "import compiled" in path.read_text(encoding="utf-8")
    }
    assert outside == set(PACKAGES)
