"""The entries of the URL configuration, and addresses of pages that exist."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from analysis.analyses.base import AnyAnalysis
from analysis.analyses.metrics.disagreements import DISAGREEMENTS
from analysis.analyses.metrics.learned.learned_gmeg import LEARNED_GMEG
from analysis.analyses.metrics.new_metric.analysis import NEW_METRIC
from analysis.analyses.planning.when_to_stop import STOPPING
from analysis.analyses.references.reference_coverage import COVERAGE
from analysis.analyses.systems.fragility import FRAGILITY
from analysis.analyses.systems.ranking_with_machine import RANKING_WITH_MACHINE
from analysis.models import DataRelease, Leaderboard, Publication
from annotate.judging.entering import add_annotator, mint_shared_link
from annotate.models import Campaign, Corpus, ScoreSet, Submission, User
from annotate.submissions.links import token_of
from jobs.models import Job
from tests.analysis.described import (
    covered_corpus,
    validated_beside_people,
)
from tests.analysis.publishing.published import published_result
from tests.analysis.references.collected_references import grown_corpus
from tests.analysis.releases.stored import stored_release
from tests.analysis.scored_campaigns import answered_campaign, compared_campaign, result_of, scored_campaign
from tests.analysis.toys import OF_A_CORPUS, TOY
from tests.annotate.crowds import crowd_of
from tests.annotate.designs import draft_campaign, running_campaign
from tests.annotate.machine_judges import machine_of
from tests.annotate.references.answers import correcting_campaign
from tests.annotate.samples import small_campaign, small_corpus
from tests.annotate.submissions.steps import opened, submitted
from tests.annotate.uploading import check_of_judgments


def patterns(resolver: URLResolver) -> Iterator[URLPattern]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            yield from patterns(pattern)
        else:
            yield pattern


PATTERNS = {str(pattern.name): pattern for pattern in patterns(get_resolver())}
OF_CORPORA = {
    "corpus",
    "references",
    "draft-validity",
    "remove-references",
    "distinct-outputs",
    "upload-addition",
    "submissions",
    "revoke-submission-link",
    "accept-submission",
    "submit-system",
    "own-submission",
    "confirm-submission",
    "withdraw-system",
    "take-system-back",
    "make-controls",
    "label-edits",
    "controls",
    "delete-corpus",
    "edit-corpus",
    "preview-new-campaign",
    "corpus-scores",
    "compute-scores",
    "upload-scores",
    "scores-figure",
    "scores-table",
    "score-set",
    "score-set-figure",
    "sentence-scores",
    "delete-scores",
    "api-scores",
    "api-compute-scores",
    "api-upload-scores",
    "api-score-set",
    "api-sentence-scores",
    "api-delete-scores",
    "api-corpus",
    "api-add-to-corpus",
    "api-sentences",
    "corpus-analyses",
    "corpus-analysis",
    "compute-corpus-analysis",
    "corpus-analysis-file",
    "maege-people-figure",
    "api-corpus-analysis",
}
CORPORA: dict[str, Callable[[], Corpus]] = {
    "corpus-analysis-file": covered_corpus,
    "remove-references": grown_corpus,
    "maege-people-figure": validated_beside_people,
}
OF_COMPARISONS = {"compared-metrics-figure", "compared-metrics-table"}
OF_RESULTS: dict[str, AnyAnalysis] = {
    "follow-up": STOPPING,
    "machine-follow-up": RANKING_WITH_MACHINE,
    "analysis-file": FRAGILITY,
    "learned-model": LEARNED_GMEG,
    "metric-disagreements-table": DISAGREEMENTS,
    "evaluation-figure": NEW_METRIC,
    "evaluation-table": NEW_METRIC,
}
DECLARED = {
    "analysis-file": {"analysis": FRAGILITY.name, "part": "fragility"},
    "corpus-analysis-file": {"analysis": COVERAGE.name, "part": "coverage"},
    "campaign-answers-report": {"file": "pdf"},
}
"""Arguments of the URLs of files: an analysis and a part of it, or a kind of file."""
OF_OWN_CAMPAIGNS: dict[str, Callable[[Corpus], Campaign]] = {
    "corrections-file": correcting_campaign,
    "campaign-answers-report": answered_campaign,
}
OF_RUNNING_CAMPAIGNS = {
    "ask-about-newcomers",
    "release-item",
    "drop-item",
    "api-pause",
    "api-resume",
    "api-close",
    "api-watch",
    "api-progress",
    "progress-figure",
}
OF_LINKS = {"let-through", "invite", "mint-link", "revoke-link", "mint-shared", "revoke-shared"}
OF_MACHINES = {"machines", "machine-family", "mint-machine-token", "revoke-machine-token"}
OF_ANNOTATORS = {
    "work",
    "resume-code",
    "guidelines",
    "practice",
    "practice-compared",
    "end-practice",
    "practice-result",
    "answers",
    "last-answer",
    "next-batch",
    "ahead",
    "stop",
    "showing",
    "opinion",
    "draft",
    "skip",
    "language",
    "come-back",
    "visit-end",
}
OF_PUBLICATIONS = {"published", "published-figure", "published-preview", "published-zip"}
OF_ACCOUNTS = {"account", "set-role", "deactivate-account", "reactivate-account", "password-link"}
OF_DRAFTS = {"edit-campaign", "launch-campaign", "preview-campaign", "try-campaign"}
OF_JOBS = {
    "job",
    "job-progress",
    "cancel-job",
    "repeat-job",
    "upload",
    "confirm-upload",
    "api-job",
    "api-cancel-job",
}
OF_SUBMISSIONS = {
    "revoke-submission-link",
    "accept-submission",
    "submit-system",
    "own-submission",
    "confirm-submission",
}
OF_CROWDS = {"crowd", "crowd-frame", "crowd-settings", "crowd-payouts"}
QUERIES = {
    "api-export": {"format": "csv"},
    "crowd": {"workerId": "A1"},
    "crowd-frame": {"workerId": "A1"},
    "stress-table": {"metric": "gleu,m2"},
}


@dataclass(frozen=True)
class ScoredCampaign:
    """Makes a campaign of a scored corpus with the result of an analysis."""

    analysis: AnyAnalysis

    def __call__(self, corpus: Corpus) -> Campaign:
        """The campaign of this corpus."""
        campaign = scored_campaign(corpus)
        result_of(self.analysis, campaign)
        return campaign


def itself(corpus: Corpus) -> Corpus:
    """For pages of the corpus."""
    return corpus


def somebodys_job(corpus: Corpus) -> Job:
    """For pages of jobs, which are about no corpus."""
    return check_of_judgments(owner=User.objects.create_user("somebody-else"))


def published_campaign(corpus: Corpus) -> Campaign:
    """A campaign whose ranking is published."""
    campaign = small_campaign(corpus)
    published_result(campaign)
    return campaign


def released_campaign(corpus: Corpus) -> Campaign:
    """A campaign with a data release."""
    campaign = small_campaign(corpus)
    stored_release(campaign)
    return campaign


def campaign_with_a_leaderboard(corpus: Corpus) -> Campaign:
    """A campaign whose ranking is the first version of a leaderboard."""
    campaign = small_campaign(corpus)
    leaderboard = Leaderboard.objects.create(campaign=campaign, slug="spring-2026")
    published_result(campaign, leaderboard=leaderboard)
    return campaign


Subject = Corpus | Campaign | Job
Makers = tuple[Callable[[], Corpus], Callable[[Corpus], Subject]]


def makers(name: str) -> Makers:
    """The functions that make a small corpus, and from it what the page is about."""
    return CORPORA.get(name, small_corpus), _maker_of_subject(name)


OF_OWN_CAMPAIGNS |= dict.fromkeys(
    (
        "leaderboard",
        "leaderboard-versions",
        "new-leaderboard",
        "choose-version",
        "retire-leaderboard",
        "reopen-leaderboard",
    ),
    campaign_with_a_leaderboard,
)


OF_OWN_CAMPAIGNS |= {
    name: released_campaign for name, pattern in PATTERNS.items() if "release" in pattern.pattern.converters
}


def _maker_of_subject(name: str) -> Callable[[Corpus], Subject]:
    if name in OF_CORPORA:
        return itself
    if name in OF_JOBS:
        return somebodys_job
    if name in OF_OWN_CAMPAIGNS:
        return OF_OWN_CAMPAIGNS[name]
    if name in OF_COMPARISONS:
        return compared_campaign
    if name in OF_RESULTS:
        return ScoredCampaign(OF_RESULTS[name])
    if name in OF_DRAFTS:
        return draft_campaign
    if name in OF_PUBLICATIONS or "publication" in PATTERNS[name].pattern.converters:
        return published_campaign
    if name == "delete-campaign":
        return small_campaign
    if (
        name.endswith("-campaign")
        or name in OF_RUNNING_CAMPAIGNS | OF_ANNOTATORS | OF_LINKS | OF_MACHINES | OF_CROWDS
    ):
        return running_campaign
    return small_campaign


def _of_submission(name: str, corpus: Corpus) -> dict[str, Any]:
    """Arguments of the pages of a participant's confirmed submission."""
    if name not in OF_SUBMISSIONS:
        return {}
    link = opened(corpus)
    own = submitted(Client(), link)
    Client().post(f"{own}confirm/")
    token = token_of(link) if name == "submit-system" else own.strip("/").rpartition("/")[2]
    return {"entrance": link.uuid, "submission": Submission.objects.get(link=link).uuid, "token": token}


