"""A process that parses for another one: `python -m metrics.english.parsing_worker PIPELINE`."""

import sys

from metrics.english.spacy_pipelines import work

if __name__ == "__main__":
    work(sys.argv[1])
