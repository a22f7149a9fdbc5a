"""Files for the import commands, and the output of the commands."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

SOURCE = "She go home .\nI has two cat .\nIt is fine .\n"
ALDER = "She goes home .\nI have two cats .\nIt is fine .\n"
BIRCH = "She goes home .\n\nIt is fine .\n"
M2 = """\
S She go home .
A 1 2|||Vform|||goes||went|||REQUIRED|||-NONE-|||0

S I has two cat .
A 1 2|||Vform|||have|||REQUIRED|||-NONE-|||0
A 3 4|||Nn|||cats|||REQUIRED|||-NONE-|||0

S It is fine .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
"""
JSONL = """\
{"source": "She go home .", "outputs": {"Alder": "She goes home .", "Birch": "She goes home ."}}
{"source": "I has two cat .", "outputs": {"Alder": "I have two cats .", "Birch": ""}, "document": "letter"}
{"source": "It is fine .", "outputs": {"Alder": "It is fine ."}, "references": ["It is fine ."]}
"""
XML = """\
<appraise-results>
  <error-correction-ranking-result>
    <ranking-item src-id="0" user="anna" duration="00:00:30">
      <translation rank="2" system="INPUT"/>
      <translation rank="1" system="Alder Birch"/>
    </ranking-item>
    <ranking-item src-id="1" user="ben" duration="00:01:00">
      <translation rank="1" system="Alder"/>
      <translation rank="3" system="Birch"/>
    </ranking-item>
    <ranking-item src-id="1" user="anna"/>
    <ranking-item src-id="2" user="ben" duration="00:00:00">
      <translation rank="1" system="Alder Birch INPUT"/>
    </ranking-item>
  </error-correction-ranking-result>
</appraise-results>
"""
CSV = """\
judgeID,srcIndex,system1Id,system1rank,system2Id,system2rank,system3Id,system3rank
anna,1,Alder,1,Birch,1,INPUT,2
ben,2,Alder,1,INPUT,2,Birch,-1
"""

FILES = {
    "source.txt": SOURCE,
    "INPUT": SOURCE,
    "Alder": ALDER,
    "Birch": BIRCH,
    "annotator.txt": ALDER,
    "gold.m2": M2,
    "documents.txt": "letter\nletter\nreport\n",
    "domains.txt": "private\nprivate\nwork\n",
    "corpus.jsonl": JSONL,
    "judgments.xml": XML,
    "judgments.csv": CSV,
}

PARALLEL = ("--source", "source.txt", "--system", "INPUT", "Alder", "Birch", "--role", "INPUT=source")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with all the files in it."""
    write(tmp_path, FILES)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, files: Mapping[str, str | bytes]) -> None:
    for name, content in files.items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def refusal(*arguments: str) -> str:
    """The command's message for invalid arguments."""
    with pytest.raises(CommandError) as error:
        call_command(*arguments)
    assert error.value.returncode == 1
    return str(error.value)
