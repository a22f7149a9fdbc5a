"""The questions of a datasheet (Gebru et al. 2021) that only people can answer."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Question:
    """A question to the authors of a release.

    Attributes:
        section: of the datasheet.
        text: the question.
        field: the responsible-AI field of Croissant that takes the answer; empty if there is none.
    """

    section: str
    text: str
    field: str = ""


MOTIVATION, COMPOSITION, COLLECTION = "Motivation", "Composition", "Collection process"
PREPROCESSING, USES = "Preprocessing and cleaning", "Uses"
DISTRIBUTION, MAINTENANCE = "Distribution", "Maintenance"
SECTIONS = (MOTIVATION, COMPOSITION, COLLECTION, PREPROCESSING, USES, DISTRIBUTION, MAINTENANCE)

QUESTIONS: Mapping[str, Question] = {
    "purpose": Question(MOTIVATION, "For what purpose was the data set created?"),
    "funding": Question(MOTIVATION, "Who funded it?"),
    "sampling": Question(COMPOSITION, "Where do the sentences come from, and what are they a sample of?"),
    "errors": Question(COMPOSITION, "Are there known errors or sources of noise?", "rai:dataLimitations"),
    "biases": Question(COMPOSITION, "What biases are known or likely?", "rai:dataBiases"),
    "sensitive": Question(
        COMPOSITION,
        "Do the texts identify people, or contain anything confidential, sensitive or offensive?",
        "rai:personalSensitiveInformation",
    ),
    "annotators": Question(
        COLLECTION,
        "Who were the annotators (recruitment, native languages, training, other demographics)?",
        "rai:annotatorDemographics",
    ),
    "pay": Question(COLLECTION, "How much were the annotators paid?"),
    "ethics": Question(COLLECTION, "Was there an ethics review? Did the annotators consent to publication?"),
    "cleaning": Question(
        PREPROCESSING,
        "What was done to the texts and the judgments outside of this program?",
        "rai:dataPreprocessingProtocol",
    ),
    "uses": Question(USES, "What should the data be used for, and what not?", "rai:dataUseCases"),
    "impact": Question(
        USES, "What effects on people could the use of the data have?", "rai:dataSocialImpact"
    ),
    "restrictions": Question(DISTRIBUTION, "Do third parties have rights in the texts, or restrict them?"),
    "maintenance": Question(
        MAINTENANCE,
        "Who maintains the data set, and how are errors reported and corrected?",
        "rai:dataReleaseMaintenancePlan",
    ),
}
"""The questions by the name under which the authors answer them."""
