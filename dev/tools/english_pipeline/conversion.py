"""Universal Dependencies as the ClearNLP labels that ERRANT reads.

ERRANT asks for labels such as "auxpass", "dobj", "pobj", "prep", "prt", "acomp" and for auxiliaries among the
children of a verb. Universal Dependencies has other labels, and makes content words the heads: "in" hangs on
"house", and "is" on "nice". So labels are mapped, and prepositions and copulas change places with the words
on which they hang.
"""

from collections.abc import Sequence

from dev.tools.english_pipeline.conllu import ROOT, Word

LABELS = {
    "root": "ROOT",
    "acl:relcl": "relcl",
    "advcl:relcl": "advcl",
    "aux:pass": "auxpass",
    "cc:preconj": "preconj",
    "compound:prt": "prt",
    "csubj:outer": "csubj",
    "csubj:pass": "csubjpass",
    "det:predet": "predet",
    "discourse": "intj",
    "dislocated": "dep",
    "iobj": "dative",
    "nmod": "nmod",
    "nmod:desc": "compound",
    "nmod:poss": "poss",
    "nmod:unmarked": "npadvmod",
    "nsubj:outer": "nsubj",
    "nsubj:pass": "nsubjpass",
    "obj": "dobj",
    "obl": "npadvmod",
    "obl:agent": "npadvmod",
    "obl:unmarked": "npadvmod",
    "orphan": "dep",
    "reparandum": "dep",
    "vocative": "npadvmod",
}
"""Labels that change whatever the words are; those of `cop` and `case` go by the words."""

STAYS_WITH_PREDICATE = {
    "acl",
    "acl:relcl",
    "amod",
    "appos",
    "case",
    "compound",
    "det",
    "det:predet",
    "fixed",
    "flat",
    "goeswith",
    "nmod",
    "nmod:desc",
    "nmod:poss",
    "nmod:unmarked",
    "nummod",
}
"""Relations of words that belong to a predicate's phrase, and not to its clause."""

OBLIQUE = {"obl", "obl:agent", "obl:unmarked", "nmod", "nmod:unmarked", "nmod:desc"}
NEGATIONS = {"not", "n't", "nt"}


def converted(sentence: Sequence[Word]) -> tuple[list[int], list[str]]:
    """Heads and ClearNLP labels of a sentence; the root has itself as head, as in spaCy."""
    heads = [word.head for word in sentence]
    relations = [word.relation for word in sentence]
    labels: dict[int, str] = {}
    for place, relation in enumerate(relations):
        if relation == "cop" and relations[heads[place]] != "cop":
            _raise_copula(place, sentence, heads, relations, labels)
    for place, word in enumerate(sentence):
        if relations[place] == "case" and word.tag != "POS" and heads[place] != ROOT:
            _raise_preposition(place, sentence, heads, relations, labels)
    for place, word in enumerate(sentence):
        labels.setdefault(place, _label(word, relations[place]))
    heads = [place if head == ROOT else head for place, head in enumerate(heads)]
    return heads, [labels[place] for place in range(len(sentence))]


def _raise_copula(
    copula: int, sentence: Sequence[Word], heads: list[int], relations: list[str], labels: dict[int, str]
) -> None:
    """Put a copula in the place of its predicate, with what belongs to the clause."""
    predicate = heads[copula]
    heads[copula], relations[copula] = heads[predicate], relations[predicate]
    for place, head in enumerate(heads):
        if head == predicate and place != copula and relations[place] not in STAYS_WITH_PREDICATE:
            modifies = relations[place] == "advmod" and copula < place < predicate
            if not (modifies and sentence[place].text.lower() not in NEGATIONS):
                heads[place] = copula
    heads[predicate], relations[predicate] = copula, "predicate"
    adjective = sentence[predicate].pos in ("ADJ", "ADV") or sentence[predicate].tag.startswith("JJ")
    labels[predicate] = "acomp" if adjective else "attr"


def _raise_preposition(
    preposition: int, sentence: Sequence[Word], heads: list[int], relations: list[str], labels: dict[int, str]
) -> None:
    """Put a preposition in the place of its noun, or under the preposition that is there already."""
    noun = heads[preposition]
    if labels.get(noun) in ("pobj", "pcomp"):
        outer = heads[noun]
        heads[preposition], relations[preposition], labels[preposition] = outer, "prep", "prep"
        heads[noun] = preposition
        return
    label = labels.get(noun)
    heads[preposition], relations[preposition] = heads[noun], relations[noun]
    if relations[noun] == "obl:agent":
        labels[preposition] = "agent"
    elif relations[noun] in OBLIQUE or label in ("acomp", "attr"):
        labels[preposition] = "prep"
    heads[noun], relations[noun] = preposition, "object"
    labels[noun] = "pcomp" if sentence[noun].pos in ("VERB", "AUX") else "pobj"


def _label(word: Word, relation: str) -> str:
    if relation == "mark" and word.tag == "TO":
        return "aux"
    if relation == "advmod" and word.text.lower() in NEGATIONS:
        return "neg"
    if relation == "xcomp" and word.pos == "ADJ":
        return "acomp"
    return LABELS.get(relation, relation)
