"""Alignment of corrections with their sources: `annotate.web.highlight`, using rapidfuzz, against `difflib`.

`difflib` runs without its `autojunk`, which drops the repeated words of a text of 200 tokens or more and
so may show a long text as a single edit. It takes half a minute or more for the worst text here.

Run as `python -m dev.benchmarks.highlighting`, with `--json` for figures instead of a table.
"""

import argparse
import json
from collections.abc import Sequence
from difflib import SequenceMatcher

import numpy as np

from annotate.web.highlight import highlight
from dev.benchmarks.timing import seconds

VOCABULARY = (
    "a the an in on of to and that with people students teacher school city life problem idea example reason "
    "is are was have has make makes go goes think need good important new many much their our this these , ."
)
SENTENCES = 500
HOSTILE_TOKENS = 2000
LONGEST_TEXT = "a b " * 1250, "b a a " * 833 + "b"

Pairs = Sequence[tuple[str, str]]
Row = dict[str, str | float]


def ordinary_sentences(seed: int) -> Pairs:
    """Made-up sentences of 8 to 40 words and their corrections, every tenth word edited."""
    rng = np.random.default_rng(seed)
    words = VOCABULARY.split()
    pairs = []
    for _ in range(SENTENCES):
        source = rng.choice(words, size=rng.integers(8, 41)).tolist()
        correction: list[str] = []
        for word in source:
            other = str(rng.choice(words))
            edits: tuple[list[str], ...] = ([], [other], [word, other])
            correction += edits[rng.integers(3)] if rng.random() < 0.1 else [word]
        pairs.append((" ".join(source), " ".join(correction)))
    return pairs


def hostile_texts(seed: int) -> dict[str, Pairs]:
    """Pairs of 2,000-token texts in which a few words match everywhere."""
    rng = np.random.default_rng(seed)
    hundred = [f"w{number}" for number in range(100)]
    at_random = [" ".join(rng.choice(["a", "b"], size=HOSTILE_TOKENS)) for _ in range(2)]
    rounds = HOSTILE_TOKENS // len(hundred)
    return {
        "two words in turns": [("a b " * (HOSTILE_TOKENS // 2), "b a a " * (HOSTILE_TOKENS // 3) + "b a")],
        "two words at random": [(at_random[0], at_random[1])],
        "100 words backwards": [(" ".join(hundred * rounds), " ".join(hundred[::-1] * rounds))],
    }


def align_with_difflib(source: str, correction: str) -> Sequence[tuple[str, int, int, int, int]]:
    """The edits between the matching blocks of `difflib`."""
    return SequenceMatcher(None, source.split(), correction.split(), autojunk=False).get_opcodes()


def measure(name: str, pairs: Pairs, runs: int) -> Row:
    """Seconds of both methods for the same pairs."""
    ours = seconds(lambda: [highlight(*pair) for pair in pairs])
    theirs = seconds(lambda: [align_with_difflib(*pair) for pair in pairs], runs)
    return {"texts": name, "highlight_seconds": ours, "difflib_seconds": theirs, "ratio": theirs / ours}


def print_table(rows: Sequence[Row], longest_seconds: float) -> None:
    """The figures in milliseconds."""
    print(f"{'texts':<33}  {'highlight, ms':>13}  {'difflib, ms':>11}  {'ratio':>7}")
    for row in rows:
        print(
            f"{row['texts']:<33}  {float(row['highlight_seconds']) * 1e3:>13.2f}  "
            f"{float(row['difflib_seconds']) * 1e3:>11.1f}  {float(row['ratio']):>7.1f}"
        )
    print(f"\n5,000 characters, two words in turns: {longest_seconds * 1e3:.1f} ms")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m dev.benchmarks.highlighting",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--json", action="store_true", help="print figures instead of a table")
    as_json = parser.parse_args().json
    rows = [measure(f"{SENTENCES} ordinary sentences", ordinary_sentences(seed=1), runs=3)]
    rows += [
        measure(f"{HOSTILE_TOKENS:,} tokens, {name}", pairs, runs=1)
        for name, pairs in hostile_texts(seed=1).items()
    ]
    longest_seconds = seconds(lambda: highlight(*LONGEST_TEXT))
    if as_json:
        print(json.dumps({"alignments": rows, "longest_seconds": longest_seconds}, indent=2))
    else:
        print_table(rows, longest_seconds)


if __name__ == "__main__":
    main()
