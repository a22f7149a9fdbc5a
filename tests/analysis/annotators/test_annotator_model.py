"""Annotators and style: the command, the page, its figure and files."""

import json
from collections.abc import Sequence
from dataclasses import replace
from math import exp
from pathlib import Path
from statistics import NormalDist

import pandas as pd
import pytest
from django.core.management import call_command

from analysis.analyses.annotators.annotator_model import (
    ANNOTATOR_MODEL,
    about_annotators,
    about_style,
    draw,
    headline,
)
from analysis.analyses.annotators.annotator_model_tables import ranks_of
from analysis.analyses.annotators.annotators_and_style import (
    AnnotatorModelParameters,
    AnnotatorsAndStyle,
    annotators_and_style,
)
from analysis.analyses.annotators.clear_effects import clear_effects
from analysis.analyses.judgment_inputs import judgments, with_texts
from annotate.models import Campaign
from core.names import Naming, ShownAnnotator
from core.progress import NoProgress
from core.results import Computed
from ranking import Effect
from tests.analysis.judgment_files import write_judgments
from tests.analysis.scored_campaigns import edited_campaign, result_of

pytestmark = pytest.mark.any_database

UNNAMED = Naming("", {}, {}, {})


def computed(result: AnnotatorsAndStyle) -> Computed:
    return Computed(AnnotatorModelParameters(), result)


def effect(name: str, value: float, *, neutral: float) -> Effect:
    """One with an interval of ±0.2, and its test against the neutral value."""
    p_value = 2 * NormalDist().cdf(-abs(value - neutral) / (0.2 / NormalDist().inv_cdf(0.975)))
    return Effect(name, value, value - 0.2, value + 0.2, 40, p_value)


@pytest.fixture
def campaign(db: None) -> Campaign:
    return edited_campaign()


def test_in_a_file_the_source_tells_which_outputs_are_unchanged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = [
        ("anna" if number % 2 else "ben", number, "A > B > S" if number % 3 else "S > B > A")
        for number in range(30)
    ]
    judged = write_judgments(tmp_path / "judged.csv", *answers)
    call_command("analyse", "judge-model", judged, "--role", "S=source", "--json")
    result = json.loads(capsys.readouterr().out)
    assert [effect["name"] for effect in result["style"]] == ["unchanged"]
    assert [effect["name"] for effect in result["judges"]] == ["anna", "ben"]
    call_command("analyse", "judge-model", judged)
    told = capsys.readouterr().out
    assert "Reliability of annotators" in told
    assert "Effect of style" not in told


def test_files_hold_systems_annotators_and_style(campaign: Campaign) -> None:
    """Three models of four systems, two annotators and two properties."""
    result = result_of(ANNOTATOR_MODEL, campaign)
    assert {effect.name for effect in result.style} == {"edits", "unchanged"}
    table = ANNOTATOR_MODEL.filled_tables(computed(result), UNNAMED)["judge-model"]
    rows = [line.split(",")[:3] for line in "".join(table.csv()).splitlines()]
    assert len(rows) == 1 + 3 * 4 + 2 + 2
    assert ["style", "property", "edits"] in rows


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ((1.1, 1.2, 0.8), "No annotator is clearly more or less reliable than the average"),
        ((1.1, 0.6, 1.2), "Annotator 2 is clearly less reliable than the average"),
        (
            (0.6, 0.6, 1.5),
            "Annotator 3 is clearly more reliable than the average, Annotator 1 and Annotator 2 less",
        ),
        ((0.78, 1.0, 1.0), "No annotator is clearly more or less reliable than the average"),
    ],
)
def test_an_annotator_is_named_only_if_a_corrected_test_does(
    campaign: Campaign, values: tuple[float, ...], said: str
) -> None:
    """An interval of ±0.2 excludes 1 at 0.78, but three annotators are tested."""
    judges = [effect(str(number), value, neutral=1.0) for number, value in enumerate(values, start=1)]
    result = replace(result_of(ANNOTATOR_MODEL, campaign), judges=judges)
    annotators = {judge.name: ShownAnnotator(judge.name, number=int(judge.name)) for judge in judges}
    assert about_annotators(computed(result), Naming("", {}, {}, annotators)).startswith(f"**{said}.** ")


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ((0.05, 0.1, 0.0), "No property clearly counts."),
        ((0.0, 0.5, 0.5), "At equal quality, an output clearly gains by one more word added and leaving the"),
        ((-0.5, 0.5, 0.0), "an output clearly gains by one more word added and loses by one more edit."),
    ],
)
def test_a_property_of_outputs_counts_only_if_a_corrected_test_says_so(
    campaign: Campaign, values: tuple[float, ...], said: str
) -> None:
    style = [
        effect(name, value, neutral=0.0)
        for name, value in zip(("edits", "words added", "unchanged"), values, strict=True)
    ]
    result = replace(result_of(ANNOTATOR_MODEL, campaign), style=style)
    assert said in about_style(computed(result), UNNAMED)
    table = ANNOTATOR_MODEL.filled_tables(computed(result), UNNAMED)["style"].page()
    assert [row[0].text for row in table.rows] == [
        *("one more edit", "one more word added", "leaving the sentence unchanged"),
    ]
    mark = table.rows[0][1].mark
    assert mark is not None
    assert mark.value == pytest.approx(1 / (1 + exp(-values[0])))
    assert mark.scale.even == 0.5


