"""Trains tagger and parser, then adds what needs no training: universal tags and lemmas."""

from collections.abc import Iterator
from pathlib import Path

import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.training.initialize import init_nlp
from spacy.training.loop import train
from spacy.util import load_config, load_model_from_path
from spacy.vocab import Vocab
from thinc.api import fix_random_seed

from dev.tools.english_pipeline.conllu import read_conllu
from dev.tools.english_pipeline.conversion import converted
from dev.tools.english_pipeline.universal_tags import patterns

CONFIG = Path(__file__).with_name("config.cfg")
NAME = "assay_en_ewt"


def documents(path: Path, vocab: Vocab) -> Iterator[Doc]:
    """One document for each sentence of a treebank, with tags, lemmas and converted dependencies."""
    for sentence in read_conllu(path):
        heads, labels = converted(sentence)
        yield Doc(
            vocab,
            words=[word.text for word in sentence],
            tags=[word.tag for word in sentence],
            pos=[word.pos for word in sentence],
            lemmas=[word.lemma for word in sentence],
            heads=heads,
            deps=labels,
        )


def trained(data: Path, work: Path) -> Language:
    """The pipeline, trained on `en_ewt-ud-train.conllu` and chosen on `en_ewt-ud-dev.conllu`.

    Args:
        data: folder of the treebank.
        work: folder for what is kept meanwhile.
    """
    vocab = spacy.blank("en").vocab
    paths = {}
    for part in ("train", "dev"):
        paths[part] = work / f"{part}.spacy"
        DocBin(docs=documents(data / f"en_ewt-ud-{part}.conllu", vocab)).to_disk(paths[part])
    config = load_config(CONFIG, overrides={f"paths.{part}": str(path) for part, path in paths.items()})
    fix_random_seed(config["system"]["seed"])
    nlp = init_nlp(config)
    checkpoints = work / "checkpoints"
    checkpoints.mkdir()
    train(nlp, checkpoints)
    best = load_model_from_path(checkpoints / "model-best")
    add_rules(best)
    return best


def add_rules(nlp: Language) -> None:
    """Add universal tags, and lemmas by rules with the tables of `spacy-lookups-data`."""
    ruler = nlp.add_pipe("attribute_ruler")
    ruler.add_patterns(patterns())  # type: ignore[attr-defined]
    lemmatizer = nlp.add_pipe("lemmatizer", config={"mode": "rule"})
    lemmatizer.initialize()  # type: ignore[attr-defined]
