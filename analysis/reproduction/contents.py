"""Every table and figure of the papers, and which tables of `reproduce` compare it.

`dev.tools.table_of_reproduction` writes the table of `docs/reproduction.md` from it.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Item:
    """A table or figure, or a statement, of a paper.

    Attributes:
        name: in the paper, such as "Table 3a".
        about: what it shows.
        command: whose tables compare it, such as "gjg15"; empty if none does.
        tables: of that command.
        cannot: why nothing of it is compared, or what of it is not.
    """

    name: str
    about: str
    command: str = ""
    tables: tuple[str, ...] = ()
    cannot: str = ""


NO_FIGURES = "an illustration, without figures"
NO_DATA_OF_2010 = (
    "the translations and judgments of WMT 2008 to 2010 are not at hand, and e-rater is not public"
)
NO_LISTS = "the lists of candidates of its systems are not public"
NO_CONLL = (
    "people's scores of these systems on CoNLL-2014 and their outputs are not in the release, and the texts "
    "of Yahoo are not public"
)
NO_SECOND_ROUND = "an output of the first round has one annotator, and the second round is not at hand"
OF_OTHERS = "the paper's metrics; GLEU of gec-metrics and two counts are compared with independent programs"

CONTENTS: Mapping[str, tuple[Item, ...]] = {
    "GJG15: Grundkiewicz, Junczys-Dowmunt and Gillian 2015, *Human Evaluation of Grammatical Error "
    "Correction Systems*": (
        Item("Figure 1, section 4.1", "distinct outputs by sentence, and sampling", "gjg15", ("sampling",)),
        Item("Figure 2", "the screen of annotators", cannot=NO_FIGURES),
        Item("Table 1", "rankings, pairs and ties by annotator", "gjg15", ("1",)),
        Item("Table 2", "agreement of annotators, kappa", "gjg15", ("2",)),
        Item("Table 3a", "the official ranking of CoNLL-2014 by M2", "gjg15", ("3a",)),
        Item("Table 3b", "ranking by ExpectedWins", "gjg15", ("3b",)),
        Item("Table 3c", "ranking by TrueSkill", "gjg15", ("3c",)),
        Item("Table 3d", "pairs of systems, and sign tests", "gjg15", ("3d",)),
        Item("Table 4", "accuracy of predicted pairs", "gjg15", ("4",)),
        Item("Table 5", "metrics and people, from released scores", "gjg15", ("5",)),
        Item("Table 5", "metrics and people, from Assay's scores", "gjg15", ("5 by Assay",)),
        Item("Table 6", "correlations of annotators", "gjg15", ("6",)),
        Item("Table 7", "rankings by annotator", "gjg15", ("7",)),
        Item("Figure 3", "M2 and people over beta, from released scores", "gjg15", ("figure 3",)),
        Item("Figure 3", "M2 and people over beta, from Assay's scores", "gjg15", ("figure 3 by Assay",)),
        Item("Released scores", "M2 and BLEU of systems", "metrics", ("M2 of GJG15", "BLEU of GJG15")),
    ),
    "GMEG: Napoles, Nădejde and Tetreault 2019, *Enabling Robust Grammatical Error Correction in New "
    "Domains*": (
        Item("Tables 1, 2, 5", "corpora, examples, systems", cannot="lists and examples, without results"),
        Item("Table 3", "texts and edits by domain", "gmeg", ("3",)),
        Item("Table 4", "references against each other by M2", "gmeg", ("4",)),
        Item("Figure 1", "the most frequent types of edits", "gmeg", ("figure 1",)),
        Item("Figure 2", "the screen of annotators", cannot=NO_FIGURES),
        Item(
            "Table 6",
            "mean human scores, and sentences left unchanged",
            "gmeg",
            ("released scores", "6: mean human score", "6: % of sentences unchanged"),
        ),
        Item(
            "Table 7",
            "agreement of halves of the annotators",
            cannot="only means of the eight judgments are released",
        ),
        Item("Table 8", "metrics and people", "gmeg", ("8",), "its row *Human* needs single judgments"),
        Item("Table 8", "GMEG-Metric on held-out sentences", "gmeg", ("ensemble",)),
        Item("Section 5.2", "the penalty of the ridge regression", "gmeg", ("alpha",)),
        Item("Figure 3", "Williams' tests of metrics", "gmeg", ("figure 3",)),
        Item("Figure 4", "ablation of systems and domains", "gmeg", ("ablation",)),
        Item("Table 9", "ablation with CoNLL-2014 as a domain", cannot=NO_CONLL),
        Item("Figure 5", "metrics and people on CoNLL-2014", cannot=NO_CONLL),
    ),
    "MAEGE: Choshen and Abend 2018, *Automatic Metric Validation for Grammatical Error Correction*": (
        Item("Figure 1", "references by combining edits", "maege", ("figure 1",)),
        Item(
            "Table 1",
            "metrics and people",
            "gjg15",
            ("MAEGE 1",),
            "the text at hand has two of its figures, and the judgments NSPT15 are not at hand",
        ),
        Item("Figures 2, 3", "a lattice, a chain", cannot=NO_FIGURES),
        Item("Section 6", "corrections, chains and pairs", "maege", ("counts",)),
        Item("Table 2", "metrics by corpora and by sentences", "maege", ("2",)),
        Item("Figure 4", "Table 1 against Table 2", cannot="drawn without values, of judgments not at hand"),
        Item("Figure 5, section 6", "GLEU by number of errors, and along chains", "maege", ("figure 5",)),
        Item("Table 3", "metrics by type of error", "maege", ("3: types",)),
        Item("Table 4", "with the original as source", "maege", ("4: original as source",)),
    ),
    "Coverage: Choshen and Abend 2018, *Inherent Biases in Reference-based Evaluation for Grammatical Error "
    "Correction and Text Simplification*": (
        Item("Table 1", "corrections by frequency, as released", "coverage", ("1",)),
        Item("Table 1", "the same, estimated anew", "coverage", ("1 solved anew", "1 from the answers")),
        Item("Tables 2, 3, 5", "examples, and an argument", cannot="without results"),
        Item("Figure 1", "F0.5 of systems with intervals", "coverage", ("figure 1",)),
        Item("Figure 2", "oracle reranking", cannot=NO_LISTS),
        Item("Section 3.2", "under-correction by systems", "coverage", ("under-correction",)),
        Item("Table 4", "simplifications by frequency", "coverage", ("4",)),
        Item("Figure 3, section 2.2", "accuracy of a perfect corrector", "coverage", ("accuracy",)),
        Item("Figure 4, F0.5", "F0.5 of a perfect corrector", "coverage", ("F0.5",)),
        Item("Figure 4, GLEU", "GLEU of a perfect corrector", "coverage", ("GLEU",)),
        Item("Figure 5", "SARI of a perfect system", "coverage", ("SARI",)),
        Item("Table 6, section 3.4", "edits by type and frequency", "coverage", ("6",)),
        Item("Figures 6, 8", "instructions to workers", cannot=NO_FIGURES),
        Item("Figure 7", "validity by frequency", cannot="drawn without values; it is not computed"),
        Item("Figures 9 to 12", "reranking of simplifications", cannot=NO_LISTS),
    ),
    "MTeRater: Parton, Tetreault, Madnani and Chodorow 2011, *E-rating Machine Translation*": (
        Item("Table 1", "tau of metrics on WMT 2010", cannot=NO_DATA_OF_2010),
        Item("Table 2", "examples", cannot=NO_DATA_OF_2010),
        Item(
            "Section 6",
            "its question, asked of GJG15 and a grammar checker; the figures compared with are those of an "
            "independent program",
            "mterater",
            ("tau", "McNemar", "checker", "folds"),
        ),
        Item(
            "Section 6.3",
            "ablation of features, asked of the rules of a grammar checker on GJG15",
            "mterater",
            ("ablation",),
            cannot="the paper gives no figures, and e-rater is not public",
        ),
    ),
    "Machine judges: Calderon et al. 2025, Angelopoulos et al. 2023 and Chatzi et al. 2024": (
        Item(
            "Alternative annotator test",
            "six models on two sets of the released labels",
            "machine-judges",
            ("alternative annotator test", "people", "over epsilon"),
        ),
        Item(
            "Judges without a model",
            "the same test with six rules as judges, on the rankings of GJG15 and SEEDA",
            "machine-judges",
            ("baselines",),
        ),
        Item(
            "PPI++",
            "worked examples of the released programs, and of others that extend them",
            "machine-judges",
            ("means", "rates and strengths"),
        ),
        Item("Rank sets", "a slice of the released comparisons", "machine-judges", ("rank sets",)),
    ),
    "SEEDA: Kobayashi, Mita and Komachi 2024, *Revisiting Meta-evaluation for Grammatical Error Correction*, "
    "the half in which people judged whole sentences": (
        Item("Released scores", "ExpectedWins and TrueSkill of systems", "seeda", ("rankings",)),
        Item("Agreement", "kappa of annotators", "seeda", ("agreement",)),
        Item("System level", "metrics and people by set of systems", "seeda", ("systems",), OF_OTHERS),
        Item("Sentence level", "accuracy by what a tie counts as", "seeda", ("sentences",), OF_OTHERS),
        Item("Windows", "metrics and people on four neighbours", "seeda", ("windows",), OF_OTHERS),
        Item("Judgments of edits", "the other half", cannot="the data of this half are not at hand"),
    ),
    "TMU-GFM: Yoshimura, Kaneko, Kajiwara and Komachi 2020, *SOME: Reference-less Sub-Metrics Optimized for "
    "Manual Evaluations of Grammatical Error Correction*": (
        Item("Released averages", "means of ratings, and the zeros among them", "gfm", ("averages",)),
        Item("Systems", "mean grammaticality, fluency and meaning", "gfm", ("systems",)),
        Item("Agreement", "alpha of raters on each scale", "gfm", ("agreement",)),
        Item("Scales", "correlation of scales, and unchanged outputs", "gfm", ("scales",)),
        Item("SOME", "its metrics and people", cannot="the trained models are not at hand"),
    ),
    "ESA: Kocmi, Zouhar, Avramidis, Grundkiewicz, Karpinska, Popović, Sachan and Shmatova 2024, *Error Span "
    "Annotation: A Balanced Approach for Human Evaluation of Machine Translation*, its first round": (
        Item("Released files", "answers by kind, and marks by severity", "esa", ("counts",)),
        Item("Spans", "where they begin and end", "esa", ("spans",)),
        Item("Released scores", "of outputs, from the answers", "esa", ("released",)),
        Item("Systems", "mean score, span score and MQM", "esa", ("systems",)),
        Item("Agreement", "score, span score and MQM, of systems and segments", "esa", ("agreement",)),
        Item("Controls", "scores and marks of outputs with replaced words", "esa", ("controls",)),
        Item("Agreement of annotators", "the first round and the second", cannot=NO_SECOND_ROUND),
    ),
    "PEVData: Zhan, Zhang, Yuan, Ma, Yang, Gu, Liu and Wu 2026, *JELV: A Judge of Edit-Level Validity for "
    "Evaluation and Automated Reference Expansion in Grammatical Error Correction*": (
        Item("Judgments", "valid and invalid edits", "edits", ("counts",)),
        Item("Forms", "how the file writes edits, and their offsets", "edits", ("forms",)),
        Item("Kinds", "insertions, deletions and replacements", "edits", ("kinds",)),
        Item("Agreement", "repeated judgments, and judgments of both directions", "edits", ("agreement",)),
        Item("JELV", "its judge and its metric", cannot="the trained judge is not at hand"),
    ),
    "MultiGEC-2025: human ratings of English and Swedish essays, from "
    "[emilia-piotrowska/MultiGEC-2025-annotation]"
    "(https://github.com/emilia-piotrowska/MultiGEC-2025-annotation)": (
        Item("Systems", "mean grammaticality and fluency", "multigec", ("means",)),
        Item("Scales", "correlation of grammaticality and fluency", "multigec", ("scales",)),
        Item("Misspelt lines", "and the means without them", "multigec", ("misspelt",)),
        Item("Automatic scores", "of systems of the task", cannot="its essays may not be passed on"),
    ),
    "Tools": (
        Item("M2, GLEU, I-measure", "scores by the official tools", "metrics", ("M2", "GLEU", "I-measure")),
    ),
}
