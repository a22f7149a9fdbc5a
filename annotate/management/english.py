"""The option of commands that need edits of English texts."""

from django.conf import settings
from django.core.management.base import CommandParser


def add_pipeline_option(parser: CommandParser) -> None:
    """The option `--pipeline`."""
    parser.add_argument(
        "--pipeline",
        default=settings.ENGLISH_PIPELINE,
        metavar="NAME",
        help="English spaCy pipeline for ERRANT: assay_en_ewt, or another installed one, such as "
        "en_core_web_sm (ENGLISH_PIPELINE)",
    )
