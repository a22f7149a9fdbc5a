"""Parameters as a query of the API."""

from collections.abc import Mapping
from typing import Any

from rest_framework.serializers import (
    BooleanField,
    CharField,
    ChoiceField,
    Field,
    FloatField,
    IntegerField,
    ValidationError,
)

from annotate.api.base import Query
from core.parameters import ParameterError, ParameterField, parameter_fields, parameters_from_text


class ParametersQuery(Query):
    """The parameters of an address, with `asked` for the dataclass that they make.

    Its fields only describe the parameters; the dataclass checks them, as for forms and commands.
    """

    parameters: type[Any]

    def to_internal_value(self, data: Any) -> dict[str, object]:
        """The parameters, checked."""
        try:
            return {"parameters": parameters_from_text(self.parameters, data.dict())}
        except ParameterError as error:
            raise refused(error) from error


def query_for(parameters: type[Any], name: str) -> type[ParametersQuery]:
    """The query class for a dataclass of parameters."""
    described: Mapping[str, object] = {each.attribute: _field(each) for each in parameter_fields(parameters)}
    return type(
        name, (ParametersQuery,), {**described, "parameters": parameters, "__doc__": parameters.__doc__}
    )


def refused(error: ParameterError) -> ValidationError:
    """The refusal by field."""
    return ValidationError(
        {name: [fault] for name, fault in error.faults.items()} or {"parameters": [str(error)]}
    )


def _field(each: ParameterField) -> Field:
    said = each.help if not each.placeholder else f"{each.help} Default: {each.placeholder}."
    about: dict[str, object] = {"required": False, "help_text": said}
    if each.default is not None:
        about["default"] = each.default
    if each.choices:
        return ChoiceField(
            choices=[(choice, each.labels.get(choice, choice)) for choice in each.choices], **about
        )
    if each.type is bool:
        return BooleanField(**about)
    if each.type is str:
        return CharField(**about)
    kinds = {int: IntegerField, float: FloatField}
    return kinds[each.type](min_value=each.minimum, max_value=each.maximum, **about)
