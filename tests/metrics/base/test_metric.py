"""The core of metrics: statistics per distinct output, scores, bootstraps, tests, signatures, parameters."""

import re
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from core.arrays import FloatArray
from core.parameters import parameter
from metrics import (
    Annotation,
    EditedText,
    EvaluationSet,
    GoldEdit,
    InputError,
    NotScored,
    ParameterError,
    UnknownMetricError,
    __version__,
    approximate_randomisation,
    bootstrap_intervals,
    bootstrap_scores,
    compare_with_best,
    metric_from_text,
    paired_bootstrap,
    parameter_fields,
    score,
)
from metrics.base.metric import MeanMetric, Reduce, mean_row

ROOT = Path(__file__).parents[3]
DATA = EvaluationSet(sources=("a b", "c d", "e f"), references=(("a x", "a y"), ("c d",), ("e",)))
OUTPUTS = {"good": ["a y", "c d", "e"], "bad": ["a b", "c d", "e f"], "half": ["a y", "c d", "e f"]}


@dataclass(frozen=True, slots=True)
class LengthParameters:
    at_most: int = parameter(10, label="At most", help="Longest output.", minimum=1, maximum=20)
    unit: str = parameter("token", label="Unit", help="What is counted.", choices=("token", "character"))
    strict: bool = parameter(False, label="Strict", help="Nothing else.")
    weight: float = parameter(1.0, label="Weight", help="A factor.", minimum=0)


class Length(MeanMetric[LengthParameters]):
    """Tokens of an output, unless there are too many; counts how often it is asked."""

    name = "length"
    label = "Length"
    summary = "Number of tokens."
    needs = frozenset()
    Parameters = LengthParameters
    asked = 0

    def prepare(self, data: EvaluationSet) -> Reduce:
        def reduce(sentence: int, output: str) -> FloatArray | NotScored:
            self.asked += 1
            tokens = len(output.split())
            return NotScored("too long") if tokens > self.parameters.at_most else mean_row(tokens)

        return reduce


def test_rows_that_are_put_together_part_by_part_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    for metric in (metric_from_text("gleu"), Length(LengthParameters(at_most=1))):
        whole = score(metric, DATA, OUTPUTS)
        with monkeypatch.context() as patch:
            patch.setattr("metrics.base.scoring.SENTENCES_PER_REPORT", 1)
            patch.setattr("metrics.base.scoring.OUTPUTS_PER_PART", 2)
            parts = score(metric, DATA, OUTPUTS)
        np.testing.assert_array_equal(parts.rows.values, whole.rows.values)
        np.testing.assert_array_equal(parts.rows.sizes, whole.rows.sizes)
        np.testing.assert_array_equal(parts.rows.sentences, whole.rows.sentences)
        assert parts.reasons == whole.reasons
        assert {name: picks.tolist() for name, picks in parts.picks.items()} == {
            name: picks.tolist() for name, picks in whole.picks.items()
        }


def test_scores_of_sentences_and_corpus() -> None:
    scored = score(metric_from_text("exact-match"), DATA, OUTPUTS)
    assert scored.sentences("half").tolist() == [1, 1, 0]
    assert {system: scored.corpus(system).value for system in OUTPUTS} == {
        "good": 1,
        "bad": 1 / 3,
        "half": 2 / 3,
    }


def test_each_distinct_output_is_reduced_once() -> None:
    metric = Length()
    score(metric, DATA, OUTPUTS)
    assert metric.asked == 5


def test_progress_adds_up_and_comes_after_each_output() -> None:
    told: list[int] = []
    data = EvaluationSet(sources=("a",) * 250)
    score(Length(), data, {"one": ["a"] * 250}, progress=told.append)
    assert [finished for finished in told if finished] == [100, 100, 50]
    assert told.count(0) == 250


def test_unscored_sentences_add_nothing_and_have_a_reason() -> None:
    scored = score(Length(LengthParameters(at_most=2)), DATA, {"x": ["a", "a b c", "a b"]})
    corpus = scored.corpus("x")
    assert (corpus.value, corpus.not_scored) == (1.5, 1)
    assert scored.not_scored("x") == {1: "too long"}
    assert np.isnan(scored.sentences("x")).tolist() == [False, True, False]


