"""A process that parses for another one: `python -m metrics.parsing_worker PIPELINE`."""

import sys

from metrics.english_pipeline import work

if __name__ == "__main__":
    work(sys.argv[1])
