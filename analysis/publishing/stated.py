"""The request of a bundle, as its file of parameters states it."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from analysis.analyses.base import AnyAnalysis, UnknownAnalysisError, analyses, analysis_named
from analysis.analyses.rules import FIRST, rule_of
from assay import __version__
from core.parameters import ParameterError, parameters_as_text, parameters_from_text

PARAMETERS = "parameters.json"

WITHOUT_SOURCE = "without-source"


class BundleError(ValueError):
    """The file is not a bundle, or a damaged one; the message says why."""


@dataclass(frozen=True, slots=True)
class StatedMetric:
    """A metric whose scores a bundle holds.

    Attributes:
        name: in the tables.
        signature: repeats the scores; "" if not known.
        computed_by: name of the metric that computes scores from statistics; "" for scores from elsewhere.
        parameters: of that metric, as texts by name.
        is_mean: whether scores that were computed elsewhere are of sentences, and a system scores their mean.
    """

    name: str
    signature: str
    computed_by: str = ""
    parameters: Mapping[str, str] = field(default_factory=dict)
    is_mean: bool = False


EARLY = (
    "it was made when Assay published rankings only, in another layout, and this version cannot verify it. "
    "Use the version that made it, or rank its judgments again: manage.py rank judgments.csv"
)


@dataclass(frozen=True, slots=True)
class Stated:
    """The request of a bundle.

    Attributes:
        title: of figures and the data sheet.
        analysis: the analysis.
        parameters: its parameters, resolved.
        roles: of systems that have one, by name.
        left_out_systems: how many systems were left out.
        left_out_annotators: how many annotators were left out.
        metrics: whose scores the bundle holds, in order.
        version: of Assay.
        rules: by analysis, the version of the rule by which it computed; the first is not named.
        secret: by which the campaign was drawn; only in bundles of earlier versions, else "".
    """

    title: str
    analysis: AnyAnalysis
    parameters: Any
    roles: Mapping[str, str]
    left_out_systems: int = 0
    left_out_annotators: int = 0
    metrics: tuple[StatedMetric, ...] = ()
    version: str = __version__
    rules: Mapping[str, int] = field(default_factory=dict)
    secret: str = ""

    @property
    def of_older_rule(self) -> list[str]:
        """The analyses that compute by another rule since: this one, and the one beside it."""
        return [name for name in _computed(self.analysis) if self.rules.get(name, FIRST) < rule_of(name)]

    def as_json(self) -> str:
        """The content of the file of parameters."""
        stated = {
            "assay": self.version,
            "title": self.title,
            "analysis": self.analysis.name,
            "parameters": parameters_as_text(self.parameters),
            "roles": dict(sorted(self.roles.items())),
            "left_out": {"systems": self.left_out_systems, "annotators": self.left_out_annotators},
            "metrics": [asdict(metric) for metric in self.metrics],
            **({"rules": self.rules} if self.rules else {}),
            **({"secret": self.secret} if self.secret else {}),
        }
        return _written(stated)


def _written(stated: object) -> str:
    return json.dumps(stated, ensure_ascii=False, indent=1) + "\n"


def is_form_of(text: str, stated: Stated) -> bool:
    """Whether a bundle of this request would have this file of parameters, in any order of the names."""
    read = json.loads(text)
    of_today = {**read, "parameters": _as_named_today(read["parameters"])}
    return of_today == json.loads(stated.as_json()) and text == _written(read)


def _as_named_today(parameters: Mapping[str, str]) -> dict[str, str]:
    """Stated parameters; earlier versions stated `without-source` where today's state `with-source`."""
    if WITHOUT_SOURCE not in parameters:
        return dict(parameters)
    counts = "no" if parameters[WITHOUT_SOURCE] == "yes" else "yes"
    others = {name: text for name, text in parameters.items() if name != WITHOUT_SOURCE}
    return {**others, "with-source": counts}


def stated_from_json(text: str) -> Stated:
    """Read a file of parameters.

    Raises:
        BundleError: it is no valid file of parameters.
    """
    try:
        read: Any = json.loads(text)
        analysis = publishable_named(read["analysis"])
        left_out = read["left_out"]
        return Stated(
            title=str(read["title"]),
            analysis=analysis,
            parameters=parameters_from_text(analysis.parameters, _as_named_today(read["parameters"])),
            roles={str(name): str(role) for name, role in read["roles"].items()},
            left_out_systems=int(left_out["systems"]),
            left_out_annotators=int(left_out["annotators"]),
            metrics=tuple(StatedMetric(**metric) for metric in read["metrics"]),
            version=str(read["assay"]),
            secret=str(read.get("secret", "")),
            rules={str(name): int(rule) for name, rule in read.get("rules", {}).items()},
        )
    except KeyError as error:
        raise BundleError(EARLY if "ranking" in read else f"{PARAMETERS} lacks {error}") from error
    except (AttributeError, TypeError) as error:
        raise BundleError(f"{PARAMETERS} does not have the form in which a bundle writes it") from error
    except (ValueError, OverflowError, RecursionError, UnknownAnalysisError) as error:
        raise BundleError(f"{PARAMETERS} cannot be read: {error}") from error


def publishable() -> dict[str, AnyAnalysis]:
    """The analyses whose results can be published, by name."""
    return {name: analysis for name, analysis in analyses().items() if analysis.is_publishable}


def publishable_named(name: str) -> AnyAnalysis:
    """The analysis of this name.

    Raises:
        ParameterError: its results cannot be published.
    """
    analysis = analysis_named(name)
    if not analysis.is_publishable:
        raise ParameterError(
            f"results of {name} cannot be published; these can: {', '.join(sorted(publishable()))}"
        )
    return analysis


def todays_rules(analysis: AnyAnalysis) -> dict[str, int]:
    """The rules by which this analysis, and the one beside it, compute today, as `Stated.rules`."""
    rules = {name: rule_of(name) for name in _computed(analysis)}
    return {name: rule for name, rule in rules.items() if rule > FIRST}


def _computed(analysis: AnyAnalysis) -> list[str]:
    return [analysis.name, analysis.beside] if analysis.beside else [analysis.name]
