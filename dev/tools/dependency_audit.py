"""`python -m dev.tools.dependency_audit`: known vulnerabilities of the packages in requirements.txt.

pip-audit asks the vulnerability database of the package index. Where that cannot be reached, this says so
and passes.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

COMMAND = ["pip-audit", "--requirement", "requirements.txt", "--no-deps", "--disable-pip", "--format", "json"]
PATIENCE_SECONDS = 120


def main() -> None:
    """Print what is known, and end with status 1 if a package is vulnerable."""
    try:
        audited, vulnerable = outcome(_report())
    except (OSError, ValueError, subprocess.TimeoutExpired):
        audited, vulnerable = 0, []
    if not audited:
        print("Dependencies were not audited: the vulnerability database cannot be reached from here.")
    else:
        print(f"Audited {audited} dependencies: {len(vulnerable)} known vulnerabilities.")
    if vulnerable:
        sys.exit("\n".join(vulnerable))


def _report() -> dict[str, object]:
    program = Path(sys.executable).with_name(COMMAND[0])
    ran = subprocess.run(  # noqa: S603
        [program, *COMMAND[1:]], capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False
    )
    report: dict[str, object] = json.loads(ran.stdout)
    return report


def outcome(report: dict[str, Any]) -> tuple[int, list[str]]:
    """How many packages were audited, and a line for each vulnerability."""
    audited = [package for package in report["dependencies"] if "skip_reason" not in package]
    return len(audited), [
        f"{package['name']} {package['version']}: {fault['id']}, fixed in {', '.join(fault['fix_versions'])}"
        for package in audited
        for fault in package["vulns"]
    ]


if __name__ == "__main__":
    main()
