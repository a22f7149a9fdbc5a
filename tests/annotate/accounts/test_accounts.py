"""Admins create accounts, set roles and deactivate accounts; the last admin cannot be locked out."""

import re

import pytest
from django.test import Client
from pytest_django import Settings

from annotate.accounts import administration
from annotate.accounts.administration import AccountError
from annotate.models import AuditEntry, Role, User


@pytest.fixture
def ada(admin: Client) -> User:
    """The admin."""
    return User.objects.get(role=Role.ADMIN)


@pytest.fixture
def rita(db: None) -> User:
    """Somebody else."""
    return User.objects.create_user("rita", password="correct horse", role=Role.RESEARCHER)


def link_in(page: str) -> str:
    [path] = re.findall(r"<code>http://testserver(/set-password/\S+/)</code>", page)
    return str(path)


def set_password(link: str, *, to: str = "battery staple") -> Client:
    """Follow the link, and set a password."""
    browser = Client()
    form = browser.get(link).headers["Location"]
    browser.post(form, {"new_password1": to, "new_password2": to})
    return browser


def can_log_in(name: str, password: str) -> bool:
    return Client().login(username=name, password=password)


def on_record() -> list[tuple[str, str, str]]:
    return [(entry.who, entry.action, entry.name) for entry in AuditEntry.objects.order_by("pk")]


def test_an_invited_colleague_sets_a_password_and_is_in(admin: Client) -> None:
    link = link_in(admin.post("/accounts/new/", {"name": "rita", "role": "researcher"}).content.decode())
    rita = set_password(link)
    assert rita.get("/").context["user"].username == "rita"
    assert can_log_in("rita", "battery staple")
    assert on_record() == [
        ("the-admin", "create-account", "rita"),
        ("the-admin", "password-link", "rita"),
        ("rita", "change-password", "rita"),
    ]


def test_a_link_works_once(admin: Client, rita: User) -> None:
    link = link_in(admin.post(f"/accounts/{rita.pk}/password-link/").content.decode())
    set_password(link)
    assert "This link no longer works" in Client().get(link).content.decode()


def test_a_newer_link_and_time_end_a_link(admin: Client, rita: User, settings: Settings) -> None:
    old, new = (link_in(admin.post(f"/accounts/{rita.pk}/password-link/").content.decode()) for _ in range(2))
    assert "This link no longer works" in Client().get(old).content.decode()
    settings.PASSWORD_RESET_TIMEOUT = -1
    assert "This link no longer works" in Client().get(new).content.decode()


def test_a_link_ends_the_old_password_and_its_sessions(admin: Client, rita: User) -> None:
    browser = Client()
    browser.force_login(rita)
    admin.post(f"/accounts/{rita.pk}/password-link/")
    assert not can_log_in("rita", "correct horse")
    assert browser.get("/").status_code == 302


def test_a_weak_password_is_refused(admin: Client, rita: User) -> None:
    link = link_in(admin.post(f"/accounts/{rita.pk}/password-link/").content.decode())
    set_password(link, to="12345678")
    assert not can_log_in("rita", "12345678")


def test_a_link_to_a_deactivated_account_has_ended(admin: Client, rita: User) -> None:
    link = link_in(admin.post(f"/accounts/{rita.pk}/password-link/").content.decode())
    admin.post(f"/accounts/{rita.pk}/deactivate/")
    assert "This link no longer works" in Client().get(link).content.decode()


def test_a_deactivated_account_is_out_at_once_and_can_come_back(admin: Client, rita: User) -> None:
    browser = Client()
    browser.force_login(rita)
    admin.post(f"/accounts/{rita.pk}/deactivate/")
    assert browser.get("/").status_code == 302
    assert not can_log_in("rita", "correct horse")
    admin.post(f"/accounts/{rita.pk}/password-link/")
    admin.post(f"/accounts/{rita.pk}/reactivate/")
    assert can_log_in("rita", "correct horse")


def test_a_role_is_changed(admin: Client, rita: User) -> None:
    admin.post(f"/accounts/{rita.pk}/role/", {"role": "annotator"})
    rita.refresh_from_db()
    assert rita.role == Role.ANNOTATOR
    assert AuditEntry.objects.get().details == {"from": "researcher", "to": "annotator"}


def test_there_is_no_other_role(admin: Client, rita: User) -> None:
    page = admin.post(f"/accounts/{rita.pk}/role/", {"role": "emperor"}, follow=True).content.decode()
    assert "There is no such role" in page
    rita.refresh_from_db()
    assert rita.role == Role.RESEARCHER


@pytest.mark.parametrize(
    ("verb", "form"), [("role", {"role": "annotator"}), ("deactivate", {}), ("password-link", {})]
)
def test_nobody_does_it_to_themselves(admin: Client, ada: User, verb: str, form: dict[str, str]) -> None:
    page = admin.post(f"/accounts/{ada.pk}/{verb}/", form, follow=True).content.decode()
    assert "This is your own account" in page
    ada.refresh_from_db()
    assert (ada.role, ada.is_active) == (Role.ADMIN, True)
    assert on_record() == []


def test_of_two_admins_who_act_on_each_other_one_remains(ada: User) -> None:
    eve = User.objects.create_user("eve", role=Role.ADMIN)
    administration.change_role(eve, role=Role.ANNOTATOR, by=ada)
    with pytest.raises(AccountError, match="no longer an admin"):
        administration.change_role(ada, role=Role.ANNOTATOR, by=eve)


@pytest.mark.parametrize(
    ("name", "words"),
    [("rita", "Another account has this name"), ("", "required"), ("a b", "Only letters, digits")],
)
def test_a_wrong_name_is_explained_and_makes_nothing(
    admin: Client, rita: User, name: str, words: str
) -> None:
    page = admin.post("/accounts/new/", {"name": name, "role": "annotator"}).content.decode()
    assert words in page
    assert User.objects.count() == 2


def test_accounts_are_found_by_name_and_role(admin: Client, rita: User) -> None:
    assert "rita" in admin.get("/accounts/", {"name": "RIT"}).content.decode()
    assert "rita" not in admin.get("/accounts/", {"role": "annotator"}).content.decode()


def test_everybody_changes_the_own_password(annotator: Client) -> None:
    user = User.objects.get(role=Role.ANNOTATOR)
    user.set_password("correct horse")
    user.save()
    annotator.force_login(user)
    elsewhere = Client()
    elsewhere.force_login(user)
    form = {"old_password": "wrong", "new_password1": "battery staple", "new_password2": "battery staple"}
    assert "entered incorrectly" in annotator.post("/account/", form).content.decode()
    annotator.post("/account/", {**form, "old_password": "correct horse"})
    assert annotator.get("/").status_code == 200
    assert elsewhere.get("/").status_code == 302
    assert can_log_in(user.username, "battery staple")
    assert on_record() == [("the-annotator", "change-password", "the-annotator")]
