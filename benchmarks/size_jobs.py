"""The long jobs on a large campaign: seconds and peak memory of each."""


def jobs(url: str) -> list[dict[str, float | str]]:
    """Measure each job on the database at this address, in a process of its own.

    Returns:
        For each its `name`, `seconds` and `peak_mb`.
    """
    return []
