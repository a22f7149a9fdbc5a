"""Learned metrics as files, and as metrics that score new systems."""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

from metrics import InputError, UnknownMetricError, metric_from_text, score
from metrics.learned import shelf
from metrics.learned.features import feature_table
from metrics.learned.gmeg import Domain, Settings, train
from metrics.learned.metric import metric_of_model
from metrics.learned.mterater import ranked_pairs
from metrics.learned.mterater import train as train_ranking
from metrics.learned.outputs import METRICS, OF_OUTPUTS, output_features
from metrics.learned.saved import (
    GMEG,
    MTERATER,
    ModelCard,
    ModelError,
    SavedModel,
    from_json,
    read_model,
    signed,
    to_json,
    write_model,
)
from metrics.registry import METRICS as REGISTERED
from tests.metrics.learned.samples import METRICS as SCORED
from tests.metrics.learned.samples import SYSTEMS, Sample

CARD = ModelCard("60 sentences made up", "0" * 64, 60, 34, SYSTEMS)


@pytest.fixture(scope="module")
def gmeg(domains: tuple[Domain, Domain]) -> SavedModel:
    model = train(domains, Settings(percents=(50,), draws=2))
    return signed(
        SavedModel(
            kind=GMEG,
            metrics=SCORED,
            groups=(),
            rules=(),
            checker="",
            features=model.features,
            coefficients=tuple(model.coefficients.tolist()),
            intercept=model.intercept,
            spread=tuple(model.spread.tolist()),
            card=CARD,
        )
    )


