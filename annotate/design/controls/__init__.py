"""Control outputs, *source+error*: sentences with one or two errors. Pure and seeded.

A careful annotator ranks a control below its source (Napoles et al. 2019, section 4.2). The rules for English
need no tagger: they use closed word classes, common verbs and neighbouring words, and skip uncertain cases.
Those for other languages know no words (`any_language.py`). `docs/controls.md` shows the kinds.
"""

from annotate.design.controls.draw import Control, ControlError, make_control, possible_errors, with_errors
from annotate.design.controls.sentence import Error, ErrorKind

__all__ = ["Control", "ControlError", "Error", "ErrorKind", "make_control", "possible_errors", "with_errors"]
