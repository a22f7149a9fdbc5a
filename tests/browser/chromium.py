"""Finds a Chrome or Chromium for the browser tests, or installs Debian's.

`python -m tests.browser.chromium` is run before the tests.
"""

import os
import shutil
import subprocess
import sys

NAMES = (
    "chromium-headless-shell",  # Draws the same pages without a window around them, in a third less time.
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
HOW_TO = (
    "The browser tests need Chrome or Chromium, and none was found. Install one (Debian: apt-get install "
    "chromium), name one by CHROMIUM=/path/to/it, or leave these tests out with BROWSER_TESTS=0."
)


def find_chromium() -> str | None:
    """Path of the browser that the environment names, or of one on the PATH."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


def main() -> None:
    if os.environ.get("BROWSER_TESTS") == "0":
        sys.stdout.write("BROWSER_TESTS=0: leaving the browser tests out.\n")
        return
    browser = find_chromium() or _installed_from_debian()
    if not browser:
        sys.exit(HOW_TO)
    sys.stdout.write(f"Browser tests use {browser}.\n")


def _installed_from_debian() -> str | None:
    apt = shutil.which("apt-get")
    sudo = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if not apt or (sudo and not shutil.which("sudo")):
        return None
    sys.stdout.write(
        "No Chrome or Chromium found; installing Debian's chromium-headless-shell (about 70 MB) ...\n"
    )
    sys.stdout.flush()
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (
        ["update", "-qq"],
        ["install", "-y", "-qq", "--no-install-recommends", "chromium-headless-shell"],
    ):
        command = [*sudo, apt, *arguments]
        if subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False).returncode:
            return None
    return find_chromium()


if __name__ == "__main__":
    main()
