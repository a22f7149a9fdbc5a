"""The entries of the URL configuration, and their addresses on the large site."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from dev.benchmarks.large_site.size import NAME

TOKEN = "benchmark"  # noqa: S105

END_OF_TASK = datetime(2099, 1, 1, tzinfo=UTC)

ANALYSES = {"campaigns": "answers-per-hour", "corpora": "corpus-statistics"}
"""Analyses that are measured on the common pages of a campaign and of a corpus."""

FILES = {"analysis-file": "campaigns", "corpus-analysis-file": "corpora"}
"""URLs of the figures and tables that analyses declare, with what they are about."""

VARIANTS = {
    "campaign": (
        "annotator={pseudonym}",
        "state=skipped",
        "state=auto",
        "sentence=500",
        "annotator={pseudonym}&state=surplus",
        "annotator=machine-1",
    ),
    "reports-and-skips": (
        "annotator={pseudonym}",
        "kind=skip",
        "annotator={pseudonym}&kind=report",
        "item=99",
        "item_state=held",
    ),
    "corpus": (
        "sentence=99",
        "document=document-00003",
        "distinct=8",
        "containing=journey",
        "containing=nowhere",
        "type=R:PREP&system=system-01&outcome=missed",
        "type=R:NOUN:NUM&outcome=wrong",
    ),
    "score-set": ("sort=-score", "system=system-03", "sort=score&system=system-03"),
    "api-judgments": (
        "limit=1000",
        "annotator={pseudonym}",
        "state=skipped",
        "state=surplus&state=complete",
        "sentence=500",
        "submitted_from=2026-01-20",
        "history=true",
        "kind=machine&limit=1000",
    ),
    "api-annotators": ("kind=machine",),
    "api-items": ("limit=1000",),
    "api-sentences": (
        "limit=1000",
        "distinct=8",
        "document=document-00003",
        "containing=nowhere",
        "type=M:DET&system=system-01&outcome=hit",
    ),
    "audit": ("about=Large", "who=admin"),
    "accounts": ("name=person-0", "role=annotator"),
    "jobs": (),
}
"""Queries of lists that are measured too."""


@dataclass(frozen=True, slots=True)
class Route:
    """An entry of the URL configuration.

    Attributes:
        name: name of the URL.
        pattern: its pattern.
        rule: access rule.
        takes: names of the parameters in the address.
    """

    name: str
    pattern: str
    rule: str
    takes: tuple[str, ...]


def routes() -> Iterator[Route]:
    """All entries, in order."""
    from django.urls import URLPattern, URLResolver, get_resolver

    def entries(resolver: URLResolver, prefix: str) -> Iterator[Route]:
        for entry in resolver.url_patterns:
            pattern = f"{prefix}{entry.pattern}"
            if isinstance(entry, URLResolver):
                yield from entries(entry, pattern)
            else:
                assert isinstance(entry, URLPattern)
                rule = getattr(entry.callback, "rule", "")
                yield Route(str(entry.name), pattern, rule, tuple(entry.pattern.converters))

    yield from entries(get_resolver(), "")


class Site:
    """The large campaign, and clients that request its pages."""

    def __init__(self) -> None:
        from django.test import Client

        from annotate.models import (
            Annotator,
            Campaign,
            Corpus,
            Judgment,
            Link,
            Machine,
            Submission,
            SubmissionLink,
            User,
        )

        self.campaign = Campaign.objects.get(name=NAME)
        self.corpus = Corpus.objects.get()
        self.annotator = Annotator.objects.filter(campaign=self.campaign).order_by("pk")[1]
        self.showing: Any = Judgment.objects.filter(annotator=self.annotator).latest("pk").showing
        digest = sha256(TOKEN.encode()).hexdigest()
        Link.objects.filter(annotator=self.annotator).update(token_digest=digest, revoked_at=None)
        link, _ = SubmissionLink.objects.get_or_create(
            corpus=self.corpus, token_digest=digest, defaults={"task": NAME, "ends_at": END_OF_TASK}
        )
        self.submission, _ = Submission.objects.get_or_create(link=link, token_digest=digest, name=NAME)
        self.browsers = {name: Client() for name in ("admin", "annotator", "stranger")}
        self.browsers["monitor"] = Client(headers={"Authorization": f"Bearer {TOKEN}"})
        judge, _ = Annotator.every.get_or_create(campaign=self.campaign, name="Machine", kind="machine")
        self.machine, _ = Machine.objects.get_or_create(
            annotator=judge, defaults={"model": "model", "token_digest": digest}
        )
        self.browsers["machine"] = self.browsers["monitor"]
        self.browsers["admin"].force_login(User.objects.get(username="admin"))
        self.browsers["annotator"].post(f"/join/{TOKEN}/")

    def browser(self, route: Route) -> Any:
        """The client that the access rule of the page lets in."""
        return self.browsers[self.client_of(route)]

    def client_of(self, route: Route) -> str:
        """The name of this client."""
        clients = {
            "anyone": "stranger",
            "entered": "annotator",
            "monitor": "monitor",
            "machine's program": "machine",
        }
        return clients.get(route.rule, "admin")

    def addresses(self, route: Route) -> dict[str, str]:
        """The addresses to measure, by name in the results.

        Raises:
            LookupError: a parameter of the address has no value here.
        """
        from django.urls import reverse

        from annotate.judgments.pseudonyms import pseudonym

        if route.name in FILES:
            return self._files(route)
        address = reverse(route.name, kwargs={name: self._value(route, name) for name in route.takes})
        names = {"pseudonym": pseudonym(self.campaign, self.annotator.name)}
        if route.name in ("export", "api-export"):
            file_format = "file_format" if route.name == "export" else "format"
            return {f"{route.name}?{file_format}=csv": f"{address}?{file_format}=csv"} | (
                {} if route.name == "api-export" else {route.name: address}
            )
        if route.name == "crowd":
            address += "?PROLIFIC_PID=newcomer&STUDY_ID=s&SESSION_ID=s"
        queries = VARIANTS.get(route.name, ())
        addresses = {route.name: address} | {
            f"{route.name}?{re.sub('{.*}', '...', query)}": f"{address}?{query.format(**names)}"
            for query in queries
        }
        if route.name == "manage-campaign":
            addresses["manage-campaign of a draft"] = reverse(route.name, args=[self._draft().uuid])
        return addresses

    def _files(self, route: Route) -> dict[str, str]:
        """The figures and tables that analyses declare."""
        from django.urls import reverse

        from analysis.analyses.base import analyses
        from analysis.runs.sources import source_of

        subject = self.campaign if FILES[route.name] == "campaigns" else self.corpus
        return {
            f"{route.name} {analysis.name}/{part}.{file}": reverse(
                route.name, args=[subject.uuid, analysis.name, part, file]
            )
            for analysis in analyses().values()
            if isinstance(subject, source_of(analysis).subject)
            for part, file in analysis.parts()
        }

    def _draft(self) -> Any:
        from annotate.models import Campaign

        return Campaign.objects.get(name="Draft")

    def _value(self, route: Route, name: str) -> Any:
        from annotate.models import User
        from jobs.models import Job

        kind = route.pattern.removeprefix("api/v1/").partition("/")[0]
        plain: dict[str, Callable[[], Any]] = {
            "entrance": lambda: self.campaign.crowd.entrance,
            "showing_uuid": lambda: self.showing.uuid,
            "submission": lambda: self.submission.uuid,
            "annotator": lambda: self.annotator.pk,
            "image": lambda: "svg",
            "file": lambda: "csv",
            "name": lambda: "systems",
            "scores": lambda: self.corpus.score_sets.earliest("pk").uuid,
            "token": lambda: TOKEN,
            "uidb64": lambda: "MQ",
            "analysis": lambda: ANALYSES[kind],
            "publication": lambda: self.campaign.uuid,
            "release": lambda: self.campaign.uuid,
            "slug": lambda: "spring",
        }
        if name in plain:
            return plain[name]()
        things: dict[str, Callable[[], Any]] = {
            "campaigns": self._draft
            if route.name in ("edit-campaign", "launch-campaign", "try-campaign")
            else lambda: self.campaign,
            "judge": lambda: self.campaign,
            "corpora": lambda: self.corpus,
            "jobs": lambda: Job.objects.latest("pk"),
            "imports": lambda: Job.objects.latest("pk"),
        }
        if name == "uuid":
            return things[kind]().uuid
        if name == "number":
            one = {"try-campaign": 1}.get(route.name, 99)
            return User.objects.latest("pk").pk if kind == "accounts" else one
        raise LookupError(name)
