"""Scales: a point on each of several scales, such as grammaticality and meaning, for each output."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotate.design.protocols.base import Answer, AnswerError, Practisable, Question, RatingValue
from annotate.design.protocols.defaults import Defaults, guidelines_template
from annotate.design.protocols.scale_texts import MOST_SCALES, Scale, ScalesError, field_of, scales_of
from core.parameters import ParameterError, parameter
from core.translations import gettext, translatable
from formats.snapshot.vocabulary import AnswerKind, ProtocolName

CANNOT_SAY = "none"
"""The value of the field of a scale on which the annotator cannot judge the output."""

NEAR = 1
"""Largest difference of two points of a practice item that counts as agreement."""

USUAL = "\n".join(
    (
        translatable("Grammaticality: unreadable | many errors | a few errors | no errors"),
        translatable("Fluency: very odd | odd | nearly natural | natural"),
        translatable("Meaning: lost | partly lost | nearly the same | the same"),
    )
)

MARK = re.compile(r"(.+?) +([0-9]{1,2}|\?)")


@dataclass(frozen=True, slots=True)
class ScalesOptions:
    """Options of a campaign. Attributes: see each parameter's help."""

    scales: str = parameter(
        USUAL,
        label="Scales",
        help=f"One a line, at most {MOST_SCALES}: a name, a colon, and 2 to 11 points between bars, the "
        "lowest first. Points count from 1; to count from 0, number them: “0 nothing | 1 | 2 everything”.",
        lines=5,
    )
    cannot_say: bool = parameter(
        True,
        label="Offer “cannot say”",
        help="On each scale, beside its points. It is stored as a missing value, never as a point.",
    )
    shows_source: bool = parameter(
        True,
        label="Show the original sentence",
        help="Meaning can be judged only beside it. Grammaticality and fluency are judged more independently "
        "without it; then do not mark the edits either.",
    )

    def __post_init__(self) -> None:
        """Raises `ParameterError` for texts that are no scales."""
        try:
            scales_of(self.scales)
        except ScalesError as error:
            raise ParameterError(faults={"scales": str(error)}) from error

    @property
    def each(self) -> tuple[Scale, ...]:
        """The scales in order."""
        return scales_of(self.scales)


class Scales(Practisable):
    """Give each output a point on each scale, as in TMU-GFM (Yoshimura et al. 2020).

    The details of a rating have the point of each scale by its name, null for *cannot say*. Its score is the
    mean of how far up the scales they are, in percent, so that outputs are compared by all scales together.
    """

    name = ProtocolName.SCALES.value
    title = "Scales"
    purpose = (
        "Annotators rate each correction on scales of your own, such as grammaticality, fluency and meaning. "
        "To see how good systems are on each."
    )
    task = translatable("You read sentences and rate corrections of them on a few scales.")
    gives = AnswerKind.SCALES
    template = "annotate/protocols/scales.html"
    least_outputs = 1
    most_outputs = 5
    least_systems = 1
    auto_answer = None
    options = ScalesOptions
    first_options = ("scales",)
    defaults = Defaults(outputs_per_screen=3, annotators_per_item=3, shared_percent=100)
    guidelines = guidelines_template(name)
    styles = ("css/outputs.css", "css/scales.css")

    def incomplete(self, outputs: int, numbers: str) -> str:
        """What is missing is a point of a scale."""
        return gettext("Still to rate: correction %(numbers)s.") % {"numbers": numbers}

    def compared_by(self, options: ScalesOptions) -> tuple[str, ...]:
        """The names of the scales."""
        return tuple(scale.name for scale in options.each)

    def answer(self, fields: Mapping[str, str], question: Question) -> Answer:
        """A field for each scale of each output, such as `scale-fluency-0` (`field_of`, and the position)."""
        options: ScalesOptions = question.options
        none = CANNOT_SAY if options.cannot_say else None
        legal = {scale.name: _values(scale, none) for scale in options.each}
        ratings, missing = [], {}
        for position in range(question.outputs):
            given = {scale.name: fields.get(f"{scale.field}{position}", "") for scale in options.each}
            if unset := [name for name, value in given.items() if value not in legal[name]]:
                missing[position] = unset
            else:
                ratings.append(_rating({name: legal[name][given[name]] for name in given}, options))
        if missing:
            named = (f"{position + 1} ({', '.join(names)})" for position, names in missing.items())
            raise AnswerError(self.incomplete(question.outputs, ", ".join(named)), tuple(missing))
        return Answer(tuple(ratings))

    def fields(self, answer: Answer) -> dict[str, str]:
        """The fields of the points."""
        return {
            f"{field_of(name)}{position}": CANNOT_SAY if value is None else str(value)
            for position, rating in enumerate(answer.ratings)
            for name, value in (rating.rating_details or {}).items()
        }

    def expected(self, marks: Sequence[str], options: ScalesOptions) -> Answer:
        """Points as in `Fluency 3, Meaning ?`, where a question mark stands for *cannot say*."""
        return Answer(tuple(_rating(_points(mark, options), options) for mark in marks))

    def marks(self, answer: Answer) -> Sequence[str]:
        """The name of each scale with the point, in alphabetical order, since databases keep none."""
        return [
            ", ".join(
                f"{name} {'?' if value is None else value}"
                for name, value in sorted((rating.rating_details or {}).items())
            )
            for rating in answer.ratings
        ]

    def agree(self, given: Answer, expected: Answer) -> bool:
        """Whether the points are at most one from each other on each scale, and the same are missing."""
        return all(
            _is_near(ours, (theirs.rating_details or {}).get(name))
            for mine, theirs in zip(given.ratings, expected.ratings, strict=True)
            for name, ours in (mine.rating_details or {}).items()
        )


def _rating(points: Mapping[str, int | None], options: ScalesOptions) -> RatingValue:
    shares = [scale.share(value) for scale in options.each if (value := points[scale.name]) is not None]
    score = round(100 * sum(shares) / len(shares)) if shares else None
    return RatingValue(score=score, rating_details=dict(points))


def _values(scale: Scale, none: str | None) -> dict[str, int | None]:
    """The points of a scale as they are written, and what stands for none, if anything does."""
    values: dict[str, int | None] = {str(point.value): point.value for point in scale.points}
    return values if none is None else {**values, none: None}


def _points(mark: str, options: ScalesOptions) -> dict[str, int | None]:
    """The points that are written so.

    Raises:
        AnswerError: one is not a point of the scales, or a scale is missing.
    """
    written = {part[1]: part[2] for each in mark.split(",") if (part := MARK.fullmatch(each.strip()))}
    points: dict[str, int | None] = {}
    for scale in options.each:
        values = _values(scale, "?")
        if written.get(scale.name) not in values:
            example = ", ".join(f"{each.name} {each.points[-1].value}" for each in options.each)
            raise AnswerError(f"“{mark}” has no point of {scale.name}: write it like “{example}”.")
        points[scale.name] = values[written[scale.name]]
    if others := [name for name in written if name not in points]:
        raise AnswerError(f"“{mark}” names {others[0]}, which is not a scale of this campaign.")
    return points


def _is_near(given: object, expected: object) -> bool:
    if isinstance(given, int) and isinstance(expected, int):
        return abs(given - expected) <= NEAR
    return given is expected
