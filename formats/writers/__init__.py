"""Writers of the formats in which judgments leave. They know no database: records become pieces of a file."""

from formats.writers.formats import FORMATS, Format
from formats.writers.heading import Heading

__all__ = ["FORMATS", "Format", "Heading"]
