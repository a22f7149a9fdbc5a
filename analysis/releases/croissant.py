"""The Croissant description of a release (MLCommons, version 1.1) with its responsible-AI fields."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from analysis.releases import wording
from analysis.releases.about import About
from analysis.releases.citation import bibtex, keywords_of
from analysis.releases.facts import Facts
from analysis.releases.questions import QUESTIONS
from analysis.releases.tables import Type, WrittenFile, WrittenTable
from assay import __version__

NOT_STATED = "Not stated by the authors yet."

PARQUET = "application/x-parquet"
"""As Hugging Face writes it; with the registered media type, Croissant's library cannot read the records."""

CONFORMS_TO = ("http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0")

_TERMS = (
    *("arrayShape", "citeAs", "column", "containedIn", "equivalentProperty", "extract", "field"),
    *("fileObject", "fileProperty", "fileSet", "format", "includes", "isArray", "isLiveDataset", "jsonPath"),
    *("key", "md5", "parentField", "path", "recordSet", "references", "regex", "repeated", "replace"),
    *("samplingRate", "separator", "source", "subField", "transform"),
)
CONTEXT: Mapping[str, object] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "prov": "http://www.w3.org/ns/prov#",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
    **{term: f"cr:{term}" for term in _TERMS},
}

MEDIA_TYPES = {".md": "text/markdown", ".json": "application/json"}

KEYS = {"sentences": "sentence", "systems": "system"}
"""Tables with a column that identifies a row, and to which columns of that name in other tables refer."""


def croissant_json(
    about: About, facts: Facts, tables: Sequence[WrittenTable], others: Sequence[WrittenFile]
) -> str:
    """The file croissant.json.

    Args:
        about: what the authors state.
        facts: what the program knows.
        tables: the tables, which become record sets.
        others: further files, which are listed only.
    """
    licences = (about.licence, None if about.leaves_out_texts else about.text_licence)
    listed = {written.table.name for written in tables}
    described = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "name": about.name,
        "alternateName": about.title,
        "description": about.description,
        "conformsTo": list(CONFORMS_TO),
        "citeAs": bibtex(about),
        "license": list(dict.fromkeys(each.url for each in licences if each)),
        "url": about.url,
        "version": about.version,
        "datePublished": about.date.isoformat(),
        "creator": [
            {
                "@type": "sc:Person" if author.given else "sc:Organization",
                "name": author.in_full,
                **({"sameAs": f"https://orcid.org/{author.orcid}"} if author.orcid else {}),
            }
            for author in about.authors
        ],
        "keywords": keywords_of(about),
        **({"inLanguage": [facts.language]} if facts.language else {}),
        "isLiveDataset": False,
        **responsible_ai(about, facts),
        "distribution": [
            *(_file(written.parquet, PARQUET) for written in tables),
            *(_file(written.jsonl, "application/jsonlines") for written in tables),
            *(_file(each, MEDIA_TYPES.get(Path(each.path).suffix, "text/plain")) for each in others),
        ],
        "recordSet": [_record_set(written, listed) for written in tables],
    }
    return json.dumps(described, ensure_ascii=False, indent=1) + "\n"


def responsible_ai(about: About, facts: Facts) -> dict[str, object]:
    """The responsible-AI fields: those that conferences require are always there, others if known."""
    answered = {each.field: about.answers.get(name) for name, each in QUESTIONS.items() if each.field}
    days = [day.isoformat() for day in (facts.first, facts.last) if day is not None]
    personal = [wording.privacy(about), answered["rai:personalSensitiveInformation"]]
    known = {
        "rai:dataCollection": wording.protocol(facts),
        "rai:dataCollectionType": list(
            dict.fromkeys("Others" if each.is_synthetic else "Manual Human Curator" for each in facts.each)
        ),
        "rai:dataCollectionTimeframe": days,
        "rai:dataCollectionMissingData": wording.states(facts),
        "rai:dataManipulationProtocol": wording.checks(facts),
        "rai:dataAnnotationProtocol": wording.protocol(facts),
        "rai:dataAnnotationPlatform": [
            *filter(None, ["" if facts.is_imported else f"Assay {__version__}", facts.platform])
        ],
        "rai:dataAnnotationAnalysis": [wording.agreement(facts)],
        "rai:annotationsPerItem": f"{facts.per_item:.2f} on average",
        "rai:machineAnnotationTools": list(facts.machines) if facts.machine_judgments else [],
        "rai:dataPreprocessingProtocol": answered["rai:dataPreprocessingProtocol"],
        "rai:annotatorDemographics": answered["rai:annotatorDemographics"],
        "rai:dataReleaseMaintenancePlan": answered["rai:dataReleaseMaintenancePlan"],
    }
    required = {
        "rai:dataLimitations": answered["rai:dataLimitations"] or NOT_STATED,
        "rai:dataBiases": answered["rai:dataBiases"] or NOT_STATED,
        "rai:personalSensitiveInformation": [each for each in personal if each],
        "rai:dataUseCases": answered["rai:dataUseCases"] or NOT_STATED,
        "rai:dataSocialImpact": answered["rai:dataSocialImpact"] or NOT_STATED,
        "rai:hasSyntheticData": bool(
            facts.machine_judgments or facts.has_controls or any(each.is_synthetic for each in facts.each)
        ),
        "prov:wasDerivedFrom": [_source(about, facts)],
        "prov:wasGeneratedBy": [
            {
                "@type": "prov:Activity",
                "prov:label": f"Campaign {each.campaign}",
                "sc:description": f"{wording.timeframe(each)} {wording.protocol(each)}",
            }
            for each in facts.each
        ],
    }
    return {name: value for name, value in known.items() if value} | required


def _source(about: About, facts: Facts) -> dict[str, str]:
    named = {"@type": "prov:Entity", "prov:label": about.source or f"Corpus {facts.corpus}"}
    return {**named, "sc:url": about.source} if about.source.startswith(("https://", "http://")) else named


def _file(file: WrittenFile, encoding: str) -> dict[str, object]:
    return {
        "@type": "cr:FileObject",
        "@id": file.path,
        "name": file.path,
        "contentUrl": file.path,
        "contentSize": f"{file.size} B",
        "encodingFormat": encoding,
        "sha256": file.sha256,
    }


def _record_set(written: WrittenTable, listed: set[str]) -> dict[str, object]:
    table = written.table
    key = KEYS.get(table.name)
    fields = []
    for column in table.columns:
        referred = next(
            (
                other
                for other, name in KEYS.items()
                if name == column.name and other != table.name and other in listed
            ),
            None,
        )
        fields.append(
            {
                "@type": "cr:Field",
                "@id": f"{table.name}/{column.name}",
                "name": column.name,
                "description": column.meaning,
                "dataType": column.type.value[1],
                **({"isArray": True, "arrayShape": "-1"} if column.type is Type.TEXTS else {}),
                **({"references": {"field": {"@id": f"{referred}/{column.name}"}}} if referred else {}),
                "source": {
                    "fileObject": {"@id": written.parquet.path},
                    "extract": {"column": column.name},
                },
            }
        )
    return {
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": table.content,
        **({"key": {"@id": f"{table.name}/{key}"}} if key else {}),
        "field": fields,
    }
