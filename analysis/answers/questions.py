"""The questions about a campaign, by what it collects, each with the results that answer it."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from analysis.analyses.annotators.agreement import AGREEMENT
from analysis.analyses.annotators.quality import QUALITY
from analysis.analyses.base import AnyAnalysis
from analysis.analyses.metrics.metric_advice import METRIC_ADVICE
from analysis.analyses.planning.when_to_stop import STOPPING
from analysis.analyses.references.corrections import CORRECTIONS, CORRECTIONS_COVERAGE
from analysis.analyses.references.valid_outputs import VALID_OUTPUTS
from analysis.analyses.references.validity import VALIDITY
from analysis.analyses.systems.edits_one_by_one import EDITS
from analysis.analyses.systems.fragility import FRAGILITY
from analysis.analyses.systems.ranking import RANKING
from analysis.answers.answer import Answer
from analysis.answers.collected import (
    ARE_THEY_ENOUGH,
    HOW_MANY_CORRECTIONS,
    WHICH_ARE_VALID,
    agreed_on_validity,
    are_they_enough,
    do_correctors_agree,
    how_many_corrections,
    which_are_valid,
)
from analysis.answers.metrics import WHICH_METRIC, no_metric, which_metric
from analysis.answers.ranked import (
    CAN_I_TRUST,
    IS_IT_ENOUGH,
    WHO_WINS,
    Agreed,
    Work,
    agreed_on_edits,
    agreed_on_pairs,
    can_i_trust,
    is_it_enough,
    who_wins,
)
from core.names import Naming
from formats.snapshot.vocabulary import ProtocolName


@dataclass(frozen=True, slots=True)
class Known:
    """The results that answers are made of.

    Attributes:
        results: by name of the analysis, as far as there are any.
        naming: how systems are called.
        work: skips and reports.
        excluded: annotators who no longer count.
        missing: by name of an analysis, why it cannot have a result, in a sentence.
    """

    results: Mapping[str, Any]
    naming: Naming
    work: Work
    excluded: Collection[str] = ()
    missing: Mapping[str, str] = field(default_factory=dict)

    def of(self, analysis: AnyAnalysis) -> Any:
        """The result of the analysis; None if there is none."""
        return self.results.get(analysis.name)


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a campaign.

    Attributes:
        key: its name in JSON.
        words: as the page asks it.
        analyses: whose results answer it. The first is necessary, the others add to the answer.
        answered: makes the answer.
        unanswerable: makes the answer where the first analysis cannot have a result, from the reason.
    """

    key: str
    words: str
    analyses: Sequence[AnyAnalysis]
    answered: Callable[[Known], Answer]
    unanswerable: Callable[[str], Answer] | None = None

    def answer(self, known: Known) -> Answer | None:
        """The answer; None as long as the first analysis has no result."""
        necessary = self.analyses[0].name
        if necessary in known.results:
            results = filter(None, map(known.of, self.analyses))
            return replace(self.answered(known), signatures=[result.signature for result in results])
        if necessary not in known.missing:
            return None
        reason = known.missing[necessary]
        return self.unanswerable(reason) if self.unanswerable else Answer(self.words, reason)


def _of_judgments(agreement: AnyAnalysis, agreed: Callable[[Any], Agreed]) -> Question:
    """Whether to trust the judgments, by the agreement that the result of an analysis tells."""
    return Question(
        "judgments",
        CAN_I_TRUST,
        (agreement, QUALITY),
        lambda known: can_i_trust(agreed(known.of(agreement)), known.of(QUALITY), known.work, known.excluded),
    )


RANKED = (
    Question(
        "systems",
        WHO_WINS,
        (RANKING, FRAGILITY),
        lambda known: who_wins(known.of(RANKING), known.of(FRAGILITY), known.naming),
    ),
    Question(
        "metrics",
        WHICH_METRIC,
        (METRIC_ADVICE,),
        lambda known: which_metric(known.of(METRIC_ADVICE)),
        no_metric,
    ),
    Question(
        "enough", IS_IT_ENOUGH, (STOPPING,), lambda known: is_it_enough(known.of(STOPPING), known.naming)
    ),
    _of_judgments(AGREEMENT, agreed_on_pairs),
)
"""About campaigns that compare systems."""

OF_EDITS = (*RANKED[:-1], _of_judgments(EDITS, agreed_on_edits))
"""About campaigns that compare systems by their edits, each judged alone."""

CORRECTED = (
    Question(
        "corrections",
        HOW_MANY_CORRECTIONS,
        (CORRECTIONS,),
        lambda known: how_many_corrections(known.of(CORRECTIONS), known.naming),
    ),
    Question(
        "coverage",
        ARE_THEY_ENOUGH,
        (CORRECTIONS_COVERAGE,),
        lambda known: are_they_enough(known.of(CORRECTIONS_COVERAGE), known.naming),
    ),
    Question(
        "judgments",
        CAN_I_TRUST,
        (CORRECTIONS,),
        lambda known: do_correctors_agree(known.of(CORRECTIONS), known.work),
    ),
)
"""About campaigns in which people write corrections."""

VALIDATED = (
    Question(
        "outputs",
        WHICH_ARE_VALID,
        (VALIDITY, VALID_OUTPUTS),
        lambda known: which_are_valid(known.of(VALIDITY), known.of(VALID_OUTPUTS), known.naming),
    ),
    _of_judgments(VALIDITY, agreed_on_validity),
)
"""About campaigns in which people judge whether outputs are valid."""

BY_PROTOCOL: Mapping[str, Sequence[Question]] = {
    ProtocolName.CORRECTION: CORRECTED,
    ProtocolName.VALIDITY: VALIDATED,
    ProtocolName.EDITS: OF_EDITS,
}
"""The questions about what a protocol collects; about any other, `RANKED`."""


def analyses_for(questions: Sequence[Question]) -> list[AnyAnalysis]:
    """The analyses whose results answer the questions, each once."""
    listed = [analysis for question in questions for analysis in question.analyses]
    return [analysis for place, analysis in enumerate(listed) if analysis not in listed[:place]]


def answers(questions: Sequence[Question], known: Known) -> dict[str, Answer]:
    """The answers by the key of their question, without those that nothing is known about."""
    return {question.key: answer for question in questions if (answer := question.answer(known)) is not None}
