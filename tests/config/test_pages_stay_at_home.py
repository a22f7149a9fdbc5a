"""No page sends requests to another host, and every response has the content policy."""

import re
from pathlib import Path

from django.conf import settings
from django.test import Client


def test_templates_and_styles_name_no_other_host() -> None:
    files = [
        path
        for folder in ("templates", "static")
        for path in (Path(settings.BASE_DIR) / folder).rglob("*")
        if path.suffix in {".html", ".css", ".js"}
    ]
    assert files
    outside = re.compile(r"""(?:src|href|url|import)\s*[=(]?\s*["']?(?:https?:)?//""")
    assert [path for path in files if outside.search(path.read_text())] == []


def test_every_answer_carries_the_content_policy(stranger: Client) -> None:
    policy = stranger.get("/login/")["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
