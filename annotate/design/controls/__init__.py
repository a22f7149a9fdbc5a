"""Control outputs, *source+error*: English sentences with one or two plausible errors. Pure and seeded.

Whoever judges with care puts a control below its source (Napoles et al. 2019, section 4.2). The rules need no
tagger: they go by closed classes of words, common verbs and what stands around a word, and pass over what
they cannot tell. `docs/controls.md` shows the kinds.
"""

from annotate.design.controls.draw import Control, ControlError, make_control, possible_errors, with_errors
from annotate.design.controls.sentence import Error, ErrorKind

__all__ = ["Control", "ControlError", "Error", "ErrorKind", "make_control", "possible_errors", "with_errors"]
