"""How to cite a published result."""

import json
import re

from analysis.models import Publication
from assay import __version__
from core.latex import escaped


def citation(publication: Publication, address: str) -> dict[str, str]:
    """A line of text, BibTeX and a `CITATION.cff`, which name the address of the page."""
    date = publication.published_at.date()
    authors, title = publication.authors, title_of(publication)
    key = re.sub(r"[^a-z0-9]+", "-", f"{title} {date.year}".lower()).strip("-") or "assay"
    by = f"{authors}. " if authors else ""
    names = [f"  author = {{{escaped(authors)}}},"] if authors else []
    bibtex = [
        f"@misc{{{key},",
        *names,
        f"  title = {{{{{escaped(title)}}}}},",
        f"  year = {{{date.year}}},",
        f"  howpublished = {{\\url{{{address}}}}},",
        f"  note = {{Computed by Assay {__version__}}},",
        "}",
    ]
    cff = [
        "cff-version: 1.2.0",
        "message: If you use these data, please cite them as below.",
        "type: dataset",
        f"title: {_yaml(title)}",
        "authors:",
        f"  - name: {_yaml(authors or 'not stated')}",
        f"date-released: {date.isoformat()}",
        f"url: {_yaml(address)}",
    ]
    return {
        "text": f"{by}{title}. Assay, {date.year}. {address}",
        "bibtex": "\n".join(bibtex),
        "cff": "\n".join(cff),
    }


def title_of(publication: Publication) -> str:
    """The title; one of a single word, such as the name of a campaign, with what the data are."""
    title = publication.title
    if " " in title:
        return title
    facts = dict((publication.content or {}).get("facts", ()))
    systems = facts.get("Systems judged", "")
    return f"{title}: human judgments" + (
        f" of {systems} system{'' if systems == '1' else 's'}" if systems else ""
    )


def _yaml(text: str) -> str:
    """A text as YAML; JSON is part of YAML."""
    return json.dumps(text, ensure_ascii=False)
