"""The command `import_release`."""

from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any
from uuid import uuid4

from django.core.management.base import CommandError, CommandParser

from analysis.releases.reading import ReadRelease, read_release
from annotate.corpora.importing import plan_corpus, store_corpus
from annotate.judgments.importing import plan_judgments, store_judgments
from annotate.management.import_command import ImportCommand
from annotate.models import Corpus
from annotate.scores.corpus_outputs import corpus_outputs
from annotate.scores.queries import score_sets
from annotate.scores.uploading import read_scores, store_scores
from core.progress import Advance


class Command(ImportCommand):
    help = (
        "Import a data release: its corpus, campaigns and metric scores. Its files have to be those of its "
        "manifest."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("folder", type=Path, help="folder of the release")

    def import_files(self, **options: Any) -> None:
        release = _read(options["folder"])
        corpus_plan = plan_corpus(
            name=options["name"],
            language=release.language,
            record=release.corpus,
            roles=release.roles,
            labels=release.labels,
            tokenisation=release.tokenisation,
        )
        self.stdout.write(corpus_plan.description)
        plans = [
            plan_judgments(
                name=options["name"] if len(release.judgments) == 1 else f"{options['name']}: {campaign}",
                corpus=corpus_plan.stored or corpus_plan.corpus,
                judgments=judgments,
                synthetic=campaign in release.synthetic,
            )
            for campaign, judgments in release.judgments.items()
        ]
        for plan in plans:
            self.stdout.write(plan.description)

        new = [plan for plan in plans if plan.stored is None]

        def store(advance: Advance) -> None:
            corpus = store_corpus(corpus_plan, progress=lambda sentences: None)
            for plan in new:
                store_judgments(plan, progress=advance)
            _store_scores(corpus, release)

        self.carry_out(
            store,
            total=sum(len(plan.judgments) for plan in new),
            unchanged=not new,
            dry_run=options["dry_run"],
        )


def _read(folder: Path) -> ReadRelease:
    try:
        return read_release(folder)
    except OSError as error:
        raise CommandError(f"The release cannot be read: {error}.") from error


def _store_scores(corpus: Corpus, release: ReadRelease) -> None:
    """Store the scores as uploaded ones, unless the corpus has scores already."""
    if not release.scores or score_sets(corpus).exists():
        return
    with NamedTemporaryFile("w", encoding="utf-8", newline="", suffix=".csv") as file:
        file.writelines(release.scores)
        file.flush()
        scores = read_scores(Path(file.name), corpus, corpus_outputs(corpus))
    store_scores(corpus, scores, by=None, upload=uuid4(), progress=lambda stored: None)
