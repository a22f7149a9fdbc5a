"""Train the English pipeline and write it: `python -m dev.tools.english_pipeline --data DIR`."""

import argparse
import tempfile
from pathlib import Path

from dev.tools.english_pipeline.packing import pack, quality, round_weights
from dev.tools.english_pipeline.training import NAME, trained

VERSION = "1.0"
FOLDER = Path(__file__).parents[3] / "metrics" / "english" / "pipelines" / NAME


def main() -> None:
    """Train, round, measure and write."""
    parser = argparse.ArgumentParser(prog="python -m dev.tools.english_pipeline", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of UD English EWT")
    parser.add_argument(
        "--out", type=Path, default=FOLDER / f"{NAME}.zip", help="file to write (%(default)s)"
    )
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        nlp = trained(arguments.data, Path(work))
    round_weights(nlp)
    for name, value in quality(nlp, arguments.data / "en_ewt-ud-test.conllu").items():
        print(f"{name:<6}{value:.1f}")
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    pack(nlp, arguments.out, VERSION)
    print(f"{arguments.out}: {arguments.out.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
