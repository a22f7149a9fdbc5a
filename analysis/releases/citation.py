"""How to cite a release: CITATION.cff, .zenodo.json and BibTeX."""

import html
import json
from collections.abc import Mapping

from analysis.releases.about import About, Author
from analysis.releases.facts import Facts
from core.latex import escaped

KEYWORDS = ("grammatical error correction", "human evaluation")

_CODES = (
    "ar ara, cs ces, de deu, el ell, en eng, es spa, et est, fi fin, fr fra, is isl, it ita, ja jpn, ko kor, "
    "lt lit, lv lav, nl nld, pl pol, pt por, ro ron, ru rus, sl slv, sv swe, tr tur, uk ukr, zh zho"
)
ISO_639_3: Mapping[str, str] = dict(each.split() for each in _CODES.split(", "))
"""Codes of three letters, which Zenodo needs, by those of two."""


def yaml_text(text: str) -> str:
    """A text as YAML; JSON is a part of YAML."""
    return json.dumps(text, ensure_ascii=False)


def keywords_of(about: About) -> list[str]:
    """The usual keywords and those of the authors."""
    return list(dict.fromkeys([*KEYWORDS, *about.keywords]))


def citation_cff(about: About) -> str:
    """The file CITATION.cff, by version 1.2.0 of its format."""
    lines = [
        "cff-version: 1.2.0",
        'message: "If you use these data, please cite them as below."',
        "type: dataset",
        f"title: {yaml_text(about.title)}",
        "authors:",
    ]
    for author in about.authors:
        named = {"family-names": author.family, "given-names": author.given} if author.given else {}
        fields = {
            **(named or {"name": author.family}),
            "affiliation": author.affiliation if author.given else "",
            "orcid": author.orcid and f"https://orcid.org/{author.orcid}",
        }
        stated = [f"{key}: {yaml_text(value)}" for key, value in fields.items() if value]
        lines += [f"  {'- ' if number == 0 else '  '}{line}" for number, line in enumerate(stated)]
    lines += [f"version: {yaml_text(about.version)}", f"date-released: {yaml_text(about.date.isoformat())}"]
    # The format knows SPDX identifiers only.
    if about.licence.is_known:
        lines.append(f"license: {about.licence.name}")
    else:
        lines.append(f"license-url: {yaml_text(about.licence.url)}")
    if about.doi:
        lines.append(f"doi: {yaml_text(about.doi)}")
    lines += [f"url: {yaml_text(about.url)}", "keywords:"]
    lines += [f"  - {yaml_text(each)}" for each in keywords_of(about)]
    return "\n".join(lines) + "\n"


def zenodo_json(about: About, facts: Facts) -> str:
    """The file .zenodo.json."""
    paragraphs = filter(None, about.description.split("\n\n"))
    related = [{"identifier": about.url, "relation": "isIdenticalTo"}]
    if about.source.startswith(("http://", "https://")):
        related.append({"identifier": about.source, "relation": "isDerivedFrom"})
    stated = {
        "title": about.title,
        "upload_type": "dataset",
        "description": "".join(f"<p>{html.escape(each.strip())}</p>" for each in paragraphs),
        "creators": list(map(_creator, about.authors)),
        "publication_date": about.date.isoformat(),
        "access_right": "open",
        **({"license": about.licence.name.lower()} if about.licence.is_known else {}),
        "keywords": keywords_of(about),
        **_language(facts),
        "version": about.version,
        "related_identifiers": related,
        **({"doi": about.doi} if about.doi else {}),
    }
    return json.dumps(stated, ensure_ascii=False, indent=2) + "\n"


def bibtex(about: About) -> str:
    """The release as a BibTeX entry."""
    authors = " and ".join(
        escaped(each.sorted_name) if each.given else f"{{{escaped(each.family)}}}" for each in about.authors
    )
    doi = [f"  doi = {{{about.doi}}},"] if about.doi else []
    lines = [
        f"@misc{{{about.name}-{about.version},",
        f"  author = {{{authors}}},",
        f"  title = {{{{{escaped(about.title)}}}}},",
        f"  year = {{{about.date.year}}},",
        *doi,
        f"  howpublished = {{\\url{{{about.url}}}}},",
        f"  note = {{Version {about.version}}}",
        "}",
    ]
    return "\n".join(lines)


def _creator(author: Author) -> dict[str, str]:
    creator = {"name": author.sorted_name, "affiliation": author.affiliation, "orcid": author.orcid}
    return {key: value for key, value in creator.items() if value}


def _language(facts: Facts) -> dict[str, str]:
    code = ISO_639_3.get(facts.language.partition("-")[0].lower())
    return {"language": code} if code else {}
