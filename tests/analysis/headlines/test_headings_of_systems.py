"""Headings of results about systems and their edits."""

from collections.abc import Sequence
from types import SimpleNamespace as Made
from typing import Any

from analysis.analyses.base import analyses
from analysis.analyses.systems.fragility import FragilityParameters
from analysis.analyses.systems.ranking_with_machine import MachineRanking
from core.columns import Spread
from core.names import Naming
from core.results import Computed
from ranking import Method
from ranking.machines import PoweredRanking, PoweredStanding, RankedScore
from tests.analysis.headlines.headings import MANY, NAMING, Headings, for_each, heading, ranked


def with_spans(f1: float | None, *clusters: int | None) -> Made:
    """A result with this agreement on characters, and systems from S1 on in clusters."""
    systems = [
        Made(system=f"S{place}", score=Made(value=82.23 - place), cluster=cluster)
        for place, cluster in enumerate(clusters, start=1)
    ]
    return Made(systems=systems, agreement=Made(coefficients=[Made(value=f1)]))


def on_scales(**means: str) -> Made:
    """Scales on which systems have these means, "A4 B3~", with narrow intervals or, after "~", wide ones."""
    systems = [
        Made(scale=scale, system=each[0], score=float(each[1]), mean=spread(float(each[1]), each[2:]))
        for scale, of_systems in means.items()
        for each in of_systems.split()
    ]
    return Made(scales=[Made(scale=name) for name in means], systems=systems)


def spread(mean: float, wide: str) -> Spread:
    """A mean with its interval, half a point or two points wide."""
    half = 1 if wide else 0.25
    return Spread(mean, mean - half, mean + half)


def weighed(share: float | None, *systems: tuple[str, float, float]) -> Made:
    """A share of accepted edits, and systems with the same precision and F, without and with weights."""
    return Made(
        total=Made(share=Made(value=share)),
        systems=[
            Made(
                system=name,
                precision=Made(value=before),
                f=Made(value=before),
                weighted_precision=Made(value=after),
                weighted_f=Made(value=after),
            )
            for name, before, after in systems
        ],
    )


def edited(edits: int, accepted: float | None, *clusters: str) -> Made:
    """So many edits, a share of which was accepted, of systems in clusters."""
    return Made(
        total=Made(edits=edits, precision=accepted), standings=ranked(*clusters) if clusters else None
    )


def domains(*best: str, clear: Sequence[int] = ()) -> Made:
    """The systems of the highest score in each domain, separated by blanks; in those of `clear`, surely.

    In the others, a further system shares the first cluster.
    """

    def systems(names: str, is_clear: bool) -> list[Made]:
        tied = [Made(system=name, score=0.6, cluster=1) for name in names.split()]
        return [*tied, *([] if is_clear or not tied else [Made(system="Z", score=0.5, cluster=1)])]

    return Made(
        domains=[
            Made(
                domain=f"D{place}",
                standings=Made(systems=systems(names, place in clear), reason=None),
            )
            for place, names in enumerate(best, start=1)
        ]
    )


def borders(*removed: int) -> Made:
    return Made(
        swapped=[
            Made(above="A", below=name, removals=number, groups=600)
            for name, number in zip(MANY, removed, strict=False)
        ]
    )


def corrected(systems: Sequence[float], people: Sequence[float], unsure: float = 0) -> Made:
    """Correctors by descending words; those that differ by no more than `unsure` cannot be told apart."""
    return Made(
        correctors=[
            Made(
                name=name,
                is_person=is_person,
                words=Made(value=words, low=words - 0.4, high=words + 0.4),
                above=sum(words - each > unsure for each in people),
                below=sum(each - words > unsure for each in people),
            )
            for is_person, numbers in ((False, systems), (True, people))
            for name, words in zip(["A", *MANY], numbers, strict=False)
        ]
    )


def beside_people(above: int, people: int, below: int = 0, low: float | None = 0.1) -> Made:
    system = Made(name="A", above=above, below=below, differences={"P": Made(low=low)})
    return Made(systems=[system], people=range(people))


def two(difference: float | None, settled_at: int | None = None) -> Made:
    pair = Made(above="A", below="S1", last_difference=difference, settled_at=settled_at)
    return Made(pair=pair, half_width=0.1)


def powered(
    *, weight: float | None = None, width: float | None = None, reason: str | None = None
) -> MachineRanking:
    """Three systems that can be told apart, ranked with a machine."""
    scores = [RankedScore(1 - place / 4, 0, 1, place, place, place) for place in (1, 2, 3)]
    systems = tuple(
        PoweredStanding(name, score, score, 100, None)
        for name, score in zip(["A", *MANY], scores, strict=False)
    )
    ranking = PoweredRanking(Method.EXPECTED_WINS, 0.95, systems, 40, 40, 100, weight, width, 100, reason)
    return MachineRanking("", "Machine 1 (gpt-4o)", "gpt-4o", 80, None, ranking)


