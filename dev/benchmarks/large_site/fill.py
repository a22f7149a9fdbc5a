"""All parts of a large site, in the order of their dependencies."""

import numpy as np

from dev.benchmarks.large_site.campaigns import store_campaigns, store_items
from dev.benchmarks.large_site.corpus import store_corpus, store_scores
from dev.benchmarks.large_site.edits import store_labels
from dev.benchmarks.large_site.judgments import store_judgments
from dev.benchmarks.large_site.kept_numbers import store_kept_numbers
from dev.benchmarks.large_site.machines import store_machines
from dev.benchmarks.large_site.people import store_crowd, store_people, store_records
from dev.benchmarks.large_site.size import Size
from dev.benchmarks.large_site.work import store_work_to_do

JUDGMENTS_AT_ONCE = 50_000


def fill(size: Size) -> None:
    """Fill empty tables with the contents of a large site."""
    from dev.benchmarks.bulk_rows import count_keys_on

    rng = np.random.default_rng(1)
    store_people(size)
    store_corpus(size)
    store_scores()
    store_campaigns(size)
    store_items(size)
    store_work_to_do(size)
    for turns in range(0, size.judgments, JUDGMENTS_AT_ONCE):
        store_judgments(size, np.arange(turns, min(turns + JUDGMENTS_AT_ONCE, size.judgments)), rng)
    store_crowd()
    store_records(size)
    store_kept_numbers()
    store_machines(size, rng)
    store_labels()
    count_keys_on()
