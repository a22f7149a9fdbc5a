"""Natural text of tokens, and the tokens of natural text."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats import CorpusRecord, read_parallel
from formats.text.natural import TextRules, glued, natural, rules_for
from formats.text.tokenised import are_tokenised
from formats.text.tokens_back import keeps_tokens, rules_on_screen, tokens_back

ENGLISH = TextRules.ENGLISH
DEMO = Path(__file__).parents[3] / "fixtures" / "demo"
PARTS = [
    "do",
    "n't",
    "'s",
    "'",
    '"',
    "''",
    ".",
    ",",
    "(",
    ")",
    "..",
    "...",
    "$",
    "5",
    "%",
    "etc",
    "etc.",
    "中",
    "文字",
]
TOKENS = st.lists(
    st.sampled_from(PARTS) | st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1), max_size=9
)
RULES = st.sampled_from(list(TextRules))


@pytest.mark.parametrize(
    ("language", "tokens", "text"),
    [
        ("en", "I do n't know , he said .", "I don't know, he said."),
        ("en", "The girls ' and the boy 's ( new ) room !", "The girls' and the boy's (new) room!"),
        ("en-GB", 'He said : " Yes " , and " no " .', 'He said: "Yes", and "no".'),
        ("en", '" Half of a quotation .', '"Half of a quotation.'),
        ("en", 'Three " marks " are " unclear .', 'Three " marks " are " unclear.'),
        ("en", "It is 'normal ' and ' odd ' .", "It is 'normal' and 'odd'."),
        ("en", "It costs $ 5 or 20 % ; U.S. and so on ...", "It costs $5 or 20%; U.S. and so on..."),
        ("en", "One etc. .", "One etc. ."),
        ("fr", "Bonjour ! Il dit : oui ( non ) , puis rien .", "Bonjour ! Il dit : oui (non), puis rien."),
        ("de", "Er sagte : „ Ja “ , und das war 's .", "Er sagte: „Ja“, und das war 's."),
        ("zh", "在 这里 ， 我 有 iPhone 5 手机 。", "在这里，我有iPhone 5手机。"),
        ("und", "Hej , du !", "Hej, du!"),
        ("en", "", ""),
    ],
)  # fmt: skip
def test_blanks_that_people_do_not_write_are_left_out(language: str, tokens: str, text: str) -> None:
    assert natural(tokens.split(), rules_for(language)) == text


@pytest.mark.parametrize(
    ("source", "text", "tokens"),
    [
        ("He go home .", "He go home.", "He go home ."),
        ("He go home .", "He goes home!", "He goes home !"),
        ("He go home .", "He goes home .", "He goes home ."),
        ("He go home .", 'He isn\'t "at home" (or is he?).', 'He is n\'t " at home " ( or is he ? ) .'),
        ("I like don't .", "I like don't, or can't.", "I like don't , or ca n't ."),
        ("We ca n't , I cant .", "We can, I can't.", "We can , I ca n't ."),
        ("It is a lot .", "It is alot.", "It is alot ."),
        ("By this ,they went ago,when .", "By this ,they wents ago,when.", "By this ,they wents ago,when ."),
        ("Tom .", "Tom etc., e.g. Mr. Bond. It is.", "Tom etc. , e.g. Mr. Bond . It is ."),
        ("A.", "It is $5, or 20% (s) of relative(s)...", "It is $ 5 , or 20 % ( s ) of relative(s) ..."),
        ("Students ' books", "The students' books couldn't've", "The students ' books could n't 've"),
    ],
)  # fmt: skip
def test_unchanged_stretches_keep_their_tokens_and_rules_separate_the_rest(
    source: str, text: str, tokens: str
) -> None:
    assert " ".join(tokens_back(text, source.split(), ENGLISH)) == tokens


@pytest.mark.parametrize(
    ("source", "text", "tokens"),
    [
        ("我 有 手 机 。", "我也有手表。", "我 也 有 手 表 。"),
        ("我 有 手机 。", "我也有手表。", "我 也 有 手表 。"),
    ],
)  # fmt: skip
def test_unspaced_text_is_cut_into_characters_or_words_as_the_source_is(
    source: str, text: str, tokens: str
) -> None:
    assert " ".join(tokens_back(text, source.split(), TextRules.UNSPACED)) == tokens


@given(TOKENS, RULES)
def test_an_unchanged_sentence_gives_exactly_its_tokens(tokens: list[str], rules: TextRules) -> None:
    assert tokens_back(natural(tokens, rules), tokens, rules) == tokens


@given(TOKENS, TOKENS, RULES)
def test_only_blanks_come_and_go(tokens: list[str], others: list[str], rules: TextRules) -> None:
    text = natural(tokens, rules)
    assert "".join(text.split()) == "".join(tokens)
    assert len(glued(tokens, rules)) == len(tokens)
    assert "".join(tokens_back(text, others, rules)) == "".join(tokens)


@given(TOKENS, TOKENS, TOKENS, RULES)
def test_outputs_on_a_screen_never_look_the_same(
    source: list[str], one: list[str], other: list[str], rules: TextRules
) -> None:
    texts = [" ".join(one), " ".join(other)]
    if one != other and rules_on_screen(rules, " ".join(source), texts):
        assert natural(one, rules) != natural(other, rules)


def test_a_screen_is_shown_as_stored_where_natural_text_hides_a_difference() -> None:
    source = "I do n't know ."
    assert keeps_tokens("I did n't know .", source, ENGLISH)
    assert not keeps_tokens("I don't know .", source, ENGLISH)
    assert not keeps_tokens("I  do n't know .", source, ENGLISH)
    assert rules_on_screen(ENGLISH, source, ["I did n't know .", "I do n't ."]) == ENGLISH
    assert rules_on_screen(ENGLISH, source, ["I did n't know .", "I don't know ."]) is None
    assert rules_on_screen(None, source, [source]) is None


def as_stored(corpus: CorpusRecord) -> tuple[int, int]:
    """How many texts do not give their tokens back and are shown as stored, and how many there are."""
    stored = number = 0
    for sentence in corpus.sentences:
        source = sentence.source.split()
        corrections = [*sentence.outputs.values(), *(each.text for each in sentence.references)]
        texts = dict.fromkeys((sentence.source, *corrections))
        lost = [
            text
            for text in texts
            if " ".join(tokens_back(natural(text.split(), ENGLISH), source, ENGLISH)) != text
        ]
        assert sentence.source not in lost
        assert (rules_on_screen(ENGLISH, sentence.source, texts) is None) == bool(lost)
        stored, number = stored + len(lost), number + len(texts)
    return stored, number


def test_no_sentence_of_the_demo_loses_tokens() -> None:
    systems = {path.name: path for path in sorted((DEMO / "systems").iterdir())}
    corpus = read_parallel(DEMO / "source.txt", systems, m2=[DEMO / "references.m2"])
    assert as_stored(corpus) == (1, 474)


def test_no_sentence_of_conll14_loses_tokens(reference_data: Path) -> None:
    """Source, outputs of the 12 systems, and the references of the official M2 files."""
    folder = reference_data / "conll14"
    corpus = read_parallel(
        folder / "outputs" / "INPUT",
        {path.name: path for path in sorted((folder / "outputs").iterdir())},
        m2=[folder / "official-2014.combined.m2"],
    )
    assert as_stored(corpus) == (28, 9164)


@pytest.mark.parametrize(("texts", "counts"), [("fce", (43, 6326)), ("wiki", (609, 6401))])
def test_no_sentence_of_gmeg_loses_tokens(reference_data: Path, texts: str, counts: tuple[int, int]) -> None:
    """References of "wiki" were tokenised otherwise than its sources, so that many are shown as stored."""
    folder = reference_data / "gmeg" / "dev" / texts
    files = {path.name: path for path in sorted(folder.iterdir())}
    assert as_stored(read_parallel(files["source"], files)) == counts


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (["He go home .", "Yes , he do"], True),
        (["He go home.", "Yes, he do"], False),
        (["He go home .", "He go home."], None),
        (["He go home"], None),
        (["我 有 手机"], True),
        (["我有手机"], False),
        ([], None),
    ],
)
def test_texts_tell_whether_they_are_tokenised(texts: list[str], told: bool | None) -> None:
    assert are_tokenised(texts) is told


def test_published_corpora_are_tokenised(reference_data: Path) -> None:
    for file in ("conll14/outputs/INPUT", "gmeg/dev/fce/source", "gmeg/dev/wiki/source"):
        assert are_tokenised((reference_data / file).read_text(encoding="utf-8").splitlines())
    running = (reference_data / "ud-english-ewt" / "en_ewt-ud-test.conllu").read_text(encoding="utf-8")
    texts = [line.removeprefix("# text = ") for line in running.splitlines() if line.startswith("# text = ")]
    assert are_tokenised(texts) is False
