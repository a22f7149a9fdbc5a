"""Tables as LaTeX."""

from core.latex import escaped, p_value, tabular


def test_what_latex_reads_as_commands_is_escaped() -> None:
    assert escaped("A_b & 50% #1\n$x$") == r"A\_b \& 50\% \#1 \$x\$"
    assert escaped("~^\\{}") == r"\textasciitilde{}\textasciicircum{}\textbackslash{}\{\}"
    assert escaped("<|>") == r"\textless{}\textbar{}\textgreater{}"
    assert escaped("山田 Ünï") == "山田 Ünï"


def test_no_row_is_taken_for_an_option_of_the_line_break_before_it() -> None:
    lines = list(tabular(["edits", "n"], [["[other]", "1"], ["*", "2"], ["news", "3"]]))
    assert lines[3:6] == ["{}[other] & 1 \\\\\n", "{}* & 2 \\\\\n", "news & 3 \\\\\n"]


def test_each_line_of_a_comment_stays_one() -> None:
    assert list(tabular(["edits"], [], comments=["one\ntwo"]))[1:3] == ["% one\n", "% two\n"]


def test_no_p_value_is_zero() -> None:
    assert [p_value(each) for each in (None, 0.0, 0.0009, 0.001, 0.0424)] == [
        *("--", "$<$0.001", "$<$0.001", "0.001", "0.042")
    ]
