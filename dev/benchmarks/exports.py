"""Export of a million ratings: seconds and peak memory of each format, against pandas writing the snapshot.

The judgments are synthetic: rankings of five outputs in a new SQLite file. Each export runs in a separate
process, whose total peak memory is measured; "nothing" is a process without an export.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np

ITEMS = 2_000
JUDGMENTS_PER_ITEM = 100
OUTPUTS = 5
LIMIT_MB = 300
FORMATS = ("csv", "jsonl", "parquet", "appraise", "wmt-csv")
NOTHING, PEER = "nothing", "pandas csv"


def store_judgments() -> None:
    """Fill a new database."""
    from django.core.management import call_command

    from annotate.models import (
        Annotator,
        Campaign,
        CampaignState,
        Corpus,
        CorpusState,
        Item,
        ItemOutput,
        Judgment,
        Output,
        Rating,
        Revision,
        Sentence,
    )
    from formats.digests import systems_digest

    call_command("migrate", verbosity=0)
    rng = np.random.default_rng(1)
    corpus = Corpus.objects.create(name="made-up", language="en", has_texts=False, state=CorpusState.READY)
    campaign = Campaign.objects.create(
        name="made-up", corpus=corpus, protocol="relative-ranking", state=CampaignState.IMPORTED
    )
    annotators = Annotator.objects.bulk_create(
        Annotator(campaign=campaign, number=number, name=f"annotator {number}")
        for number in range(1, JUDGMENTS_PER_ITEM + 1)
    )
    for number in range(ITEMS):
        sentence = Sentence.objects.create(corpus=corpus, position=number)
        item = Item.objects.create(campaign=campaign, number=number, sentence=sentence)
        outputs = Output.objects.bulk_create(
            Output(sentence=sentence, digest=systems_digest([f"system-{output}"]))
            for output in range(OUTPUTS)
        )
        shown = ItemOutput.objects.bulk_create(
            ItemOutput(item=item, output=output, systems=[f"system-{place}"])
            for place, output in enumerate(outputs)
        )
        judgments = Judgment.objects.bulk_create(
            Judgment(
                campaign=campaign, item=item, annotator=annotator, repetition=repetition, state="complete"
            )
            for repetition, annotator in enumerate(annotators)
        )
        revisions = Revision.objects.bulk_create(
            Revision(judgment=judgment, active_ms=30_000) for judgment in judgments
        )
        ranks = rng.integers(1, OUTPUTS + 1, size=(len(revisions), OUTPUTS))
        Rating.objects.bulk_create(
            Rating(revision=revision, item_output=output, position=place, rank=int(rank))
            for revision, row in zip(revisions, ranks, strict=True)
            for place, (output, rank) in enumerate(zip(shown, row, strict=True))
        )


def export(what: str) -> dict[str, float]:
    """Seconds, megabytes written and peak memory of this process after an export."""
    from annotate.judgments.exporting import export_judgments
    from annotate.judgments.queries import snapshot
    from annotate.judgments.stream import Selection
    from annotate.models import Campaign
    from formats.writers import FORMATS as KNOWN

    campaign = Campaign.objects.select_related("corpus").get()
    written = 0
    start = perf_counter()
    if what == PEER:
        written = len(snapshot(campaign).to_csv(index=False).encode())
    elif what != NOTHING:
        for piece in export_judgments(
            campaign=campaign, file_format=KNOWN[what], selection=Selection(), names=False, by=None
        ):
            written += len(piece)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"seconds": perf_counter() - start, "written_mb": written / 2**20, "peak_mb": peak}


def in_child(what: str) -> dict[str, float]:
    """Measure an export in a separate process."""
    child = [sys.executable, "-m", "dev.benchmarks.exports", "--only", what]
    output = subprocess.run(child, check=True, capture_output=True, text=True).stdout  # noqa: S603
    figures: dict[str, float] = json.loads(output)
    return figures


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m dev.benchmarks.exports",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--json", action="store_true", help="print figures instead of a table")
    parser.add_argument("--only", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.only:
        import django

        django.setup()
        print(json.dumps(export(options.only)))
        return
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "VAR_DIR": folder,
            "DATABASE_URL": f"sqlite:///{Path(folder) / 'benchmark.sqlite3'}",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        import django

        django.setup()
        store_judgments()
        figures = {what: in_child(what) for what in (NOTHING, *FORMATS, PEER)}
    if options.json:
        print(json.dumps(figures, indent=2))
    else:
        print(f"{ITEMS * JUDGMENTS_PER_ITEM * OUTPUTS:,} ratings:")
        for what, measured in figures.items():
            print(
                f"  {what:<10} {measured['seconds']:6.1f} s {measured['written_mb']:7.1f} MB written, "
                f"peak memory {measured['peak_mb']:6.1f} MB"
            )
    assert all(figures[what]["peak_mb"] < LIMIT_MB for what in FORMATS), f"more than {LIMIT_MB} MB"


if __name__ == "__main__":
    main()
