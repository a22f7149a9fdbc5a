from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.design.platforms import (
    MECHANICAL_TURK,
    PROLIFIC,
    SUBMIT_HOSTS,
    ArrivalError,
    Preset,
    address_query,
    arrival,
    return_address,
    submit_address,
)

IDS = st.text("abcXYZ019._@:+=-", min_size=1, max_size=128)


@given(worker=IDS, visit=IDS, extra=st.text(max_size=1000))
def test_an_arrival_is_read_from_the_address_within_bounds(worker: str, visit: str, extra: str) -> None:
    comes = arrival(PROLIFIC, {"PROLIFIC_PID": worker, "SESSION_ID": visit, "STUDY_ID": extra, "x": "y"})
    assert (comes.worker, comes.visit) == (worker, visit)
    assert comes.parameters.keys() == {"STUDY_ID"}
    assert len(comes.parameters["STUDY_ID"]) <= 500
    assert "\0" not in comes.parameters["STUDY_ID"]


@given(st.text(max_size=200))
def test_any_other_id_is_refused(worker: str) -> None:
    try:
        comes = arrival(MECHANICAL_TURK, {"workerId": worker})
    except ArrivalError:
        return
    assert comes.worker == worker.strip()
    assert comes.worker.isascii()
    assert not set(comes.worker) & set("{}<>%&'\" ")


@given(
    st.one_of(
        st.text(max_size=100),
        st.builds(
            "{}//{}{}{}".format,
            st.sampled_from(["https:", "http:", "", "javascript:"]),
            st.sampled_from(["", "user@", "evil.example/"]),
            st.sampled_from([*SUBMIT_HOSTS, "mturk.com", "evil.example"]),
            st.sampled_from(["", "/", ":443", ".evil.example", "@evil.example", "\\@evil.example"]),
        ),
    )
)
def test_an_assignment_goes_to_one_of_two_hosts(submit_to: str) -> None:
    address = submit_address({"turkSubmitTo": submit_to})
    assert address is None or urlsplit(address)[:3] in [
        ("https", host, "/mturk/externalSubmit") for host in SUBMIT_HOSTS
    ]


def test_an_address_has_the_placeholders_of_the_platform() -> None:
    preset = Preset("who", "SESSION_ID", ("STUDY_ID",))
    assert address_query(preset, PROLIFIC) == (
        "who={{%PROLIFIC_PID%}}&SESSION_ID={{%SESSION_ID%}}&STUDY_ID={{%STUDY_ID%}}"
    )


@pytest.mark.parametrize("code", ["ABC", "a&b=c", "é"])
def test_a_code_comes_back_out_of_the_way_back(code: str) -> None:
    assert parse_qs(urlsplit(return_address(PROLIFIC.return_url, code)).query) == {"cc": [code]}