def test_a_system_without_any_scored_sentence_has_no_score_but_a_reason() -> None:
    scored = score(Length(LengthParameters(at_most=1)), DATA, {"x": ["a b"] * 3, "y": ["a a"] * 3})
    assert scored.corpus("x").value is None
    assert "too long" in scored.corpus("x").reason
    assert np.isnan(scored.sentences("x")).all()
    assert bootstrap_intervals(scored, 10, seed=1)["x"].low is None
    assert paired_bootstrap(scored, "x", "y", 10, seed=1).p_value is None


def test_bootstrap_intervals_hold_the_score_and_narrow_with_sentences() -> None:
    rng = np.random.default_rng(1)
    widths = []
    for number in (50, 800):
        outputs = ["a" if right else "b" for right in rng.random(number) < 0.5]
        data = EvaluationSet(("b",) * number, (("a",),) * number)
        scored = score(metric_from_text("exact-match"), data, {"x": outputs})
        interval = bootstrap_intervals(scored, 1000, seed=3)["x"]
        assert interval.low is not None
        assert interval.high is not None
        assert interval.low < scored.corpus("x").value < interval.high  # type: ignore[operator]
        widths.append(interval.high - interval.low)
    # The standard error of a share of 1/2 over n is 1/(2 √n); 10 % for chance.
    assert widths[0] == pytest.approx(2 * 1.96 / (2 * 50**0.5), rel=0.1)
    assert widths[1] == pytest.approx(2 * 1.96 / (2 * 800**0.5), rel=0.1)


def test_a_replicate_is_the_same_in_any_range() -> None:
    scored = score(metric_from_text("exact-match"), DATA, OUTPUTS)
    systems = tuple(OUTPUTS)
    whole = bootstrap_scores(scored, systems, range(130), 7)
    parts = [
        bootstrap_scores(scored, systems, part, 7) for part in (range(33), range(33, 120), range(120, 130))
    ]
    assert (np.concatenate(parts) == whole).all()
    assert not (bootstrap_scores(scored, systems, range(130), 8) == whole).all()


@pytest.mark.parametrize("test", [paired_bootstrap, approximate_randomisation])
def test_tests_between_two_systems(test) -> None:  # type: ignore[no-untyped-def]
    number = 200
    rng = np.random.default_rng(5)
    data = EvaluationSet(("b",) * number, (("a",),) * number)

    def right(share: float) -> list[str]:
        return ["a" if hit else "b" for hit in rng.random(number) < share]

    outputs = {"best": right(0.8), "worst": right(0.4), "alike": right(0.8)}
    outputs["same"] = outputs["best"]
    scored = score(metric_from_text("exact-match"), data, outputs)
    clear = test(scored, "best", "worst", 999, 1)
    assert clear.difference > 0.3
    assert clear.p_value == 0.001
    assert test(scored, "worst", "best", 999, 1).p_value == 0.001
    assert test(scored, "best", "same", 999, 1).p_value == 1
    assert test(scored, "best", "alike", 999, 1).p_value > 0.1


def test_p_values_of_equal_systems_are_uniform() -> None:
    rng = np.random.default_rng(11)
    number, runs = 100, 200
    data = EvaluationSet(("b",) * number, (("a",),) * number)
    p_values = []
    for _ in range(runs):
        outputs = {name: ["a" if hit else "b" for hit in rng.random(number) < 0.5] for name in "xy"}
        scored = score(metric_from_text("exact-match"), data, outputs)
        p_values.append(approximate_randomisation(scored, "x", "y", 199, 2).p_value)
    # 5 % of 200 is 10 ± 3; four standard deviations.
    assert np.mean(np.array(p_values) <= 0.05) < 0.05 + 4 * (0.05 * 0.95 / runs) ** 0.5


def test_all_are_compared_with_the_best() -> None:
    best, comparisons = compare_with_best(score(metric_from_text("exact-match"), DATA, OUTPUTS), 100, 1)
    assert best == "good"
    assert set(comparisons) == {"bad", "half"}


