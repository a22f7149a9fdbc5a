"""Answers by every protocol, and what is to be found of them everywhere."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from annotate.design.protocols import (
    Correction,
    Edits,
    ErrorSpans,
    Pairs,
    Protocol,
    RelativeRanking,
    Scales,
    Validity,
)
from annotate.design.protocols.scale_texts import field_of
from formats.snapshot.vocabulary import AnswerKind
from tests.annotate.toys import BetterOfTwo, TwoVersions, Verdict


@dataclass(frozen=True)
class Case:
    """A protocol, two answers by it, and what is to be found of the second everywhere.

    Attributes:
        first: the fields of an answer.
        second: those of another.
        incomplete: those of one that is refused.
        fault: with these words.
        stored: what the snapshot holds of the second.
        told: what the API tells of it.
        shown: what the page of judgments shows of it, as HTML.
        ranks: of the outputs in the second, as shown.
        options: fields of the campaign's form that choose the protocol's options.
        shown_outputs: how many outputs a screen has, if not the most that the protocol can show.
    """

    protocol: Protocol
    first: Mapping[str, str]
    second: Mapping[str, str]
    incomplete: Mapping[str, str]
    fault: str
    stored: Mapping[str, object]
    told: Mapping[str, object]
    shown: tuple[str, ...]
    ranks: tuple[int | None, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    shown_outputs: int | None = None

    @property
    def outputs(self) -> int:
        """How many outputs a screen has."""
        return self.protocol.most_outputs if self.shown_outputs is None else self.shown_outputs

    @property
    def compares(self) -> bool:
        """Whether its answers compare outputs."""
        return self.protocol.gives is AnswerKind.RATINGS


CASES = (
    Case(
        BetterOfTwo(),
        first={"better": "both"},
        second={"better": "1"},
        incomplete={"better": "2"},
        fault="Say which is better: correction 1, 2.",
        stored={"text": None, "verdict": None, "details": None, "position": 0, "rank": 2},
        told={"text": None, "further_texts": [], "verdict": None, "details": None},
        shown=('<span class="unseen">Rank </span>2</span>',),
        ranks=(2, 1),
        options={"better-of-two-ties": "on"},
    ),
    Case(
        TwoVersions(),
        first={"version-0": "One .", "version-1": "Two .", "topic": "3"},
        second={"version-0": '=Uno \u2067"ü" .', "version-1": "Dos ,\nor two .", "topic": "1"},
        incomplete={"version-0": "One .", "version-1": " ", "topic": "1"},
        fault="Write two versions.",
        stored={
            "text": '=Uno \u2067"ü" .',
            "further_texts": '["Dos ,\\nor two ."]',
            "verdict": None,
            "details": '{"topic":1}',
            "output": None,
            "rank": None,
        },
        told={
            "text": '=Uno \u2067"ü" .',
            "further_texts": ["Dos ,\nor two ."],
            "verdict": None,
            "details": {"topic": 1},
            "ratings": [],
        },
        shown=("Dos ,\nor two .", "<dt>topic</dt><dd>1</dd>"),
    ),
    Case(
        Verdict(),
        first={"verdict": "wrong"},
        second={"verdict": "right"},
        incomplete={},
        fault="Right or wrong: correction 1.",
        stored={
            "text": None,
            "further_texts": None,
            "verdict": "right",
            "details": None,
            "position": 0,
            "rank": None,
        },
        told={"text": None, "further_texts": [], "verdict": "right", "details": None},
        shown=("<dt>Verdict</dt><dd>right</dd>",),
    ),
    Case(
        Validity(),
        first={"verdict": "no"},
        second={"verdict": "yes"},
        incomplete={"verdict": "maybe"},
        fault="Still to say whether it is valid: correction 1.",
        stored={
            "text": None,
            "further_texts": None,
            "verdict": "yes",
            "details": None,
            "position": 0,
            "rank": None,
        },
        told={"text": None, "further_texts": [], "verdict": "yes", "details": None},
        shown=("<dt>Verdict</dt><dd>yes</dd>",),
    ),
    Case(
        Correction(),
        first={"version-0": "One .", "verdict": "corrected"},
        second={"version-0": '=Uno \u2067"ü" .', "verdict": "merge-with-next"},
        incomplete={"version-0": " ", "verdict": "corrected"},
        fault="There is no text.",
        stored={
            "text": '=Uno \u2067"ü" .',
            "further_texts": None,
            "verdict": "merge-with-next",
            "details": '{"instruction":"minimal","warnings":["much-changed"]}',
            "output": None,
            "rank": None,
        },
        told={
            "text": '=Uno \u2067"ü" .',
            "further_texts": [],
            "verdict": "merge-with-next",
            "details": {"instruction": "minimal", "warnings": ["much-changed"]},
            "ratings": [],
        },
        shown=("<dt>Verdict</dt><dd>merge-with-next</dd>", "<dt>instruction</dt><dd>minimal</dd>"),
    ),
    Case(
        Scales(),
        first={f"{field_of('=Bo <i>')}0": "2", f"{field_of('意味')}0": "none"},
        second={f"{field_of('=Bo <i>')}0": "0", f"{field_of('意味')}0": "11"},
        incomplete={f"{field_of('=Bo <i>')}0": "3", f"{field_of('意味')}0": "1"},
        fault="Still to rate: correction 1 (=Bo &lt;i&gt;).",
        stored={
            "text": None,
            "details": None,
            "position": 0,
            "rank": None,
            "score": 50,
            "rating_details": '{"=Bo <i>":0,"意味":11}',
        },
        told={"text": None, "details": None},
        shown=("<span>=Bo &lt;i&gt; 0</span>", "<span>意味 11</span>"),
        options={
            "scales-scales": "=Bo <i>: 0 <b>bad</b> | 1 | 2 good\r\n意味: a|b|c|d|e|f|g|h|i|j|k",
            "scales-cannot_say": "on",
            "outputs_per_screen": "1",
        },
        shown_outputs=1,
    ),
    Case(
        Pairs(),
        first={"better": "1-clearly"},
        second={"better": "2-slightly"},
        incomplete={"better": "1"},
        fault="Say which correction is better.",
        stored={"text": None, "details": '{"strength":"slightly"}', "position": 0, "rank": 2},
        told={"text": None, "details": {"strength": "slightly"}},
        shown=("<dt>strength</dt><dd>slightly</dd>",),
        ranks=(2, 1),
        options={"pairs-strength": "on"},
    ),
    Case(
        Edits(),
        first={"edit-0": "cannot-say"},
        second={"edit-0": "accepted"},
        incomplete={"edit-0": "maybe"},
        fault="Still to judge: correction 1 (edit 1).",
        stored={"text": None, "verdict": None, "details": None, "position": 0, "rank": None, "score": 100},
        told={"text": None, "verdict": None, "details": None},
        shown=("accepted",),
        options={"edits-edits": "corpus", "listed_sentences": "0", "covers_outputs": "on"},
        shown_outputs=1,
    ),
    Case(
        ErrorSpans(),
        first={"score-0": "0"},
        second={
            "score-0": "40",
            "spans-0": '{"missing":[{"severity":"minor"},{"severity":"major","type":"=<i>"}],"spans":[]}',
        },
        incomplete={"score-0": "101"},
        fault="Still to do: correction 1.",
        stored={
            "text": None,
            "details": None,
            "position": 0,
            "rank": None,
            "score": 40,
            "rating_details": '{"characters":0,"missing":[{"severity":"minor"},'
            '{"severity":"major","type":"=<i>"}],"span_score":-6,"spans":[]}',
        },
        told={"text": None, "details": None},
        shown=("<span>span_score -6</span>",),
        options={"error-spans-types": "Meaning\r\n=<i>", "error-spans-marks_missing": "on"}
        | {"error-spans-anchors": "0 none\n100 all", "error-spans-marks_below": "0"}
        | {"outputs_per_screen": "1"},
        shown_outputs=1,
    ),
    Case(
        RelativeRanking(),
        first={"rank-0": "1", "rank-1": "1", "confidence": "1"},
        second={"rank-0": "2", "rank-1": "1", "confidence": "5"},
        incomplete={"rank-0": "2", "rank-1": "1", "confidence": "6"},
        fault="Say how sure you are of this ranking, from 1 to 5.",
        stored={"details": None, "confidence": 5, "position": 0, "rank": 2},
        told={"details": None, "confidence": 5},
        shown=("<dt>confidence</dt><dd>5</dd>",),
        ranks=(2, 1),
        options={"relative-ranking-confidence": "on", "outputs_per_screen": "2"},
        shown_outputs=2,
    ),
)
