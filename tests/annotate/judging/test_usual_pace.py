"""The time of a screen before there are answers."""

import pytest

from annotate.design.protocols import PROTOCOLS
from annotate.judging.usual_pace import usual_pace
from annotate.models import Corpus
from tests.annotate.protocols import RANKING, SCALES, VALIDITY
from tests.annotate.samples import sentence, small_corpus

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", [SCALES, RANKING, VALIDITY])
def test_a_screen_of_sentences_has_the_pace_of_its_protocol(name: str) -> None:
    protocol = PROTOCOLS[name]
    assert usual_pace(protocol, small_corpus(), 2) == (protocol.usual_seconds(2), protocol.pace)


def test_essays_take_the_time_to_read_them() -> None:
    long, short = f"Title ¶ {'word ' * 475}".strip(), "Title ¶ " + "word " * 475
    corpus = small_corpus(sentences=[sentence(long, long), sentence(f"{short} end".strip(), long)])
    assert Corpus.objects.get().holds_essays
    seconds, basis = usual_pace(PROTOCOLS[SCALES], corpus, 1)
    assert seconds == pytest.approx(2 * 120 + 10, abs=1), "two texts of 476 or 477 words, and a grade"
    assert "238 words a minute" in basis
    assert usual_pace(PROTOCOLS[RANKING], corpus, 3).seconds > 4 * 120