def grouped(names: Iterable[str]) -> list[list[str]]:
    """The names in alphabetical order, those of pages about the same rows together."""
    groups: dict[Makers, list[str]] = {}
    for name in sorted(names):
        groups.setdefault(makers(name), []).append(name)
    return list(groups.values())


def arguments(name: str, corpus: Corpus, subject: Subject) -> dict[str, Any]:
    """The arguments of the URL, for a page about these rows."""
    names = PATTERNS[name].pattern.converters
    values: dict[str, Any] = {
        "uuid": subject.uuid,
        "image": "svg",
        "file": "csv",
        "name": "systems",
        "number": 1 if name in ("try-campaign", "choose-version") else 0,
        "slug": "spring-2026",
        "showing_uuid": uuid4(),
        "analysis": OF_A_CORPUS.name if name in OF_CORPORA else TOY.name,
    }
    values |= DECLARED.get(name, {})
    if name in OF_RESULTS:
        values["analysis"] = OF_RESULTS[name].name
    if name in OF_ACCOUNTS:
        values["number"] = User.objects.create_user("somebody").pk
    if name == "set-password":
        values |= {"uidb64": "MQ", "token": "spent"}
    if makers(name)[1] is published_campaign:
        publication = Publication.objects.get()
        values |= {"publication": publication.uuid, "link": publication.link, "name": "ranking"}
    made: dict[str, Callable[[], UUID]] = {
        "release": lambda: DataRelease.objects.get().uuid,
        "scores": lambda: ScoreSet.objects.create(corpus=corpus, name="gleu", metric="gleu").uuid,
        "made": lambda: corpus.reference_sets.get().uuid,
    }
    values |= {key: make() for key, make in made.items() if key in names}
    if "annotator" in names:
        campaign = Campaign.objects.get(uuid=subject.uuid)
        of_machines = name in OF_MACHINES
        values["annotator"] = (
            machine_of(campaign) if of_machines else add_annotator(campaign, name="ada")
        ).pk
    if name == "link":
        values["token"] = mint_shared_link(running_campaign(corpus, "open"))
    values |= _of_submission(name, corpus)
    if name in OF_CROWDS:
        values["entrance"] = crowd_of(Campaign.objects.get(uuid=subject.uuid), platform="mturk").entrance
    return {key: values[key] for key in names}
