"""People who guess passwords are blocked for a while; others are not."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test import Client, RequestFactory
from pytest_django import Settings

from annotate.accounts.logins import WIDER, LoginBlockedError, begin_attempt, fail, succeed
from annotate.models import AuditEntry, LoginAttempt, User
from annotate.web.addresses import address_of

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
LIMIT = 3


@pytest.fixture(autouse=True)
def limits(settings: Settings) -> None:
    settings.LOGIN_FAILURES = LIMIT
    settings.LOGIN_BLOCK_MINUTES = 10


def fail_often(
    times: int, *, name: str = "rita", addresses: Iterable[str] = ("1.1.1.1",), now: datetime = NOON
) -> None:
    for address in list(addresses) * times:
        fail(begin_attempt(name=name, address=address, now=now))


@pytest.mark.django_db
class TestRules:
    """The counted attempts, and for how long they count."""

    def test_after_some_failures_the_name_waits_until_the_first_of_them_is_old(self) -> None:
        fail_often(1)
        fail_often(LIMIT - 1, now=NOON + timedelta(minutes=4))
        with pytest.raises(LoginBlockedError) as refusal:
            begin_attempt(name="rita", address="1.1.1.1", now=NOON + timedelta(minutes=5))
        assert refusal.value.until == NOON + timedelta(minutes=10)
        begin_attempt(name="rita", address="1.1.1.1", now=NOON + timedelta(minutes=10, seconds=1))

    def test_attempts_while_blocked_do_not_make_it_longer(self) -> None:
        fail_often(LIMIT)
        for minute in range(10):
            with pytest.raises(LoginBlockedError):
                begin_attempt(name="rita", address="1.1.1.1", now=NOON + timedelta(minutes=minute))
        begin_attempt(name="rita", address="1.1.1.1", now=NOON + timedelta(minutes=10, seconds=1))

    def test_other_names_and_other_addresses_go_on(self) -> None:
        fail_often(LIMIT)
        begin_attempt(name="ben", address="1.1.1.1", now=NOON)
        begin_attempt(name="rita", address="2.2.2.2", now=NOON)

    def test_a_name_from_everywhere_is_blocked_in_the_end(self) -> None:
        fail_often(1, addresses=[f"1.1.1.{host}" for host in range(WIDER * LIMIT)])
        with pytest.raises(LoginBlockedError):
            begin_attempt(name="rita", address="2.2.2.2", now=NOON)

    def test_an_address_with_many_names_is_blocked_in_the_end(self) -> None:
        for number in range(WIDER * LIMIT):
            fail_often(1, name=f"name-{number}")
        with pytest.raises(LoginBlockedError):
            begin_attempt(name="another", address="1.1.1.1", now=NOON)

    def test_a_success_forgets_the_failures_from_there(self) -> None:
        fail_often(LIMIT - 1)
        succeed(begin_attempt(name="rita", address="1.1.1.1", now=NOON))
        fail_often(LIMIT)

    def test_the_block_is_logged_once_without_the_password(self) -> None:
        User.objects.create_user("rita")
        fail_often(LIMIT)
        fail_often(LIMIT, name="my password")
        entries = AuditEntry.objects.order_by("pk").values_list("action", "name", "details")
        assert list(entries) == [
            ("block-logins", "1.1.1.1", {"account": "rita"}),
            ("block-logins", "1.1.1.1", {"account": "unknown"}),
        ]
        assert "my password" not in str(list(LoginAttempt.objects.values()))

    def test_old_failures_are_swept(self) -> None:
        fail_often(LIMIT)
        begin_attempt(name="ben", address="1.1.1.1", now=NOON + timedelta(hours=1))
        assert LoginAttempt.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_many_at_once_are_counted_one_by_one() -> None:
    def attempt(number: int) -> bool:
        try:
            begin_attempt(name="rita", address="1.1.1.1", now=NOON)
        except LoginBlockedError:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(attempt, range(24))) <= LIMIT


def test_the_page_says_when_to_try_again_for_any_name(stranger: Client) -> None:
    User.objects.create_user("rita", password="correct horse")
    for name in ("rita", "nobody"):
        wrong = {"username": name, "password": "battery"}
        for _ in range(LIMIT):
            assert stranger.post("/login/", wrong).status_code == 200
        response = stranger.post("/login/", {**wrong, "password": "correct horse"})
        assert response.status_code == 429
        assert "Try again in 10 minutes" in response.content.decode()
        assert 590 <= int(response["Retry-After"]) <= 600


@pytest.mark.parametrize(
    ("proxies", "passed_on", "address"),
    [
        (0, "9.9.9.9", "127.0.0.1"),
        (1, "9.9.9.9, 8.8.8.8", "8.8.8.8"),
        (2, "9.9.9.9, 8.8.8.8, 10.0.0.1", "8.8.8.8"),
        (2, "8.8.8.8", "127.0.0.1"),
        (1, "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        (1, "::ffff:8.8.8.8", "8.8.8.8"),
        (1, "unknown", "unknown"),
    ],
)
def test_the_address_is_the_one_that_our_own_proxies_name(
    settings: Settings, proxies: int, passed_on: str, address: str
) -> None:
    settings.PROXIES = proxies
    assert address_of(RequestFactory().get("/", headers={"X-Forwarded-For": passed_on})) == address