PARAMETERS: dict[str, Any] = {"fragility": FragilityParameters(), "human-performance": Made(metric="gleu")}

HEADINGS: Headings = (
    ("by-domain", domains(""), "No domain has a ranking yet"),
    (
        "by-domain",
        domains("A", clear=[1]),
        "All judged sentences with a domain are of D1, where Alder has the highest score, clearly",
    ),
    (
        "by-domain",
        domains("A", "A", clear=[1, 2]),
        "Alder has the highest score in both domains, clearly in each",
    ),
    (
        "by-domain",
        domains("A B", "A B"),
        "Alder and B have the highest score in both domains, but not clearly",
    ),
    (
        "by-domain",
        domains("A", "B", clear=[2]),
        "A different system has the highest score in each of 2 domains, clearly only in D2",
    ),
    (
        "by-domain",
        domains("A", "A", "B"),
        "Alder has the highest score in 2 of 3 domains, B in D3, but not clearly",
    ),
    ("compare-systems", Made(pair=None), "No two systems have been compared yet"),
    ("compare-systems", two(None), "Alder and S1 cannot be compared yet: one of them has no score"),
    ("compare-systems", two(0.2, 300), "Alder is better than S1, and the order is settled"),
    ("compare-systems", two(0.2), "Alder seems better than S1, but the order is not settled"),
    ("compare-systems", two(0.05), "It is not settled whether Alder or S1 is better"),
    (
        "conservatism",
        corrected([1], [2]),
        "Every system clearly changes fewer words than the only person",
    ),
    (
        "conservatism",
        corrected([2, 1], [4, 3]),
        "Every system clearly changes fewer words than both people; Alder comes closest",
    ),
    (
        "conservatism",
        corrected([2, 1.5], [4, 3]),
        "Every system clearly changes fewer words than both people",
    ),
    (
        "conservatism",
        corrected([2, 1], [4, 3], unsure=1),
        "No system clearly changes more words than a person",
    ),
    (
        "conservatism",
        corrected([4], [3]),
        "Alder clearly changes more words than the only person",
    ),
    (
        "conservatism",
        Made(
            correctors=[
                Made(
                    name=name,
                    is_person=is_person,
                    words=Made(value=words, low=0, high=9),
                    above=above,
                    below=0,
                )
                for name, words, above, is_person in (
                    ("A", 3, 0, False),
                    ("S1", 2, 1, False),
                    ("P", 1, 0, True),
                )
            ]
        ),
        "S1 clearly changes more words than the only person",
    ),
    (
        "conservatism",
        corrected([4, 1], [3, 2]),
        "Alder clearly changes more words than both people",
    ),
    (
        "conservatism",
        corrected([*range(40, 0, -1)], [50] * 3 + [30] * 12),
        "Alder clearly changes more words than 12 of 15 people",
    ),
    (
        "human-performance",
        beside_people(0, 2, below=2),
        "By GLEU, every system scores clearly below both people",
    ),
    (
        "human-performance",
        beside_people(0, 2, below=1),
        "By GLEU, no system scores clearly above a person",
    ),
    (
        "human-performance",
        beside_people(0, 2, low=None),
        "By GLEU, nothing tells yet whether systems score as high as people",
    ),
    (
        "human-performance",
        beside_people(1, 2),
        "By GLEU, Alder scores clearly above 1 of 2 people",
    ),
    (
        "human-performance",
        beside_people(2, 2),
        "By GLEU, Alder scores clearly above both people",
    ),
    (
        "human-performance",
        beside_people(10, 10),
        "By GLEU, Alder scores clearly above all 10 people",
    ),
    ("fragility", borders(), "There are no two neighbouring systems that could be swapped"),
    (
        "fragility",
        borders(12, 1, 30),
        "Removing 12 of 600 judgments, chosen to favour S1, is enough to put S1 above Alder",
    ),
    ("ranking-with-machine", Made(machine="", ranking=None), "No machine has judged here"),
    (
        "ranking-with-machine",
        powered(reason="people judged 12 sentences, fewer than 30"),
        "Machine 1 (gpt-4o) cannot count yet: people judged 12 sentences, fewer than 30",
    ),
    (
        "ranking-with-machine",
        powered(weight=0.3, width=0.912),
        "Alder is ranked first; the other two systems can also be told apart; Machine 1 (gpt-4o) makes "
        "intervals 9 % narrower",
    ),
    (
        "ranking-with-machine",
        powered(weight=0.01, width=0.999),
        "Alder is ranked first; the other two systems can also be told apart; Machine 1 (gpt-4o) hardly "
        "helps",
    ),
    (
        "ranking-with-machine",
        powered(weight=0.0, width=1.0),
        "Alder is ranked first; the other two systems can also be told apart; Machine 1 (gpt-4o) does not "
        "help, so people count alone",
    ),
    ("rejected-edits", Made(edits=0, rejected=0), "No edit has a verdict yet"),
    ("rejected-edits", Made(edits=1, rejected=0), "Nobody rejected the only edit"),
    ("rejected-edits", Made(edits=9, rejected=0), "Nobody rejected any of 9 edits"),
    ("rejected-edits", Made(edits=1200, rejected=1000), "Somebody rejected 1,000 of 1,200 edits"),
    ("rejected-edits", Made(edits=1, rejected=1), "Somebody rejected the only edit"),
    ("weighted-edits", weighed(None), "No edit that the references lack has a verdict yet"),
    (
        "weighted-edits",
        weighed(0.414, ("A", 0.3, 0.3)),
        "People accept 41 % of edits that the references lack",
    ),
    (
        "weighted-edits",
        weighed(0.414, ("A", 0.3, 0.6), ("B", 0.2, 0.3)),
        "People accept 41 % of edits that the references lack; with these and edits of any reference, "
        "precision rises by 0.10 to 0.30, "
        "and the order of systems by F0.5 stays",
    ),
    (
        "weighted-edits",
        weighed(0.414, ("A", 0.3, 0.3), ("B", 0.2, 0.5)),
        "People accept 41 % of edits that the references lack; with these and edits of any reference, "
        "precision rises by 0.00 to 0.30, "
        "and the order of systems by F0.5 changes",
    ),
    (
        "weighted-edits",
        weighed(0.0, ("A", 0.3, 0.3), ("B", 0.2, 0.2)),
        "People accept 0 % of edits that the references lack; with these and edits of any reference, "
        "the order of systems by F0.5 stays",
    ),
    ("edits", edited(0, None), "No edit has a verdict yet"),
    ("edits", edited(1, 1.0, "A B"), "100 % of 1 edit is accepted"),
    ("edits", edited(1200, 0.567, "A B"), "57 % of 1,200 edits are accepted"),
    ("edits", edited(9, 0.5, "A", "B"), "Alder makes the most precise edits: people accept 100 %"),
    (
        "edits",
        edited(9, 0.5, "A B", "C"),
        "Alder and B make the most precise edits: people accept 100 % of those by Alder",
    ),
    ("scales", on_scales(), "No output has been rated on a scale yet"),
    ("scales", on_scales(Fluency=""), "No system has points on a scale"),
    ("scales", on_scales(Fluency="A4"), "Alder has the highest mean on the only scale"),
    ("scales", on_scales(Fluency="A4 B3"), "Alder has the highest mean on the only scale, clearly"),
    ("scales", on_scales(Fluency="A4~ B3"), "Alder has the highest mean on the only scale, but not clearly"),
    ("scales", on_scales(Fluency="A4 B4"), "Alder and B have the highest mean on the only scale"),
    (
        "scales",
        on_scales(Fluency="A4 B3", Grammar="A3~ B2", Meaning="B4 A3"),
        "Alder has the highest mean on 2 of 3 scales, clearly only on Fluency",
    ),
    ("error-spans", Made(systems=[]), "No output of a system has been scored with its errors yet"),
    ("error-spans", with_spans(None, 1), "S1 has a score of 81.2"),
    ("error-spans", with_spans(None, None, None), "S1 has the highest score, 81.2"),
    ("error-spans", with_spans(None, 1, 1, 2), "S1 and S2 share first place, with scores up to 81.2"),
    (
        "error-spans",
        with_spans(0.456, 1, 2),
        "S1 has the highest score, 81.2; annotators mark the same characters with F1 = 0.46",
    ),
    ("validity", Made(total=Made(share=None)), "No output has a verdict yet"),
    ("validity", Made(total=Made(share=1.0, outputs=1)), "100 % of 1 output was judged valid"),
    ("validity", Made(total=Made(share=0.567, outputs=1200)), "57 % of 1,200 outputs were judged valid"),
)


@for_each(HEADINGS)
def test_a_heading(name: str, result: Any, expected: str) -> None:
    assert heading(name, result, PARAMETERS.get(name)) == expected


def test_a_control_leads_no_headline() -> None:
    naming = Naming("", {}, {"S1": "control"}, {})
    said = analyses()["error-spans"].headline
    assert said is not None
    assert said(Computed(None, with_spans(None, 1, 2)), naming) == "S2 has a score of 80.2"


def test_types_of_edits_are_compared_only_where_they_differ() -> None:
    types = [Made(of=name, edits=30, precision=share) for name, share in (("M_PUNCT", 1.0), ("*", 0.5))]
    lead = analyses()["edits"].lead
    assert callable(lead)
    between = Made(value=None)
    assert lead(Computed(None, Made(types=types, between=between)), NAMING) == (
        "Of types with 20 edits or more, M\\_PUNCT is accepted most often (100\xa0%) "
        "and \\* least often (50\xa0%)."
    )
    assert lead(Computed(None, Made(types=types[:1] * 2, between=between)), NAMING) == ""
