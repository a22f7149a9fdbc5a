"""Universal parts of speech and features of Penn Treebank tags, for spaCy's attribute ruler.

What a tag says goes without further words; auxiliaries, subordinating conjunctions and pronouns among the
determiners are told by words and labels of the parse. The tables follow the guidelines of Universal
Dependencies and the conventions that ERRANT's authors met in spaCy's English pipelines: modals and forms of
"be" are auxiliaries, "have" and "do" are where they help another verb.
"""

from typing import Any

TAGS: dict[str, tuple[str, str]] = {
    "#": ("SYM", ""),
    "$": ("SYM", ""),
    "''": ("PUNCT", ""),
    ",": ("PUNCT", ""),
    "-LRB-": ("PUNCT", ""),
    "-RRB-": ("PUNCT", ""),
    ".": ("PUNCT", ""),
    ":": ("PUNCT", ""),
    "ADD": ("X", ""),
    "AFX": ("ADJ", ""),
    "CC": ("CCONJ", ""),
    "CD": ("NUM", "NumType=Card"),
    "DT": ("DET", ""),
    "EX": ("PRON", ""),
    "FW": ("X", "Foreign=Yes"),
    "GW": ("X", ""),
    "HYPH": ("PUNCT", ""),
    "IN": ("ADP", ""),
    "JJ": ("ADJ", "Degree=Pos"),
    "JJR": ("ADJ", "Degree=Cmp"),
    "JJS": ("ADJ", "Degree=Sup"),
    "LS": ("X", "NumType=Ord"),
    "MD": ("AUX", "VerbForm=Fin"),
    "NFP": ("PUNCT", ""),
    "NN": ("NOUN", "Number=Sing"),
    "NNP": ("PROPN", "Number=Sing"),
    "NNPS": ("PROPN", "Number=Plur"),
    "NNS": ("NOUN", "Number=Plur"),
    "PDT": ("DET", ""),
    "POS": ("PART", ""),
    "PRP": ("PRON", "PronType=Prs"),
    "PRP$": ("PRON", "Poss=Yes|PronType=Prs"),
    "RB": ("ADV", ""),
    "RBR": ("ADV", "Degree=Cmp"),
    "RBS": ("ADV", "Degree=Sup"),
    "RP": ("ADP", ""),
    "SYM": ("SYM", ""),
    "TO": ("PART", ""),
    "UH": ("INTJ", ""),
    "VB": ("VERB", "VerbForm=Inf"),
    "VBD": ("VERB", "Tense=Past|VerbForm=Fin"),
    "VBG": ("VERB", "Aspect=Prog|Tense=Pres|VerbForm=Part"),
    "VBN": ("VERB", "Aspect=Perf|Tense=Past|VerbForm=Part"),
    "VBP": ("VERB", "Tense=Pres|VerbForm=Fin"),
    "VBZ": ("VERB", "Number=Sing|Person=3|Tense=Pres|VerbForm=Fin"),
    "WDT": ("PRON", "PronType=Rel"),
    "WP": ("PRON", "PronType=Rel"),
    "WP$": ("PRON", "Poss=Yes|PronType=Rel"),
    "WRB": ("SCONJ", ""),
    "XX": ("X", ""),
    "``": ("PUNCT", ""),
}
"""Part of speech and features by tag."""

VERBS = ["MD", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ"]
BE = ["be", "am", "is", "are", "was", "were", "been", "being", "'m", "'re", "’m", "’re", "m", "re"]

AUXILIARY_LEMMAS = {
    "be": [*BE, "'s", "’s", "s", "ai"],
    "can": ["ca"],
    "do": ["do", "does", "did", "done", "doing"],
    "have": ["have", "has", "had", "having", "'ve", "’ve", "ve"],
    "shall": ["sha"],
    "will": ["'ll", "’ll", "ll", "wo"],
    "would": ["'d", "’d", "d"],
}
"""Forms by lemma; the lemmatizer's tables have no auxiliaries. Patterns see tags, not parts of speech."""

PRONOUN_LEMMAS = {"I": ["me"], "he": ["him"], "she": ["her"], "they": ["them"], "we": ["us"]}
NOMINAL = ["nsubj", "nsubjpass", "dobj", "dative", "pobj", "attr", "ROOT", "conj"]


def patterns() -> list[dict[str, Any]]:
    """Patterns for the attribute ruler; later ones overrule. All are matched before any is applied."""
    by_tag = [
        {"patterns": [[{"TAG": tag}]], "attrs": {"POS": pos, "MORPH": features}}
        for tag, (pos, features) in TAGS.items()
    ]
    by_word = [
        ([{"TAG": {"IN": VERBS}, "LOWER": {"IN": BE}}], "AUX"),
        ([{"TAG": {"IN": VERBS}, "LOWER": "'s"}], "AUX"),
        ([{"TAG": {"IN": VERBS}, "DEP": {"IN": ["aux", "auxpass"]}}], "AUX"),
        ([{"TAG": "IN", "DEP": "mark"}], "SCONJ"),
        ([{"TAG": "RB", "LOWER": {"IN": ["not", "n't", "n’t", "nt"]}}], "PART"),
        ([{"TAG": "DT", "DEP": {"IN": NOMINAL}}], "PRON"),
        ([{"TAG": {"IN": ["WDT", "WP"]}, "DEP": "det"}], "DET"),
    ]
    lemmas = [
        *(
            ({"TAG": {"IN": VERBS}, "LOWER": {"IN": forms}}, lemma)
            for lemma, forms in AUXILIARY_LEMMAS.items()
        ),
        ({"TAG": "VBD", "LOWER": {"IN": ["'d", "’d"]}}, "have"),
        *(({"TAG": "PRP", "LOWER": {"IN": forms}}, lemma) for lemma, forms in PRONOUN_LEMMAS.items()),
        ({"LOWER": {"IN": ["n't", "n’t", "nt"]}, "TAG": "RB"}, "not"),
    ]
    return [
        *by_tag,
        *({"patterns": [pattern], "attrs": {"POS": pos}} for pattern, pos in by_word),
        *({"patterns": [[pattern]], "attrs": {"LEMMA": lemma}} for pattern, lemma in lemmas),
    ]
