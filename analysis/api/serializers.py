"""Results of analyses as JSON."""

from math import isfinite

from rest_framework.serializers import (
    BooleanField,
    CharField,
    DictField,
    FloatField,
    IntegerField,
    ListField,
    Serializer,
)


class FiniteField(FloatField):
    """A number for JSON; infinite numbers, which judgments do not bound, become null."""

    def to_representation(self, value: float) -> float | None:
        """The form that the serializer expects."""
        return value if isfinite(value) else None


OLDER_RULE = "Whether it was computed by an older rule, which Assay no longer uses. POST computes it anew."


class StandingSerializer(Serializer):
    system = CharField()
    score = FiniteField(allow_null=True, help_text="`reason` says why there is none.")
    score_low = FloatField(allow_null=True, help_text="Lower bound of its bootstrap interval.")
    score_high = FloatField(allow_null=True, help_text="Upper bound of its bootstrap interval.")
    spread = FloatField(allow_null=True, help_text="Standard deviation of the score over the replicates.")
    rank_low = IntegerField(allow_null=True, help_text="The best rank in its range; 1 is best.")
    rank_high = IntegerField(allow_null=True, help_text="The worst rank it may have.")
    cluster = IntegerField(allow_null=True, help_text="1 is the best.")
    reason = CharField(allow_null=True)


class BorderSerializer(Serializer):
    below_cluster = IntegerField(source="below")
    stability = FloatField(help_text="Share of the replicates in which the border is clean.")


class RankingSerializer(Serializer):
    signature = CharField(source="ranking.signature", help_text="Equal signatures mean equal numbers.")
    systems = StandingSerializer(source="ranking.standings.systems", many=True, help_text="Best first.")
    borders = BorderSerializer(
        source="ranking.standings.borders", many=True, help_text="Borders between clusters, best first."
    )
    reason = CharField(
        source="ranking.standings.reason", allow_null=True, help_text="Why there are no ranges and clusters."
    )
    warning = CharField(source="ranking.warning", allow_null=True, help_text="A warning, if any.")
    remark = CharField(
        source="ranking.remark", allow_null=True, help_text="A remark on intervals that rest on few units."
    )
    newer_answers = IntegerField(help_text="Number of answers that arrived after this was computed.")
    is_of_older_rule = BooleanField(help_text=OLDER_RULE)


class KappaSerializer(Serializer):
    value = FloatField(allow_null=True)
    n = IntegerField(help_text="Comparisons that it rests on.")
    observed = FloatField(allow_null=True, help_text="Share of comparisons that agree.")
    expected = FloatField(allow_null=True, help_text="Share that would agree by chance.")
    reason = CharField(allow_null=True, help_text="Why there is no value.")


class JudgePairSerializer(Serializer):
    first = CharField()
    second = CharField(help_text="True for a judge with themselves.")
    kappa = KappaSerializer()


class AgreementSerializer(Serializer):
    judges = ListField(
        source="agreement.judges", child=CharField(), help_text="Pseudonyms, or names on request."
    )
    annotator_numbers = DictField(child=IntegerField(), help_text="The number shown on pages, by judge.")
    min_comparisons = IntegerField(
        source="agreement.min_comparisons",
        help_text="Minimum number of comparisons for a kappa to count in `inter` and `intra`.",
    )
    inter = KappaSerializer(
        source="agreement.inter", help_text="Between judges: mean, weighted by comparisons."
    )
    intra = KappaSerializer(
        source="agreement.intra", help_text="Of judges with themselves: mean, weighted by comparisons."
    )
    inter_pooled = KappaSerializer(
        source="agreement.inter_pooled", help_text="Between judges, from all comparisons together."
    )
    intra_pooled = KappaSerializer(
        source="agreement.intra_pooled", help_text="Of judges with themselves, from all comparisons together."
    )
    rest = DictField(
        source="agreement.rest", child=KappaSerializer(), help_text="By judge, with all others together."
    )
    pairs = JudgePairSerializer(
        source="agreement.pairs", many=True, help_text="Those that have a comparison."
    )
    is_of_older_rule = BooleanField(help_text=OLDER_RULE.replace("POST", "POST to `ranking/`"))


class AnalysisSerializer(Serializer):
    signature = CharField(help_text="Equal signatures mean equal numbers.")
    parameters = DictField(help_text="All parameters used, including those that depend on the inputs.")
    result = DictField(help_text="The result; null for numbers that are not finite.")
    is_of_older_rule = BooleanField(help_text=OLDER_RULE)


class CampaignAnalysisSerializer(AnalysisSerializer):
    newer_answers = IntegerField(help_text="Number of answers that arrived after this was computed.")


class CorpusAnalysisSerializer(AnalysisSerializer):
    is_current = BooleanField(help_text="Whether the corpus is unchanged since this was computed.")
