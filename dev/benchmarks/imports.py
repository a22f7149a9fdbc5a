"""Storing a corpus the size of CoNLL-2014 in pieces, against saving its rows one by one.

Both write to a new SQLite file. The time for rows saved one by one is extrapolated from a part of the corpus.
"""

import argparse
import json
import os
import tempfile
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from formats import CorpusRecord

SENTENCES = 1312
SYSTEMS = 13
SAVED_ONE_BY_ONE = 100


def measure() -> dict[str, float]:
    """Seconds for the corpus by both methods."""
    import django

    django.setup()
    from django.core.management import call_command

    from annotate.corpora.importing import plan_corpus, store_corpus
    from formats import CorpusRecord

    call_command("migrate", verbosity=0)
    record = made_up_corpus(seed=1)
    start = perf_counter()
    plan = plan_corpus(name="pieces", language="en", record=record, roles={})
    store_corpus(plan, progress=lambda stored: None)
    pieces = perf_counter() - start
    part = CorpusRecord(record.sentences[:SAVED_ONE_BY_ONE], record.systems, ())
    start = perf_counter()
    save_one_by_one(part)
    one_by_one = (perf_counter() - start) * SENTENCES / SAVED_ONE_BY_ONE
    return {"pieces_seconds": pieces, "one_by_one_seconds": one_by_one, "ratio": one_by_one / pieces}


def made_up_corpus(seed: int) -> "CorpusRecord":
    """Sentences of 8 to 40 words in which each system replaces a word now and then."""
    from formats import CorpusRecord, SentenceRecord

    rng = np.random.default_rng(seed)
    systems = tuple(f"system-{number}" for number in range(SYSTEMS))
    sentences = []
    for _ in range(SENTENCES):
        words = [f"word{number}" for number in rng.integers(0, 5000, size=rng.integers(8, 41))]
        outputs = {}
        for system in systems:
            changed = list(words)
            if rng.random() < 0.5:
                changed[rng.integers(len(words))] = f"changed{rng.integers(3)}"
            outputs[system] = " ".join(changed)
        sentences.append(SentenceRecord(" ".join(words), outputs, (), "", ""))
    return CorpusRecord(tuple(sentences), systems, ())


def save_one_by_one(record: "CorpusRecord") -> None:
    """The rows that an import stores, each by a separate statement and transaction."""
    from annotate.models import Corpus, Output, Production, Sentence, System
    from formats.digests import text_digest

    corpus = Corpus.objects.create(name="one by one", language="en")
    systems = {name: System.objects.create(corpus=corpus, name=name) for name in record.systems}
    for position, sentence in enumerate(record.sentences):
        row = Sentence.objects.create(corpus=corpus, position=position, text=sentence.source)
        for name, text in sentence.outputs.items():
            output, _ = Output.objects.get_or_create(
                sentence=row, digest=text_digest(text), defaults={"text": text}
            )
            Production.objects.create(system=systems[name], output=output, sentence=row)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m dev.benchmarks.imports",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--json", action="store_true", help="print figures instead of a sentence")
    as_json = parser.parse_args().json
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "VAR_DIR": folder,
            "DATABASE_URL": f"sqlite:///{folder}/benchmark.sqlite3",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        figures = measure()
    if as_json:
        print(json.dumps(figures, indent=2))
    else:
        print(
            f"{SENTENCES} sentences, {SYSTEMS} systems: {figures['pieces_seconds']:.2f} s in pieces, about "
            f"{figures['one_by_one_seconds']:.1f} s one by one (ratio {figures['ratio']:.1f})"
        )


if __name__ == "__main__":
    main()
