"""Lets a language model judge a campaign of Assay: takes items, asks an OpenAI-compatible endpoint, answers.

    ASSAY_TOKEN=... MODEL_KEY=... python judge_by_model.py --site https://assay.example.org \\
        --endpoint https://api.example.com/v1/chat/completions --model gpt-4o --budget 500 --log replies.jsonl

Needs only the standard library. It judges rankings and scores. The log holds every reply: started again with
the same log, the program asks nothing twice, and answers that were not sent are sent.
"""

import argparse
import json
import os
import re
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TRIES = 6
LONGEST_WAIT = 60.0
ITEMS_AT_ONCE = 10
FIELDS = {"relative-ranking": "rank", "partial-ranking-with-scalars": "score"}
WANTED = {
    "rank": "Give each correction a rank, 1 for the best; equal ranks are ties.",
    "score": "Give each correction a score from 0 (useless) to 100 (perfect).",
}


def fetch(address: str, token: str, body: object = None, *, method: str = "POST") -> Any:
    """The JSON that an address answers; asked again after a while if it is busy or fails.

    Raises:
        urllib.error.HTTPError, urllib.error.URLError: it refuses, or fails again and again.
    """
    data = b"" if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    request = urllib.request.Request(address, data if method == "POST" else None, headers, method=method)
    for attempt in range(TRIES):
        wait = min(2.0**attempt, LONGEST_WAIT)
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if (error.code not in (408, 429) and error.code < 500) or attempt == TRIES - 1:
                print(error.read().decode(errors="replace"), file=sys.stderr)
                raise
            wait = float(error.headers.get("Retry-After") or wait)
        except (urllib.error.URLError, TimeoutError):
            if attempt == TRIES - 1:
                raise
        time.sleep(wait)
    raise AssertionError("unreachable")


def prompt_of(item: dict[str, Any], task: dict[str, Any], field: str) -> str:
    """What the model is asked."""
    corrections = "\n".join(f"{place}. {text}" for place, text in enumerate(item["outputs"], start=1))
    return (
        f"{task['guidelines'] or task['task']}\n\nSentence: {item['source']}\nCorrections:\n{corrections}\n\n"
        f"{WANTED[field]} Answer with a JSON list of {len(item['outputs'])} whole numbers and nothing else."
    )


def answer_in(reply: str, number: int, field: str) -> dict[str, str] | None:
    """The fields of the screen in a reply; None if they are not in it."""
    found = re.search(r"\[[\d,\s]*\]", reply)
    values = json.loads(found[0]) if found else []
    limits = range(1, number + 1) if field == "rank" else range(101)
    if len(values) != number or not all(value in limits for value in values):
        return None
    return {f"{field}-{place}": str(value) for place, value in enumerate(values)}


def judge(options: argparse.Namespace, assay_token: str, model_key: str) -> Iterator[str]:
    """Judge until nothing is left or the budget is spent; what was done, in words."""
    site = f"{options.site.rstrip('/')}/api/v1/machine/"
    task = fetch(site, assay_token, method="GET")
    field = FIELDS[task["protocol"]]
    log = Path(options.log)
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    replies = {reply["item"]: reply for reply in map(json.loads, lines)}
    if replies:
        yield f"{len(replies)} replies in the log"
        send(site, assay_token, list(replies.values()))
    asked = 0
    while items := fetch(f"{site}items/?limit={ITEMS_AT_ONCE}", assay_token):
        for item in items:
            if item["number"] in replies:
                continue
            if asked >= options.budget:
                yield f"the budget of {options.budget} requests is spent"
                return
            question = {
                "model": options.model,
                "temperature": options.temperature,
                "messages": [{"role": "user", "content": prompt_of(item, task, field)}],
            }
            said = fetch(options.endpoint, model_key, question)["choices"][0]["message"]["content"] or ""
            asked += 1
            answer = answer_in(said, len(item["outputs"]), field)
            reply = {"item": item["number"], "key": str(uuid.uuid4()), "answer": answer, "reply": said}
            with log.open("a", encoding="utf-8") as file:
                file.write(json.dumps(reply) + "\n")
            replies[item["number"]] = reply
            send(site, assay_token, [reply])
        yield f"{asked} asked"


def send(site: str, token: str, replies: list[dict[str, Any]]) -> None:
    """Send answers; those that Assay has already change nothing."""
    for first in range(0, len(replies), 100):
        answers = [
            {
                "item": reply["item"],
                "key": reply["key"],
                "answer": reply["answer"],
                "note": "" if reply["answer"] else f"no answer in: {reply['reply'][:500]}",
            }
            for reply in replies[first : first + 100]
        ]
        fetch(f"{site}answers/", token, {"answers": answers})


def main() -> None:
    """Read the options and judge."""
    parser = argparse.ArgumentParser(description="Lets a language model judge a campaign of Assay.")
    parser.add_argument("--site", required=True, help="address of Assay")
    parser.add_argument("--endpoint", required=True, help="address of chat completions")
    parser.add_argument("--model", required=True)
    parser.add_argument("--temperature", type=float, default=0.0)
    parser.add_argument("--budget", type=int, required=True, help="number of requests to the model at most")
    parser.add_argument("--log", required=True, help="file of replies, JSON Lines")
    options = parser.parse_args()
    for done in judge(options, os.environ["ASSAY_TOKEN"], os.environ.get("MODEL_KEY", "")):
        print(done, file=sys.stderr)


if __name__ == "__main__":
    main()
