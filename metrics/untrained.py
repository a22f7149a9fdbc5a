"""Metrics that need no training: the shipped ones and those of installed packages, by name."""

from collections.abc import Iterator, Mapping, Sequence

from core.parameters import ParameterError, parameters_from_text
from metrics.base.metric import AnyMetric
from metrics.bleu import Bleu
from metrics.chrf import Chrf
from metrics.cleme import Cleme
from metrics.cleme2 import Cleme2
from metrics.entry_points import further_metrics
from metrics.errant import Errant
from metrics.exact_match import ExactMatch
from metrics.gleu import CharGleu, Gleu
from metrics.gleu_of_gec_metrics import GecMetricsGleu
from metrics.grammaticality import Grammaticality
from metrics.green import Green
from metrics.ibleu import IBleu
from metrics.imeasure import IMeasure
from metrics.index_match import IndexMatch
from metrics.levenshtein import LdSource, MinLd
from metrics.m2 import M2
from metrics.meteor import Meteor
from metrics.sari import MaxSari, Sari
from metrics.ter import Ter

SHIPPED: Mapping[str, type[AnyMetric]] = {
    each.name: each
    for each in (
        Bleu,
        CharGleu,
        Chrf,
        Cleme,
        Cleme2,
        Errant,
        ExactMatch,
        GecMetricsGleu,
        Gleu,
        Grammaticality,
        Green,
        IBleu,
        IMeasure,
        IndexMatch,
        LdSource,
        M2,
        MaxSari,
        Meteor,
        MinLd,
        Sari,
        Ter,
    )
}  # fmt: skip


class _Untrained(Mapping[str, type[AnyMetric]]):
    """Packages are loaded when one of their metrics is first needed."""

    def __getitem__(self, name: str) -> type[AnyMetric]:
        return SHIPPED[name] if name in SHIPPED else further_metrics(SHIPPED).metrics[name]

    def __iter__(self) -> Iterator[str]:
        yield from SHIPPED
        yield from further_metrics(SHIPPED).metrics

    def __len__(self) -> int:
        return sum(1 for _ in self)


UNTRAINED: Mapping[str, type[AnyMetric]] = _Untrained()


class UnknownMetricError(ValueError):
    """Raised if there is no metric of that name; the message lists those there are."""


def untrained_metric_from_text(text: str) -> AnyMetric:
    """A metric with parameters, such as "m2:beta=1", that is not a learned one.

    Raises:
        UnknownMetricError: there is no metric of that name.
        ParameterError: see `configured`.
    """
    name, *settings = text.split(":")
    if name not in UNTRAINED:
        raise UnknownMetricError(f"there is no metric {name!r}; metrics are: {', '.join(sorted(UNTRAINED))}")
    return configured(UNTRAINED[name], settings)


def configured(cls: type[AnyMetric], settings: Sequence[str]) -> AnyMetric:
    """A metric with these settings, each written PARAMETER=VALUE.

    Raises:
        ParameterError: a setting is not written so, its parameter is unknown or given twice, or cannot take
            its value.
    """
    values: dict[str, str] = {}
    for setting in settings:
        parameter, equals, value = setting.partition("=")
        if not equals:
            raise ParameterError(f"{cls.name}: write PARAMETER=VALUE, not {setting!r}")
        if parameter in values:
            raise ParameterError(f"{cls.name}: {parameter} is given twice")
        values[parameter] = value
    try:
        return cls(parameters_from_text(cls.Parameters, values))
    except ParameterError as error:
        raise ParameterError(f"{cls.name}: {error}") from None