def test_a_signature_repeats_a_score() -> None:
    metric = Length(LengthParameters(weight=0.5))
    assert metric.signature(DATA) == (
        f"length|at-most:10|unit:token|strict:no|weight:0.5|tok:given|assay:{__version__}"
    )
    assert "refs:1-2" in metric_from_text("exact-match").signature(DATA)


def test_the_version_is_that_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    cited = re.findall(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text(), re.M)
    assert [__version__] == [project["version"]] == cited


def test_parameters_describe_themselves() -> None:
    at_most, unit, *_ = parameter_fields(LengthParameters)
    assert (at_most.name, at_most.type, at_most.minimum, at_most.maximum) == ("at-most", int, 1, 20)
    assert unit.choices == ("token", "character")


@pytest.mark.parametrize(
    ("values", "cause"),
    [
        ({"at_most": 0}, "at-most should be at least 1, not 0"),
        ({"at_most": 21}, "at-most should be at most 20, not 21"),
        ({"at_most": 1.5}, "at-most should be a whole number"),
        ({"unit": "word"}, "unit should be one of token, character"),
        ({"strict": 1}, "strict should be yes or no"),
        ({"weight": float("nan")}, "weight should be a number"),
    ],
)
def test_an_impossible_parameter_is_refused(values: dict[str, object], cause: str) -> None:
    with pytest.raises(ParameterError, match=cause):
        Length(LengthParameters(**values))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("exact-match:beta=1", "exact-match: there is no parameter 'beta'; parameters are: none"),
        ("exact-match:beta", "exact-match: write PARAMETER=VALUE, not 'beta'"),
        ("exact-match:a=1:a=2", "exact-match: a is given twice"),
    ],
)
def test_a_metric_that_is_written_wrongly_is_refused(text: str, cause: str) -> None:
    with pytest.raises(ParameterError, match=cause):
        metric_from_text(text)


def test_an_unknown_metric_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(UnknownMetricError, match=r"there is no metric 'bleurt'; metrics are: .*exact-match"):
        metric_from_text("bleurt")


def test_inputs_that_do_not_fit_are_refused() -> None:
    with pytest.raises(InputError, match="references are of 1 sentences, sources are 2"):
        EvaluationSet(("a", "b"), (("a",),))
    with pytest.raises(InputError, match=r"sentence 1: the edit 1 3 of annotator '0' leaves"):
        EvaluationSet(("a b",), annotations=((Annotation("0", (GoldEdit(1, 3, ("c",)),)),),))
    with pytest.raises(InputError, match="there are no sentences"):
        EvaluationSet(())
    with pytest.raises(InputError, match="exact-match needs references"):
        score(metric_from_text("exact-match"), EvaluationSet(("a",)), {"x": ["a"]})
    with pytest.raises(InputError, match="x has 2 sentences, sources are 3"):
        score(metric_from_text("exact-match"), DATA, {"x": ["a", "b"]})


def test_importing_metrics_loads_no_heavy_library() -> None:
    heavy = {
        "sacrebleu",
        "spacy",
        "numba",
        "sklearn",
        "scipy",
        "pandas",
        "nltk",
        "rapidfuzz",
        "harper",
        "django",
    }
    program = f"import sys, metrics; print(*sorted({heavy!r} & sys.modules.keys()))"
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == []


def test_edits_of_an_output_are_for_metrics_that_read_them() -> None:
    """One text with two sets of edits is one output to all others."""
    short, long = (GoldEdit(1, 2, ("c",), "R:NOUN"),), (GoldEdit(0, 2, ("a c",), "R:NOUN"),)
    outputs: dict[str, Sequence[str]] = {
        "short": [EditedText("a c", short)],
        "long": [EditedText("a c", long)],
        "text": ["a c"],
    }
    data = EvaluationSet(("a b",), (("a c",),), ((Annotation("0", short),),))
    result = score(metric_from_text("exact-match"), data, outputs)
    assert len(result.rows.sizes) == 1
    assert {result.corpus(system).value for system in outputs} == {1.0}
    errant = score(metric_from_text("errant"), data, {name: outputs[name] for name in ("short", "long")})
    assert [errant.corpus(system).value for system in ("short", "long")] == [1.0, 0.0]
