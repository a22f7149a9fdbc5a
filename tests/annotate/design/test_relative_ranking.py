"""What annotators enter becomes ranks, and if the campaign asks for it, their confidence."""

import pytest

from annotate.design.protocols import AnswerError, Question, RelativeRanking
from annotate.design.protocols.relative_ranking import RankingOptions

RANKING = RelativeRanking()
RANKS = {"rank-0": "2", "rank-1": "1"}
ASKED = Question("He go .", 2, RankingOptions(confidence=True))
NOT_ASKED = Question("He go .", 2, RankingOptions())


def test_confidence_is_a_detail_of_the_answer() -> None:
    fields = {**RANKS, "confidence": "4"}
    answer = RANKING.answer(fields, ASKED)
    assert ([value.rank for value in answer.ratings], answer.details) == ([2, 1], {"confidence": 4})
    assert RANKING.fields(answer) == fields


def test_confidence_is_not_stored_where_nobody_asked() -> None:
    answer = RANKING.answer({**RANKS, "confidence": "4"}, NOT_ASKED)
    assert answer.details == {}
    assert RANKING.fields(answer) == RANKS


@pytest.mark.parametrize("confidence", ["", "0", "6", "4.0", " 4", "four"])
def test_a_ranking_without_confidence_is_refused_where_it_is_asked(confidence: str) -> None:
    with pytest.raises(AnswerError, match="Say how sure you are of this ranking, from 1 to 5"):
        RANKING.answer({**RANKS, "confidence": confidence}, ASKED)


def test_missing_ranks_are_named_first() -> None:
    with pytest.raises(AnswerError, match="Still to rank from 1 to 2: correction 2"):
        RANKING.answer({"rank-0": "1"}, ASKED)
