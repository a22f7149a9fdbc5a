"""Judgments files for commands, in WMT CSV."""

from pathlib import Path

Row = tuple[str, int, str]


def write_judgments(path: Path, *rankings: Row) -> str:
    """Write rankings (judge, sentence, "A > B = C") and return the path as an argument."""
    width = max(len(_places(ranking)) for _, _, ranking in rankings)
    columns = [f"system{number}Id,system{number}rank" for number in range(1, width + 1)]
    lines = [",".join(["srcIndex,judgeID", *columns])]
    for judge, sentence, ranking in rankings:
        places = [f"{system},{rank}" for system, rank in _places(ranking)]
        lines.append(",".join([str(sentence), judge, *places, *[","] * (width - len(places))]))
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def _places(ranking: str) -> list[tuple[str, int]]:
    tiers = enumerate(ranking.split(" > "), start=1)
    return [(system, rank) for rank, tier in tiers for system in tier.split(" = ")]
