from django.conf import LazySettings
from django.test import Client

from annotate.models import Role, User


def test_it_works(stranger: Client) -> None:
    User.objects.create_user("rita", password="correct horse", role=Role.RESEARCHER)
    response = stranger.post("/login/", {"username": "rita", "password": "correct horse", "next": "/"})
    assert response["Location"] == "/"


def test_a_wrong_password_is_explained(stranger: Client) -> None:
    User.objects.create_user("rita", password="correct horse")
    response = stranger.post("/login/", {"username": "rita", "password": "battery"})
    assert "do not match" in response.content.decode()


def test_it_never_leads_to_another_site(stranger: Client) -> None:
    User.objects.create_user("rita", password="correct horse")
    form = {"username": "rita", "password": "correct horse", "next": "https://evil.example/"}
    assert stranger.post("/login/", form)["Location"] == "/"


def test_the_first_account_is_an_admin(db: None) -> None:
    assert User.objects.create_superuser("root", password="correct horse").role == Role.ADMIN


def test_an_account_tells_nobody_whether_it_exists(stranger: Client) -> None:
    User.objects.create_user("rita", password="correct horse")
    User.objects.create_user("gone", password="correct horse", is_active=False)
    User.objects.create(username="invited").set_unusable_password()
    answers = {
        stranger.post("/login/", {"username": name, "password": "battery"}).context["form"].errors.as_text()
        for name in ("rita", "gone", "invited", "nobody")
    }
    assert len(answers) == 1


def test_a_found_session_does_not_allow_guessing_the_password(
    stranger: Client, settings: LazySettings
) -> None:
    settings.LOGIN_FAILURES = 3
    rita = User.objects.create_user("rita", password="correct horse")
    stranger.force_login(rita)
    new = {"new_password1": "battery staple", "new_password2": "battery staple"}
    guesses = [stranger.post("/account/", {**new, "old_password": f"guess {guess}"}) for guess in range(3)]
    assert [answer.status_code for answer in guesses] == [200, 200, 200]
    blocked = stranger.post("/account/", {**new, "old_password": "correct horse"})
    assert blocked.status_code == 429
    assert 0 < int(blocked["Retry-After"]) <= settings.LOGIN_BLOCK_MINUTES * 60
    assert "Too many failed attempts" in blocked.content.decode()
    rita.refresh_from_db()
    assert rita.check_password("correct horse")
