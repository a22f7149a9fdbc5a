"""Rankings and agreement for programs: those of the page, computed for large campaigns by the same jobs."""

from collections.abc import Mapping
from dataclasses import replace
from math import isfinite
from typing import Any

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import (
    BooleanField,
    CharField,
    ChoiceField,
    DictField,
    FloatField,
    IntegerField,
    ListField,
    Serializer,
    SerializerMethodField,
    ValidationError,
)
from rest_framework.status import HTTP_202_ACCEPTED

from analysis.analyses.ranking import REPLICATES, Choice, choose
from analysis.analyses.ranking_words import METHODS
from analysis.runs.queries import has_scores, queue_ranking, ranking_of
from annotate.api.base import ApiView, Query
from annotate.api.errors import ConflictError
from annotate.api.jobs import JobSerializer, job_or_404
from annotate.judgments.pseudonyms import annotators_by_pseudonym, naming
from annotate.models import Campaign
from annotate.web.access import campaign_or_404
from jobs.models import Job
from ranking import Agreement, JudgePair, Method, ResamplingError, Unit

LARGEST_SEED = 2**32 - 1
CAPS = ", ".join(f"{most} for {method}" for method, most in REPLICATES.items())


class ChoiceQuery(Query):
    """How systems are to be ranked."""

    method = ChoiceField(
        required=False,
        choices=list(METHODS.items()),
        help_text="Unless you say, `mean` for scores and `ew` for rankings, of which there is no mean.",
    )
    unit = ChoiceField(
        required=False,
        choices=[unit.value for unit in Unit],
        help_text="What is resampled for rank ranges and clusters. Unless you say, `sentence` for scores and "
        "`pair` for rankings; mean scores by `sentence` or `judge`.",
    )
    tie_width = FloatField(
        required=False,
        min_value=0,
        max_value=100,
        help_text="How far two scores may lie apart and tie as a pair. Unless you say, 0.",
    )
    z_scores = BooleanField(
        required=False, default=False, help_text="Mean scores of z-scores within each judge."
    )
    replicates = IntegerField(
        required=False,
        min_value=0,
        max_value=max(REPLICATES.values()),
        help_text=f"How often. At most, and unless you say: {CAPS}.",
    )
    confidence = FloatField(
        required=False, default=0.95, min_value=0.5, max_value=0.999, help_text="Of the rank ranges."
    )
    seed = IntegerField(
        required=False, default=0, min_value=0, max_value=LARGEST_SEED, help_text="Of the resampling."
    )
    controls = BooleanField(
        required=False, default=False, help_text="Rank systems of the role control among the others."
    )
    excluded = BooleanField(
        required=False, default=False, help_text="Count the judgments of excluded annotators too."
    )

    def validate(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Methods and units are what they are called."""
        kinds = {"method": Method, "unit": Unit}
        return {name: kinds[name](value) if name in kinds else value for name, value in asked.items()}


class FiniteField(FloatField):
    """A number that JSON can hold; infinite ones, which judgments do not bound, are null."""

    def to_representation(self, value: float) -> float | None:
        """As the serializer wants it."""
        return value if isfinite(value) else None


class StandingSerializer(Serializer):
    system = CharField()
    score = FiniteField(allow_null=True, help_text="`reason` says why there is none.")
    score_low = FloatField(allow_null=True, help_text="Lower bound of its bootstrap interval.")
    score_high = FloatField(allow_null=True, help_text="Upper bound of its bootstrap interval.")
    spread = FloatField(allow_null=True, help_text="Standard deviation of the score over the replicates.")
    rank_low = IntegerField(allow_null=True, help_text="The best rank it may have, 1 being the best.")
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
        source="ranking.standings.borders", many=True, help_text="Between clusters, from the best down."
    )
    reason = CharField(
        source="ranking.standings.reason", allow_null=True, help_text="Why there are no ranges and clusters."
    )
    warning = CharField(source="ranking.warning", allow_null=True, help_text="What to beware of.")
    newer_answers = IntegerField(help_text="How many answers came after this was computed.")


class KappaSerializer(Serializer):
    value = FloatField(allow_null=True)
    n = IntegerField(help_text="Comparisons that it rests on.")
    observed = FloatField(allow_null=True, help_text="Share of comparisons that agree.")
    expected = FloatField(allow_null=True, help_text="Share that would agree by chance.")
    reason = CharField(allow_null=True, help_text="Why there is no value.")


class JudgePairSerializer(Serializer):
    first = CharField()
    second = CharField(help_text="The same for a judge with themselves.")
    kappa = KappaSerializer()


class AgreementSerializer(Serializer):
    judges = ListField(child=CharField(), help_text="Pseudonyms, or names if those were asked for.")
    annotator_numbers = SerializerMethodField(help_text="By judge, the number that pages show.")
    min_comparisons = IntegerField(help_text="The fewest with which judges enter `inter` and `intra`.")
    inter = KappaSerializer(help_text="Between judges: mean, weighted by comparisons.")
    intra = KappaSerializer(help_text="Of judges with themselves: the same mean.")
    inter_pooled = KappaSerializer(help_text="Between judges, from all comparisons together.")
    intra_pooled = KappaSerializer(help_text="Of judges with themselves, likewise.")
    rest = DictField(child=KappaSerializer(), help_text="By judge, with all others together.")
    pairs = JudgePairSerializer(many=True, help_text="Those that have a comparison.")

    def get_annotator_numbers(self, agreement: Agreement) -> dict[str, int]:
        """Of those who are in the campaign still."""
        numbers: dict[str, int] = self.context["numbers"]
        return {judge: numbers[judge] for judge in agreement.judges if judge in numbers}


class AgreementQuery(Query):
    """What to call judges."""

    names = BooleanField(
        required=False, default=False, help_text="Annotators by name instead of by pseudonym, for admins."
    )


QUEUED = OpenApiResponse(JobSerializer, "The job that computes it. Ask again when it is done.")
NOT_COMING = OpenApiResponse(description="The job that was to compute it has failed, or was cancelled.")


class RankingView(ApiView):
    """How the systems of a campaign rank; of a large one, as the last job has computed it."""

    query = ChoiceQuery
    serializer_class = RankingSerializer

    def choice(self, campaign: Campaign) -> Choice:
        """What is asked for, as far as a request may take the time for it."""
        try:
            choice = choose(scored=has_scores(campaign), **self.asked)
        except ResamplingError as error:
            raise ValidationError({"method": [str(error)]}) from error
        most = REPLICATES[choice.method]
        replicates = self.asked.get("replicates", most)
        if replicates > most:
            raise ValidationError({"replicates": [f"With {choice.method} there may be {most} at most."]})
        return replace(choice, replicates=replicates)

    @extend_schema(responses={200: RankingSerializer, 202: QUEUED, 409: NOT_COMING})
    def get(self, request: Request, uuid: object) -> Response:
        campaign = campaign_or_404(self.kwargs["uuid"])
        choice = self.choice(campaign)
        try:
            current = ranking_of(campaign, choice)
        except ResamplingError as error:
            raise ValidationError({"replicates": [str(error)]}) from error
        if current.ranking is None:
            return _coming(current.job or queue_ranking(campaign, choice, asked_by=request.user))
        return Response(self.get_serializer(current).data)

    @extend_schema(request=None, responses={202: QUEUED})
    def post(self, request: Request, uuid: object) -> Response:
        """Rank a large campaign anew when answers have come."""
        campaign = campaign_or_404(self.kwargs["uuid"])
        return _coming(queue_ranking(campaign, self.choice(campaign), asked_by=request.user))


class AgreementView(ApiView):
    """How far the judges of a campaign agree, in kappas over pairs of outputs."""

    query = AgreementQuery
    serializer_class = AgreementSerializer

    @extend_schema(responses={200: AgreementSerializer, 202: QUEUED, 409: NOT_COMING})
    def get(self, request: Request, uuid: object) -> Response:
        campaign = campaign_or_404(self.kwargs["uuid"])
        names = self.asked["names"]
        naming(campaign, names=names, by=self.account)
        choice = choose(scored=has_scores(campaign))
        current = ranking_of(campaign, choice)
        if current.judging is None:
            return _coming(current.job or queue_ranking(campaign, choice, asked_by=request.user))
        agreement = current.judging.agreement
        annotators = annotators_by_pseudonym(campaign)
        if names:
            agreement = _renamed(agreement, {key: judge.name for key, judge in annotators.items()})
        self.numbers = {judge.name if names else key: judge.number for key, judge in annotators.items()}
        return Response(self.get_serializer(agreement).data)

    def get_serializer_context(self) -> dict[str, object]:
        """With the numbers of the judges."""
        return {"numbers": self.numbers}


def _coming(job: Job) -> Response:
    if job.is_finished:
        why = job.error or "It was cancelled."
        raise ConflictError(f"{job} does not come. {why} POST to ranking/ has it tried again.")
    return Response(JobSerializer(job_or_404(job.uuid)).data, HTTP_202_ACCEPTED)


def _renamed(agreement: Agreement, names: Mapping[str, str]) -> Agreement:
    """The same with names for pseudonyms, in the order of the names."""
    pairs = []
    for pair in agreement.pairs:
        first, second = sorted((names[pair.first], names[pair.second]))
        pairs.append(JudgePair(first, second, pair.kappa))
    return replace(
        agreement,
        judges=tuple(sorted(names[judge] for judge in agreement.judges)),
        rest={
            name: agreement.rest[known_as]
            for name, known_as in sorted((names[judge], judge) for judge in agreement.rest)
        },
        pairs=tuple(sorted(pairs, key=lambda pair: (pair.first, pair.second))),
    )
