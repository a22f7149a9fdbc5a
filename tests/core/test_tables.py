"""A table declared once looks right on pages, in terminals, in CSV, JSON and LaTeX."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import StringIO
from operator import attrgetter
from typing import Any, NamedTuple

import pytest
from django.template.loader import render_to_string

from core.bars import Bar
from core.columns import (
    Annotator,
    AnnotatorPair,
    Annotators,
    Code,
    Column,
    Corrector,
    Count,
    Estimated,
    Identifiers,
    Number,
    NumberedAnnotator,
    PValue,
    Sentences,
    Share,
    Spread,
    System,
    Text,
    Verdict,
)
from core.marks import Mark
from core.names import Naming, ShownAnnotator
from core.results import Computed
from core.tables import FilledTable, Table

NAMING = Naming(
    "demo",
    {"a": "Alder & Co."},
    {},
    {"x": ShownAnnotator("x", 2, "Anna"), "y": ShownAnnotator("y", 1, "Ben")},
)


class Result(NamedTuple):
    signature: str = "toy|snapshot:1"


@dataclass
class Row:
    system: str = "a"
    value: Any = None


def filled(columns: Sequence[Column], *rows: Any, **options: Any) -> FilledTable:
    table = Table(rows=lambda computed: rows, columns=columns, caption="A toy", **options)
    return table.of(Computed(None, Result()), NAMING)


def read(table: FilledTable) -> list[list[str]]:
    return list(csv.reader(StringIO("".join(table.csv()))))


@pytest.mark.parametrize(
    ("column", "value", "text", "cells", "latex"),
    [
        (
            Text("value", "V"),
            "=1+1 & <b>",
            "=1+1 & <b>",
            ["'=1+1 & <b>"],
            r"=1+1 \& \textless{}b\textgreater{}",
        ),
        (Code("value", "V"), "m|refs:2", "m|refs:2", ["m|refs:2"], r"m\textbar{}refs:2"),
        (System("value", "V"), "a", "Alder & Co.", ["a"], r"Alder \& Co."),
        (Corrector("value", "V"), ("a", False), "Alder & Co.", ["a", "no"], r"Alder \& Co."),
        (Corrector("value", "V"), ("a", True), "a", ["a", "yes"], "a (person)"),
        (Corrector("value", "V"), ("0", True), "annotator 0", ["0", "yes"], "annotator 0 (person)"),
        (Annotator("value", "V"), "x", "Annotator 2", ["x"], "Annotator 2"),
        (
            Annotators("", "V", attrgetter("value")),
            ["x", "gone-1234"],
            "Annotator 2, Deleted annotator 1234",
            [],
            None,
        ),
        (NumberedAnnotator("value", "V"), "x", "Annotator 2", ["Annotator 2"], "Annotator 2"),
        (
            AnnotatorPair("value", "V", other="with"),
            ("x", "y"),
            "Annotator 1 – Annotator 2",
            ["Annotator 1", "Annotator 2"],
            "Annotator 1 & Annotator 2",
        ),
        (
            AnnotatorPair("value", "V", other="with"),
            ("x", "x"),
            "Annotator 2",
            ["Annotator 2", "Annotator 2"],
            "Annotator 2 & Annotator 2",
        ),
        (Sentences("", "V", attrgetter("value")), [3, 5, 3], "3 ×2, 5", [], "3 ×2, 5"),
        (Identifiers("value", "V"), ("-j1", "j2"), "('-j1', 'j2')", ["'-j1 j2"], None),
        (Verdict("value", "V"), True, "yes", ["True"], "yes"),
        (Number("value", "V"), -0.12345, "-0.123", ["-0.12345"], "$-$0.123"),
        (Number("value", "V", digits=1, sign="±"), 0.25, "±0.2", ["0.25"], "0.2"),
        (Count("value", "V"), 12345, "12,345", ["12345"], "12345"),
        (Share("value", "V"), 0.0173, "1.7\N{NO-BREAK SPACE}%", ["0.0173"], "1.7 \\%"),
        (Share("value", "V"), 1.0, "100\N{NO-BREAK SPACE}%", ["1.0"], "100 \\%"),
        (Share("value", "V", digits=1), 0.0173, "1.7\N{NO-BREAK SPACE}%", ["0.0173"], "1.7 \\%"),
        (PValue("value", "V"), 0.0, "<0.001", ["0.0"], "$<$0.001"),
        (PValue("value", "V"), 0.04, "0.040", ["0.04"], "0.040"),
        (Estimated("value", "V"), Spread(0.5, 0.25, 0.75), "0.500", ["0.5", "0.25", "0.75"], "0.500"),
    ],
)
def test_a_kind_knows_how_its_value_looks_everywhere(
    column: Column, value: Any, text: str, cells: list[str], latex: str | None
) -> None:
    table = filled([System("system", "System"), column], Row(value=value))
    [[_, cell]] = table.page().rows
    assert cell.text == text
    assert read(table)[1] == ["a", *cells, "toy|snapshot:1"]
    if latex is not None:
        assert f"Alder \\& Co. & {latex} \\\\" in "".join(table.latex())


@pytest.mark.parametrize(
    "column",
    [Text, Code, System, Annotator, Annotators, Sentences, Verdict, Number, Count, Share, PValue, Estimated],
)
def test_an_unknown_value_is_a_dash_and_an_empty_cell(column: type[Column]) -> None:
    unknown = column("value", "V", note=lambda row: "not judged yet")
    table = filled([System("system", "System"), unknown], Row())
    [[_, cell]] = table.page().rows
    assert cell.text == "–"
    assert read(table)[1][1] == ""
    assert next(table.records())["value"] is None
    assert "Alder \\& Co. & -- \\\\" in "".join(table.latex())


def test_an_end_that_rounds_to_0_has_no_sign() -> None:
    column = Estimated("", "Value", lambda row: row)
    assert column.note_of(Spread(0.1, -0.0001, 0.3)) == "0.000 to 0.300"


def test_an_interval_says_on_which_side_of_0_it_ends() -> None:
    column = Estimated("", "Value", lambda row: row)
    assert column.note_of(Spread(0.1, 0.003, 0.3)) == "0.003 to 0.300"
    assert column.note_of(Spread(0.1, -0.003, 0.3)) == "-0.003 to 0.300"
    assert column.note_of(Spread(0.1, 0.0, 0.3)) == "0.00 to 0.30"


def test_an_estimate_shows_its_interval_or_the_reason_for_none() -> None:
    column = Estimated("value", "Value", ends_on_paper=("from", "to"))
    table = filled(
        [System("system", "System"), column],
        Row(value=Spread(0.5, 0.25, 0.75)),
        Row(value=Spread(None, None, None, "too few")),
        Row(),
    )
    assert [row[1].note for row in table.page().rows] == ["0.25 to 0.75", "too few", ""]
    assert read(table)[0] == ["system", "value", "value_low", "value_high", "signature"]
    latex = "".join(table.latex())
    assert "System & Value & from & to" in latex
    assert "& 0.500 & 0.250 & 0.750" in latex
    assert "& -- & -- & --" in latex


def test_notes_call_annotators_as_pages_do() -> None:
    """A key may begin with another one."""
    annotators = {
        "annotator-1": ShownAnnotator("annotator-1", 7),
        "annotator-12": ShownAnnotator("annotator-12", 8),
    }
    naming = replace(NAMING, annotators=annotators)
    note = "annotator-12 judged nothing with annotator-1"
    assert naming.with_annotators(note) == "Annotator 8 judged nothing with Annotator 7"
    assert replace(naming, by_key=True).with_annotators(note) == note


def test_a_table_of_the_result_beside_bears_its_signature() -> None:
    columns = [System("system", "System")]
    table = Table(rows=lambda computed: [Row()], columns=columns, caption="A toy", is_of_beside=True)
    computed = Computed(None, Result(), beside=Result("other|snapshot:1"))
    assert read(table.of(computed, NAMING))[1] == ["a", "other|snapshot:1"]


def test_pages_may_have_the_rows_in_another_order() -> None:
    columns = (Text("name", "Name", lambda row: row),)
    table = filled(columns, "b", "a", page_rows=lambda computed: ["a", "b"])
    assert [row[0].text for row in table.page().rows] == ["a", "b"]
    assert read(table)[1:] == [["b", "toy|snapshot:1"], ["a", "toy|snapshot:1"]]


def test_a_wide_table_gives_reasons_as_hints() -> None:
    columns = [System("system", "System"), Estimated("value", "Value", is_shaded=True)]
    spreads = [Spread(0.5, 0.25, 0.75), Spread(0.5, None, None, "too few"), Spread(None, None, None, "none")]
    page = filled(columns, *(Row(value=spread) for spread in spreads)).page()
    cells = [row[1] for row in page.rows]
    assert [(cell.text, cell.note, cell.hint) for cell in cells] == [
        ("0.500", "0.25 to 0.75", ""),
        ("0.500", "no interval", "too few"),
        ("–", "", "none"),
    ]


def test_values_that_may_be_chance_have_no_shade() -> None:
    """As far as intervals say so: without any, all values are shaded."""
    columns = [System("system", "System"), Estimated("value", "Value", is_shaded=True)]
    sure, chance, open_sign = (
        Spread(0.1, 0.05, 0.2),
        Spread(0.9, None, None, "errors"),
        Spread(0.8, -0.1, 1.0),
    )
    page = filled(columns, *(Row(value=each) for each in (sure, chance, open_sign))).page()
    assert [row[1].shade for row in page.rows] == [1, 0, 0]
    unknown = [Spread(value, None, None, "nothing was resampled") for value in (0.1, 0.9)]
    page = filled(columns, *(Row(value=each) for each in unknown)).page()
    assert [row[1].shade for row in page.rows] == [0, 5]


def test_shaded_cells_share_scale_and_shades_and_show_intervals_on_request() -> None:
    columns = [
        System("system", "System"),
        Estimated("value", "Value", is_shaded=True),
        Estimated("", "Half", lambda row: Spread(row.value.value / 2, None, None), is_shaded=True),
    ]
    rows = [Row("a", Spread(0.2, 0.1, 0.3)), Row("b", Spread(1.2, 1.1, 1.3)), Row("c", Spread(0.7, 0.6, 0.8))]
    page = filled(columns, *rows).page()
    assert [[cell.shade for cell in row] for row in page.rows] == [[None, 1, 0], [None, 5, 2], [None, 3, 1]]
    scales = {(mark.scale.low, mark.scale.high) for row in page.rows for cell in row if (mark := cell.mark)}
    assert scales == {(0.1, 1.3)}
    shown = render_to_string("analysis/_table.html", {"table": page, "naming": NAMING})
    assert shown.count("plot small") == 6
    assert '<small class="interval-in-words">1.10 to 1.30</small>' in shown
    assert shown.count("Intervals in numbers") == 1


def test_rows_may_be_sorted_by_what_people_call_them() -> None:
    table = filled(
        [Annotator("system", "Annotator")],
        Row("x"),
        Row("y"),
        order=lambda row, naming: naming.place(row.system),
    )
    assert [row[0] for row in read(table)[1:]] == ["y", "x"]
    assert "".join(table.latex()).index("Annotator 1") < "".join(table.latex()).index("Annotator 2")


def test_a_table_may_be_in_files_only() -> None:
    table = filled([System("system", "System", on_page=False)], Row())
    assert table.page().rows == []
    assert read(table)[1] == ["a", "toy|snapshot:1"]


def test_estimates_are_drawn_on_the_scale_of_their_column() -> None:
    column = Estimated(
        "value",
        "Value",
        ends=("low", "high"),
        drawn="Value, 95 %",
        is_hollow=lambda row: row.system == "b",
        beside=lambda row: Spread(0.1, 0.0, None) if row.system == "a" else None,
    )
    table = filled(
        [System("system", "System"), column],
        Row("a", Spread(0.5, 0.25, 0.75)),
        Row("b", Spread(0.9, None, None)),
        Row("c", Spread(None, None, None, "too few")),
    )
    page = table.page()
    [none, scale] = page.scales
    assert none is None
    assert scale is not None
    assert (scale.low, scale.high) == (0.0, 0.9)
    assert [row[1].mark for row in page.rows] == [
        Mark(scale, 0.5, 0.25, 0.75, is_hollow=False, beside=(0.1, 0.0, None)),
        Mark(scale, 0.9, None, None, is_hollow=True),
        None,
    ]
    assert read(table)[0] == ["system", "value", "low", "high", "signature"]
    shown = render_to_string("analysis/_table.html", {"table": page, "naming": NAMING})
    assert shown.count('class="interval"') == 1
    assert shown.count('class="second"') == 1
    assert "too few" in shown
    widths = {part.count("<td") + part.count("<th") for part in shown.split("<tr")[1:]}
    assert widths == {4}, "every row has a cell for the system, the mark, the value and the interval"


def test_bars_begin_at_0_and_outliers_are_cut_off() -> None:
    column = Bar("value", "Answers", drawn="Answers per hour", digits=1, longest=80.0)
    table = filled([System("system", "System"), column], Row("a", 20.0), Row("b", 400.0), Row("c", None))
    page = table.page()
    scale = page.scales[1]
    assert scale is not None
    assert (scale.low, scale.high) == (0.0, 80.0)
    assert [row[1].mark and (row[1].mark.value, row[1].mark.is_bar) for row in page.rows] == [
        (20.0, True),
        (80.0, True),
        None,
    ]
    assert [(row[1].text, row[1].note) for row in page.rows] == [
        ("20.0", ""),
        ("400.0", "cut off"),
        ("–", ""),
    ]
    assert [row[1] for row in read(table)[1:]] == ["20.0", "400.0", ""]
    shown = render_to_string("analysis/_table.html", {"table": page, "naming": NAMING})
    assert shown.count('class="bar" x="4.0%"') == 2
    widths = {part.count("<td") + part.count("<th") for part in shown.split("<tr")[1:]}
    assert widths == {3}, "bars have no column for an interval"


def test_bars_that_are_all_0_begin_at_the_left() -> None:
    column = Bar("value", "Share", drawn="Share", is_share=True)
    scale = filled([System("system", "System"), column], Row("a", 0.0), Row("b", 0.0)).page().scales[1]
    assert scale is not None
    assert (scale.low, scale.high, scale.lines) == (0.0, 1.0, (0.0, 0.5, 1.0))


def test_shares_as_bars_are_percentages_but_for_files() -> None:
    table = filled(
        [System("system", "System"), Bar("value", "Share", drawn="Share", digits=1, is_share=True)],
        Row("a", 0.125),
    )
    [[_, cell]] = table.page().rows
    assert cell.text == "12.5\N{NO-BREAK SPACE}%"
    assert read(table)[1][1] == "0.125"
    assert "12.5" in "".join(table.latex())


def test_rows_show_what_all_are_compared_with() -> None:
    column = Estimated("value", "Value", drawn="Value", even=1.0)
    page = filled([System("system", "System"), column], Row("a", Spread(0.5, 0.25, 0.75))).page()
    scale = page.scales[1]
    assert scale is not None
    assert (scale.low, scale.high, scale.even) == (0.25, 1.0, 1.0)
    shown = render_to_string("analysis/_table.html", {"table": page, "naming": NAMING})
    assert 'class="even" x1="96.0%"' in shown


def test_columns_aside_are_left_out_on_phones() -> None:
    columns = [System("system", "System"), Number("value", "Value", is_aside=True)]
    page = filled(columns, Row("a", 0.5)).page()
    shown = render_to_string("analysis/_table.html", {"table": page, "naming": NAMING})
    assert shown.count('class="number secondary"') == 2


def test_terminals_have_in_words_what_pages_draw_or_show_as_hints() -> None:
    table = filled(
        [System("system", "System"), Number("value", "±", on_page=False, is_printed=True)], Row("a", 0.5)
    )
    assert [column.label for column in table.page().columns] == ["System"]
    assert [cell.text for cell in table.printed().rows[0]] == ["Alder & Co.", "0.500"]


def test_columns_are_where_they_are_said_to_be() -> None:
    columns = [
        System("system", "System"),
        Number("only_files", value=lambda row: 1.0),
        Number("", "Only page", lambda row: 2.0, on_paper=False),
        Number("paper", "Paper", lambda row: 3.0, on_page=False),
        Number("value", "Short", heading="A longer heading"),
    ]
    table = filled(columns, Row(value=4.0))
    page = table.page()
    assert [column.heading or column.label for column in page.columns] == [
        "System",
        "Only page",
        "A longer heading",
    ]
    assert read(table) == [
        ["system", "only_files", "paper", "value", "signature"],
        ["a", "1.0", "3.0", "4.0", "toy|snapshot:1"],
    ]
    assert "System & Paper & Short" in "".join(table.latex())
    assert list(table.records()) == [{"system": "a", "only_files": 1.0, "paper": 3.0, "value": 4.0}]


def test_pages_leave_out_columns_that_are_empty_throughout() -> None:
    table = filled([System("system", "System"), Number("value", "Value")], Row(), Row())
    assert [column.label for column in table.page().columns] == ["System"]
    assert "Value" in "".join(table.latex())


def test_a_column_of_empty_texts_is_empty() -> None:
    table = filled([System("system", "System"), Text("remark", "Remark", lambda row: "")], Row(), Row())
    assert [column.label for column in table.page().columns] == ["System"]


def test_annotators_are_sorted_by_number_and_called_by_key_in_terminals() -> None:
    table = filled([Annotator("system", "Annotator")], Row("x"), Row("y"))
    assert [row[0].text for row in table.page().rows] == ["Annotator 1", "Annotator 2"]
    assert [row[0] for row in read(table)[1:]] == ["x", "y"]
    keyed = FilledTable(table.table, table.computed, Naming("", {}, {}, {}, by_key=True))
    assert [row[0].text for row in keyed.page().rows] == ["x", "y"]


def test_files_may_hold_longer_rows_than_the_page() -> None:
    long = Table(
        rows=lambda computed: [Row("a", 1), Row("a", 2)], columns=[Count("value")], caption="Each value"
    )
    table = filled([System("system", "System"), Count("value", "Sum")], Row(value=3), long=long)
    assert read(table) == [["value", "signature"], ["1", "toy|snapshot:1"], ["2", "toy|snapshot:1"]]
    assert [record["value"] for record in table.records()] == [1, 2]
    assert "& 3 \\\\" in "".join(table.latex())


def test_rows_of_several_results_bear_the_signature_of_theirs() -> None:
    table = filled((System("system"),), Row("a", "toy|1"), Row("b"), signature=attrgetter("value"))
    assert read(table) == [["system", "signature"], ["a", "toy|1"], ["b", ""]]


def test_a_heading_may_lead_to_another_page() -> None:
    page = filled((Text("system", "System", address="/there/"),), Row()).page()
    assert '<a href="/there/">System</a>' in render_to_string("analysis/_table.html", {"table": page})


def test_the_total_stands_below_the_rows() -> None:
    columns = [System("system", "System"), Count("value", "Answers")]
    table = filled(columns, Row(value=1), Row(value=2), total=lambda computed: Row(value=3))
    assert [cell.text for cell in table.page().total] == ["3"]
    assert filled(columns, total=lambda computed: Row(value=0)).page().total == []
