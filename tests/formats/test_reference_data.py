"""The readers on published data, compared with the counts of their publishers."""

from collections import Counter
from pathlib import Path
from time import process_time

import pytest

from formats import FormatError, m2_text, read_judgments, read_m2, read_parallel


@pytest.fixture
def conll14(reference_data: Path) -> Path:
    return reference_data / "conll14"


def test_conll14_outputs_and_references(conll14: Path, reference_data: Path) -> None:
    """All outputs, 20 text references and the official edits, read in well under two seconds."""
    outputs = {path.name: path for path in sorted((conll14 / "outputs").iterdir())}
    texts = {path.stem: path for path in sorted((conll14 / "references").rglob("*.txt"))}
    before = process_time()
    corpus = read_parallel(
        conll14 / "outputs" / "INPUT",
        outputs,
        references=texts,
        m2=[conll14 / "official-2014.combined.m2"],
    )
    assert process_time() - before < 2
    assert len(corpus.sentences) == 1312
    assert len(corpus.systems) == 13
    assert Counter(len(sentence.references) for sentence in corpus.sentences) == {20: 136, 21: 88, 22: 1088}

    listed = (reference_data / "gjg15" / "distinct-outputs.txt").read_text(encoding="utf-8").splitlines()
    for sentence, line in zip(corpus.sentences, listed, strict=True):
        multiplicities = Counter(text for name, text in sentence.outputs.items() if name != "INPUT").values()
        assert sorted(multiplicities) == sorted(int(count) for count in line.split("\t")[2].split())


@pytest.mark.parametrize(("annotator", "text"), [(0, "NUCLEA"), (1, "NUCLEB")])
def test_official_edits_give_the_official_texts(conll14: Path, annotator: int, text: str) -> None:
    """In all sentences. Reversing several insertions at one position would lose 4 of NUCLEA, 5 of NUCLEB."""
    corpus = read_parallel(
        conll14 / "outputs" / "INPUT",
        {},
        references={text: conll14 / "references" / f"{text}.txt"},
        m2=[conll14 / f"official-2014.{annotator}.m2"],
    )
    pairs = [[reference.text for reference in sentence.references] for sentence in corpus.sentences]
    assert sum(published == ours for published, ours in pairs) == 1312


def test_official_edits_are_all_read(conll14: Path) -> None:
    file = read_m2(conll14 / "official-2014.combined.m2")
    edits = Counter[str]()
    for sentence in file.sentences:
        for reference in sentence.references:
            edits[reference.annotator] += len(reference.edits or ())
    assert edits == {"0": 2391, "1": 3207}


def test_gjg15_judgments(reference_data: Path) -> None:
    file = read_judgments(reference_data / "gjg15" / "judgments.xml")
    assert (file.format, file.first_sentence) == ("appraise", 0)
    assert len(file.records) == 2319
    assert len({record.annotator for record in file.records}) == 8
    outputs = Counter(len(record.groups) for record in file.records)
    assert (outputs[0], outputs[1], max(outputs)) == (13, 27, 5)


def test_gjg15_outputs_are_those_of_the_corpus(conll14: Path, reference_data: Path) -> None:
    """The systems of a group are exactly those with one text, sentences counted from 0 (GJG15 section 4)."""
    outputs = {path.name: path for path in sorted((conll14 / "outputs").iterdir())}
    corpus = read_parallel(conll14 / "outputs" / "INPUT", outputs)
    for record in read_judgments(reference_data / "gjg15" / "judgments.xml").records:
        texts = corpus.sentences[record.sentence].outputs
        for group in record.groups:
            text = texts[group.systems[0]]
            assert group.systems == tuple(sorted(name for name in texts if texts[name] == text))


def test_spans_past_the_end_in_the_perfect_corrector(reference_data: Path) -> None:
    """36 edits end past their sentence; strict reading stops at the first of a file, lenient clips."""
    clipped = {}
    for references in (1, 2, 3, 5, 10):
        path = reference_data / "corrections" / "perfect-corrector" / f"{references}.m2"
        warnings = read_m2(path, lenient=True).warnings
        clipped[references] = sum("is outside the sentence of" in warning for warning in warnings)
        if clipped[references]:
            with pytest.raises(FormatError, match="is outside the sentence of"):
                read_m2(path)
    assert clipped == {1: 0, 2: 1, 3: 5, 5: 8, 10: 22}


@pytest.mark.parametrize("name", ["official-2014.combined.m2", "errant-m2/gold.m2", "errant-m2/AMU.m2"])
def test_writing_gives_published_files_byte_for_byte(conll14: Path, name: str) -> None:
    path = conll14 / name
    text = "".join(m2_text(read_m2(path).sentences))
    assert text.rstrip() == path.read_text(encoding="utf-8").rstrip()
