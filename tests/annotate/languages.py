"""Corpora of other languages, written for the tests: sentences with errors and their corrections.

`Good` corrects everything, `Half` the first sentences only, and `Bad` adds errors. In `corpus_of` they are
called Alder, Birch and Cedar.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotate.models import Corpus
from formats import Reference
from tests.annotate.samples import sentence, small_corpus

NAMES = ("Good", "Half", "Bad")


@dataclass(frozen=True, slots=True)
class Written:
    """Sentences of a language.

    Attributes:
        language: its tag.
        sources: with errors.
        corrected: without.
        worse: with further errors.
    """

    language: str
    sources: Sequence[str]
    corrected: Sequence[str]
    worse: Sequence[str]

    @property
    def outputs(self) -> Mapping[str, Sequence[str]]:
        """The texts of each system."""
        half = len(self.sources) // 2
        return {
            "Good": self.corrected,
            "Half": [*self.corrected[:half], *self.sources[half:]],
            "Bad": self.worse,
        }


CZECH = Written(
    "cs",
    (
        "Včera jsem byl v kino s kamarád .",
        "Moje sestra bydlet v Praha .",
        "Koupil jsem dva kniha a jeden sešit .",
        "Zítra budu jít na výlet do hory .",
    ),
    (
        "Včera jsem byl v kině s kamarádem .",
        "Moje sestra bydlí v Praze .",
        "Koupil jsem dvě knihy a jeden sešit .",
        "Zítra půjdu na výlet do hor .",
    ),
    (
        "Včera jsem být v kino s kamarád .",
        "Moje sestra bydlet na Praha být .",
        "Koupil jsem dva kniha jeden sešita .",
        "Zítra budu jít výlet hory .",
    ),
)

ARABIC = Written(
    "ar",
    (
        "ذهبت الى المدرسه امس .",
        "هذا السيارة جديد جدا .",
        "اشتريت ثلاثه كتاب من السوق .",
        "هم يذهب الى العمل كل يوم .",
    ),
    (
        "ذهبت إلى المدرسة أمس .",
        "هذه السيارة جديدة جدا .",
        "اشتريت ثلاثة كتب من السوق .",
        "هم يذهبون إلى العمل كل يوم .",
    ),
    (
        "ذهبت الى مدرسه هو امس .",
        "هذا السيارة كان جديد .",
        "اشتريت ثلاثه كتاب على في السوق .",
        "هم يذهب الى كل عمل .",
    ),
)

CHINESE = Written(
    "zh",
    (
        "我昨天去看电影和朋友了。",
        "他比我很高。",
        "我学习中文三年在北京。",
        "这本书是很有意思。",
    ),
    (
        "我昨天和朋友去看电影了。",
        "他比我高。",
        "我在北京学习了三年中文。",
        "这本书很有意思。",
    ),
    (
        "我昨天去看电影和朋友是。",
        "他是比我很很高的。",
        "我学习中文年在三北京。",
        "这个书是有很意思的是。",
    ),
)

WRITTEN = {each.language: each for each in (CZECH, ARABIC, CHINESE)}


def corpus_of(language: str) -> Corpus:
    """The corpus of a language with one reference a sentence, stored as by an import."""
    written = WRITTEN[language]
    sentences = [
        sentence(source, *outputs, references=(Reference("0", corrected, None),))
        for source, corrected, *outputs in zip(
            written.sources, written.corrected, *written.outputs.values(), strict=True
        )
    ]
    return small_corpus(f"corpus in {language}", sentences=sentences, language=language)
