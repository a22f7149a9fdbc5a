"""The command `label_edits`: ERRANT's types for the edits of a corpus."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from annotate.corpora.labelling import LabellingRefusedError, label_edits, plan_labelling, summary
from annotate.management.corpora import corpus_named
from annotate.management.english import add_pipeline_option
from annotate.management.terminal import INTERRUPTED, progress_bar, terminated_as_interrupted
from annotate.scores.metric_setup import english_pipeline


class Command(BaseCommand):
    help = (
        "Label the edits of a corpus's outputs and references with ERRANT's types, unless they "
        "are labelled already."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("corpus", help="name of the corpus")
        add_pipeline_option(parser)

    def handle(self, *args: object, **options: Any) -> None:
        corpus = corpus_named(options["corpus"])
        try:
            plan = plan_labelling(corpus, english_pipeline(options["pipeline"]))
            with terminated_as_interrupted(), progress_bar("Labelling", plan.parts) as advance:
                labels = label_edits(plan, progress=advance)
        except LabellingRefusedError as error:
            raise CommandError(str(error)) from error
        except DatabaseError as error:
            raise CommandError(f"Stopped because of a database error: {error}.") from error
        except KeyboardInterrupt as error:
            raise CommandError(
                "Interrupted: labels so far are kept. Run the command again.", returncode=INTERRUPTED
            ) from error
        self.stdout.write(f"{summary(labels)} {labels.signature}")
