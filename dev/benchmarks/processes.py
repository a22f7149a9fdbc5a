"""The processes of this machine, as the kernel lists them."""

import re
import resource
from pathlib import Path


def children(parent: int) -> list[int]:
    """The running children of a process."""
    return [
        number
        for number in (int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit())
        if _parent(number) == parent
    ]


def is_alive(process: int) -> bool:
    """Whether a process runs; zombies do not."""
    return _status(process)[:1] not in ([], ["Z"])


def _parent(process: int) -> int | None:
    status = _status(process)
    return int(status[1]) if status else None


def _status(process: int) -> list[str]:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []


def command(process: int) -> str:
    """Its command line; empty if it has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def resident_megabytes(process: int) -> float:
    """Its memory (RSS), with the pages that it shares with others; 0 if it has ended."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return pages * resource.getpagesize() / 2**20


def memory_mb(what: str) -> int:
    """A figure of this process in `/proc/self/status`, in MB: `VmRSS`, or its peak, `VmHWM`."""
    status = Path("/proc/self/status").read_text()
    return int(re.search(rf"{what}:\s+(\d+)", status)[1]) // 1024  # type: ignore[index]


def forget_peak() -> None:
    """Let the peak of this process begin at the memory that it holds now."""
    Path("/proc/self/clear_refs").write_text("5")
