"""Results of analyses as JSON."""

from math import isfinite

from rest_framework.serializers import (
    BooleanField,
    CharField,
    DateTimeField,
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


NEWER_ANSWERS = "Number of answers that arrived after this was computed."
IS_CURRENT = (
    "Whether the inputs are unchanged since this was computed: answers, the corpus, and whatever else the "
    "analysis reads, such as metric scores."
)
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
    newer_answers = IntegerField(help_text=NEWER_ANSWERS)
    is_current = BooleanField(help_text=IS_CURRENT)
    is_of_older_rule = BooleanField(help_text=OLDER_RULE)


class KappaSerializer(Serializer):
    value = FloatField(allow_null=True)
    n = IntegerField(help_text="Comparisons that it rests on.")
    observed = FloatField(allow_null=True, help_text="Share of comparisons that agree.")
    expected = FloatField(allow_null=True, help_text="Share that would agree by chance.")
    reason = CharField(allow_null=True, help_text="Why there is no value.")


class JudgePairSerializer(Serializer):
    first = CharField()
    second = CharField(help_text="True for an annotator with themselves.")
    kappa = KappaSerializer()


class AgreementSerializer(Serializer):
    judges = ListField(
        source="agreement.judges", child=CharField(), help_text="Pseudonyms, or names on request."
    )
    annotator_numbers = DictField(child=IntegerField(), help_text="The number shown on pages, by annotator.")
    min_comparisons = IntegerField(
        source="agreement.min_comparisons",
        help_text="Minimum number of comparisons for a kappa to count in `inter` and `intra`.",
    )
    inter = KappaSerializer(
        source="agreement.inter", help_text="Between annotators: mean, weighted by comparisons."
    )
    intra = KappaSerializer(
        source="agreement.intra", help_text="Of annotators with themselves: mean, weighted by comparisons."
    )
    inter_pooled = KappaSerializer(
        source="agreement.inter_pooled", help_text="Between annotators, from all comparisons together."
    )
    intra_pooled = KappaSerializer(
        source="agreement.intra_pooled",
        help_text="Of annotators with themselves, from all comparisons together.",
    )
    rest = DictField(
        source="agreement.rest", child=KappaSerializer(), help_text="By annotator, with all others together."
    )
    pairs = JudgePairSerializer(
        source="agreement.pairs", many=True, help_text="Those that have a comparison."
    )
    is_of_older_rule = BooleanField(help_text=OLDER_RULE.replace("POST", "POST to `ranking/`"))


class AnalysisSerializer(Serializer):
    signature = CharField(help_text="Equal signatures mean equal numbers.")
    parameters = DictField(help_text="All parameters used, including those that depend on the inputs.")
    result = DictField(help_text="The result; null for numbers that are not finite.")
    is_current = BooleanField(help_text=IS_CURRENT)
    is_of_older_rule = BooleanField(help_text=OLDER_RULE)


class CampaignAnalysisSerializer(AnalysisSerializer):
    newer_answers = IntegerField(help_text=NEWER_ANSWERS)


class AnswerAboutCampaignSerializer(Serializer):
    question = CharField()
    sentence = CharField(allow_null=True, help_text="The answer; null as long as there is none.")
    further = ListField(child=CharField(), help_text="Further sentences, such as what it depends on.")
    advice = CharField(allow_blank=True, help_text="What to do next; empty if nothing is to be done.")
    signatures = ListField(child=CharField(), help_text="Of the results that it rests on.")
    computed_at = DateTimeField(
        allow_null=True, help_text="When the oldest of these was computed; null without a result."
    )
    newer_answers = IntegerField(help_text="Number of answers of annotators that arrived after that.")
    is_current = BooleanField(
        help_text="Whether there is an answer, and what it is computed from is unchanged since: answers, the "
        "corpus, metric scores."
    )
    fault = CharField(allow_blank=True, help_text="Why the last attempt to compute it gave no result.")


class RankedSystemSerializer(Serializer):
    name = CharField()
    label = CharField()
    role = CharField()
    score = FiniteField(allow_null=True)
    score_low = FloatField(allow_null=True)
    score_high = FloatField(allow_null=True)
    rank_low = IntegerField(allow_null=True)
    rank_high = IntegerField(allow_null=True)
    cluster = IntegerField(allow_null=True, help_text="1 is the best.")


class FirstPlaceSerializer(Serializer):
    above = CharField()
    below = CharField()
    removed = IntegerField(
        allow_null=True, help_text="Fewest judgments without which `below` is above; null if none were found."
    )
    judgments = IntegerField(help_text="Number of judgments of which these are removed.")


class SystemsAnswerSerializer(AnswerAboutCampaignSerializer):
    ranking = RankedSystemSerializer(many=True, required=False, help_text="Best first.")
    first_place = FirstPlaceSerializer(required=False, allow_null=True)


class MetricsAnswerSerializer(AnswerAboutCampaignSerializer):
    recommended = ListField(child=CharField(), required=False, help_text="Names of metrics; best first.")
    rejected = DictField(child=CharField(), required=False, help_text="By name of a metric, why.")
    reason = CharField(required=False, allow_null=True, help_text="Why none is recommended.")


class UndecidedPairSerializer(Serializer):
    above = CharField()
    below = CharField()
    difference = FloatField(allow_null=True, help_text="Of their scores.")
    most = FloatField(allow_null=True, help_text="Largest difference that is still possible.")
    further_judgments = IntegerField(
        allow_null=True, help_text="About how many would settle it; null if no simulated number does."
    )
    hours = FloatField(allow_null=True, help_text="Of judging, if times are known.")
    reason = CharField(allow_null=True, help_text="Why nothing was simulated.")


class EnoughAnswerSerializer(AnswerAboutCampaignSerializer):
    judgments = IntegerField(required=False)
    pairs = IntegerField(required=False, help_text="Of neighbouring systems.")
    settled = IntegerField(required=False)
    undecided = UndecidedPairSerializer(many=True, required=False)


class JudgmentsAnswerSerializer(AnswerAboutCampaignSerializer):
    annotators = IntegerField(required=False)
    judgments = IntegerField(required=False)
    kappa = FloatField(required=False, allow_null=True, help_text="Between annotators.")
    kappa_with_themselves = FloatField(required=False, allow_null=True)
    f = FloatField(required=False, allow_null=True, help_text="F0.5 of the edits of two annotators.")
    f_with_closest = FloatField(required=False, allow_null=True)
    flagged = IntegerField(required=False, help_text="Number of flagged annotators, for admins.")
    controls = IntegerField(required=False, help_text="Screens that check annotators, for admins.")
    controls_passed = IntegerField(required=False, help_text="For admins.")
    answered = IntegerField(required=False, help_text="Number of screens.")
    skipped = IntegerField(required=False, help_text="Number of screens.")
    reports = IntegerField(required=False, help_text="Answers with a note, counted up to 1,000.")


class AnswersSerializer(Serializer):
    systems = SystemsAnswerSerializer(required=False)
    metrics = MetricsAnswerSerializer(required=False)
    enough = EnoughAnswerSerializer(required=False)
    corrections = AnswerAboutCampaignSerializer(required=False, help_text="If people write corrections.")
    coverage = AnswerAboutCampaignSerializer(required=False, help_text="If people write corrections.")
    outputs = AnswerAboutCampaignSerializer(required=False, help_text="If people judge validity.")
    judgments = JudgmentsAnswerSerializer()
