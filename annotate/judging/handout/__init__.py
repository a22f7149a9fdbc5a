"""Hand-out: annotators get one slot after the other, and each answer is stored exactly once.

Each verb is one transaction that begins by locking the annotator's row, so that two tabs of one person queue.
An answer by the browser locks it in the query that finds out who has come, so that it costs no statement.
Two people never get the same slot: freeing, holding or taking a slot requires the lock of the campaign's row;
filling a leased slot is one conditional update. Locks are taken in the order annotator, own leases, campaign,
slots, which rules deadlocks out.

Beginning a batch may take steps, each of them a verb of its own (`batches`), so that no request sends more
than a dozen statements (`statements`).

`locks` has the two locks, `leases` keeps and frees slots, `ends` stops waiting for annotators who left,
`free_slots` finds slots for an annotator, `batches` hands them out, `pauses` comes between two batches,
`screens` shows slots, `ahead` those that come next, `answers` stores answers, `places` finds where an answer
belongs, and `opinions` reads what a machine says once it is stored.
"""

from annotate.judging.handout.ahead import ScreensAhead, give_screens_ahead
from annotate.judging.handout.answers import (
    AnsweredMeanwhileError,
    OpinionToShow,
    Submission,
    skip,
    skip_and_go_on,
    submit,
    submit_and_go_on,
)
from annotate.judging.handout.batches import Step
from annotate.judging.handout.ends import earliest_return, stop_waiting
from annotate.judging.handout.leases import take_back
from annotate.judging.handout.locks import locked_campaign
from annotate.judging.handout.opinions import ShownOpinion, opinion_on
from annotate.judging.handout.pauses import Pause
from annotate.judging.handout.screens import (
    Screen,
    give_next_screen,
    give_next_showing,
    give_screen_or_step,
    give_screen_step_or_pause,
    save_draft,
    screen_again,
    shown_outputs,
)

__all__ = [
    "AnsweredMeanwhileError",
    "OpinionToShow",
    "Pause",
    "Screen",
    "ScreensAhead",
    "ShownOpinion",
    "Step",
    "Submission",
    "earliest_return",
    "give_next_screen",
    "give_next_showing",
    "give_screen_or_step",
    "give_screen_step_or_pause",
    "give_screens_ahead",
    "locked_campaign",
    "opinion_on",
    "save_draft",
    "screen_again",
    "shown_outputs",
    "skip",
    "skip_and_go_on",
    "stop_waiting",
    "submit",
    "submit_and_go_on",
    "take_back",
]
