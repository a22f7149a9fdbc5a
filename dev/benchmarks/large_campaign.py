"""A large synthetic campaign, on which pages and jobs are measured.

    python -m dev.benchmarks.large_campaign [--database sqlite|postgresql] [--judgments N] [--annotators N]
        [--machine-judgments N]

creates the database unless it exists, applies the migrations, and prints its address. SQLite's file is in
`var/benchmarks/`, and PostgreSQL's database is named after that of DATABASE_URL; both are kept for the next
run.

A million judgments come from 200 annotators on 10,000 items, sentences of a corpus of 100,000. With other
numbers, each annotator still judges half of the items, and the corpus holds ten times as many sentences.
The judgments of machines, if any, are those of twenty, which were asked about each item equally often.
"""

import argparse

from dev.benchmarks.large_site import fill
from dev.benchmarks.large_site.database import database_url
from dev.benchmarks.large_site.size import add_size, size_of


def main() -> None:
    """Create the requested database."""
    parser = argparse.ArgumentParser(
        prog="python -m dev.benchmarks.large_campaign",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    add_size(parser)
    parser.add_argument("--fill", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    size = size_of(options)
    if not options.fill:
        print(database_url(options.database, size))
        return
    import django

    django.setup()
    from django.core.management import call_command

    from dev.benchmarks.bulk_rows import bulk_writing

    call_command("migrate", verbosity=0)
    with bulk_writing():
        fill(size)


if __name__ == "__main__":
    main()
