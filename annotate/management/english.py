"""The English pipeline of commands that need edits of English texts."""

from django.conf import settings
from django.core.management.base import CommandParser

from metrics.english_pipeline import EnglishPipeline
from metrics.parse_cache import ParseCache


def add_pipeline_option(parser: CommandParser) -> None:
    """The option `--pipeline`."""
    parser.add_argument(
        "--pipeline",
        default=settings.ENGLISH_PIPELINE,
        metavar="NAME",
        help="English pipeline of spaCy for ERRANT: assay_en_ewt, or one that is installed, such as "
        "en_core_web_sm (ENGLISH_PIPELINE)",
    )


def english_pipeline(name: str) -> EnglishPipeline:
    """The pipeline of this name, whose parses are kept in the folder of this installation."""
    return EnglishPipeline(name, cache=ParseCache(settings.VAR_DIR / "parses.sqlite3"))
