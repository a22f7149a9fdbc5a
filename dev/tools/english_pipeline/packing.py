"""A trained pipeline as one small file, and how good it is."""

import json
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import srsly
from spacy.language import Language
from spacy.scorer import Scorer
from spacy.tokens import Doc
from spacy.training import Example
from thinc.api import Model

from dev.tools.english_pipeline.training import NAME, documents
from dev.tools.english_pipeline.universal_tags import patterns

MANTISSA_BITS = 7
"""Bits kept of the 23 of a weight: this changes no score and halves the file."""

FIXED_TIME = (1980, 1, 1, 0, 0, 0)


def round_weights(nlp: Language) -> None:
    """Round all weights to `MANTISSA_BITS` bits of their mantissa, halves away from zero."""
    dropped = 23 - MANTISSA_BITS
    half, kept = np.uint32(1 << (dropped - 1)), np.uint32(2**32 - 2**dropped)
    for _, pipe in nlp.pipeline:
        model = getattr(pipe, "model", None)
        for node in model.walk() if isinstance(model, Model) else ():
            for name in node.param_names:
                if node.has_param(name):
                    bits = np.ascontiguousarray(node.get_param(name), dtype=np.float32).view(np.uint32)
                    rounded: Any = (bits + half) & kept
                    node.set_param(name, rounded.view(np.float32))


def pack(nlp: Language, path: Path, version: str) -> None:
    """Write configuration and weights into a zip file; the same pipeline gives the same bytes."""
    nlp.meta["name"] = NAME
    nlp.meta["version"] = version
    nlp.meta["license"] = "CC BY-SA 4.0"
    nlp.meta["performance"] = {}
    config = nlp.config.interpolate()
    # Not the sections on training, which hold paths of the machine.
    needed = {section: config[section] for section in ("nlp", "components")}
    parts = {
        "config.json": json.dumps(needed, sort_keys=True).encode(),
        "pipeline.msgpack": _without_words(nlp),
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for name, content in parts.items():
            file.writestr(zipfile.ZipInfo(name, FIXED_TIME), content, zipfile.ZIP_DEFLATED, 9)


def _without_words(nlp: Language) -> bytes:
    """The pipeline's weights and tables, without the treebank's words.

    The vocabulary keeps every word of the training data, addresses and telephone numbers among them. Models
    see words by their hashes alone, so that only names of labels are needed.
    """
    parts: Any = srsly.msgpack_loads(nlp.to_bytes(exclude=["tokenizer", "config"]))
    vocab: Any = srsly.msgpack_loads(parts["vocab"])
    labels = [label for name in ("tagger", "parser") for label in nlp.pipe_labels[name]]
    needed = {*labels, *_strings(patterns())}
    vocab["strings"] = srsly.json_dumps(sorted(needed))
    parts["vocab"] = srsly.msgpack_dumps(vocab)
    return bytes(srsly.msgpack_dumps(parts))


def _strings(values: object) -> set[str]:
    """All strings in nested lists and dictionaries."""
    if isinstance(values, str):
        return {values}
    if isinstance(values, dict):
        values = [*values.keys(), *values.values()]
    return {each for value in values for each in _strings(value)} if isinstance(values, list) else set()


def quality(nlp: Language, treebank: Path) -> dict[str, float]:
    """Percentages of right tags, universal tags, lemmas and heads (with labels) on a file of the treebank.

    Lemmas are compared in lower case; heads and labels are those after conversion, without punctuation.
    """
    examples = []
    for gold in documents(treebank, nlp.vocab):
        found = nlp(Doc(nlp.vocab, words=[token.text for token in gold]))
        examples.append(Example(found, gold))
    parsed = Scorer.score_deps(
        examples, "dep", getter=lambda token, _: token.dep_, ignore_labels=("p", "punct")
    )
    return {
        "tag": _share_right(examples, "tag_"),
        "UPOS": _share_right(examples, "pos_"),
        "lemma": _share_right(examples, "lemma_"),
        "UAS": 100 * parsed["dep_uas"],
        "LAS": 100 * parsed["dep_las"],
    }


def _share_right(examples: Sequence[Example], attribute: str) -> float:
    """Percentage of words whose attribute is right, whatever its case."""
    right: list[bool] = [
        getattr(found, attribute).lower() == getattr(gold, attribute).lower()
        for each in examples
        for found, gold in zip(each.predicted, each.reference, strict=True)
    ]
    return 100 * sum(right) / len(right)
