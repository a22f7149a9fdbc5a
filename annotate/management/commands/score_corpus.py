"""The command `score_corpus`: the outputs of a corpus by automatic metrics, into the database."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError
from rich.table import Table

from annotate.management.corpora import corpus_named
from annotate.management.terminal import (
    INTERRUPTED,
    output,
    progress_steps,
    quiet_when_the_pipe_closes,
    terminated_as_interrupted,
)
from annotate.scores.queries import ScoreCell, score_table
from annotate.scores.scoring import ScoredCorpus, ScoresRefusedError, score_corpus
from jobs.priority import give_way
from metrics import ParameterError, UnknownMetricError, metric_from_text


class Command(BaseCommand):
    help = "Score the systems of a corpus with automatic metrics (`metrics` lists them), as its page does."

    def run_from_argv(self, argv: list[str]) -> None:
        """Started by a shell, beside a server perhaps."""
        give_way()
        super().run_from_argv(argv)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("corpus", help="name of the corpus")
        parser.add_argument(
            "--metric",
            nargs="+",
            action="extend",
            required=True,
            metavar="NAME[:PARAMETER=VALUE]...",
            help="such as gleu or m2:beta=1",
        )

        parser.add_argument(
            "--style",
            default="",
            help="compare only with references of this style, such as minimal (default: with all references)",
        )

    def handle(self, *args: object, **options: Any) -> None:
        corpus = corpus_named(options["corpus"])
        try:
            metrics = [metric_from_text(text) for text in options["metric"]]
            with terminated_as_interrupted(), progress_steps() as steps:
                scored = score_corpus(
                    corpus=corpus, metrics=metrics, by=None, steps=steps, style=options["style"]
                )
        except (ParameterError, UnknownMetricError, ScoresRefusedError) as error:
            raise CommandError(str(error)) from error
        except DatabaseError as error:
            raise CommandError(f"Database error: {error}.") from error
        except KeyboardInterrupt as error:
            stored = "Finished parts are stored; run the same command to continue."
            raise CommandError(f"Interrupted. {stored}", returncode=INTERRUPTED) from error
        with quiet_when_the_pipe_closes():
            self.stdout.write(scored.summary)
            _print(scored)


def _print(scored: ScoredCorpus) -> None:
    table = score_table(scored.sets[0].corpus, scored.sets)
    shown = Table("System")
    for column in table.columns:
        shown.add_column(column.title, justify="right")
    for row in table.rows:
        shown.add_row(row.system.shown, *map(_cell, row.cells))
    console = output()
    console.print(shown, markup=False)
    for score_set in scored.sets:
        console.print(f"Signature {score_set.signature}", highlight=False, soft_wrap=True, markup=False)


def _cell(cell: ScoreCell) -> str:
    return "–" if cell.score is None or cell.score.value is None else f"{cell.score.value:.4f}"