def test_effects_without_an_interval_are_never_clear() -> None:
    effects = [Effect("A", 9.0, None, None, 9), Effect("B", 9.0, 9.0, 9.0, 9)]
    assert clear_effects(effects, 0.0, 0.95) == []


def test_equal_systems_share_their_rank_and_the_headline_prefers_none(campaign: Campaign) -> None:
    """Fits of equal systems differ by rounding."""
    plain = (
        Effect("A", 0.5, None, None, 9),
        Effect("B", 0.5 - 1e-9, None, None, 9),
        Effect("C", -1, None, None, 9),
    )
    judged = (
        Effect("B", 0.5, None, None, 9),
        Effect("A", 0.5 - 1e-9, None, None, 9),
        Effect("C", -1, None, None, 9),
    )
    result = replace(
        result_of(ANNOTATOR_MODEL, campaign), plain=plain, with_judges=judged, with_style=(), judges=()
    )
    assert headline(computed(result), UNNAMED) == "A and B stay first after allowing for annotators"
    assert ranks_of(judged) == {"A": 1, "B": 1, "C": 3}
    level = tuple(replace(effect, value=0.0) for effect in plain)
    equal = replace(result, plain=level, with_judges=level)
    assert headline(computed(equal), UNNAMED) == "All systems are equal after allowing for annotators"


@pytest.mark.parametrize(
    ("low", "ending"),
    [(0.3, ""), (0.1, ", but its interval overlaps that of A"), (None, ", but not clearly ahead")],
)
def test_the_headline_says_whether_the_new_first_system_is_clearly_better(
    campaign: Campaign, low: float | None, ending: str
) -> None:
    plain = (Effect("A", 0.6, 0.5, 0.7, 9), Effect("B", 0.4, 0.3, 0.5, 9))
    judged = (Effect("B", 0.4, low, 0.5, 9), Effect("A", 0.1, 0, 0.2, 9))
    result = replace(
        result_of(ANNOTATOR_MODEL, campaign), plain=plain, with_judges=judged, with_style=(), judges=()
    )
    expected = f"After allowing for annotators, B is first instead of A{ending}"
    assert headline(computed(result), UNNAMED) == expected


def scores_by(judges: Sequence[str], systems: Sequence[Sequence[str]]) -> pd.DataFrame:
    """Scores of some systems by one judge for each sentence."""
    rows = [
        (str(number), judge, number, f"{system}{number}", (system,), pd.NA, 70.0 - 9 * place + number)
        for number, (judge, shown) in enumerate(zip(judges, systems, strict=True))
        for place, system in enumerate(shown)
    ]
    columns = ["judgment", "annotator", "sentence", "output", "systems", "rank", "score"]
    return pd.DataFrame(rows, columns=columns)


def test_scores_that_link_no_judges_or_no_systems_give_what_they_tell() -> None:
    def modelled(snapshot: pd.DataFrame) -> AnnotatorsAndStyle:
        inputs = with_texts(judgments(snapshot, ANNOTATOR_MODEL.columns), pd.DataFrame())
        return annotators_and_style(inputs, AnnotatorModelParameters(), NoProgress())

    apart = modelled(scores_by(["anna", "ben"] * 4, ["ABC"] * 8))
    assert [effect.name for effect in apart.with_judges] == ["A", "B", "C"]
    assert apart.judges == ()
    assert draw(computed(apart), UNNAMED, "wide") is not None
    unlinked = modelled(scores_by(["anna"] * 8, ["AB", "CD"] * 4))
    assert unlinked.with_judges == ()
    assert len(unlinked.plain) == 4
