"""Writers of the formats in which judgments leave. They know no database: records become pieces of a file."""

from annotate.exports.formats import FORMATS, Format
from annotate.exports.heading import Heading

__all__ = ["FORMATS", "Format", "Heading"]
