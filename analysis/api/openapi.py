"""The OpenAPI document: each analysis is a separate operation with its parameters."""

from copy import deepcopy
from typing import Any

from analysis.analyses.base import AnyAnalysis, analyses
from analysis.runs.sources import source_of
from annotate.models import Campaign, Corpus
from core.parameters import ParameterField, parameter_fields

PLACE = "{analysis}"
TYPES = {int: "integer", float: "number", bool: "boolean"}


def document_analyses(result: dict[str, Any], **about: object) -> dict[str, object]:
    """Replace the common addresses of all analyses of campaigns and corpora by one for each analysis."""
    paths = result["paths"]
    for path in [path for path in paths if PLACE in path]:
        operations = paths.pop(path)
        subject = Corpus if "/corpora/" in path else Campaign
        for analysis in analyses().values():
            if source_of(analysis).subject is not subject:
                continue
            paths[path.replace(PLACE, analysis.name)] = {
                method: _operation(operation, analysis) for method, operation in operations.items()
            }
    return result


def _operation(operation: dict[str, Any], analysis: AnyAnalysis) -> dict[str, object]:
    described = deepcopy(operation)
    kept = [known for known in described["parameters"] if known["name"] != "analysis"]
    described["parameters"] = [*kept, *map(_parameter, parameter_fields(analysis.parameters))]
    described["operationId"] = f"{operation['operationId']}_{analysis.name.replace('-', '_')}"
    described["summary"] = f"{analysis.title}: {operation['summary']}"
    described["description"] = analysis.help
    return described


def _parameter(each: ParameterField) -> dict[str, object]:
    bounds = {"minimum": each.minimum, "maximum": each.maximum, "default": each.default}
    stated = {name: bound for name, bound in bounds.items() if bound is not None}
    schema: dict[str, object] = {"type": TYPES.get(each.type, "string"), **stated}
    if each.choices:
        schema |= {"enum": list(each.choices)}
    placeholder = f" Default: {each.placeholder}." if each.placeholder else ""
    return {"in": "query", "name": each.attribute, "description": each.help + placeholder, "schema": schema}