@pytest.fixture(scope="module")
def mterater(small: Sample) -> SavedModel:
    features = output_features(small.data, small.outputs, groups=OF_OUTPUTS)
    model = train_ranking(features, ranked_pairs(small.judged(), 4).with_features(features))
    return signed(
        SavedModel(
            kind=MTERATER,
            metrics=METRICS,
            groups=OF_OUTPUTS,
            rules=("WORSE", "WRONG"),
            checker="mistakes-1",
            features=model.features,
            coefficients=tuple(model.weights.tolist()),
            intercept=0.0,
            spread=tuple(model.spread.tolist()),
            card=CARD,
        )
    )


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Learned metrics are offered from here."""
    shelf.set_up(tmp_path / "learned")
    yield tmp_path / "learned"
    shelf.set_up(None)


def test_a_model_is_read_as_it_was_written(tmp_path: Path, gmeg: SavedModel, mterater: SavedModel) -> None:
    for model in (gmeg, mterater):
        write_model(model, tmp_path / "model.json")
        assert read_model(tmp_path / "model.json") == model
        assert [each.name for each in tmp_path.iterdir()] == ["model.json"]


def test_a_model_has_no_negative_zeros_which_a_database_would_change(gmeg: SavedModel) -> None:
    negative = signed(replace(gmeg, intercept=-0.0, coefficients=(-0.0, *gmeg.coefficients[1:])))
    assert "-0.0," not in to_json(negative)
    assert negative == signed(replace(gmeg, intercept=0.0, coefficients=(0.0, *gmeg.coefficients[1:])))


def test_a_model_scores_systems_as_in_training(
    small: Sample, gmeg: SavedModel, domains: tuple[Domain, Domain]
) -> None:
    scored = score(metric_of_model(gmeg)(), small.data, small.outputs)
    origins = np.repeat(np.arange(4)[:, None], 60, axis=1)
    table = feature_table(domains[0].statistics, origins, np.arange(60))
    expected = table.values @ gmeg.weights + gmeg.intercept
    values = [scored.corpus(system).value for system in SYSTEMS]
    # The weighted sum of 26 features is summed in another order.
    assert values == pytest.approx(expected.tolist(), rel=1e-9)
    assert expected.tolist() == sorted(expected.tolist(), reverse=True)
    assert np.isfinite(scored.sentences("good")).all()
    assert scored.signature.startswith(f"{gmeg.name}|")
    assert f"model:{gmeg.digest}" in scored.signature


def test_a_ranking_model_scores_outputs_as_in_training(small: Sample, mterater: SavedModel) -> None:
    scored = score(metric_of_model(mterater)(), small.data, small.outputs)
    features = output_features(small.data, small.outputs, groups=OF_OUTPUTS)
    for place, system in enumerate(SYSTEMS):
        expected = features.values[:, place] @ mterater.weights
        assert scored.sentences(system) == pytest.approx(expected, rel=1e-9, abs=1e-12)
        assert scored.corpus(system).value == pytest.approx(expected.mean())


def test_another_process_gives_the_same_scores(tmp_path: Path, small: Sample, gmeg: SavedModel) -> None:
    write_model(gmeg, tmp_path / "model.json")
    scored = score(metric_from_text(f"learned:{tmp_path}/model.json"), small.data, small.outputs)
    program = (
        "import sys; from metrics import metric_from_text, score; "
        "from tests.metrics.learned.samples import sample; small = sample(); "
        "scored = score(metric_from_text('learned:' + sys.argv[1]), small.data, small.outputs); "
        "print([scored.corpus(system).value for system in small.outputs])"
    )
    run = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "model.json")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(run.stdout) == [scored.corpus(system).value for system in SYSTEMS]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"intercept": 1.5}, "was changed after it was saved"),
        ({"card": {**asdict(CARD), "data": "other"}}, "was changed after it was saved"),
        ({"digest": "0" * 64}, "was changed after it was saved"),
        ({"coefficients": [1]}, "features and coefficients differ in number"),
        ({"coefficients": ["1"]}, "a list of numbers is something else"),
        ({"kind": "other"}, "there is no kind 'other'"),
        ({"format": "assay-learned-metric-0"}, "no learned metric of the format assay-learned-metric-1"),
        ({"features": None}, "a list of texts is something else"),
    ],
)
def test_a_file_that_was_tampered_with_is_refused(
    tmp_path: Path, gmeg: SavedModel, change: dict[str, object], words: str
) -> None:
    content = json.loads(to_json(gmeg)) | change
    path = tmp_path / "model.json"
    path.write_text(json.dumps(content))
    with pytest.raises(ModelError, match=words) as told:
        read_model(path)
    assert str(path) in str(told.value)


@pytest.mark.parametrize("text", ["", "[]", "{", "\x80\x04K\x01.", '{"format": "assay-learned-metric-1"}'])
def test_other_files_are_refused(text: str) -> None:
    with pytest.raises(ModelError, match=r"x\.json is no learned metric"):
        from_json(text, "x.json")


def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"none\.json cannot be read"):
        metric_from_text(f"learned:{tmp_path}/none.json")
    with pytest.raises(ModelError, match="write learned:FILE"):
        metric_from_text("learned")


def test_a_model_of_other_features_is_refused(gmeg: SavedModel) -> None:
    other = signed(replace(gmeg, features=("chrf accuracy", *gmeg.features[1:])))
    with pytest.raises(ModelError, match=r"other features .*'chrf precision' where it has learned 'chrf acc"):
        metric_of_model(other)
    fewer = signed(replace(gmeg, metrics=gmeg.metrics[:-1]))
    with pytest.raises(ModelError, match="where it has learned"):
        metric_of_model(fewer)
    unknown = signed(replace(gmeg, metrics=("no-such-metric",)))
    with pytest.raises(ModelError, match="there is no metric 'no-such-metric'"):
        metric_of_model(unknown)


def test_a_model_of_another_checker_is_refused(small: Sample, mterater: SavedModel) -> None:
    other = metric_of_model(signed(replace(mterater, checker="other-2")))
    with pytest.raises(InputError, match=r"has learned from the errors that other-2 finds.*mistakes-1"):
        score(other(), small.data, small.outputs)


def test_needs_of_a_model_are_reported(small: Sample, gmeg: SavedModel) -> None:
    metric = metric_of_model(gmeg)()
    with pytest.raises(InputError, match="m2 needs gold edits"):
        score(metric, replace(small.data, annotations=None), small.outputs)


def test_the_shelf_offers_models_at_once_and_names_faults(folder: Path, gmeg: SavedModel) -> None:
    assert gmeg.name not in REGISTERED
    shelf.offer(gmeg)
    assert REGISTERED[gmeg.name].label == gmeg.label
    assert metric_from_text(gmeg.name).name == gmeg.name
    assert [name for name in REGISTERED if name.startswith("learned")] == [gmeg.name]
    (folder / "learned-0.json").write_text("{}")
    [fault] = shelf.faults()
    assert "learned-0.json is no learned metric" in fault
    (folder / "learned-0.json").write_text(to_json(gmeg))
    [fault] = shelf.faults()
    assert f"holds {gmeg.name}: give the file that name" in fault
    shelf.withdraw(gmeg.name)
    with pytest.raises(UnknownMetricError, match="there is no metric"):
        metric_from_text(gmeg.name)
