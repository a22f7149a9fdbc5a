"""The datasheet of a release (Gebru et al. 2021): what the program knows, and what people have answered."""

from analysis.releases import wording
from analysis.releases.about import About
from analysis.releases.facts import Facts
from analysis.releases.questions import (
    COLLECTION,
    COMPOSITION,
    DISTRIBUTION,
    MAINTENANCE,
    MOTIVATION,
    PREPROCESSING,
    QUESTIONS,
    SECTIONS,
    USES,
)

UNANSWERED = (
    "**Not answered.** Only people can answer this (`{name}` under `[answers]` of the release's description)."
)


def datasheet(about: About, facts: Facts) -> str:
    """The file datasheet.md."""
    entries = {section: list(known) for section, known in _known(about, facts).items()}
    for name, question in QUESTIONS.items():
        answer = about.answers.get(name) or UNANSWERED.format(name=name)
        entries[question.section].append((question.text, answer))
    parts = [f"# Datasheet of {about.title}\n\nVersion {about.version}, {about.date.isoformat()}."]
    if about.unanswered:
        parts.append(f"Questions not answered yet: {len(about.unanswered)}.")
    for section in SECTIONS:
        parts.append(f"## {section}")
        parts += [f"**{question}**\n\n{answer}" for question, answer in entries[section]]
    return "\n\n".join(parts) + "\n"


def _known(about: About, facts: Facts) -> dict[str, list[tuple[str, str]]]:
    """Questions that the program answers, by section."""
    authors = "; ".join(
        f"{each.in_full}, {each.affiliation}" if each.affiliation else each.in_full for each in about.authors
    )
    platform = f"They came from {facts.platform}. " if facts.platform else ""
    return {
        MOTIVATION: [("Who created the data set?", authors)],
        COMPOSITION: [
            ("What does the data set consist of?", wording.summary(facts)),
            (
                "How many instances are there of each type?",
                "\n".join(f"- {table}: {rows:,} rows" for table, rows in facts.rows.items()),
            ),
            ("Is anything missing?", f"Judgments by state: {wording.states(facts)}. {_left_out(about)}"),
            ("Can people be identified?", wording.privacy(about)),
        ],
        COLLECTION: [
            ("How were the judgments collected?", wording.protocol(facts)),
            ("Over what timeframe?", wording.timeframe(facts)),
            ("How many people judged?", f"{platform}{facts.annotators:,}."),
            ("How were they checked?", wording.checks(facts)),
            ("How far do they agree?", wording.agreement(facts)),
        ],
        PREPROCESSING: [
            (
                "What was done to the data?",
                "Judgments are numbered anew and sorted by item. Of answers that were revised, the last one "
                "is kept. " + wording.privacy(about),
            )
        ],
        USES: [],
        DISTRIBUTION: [
            ("Where is the data set?", about.url),
            ("Under which licences?", wording.licences(about)),
        ],
        MAINTENANCE: [
            ("Whom can one contact?", about.contact or "No contact is stated."),
            ("How are versions told apart?", "By their numbers; CHANGES.md says what has changed."),
        ],
    }


def _left_out(about: About) -> str:
    return "Texts are left out." if about.leaves_out_texts else "No texts are left out."
