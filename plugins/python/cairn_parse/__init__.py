"""What every test of a run came to, from what its runner printed.

    import cairn_parse
    run = cairn_parse.outcomes(text, "pytest -v", 1)
    run.tests["tests/test_cart.py::test_adds"].outcome   # "failed"
    run.complete                                         # False: run.reason says why
    run.as_map()                                         # {"tests/test_cart.py::test_adds": "FAILED", ...}

The wheel carries the program ``cairn``, which reads the output. It opens no
connection, reads no file of the project and keeps nothing.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import tempfile
from dataclasses import dataclass, field
from typing import Dict, List, Mapping, Optional, Sequence, Union

__all__ = ["CairnError", "Outcomes", "Test", "find_binary", "outcomes"]

#: The outcomes of a test.
OUTCOMES = ("passed", "failed", "error", "skipped", "xfailed", "xpassed", "flaky", "not_run")


class CairnError(RuntimeError):
    """The program could not be found, or could not read what it was given."""


@dataclass(frozen=True)
class Test:
    """One test: its id as its runner selects it, and what it came to."""

    id: str
    outcome: str
    duration_ms: Optional[int] = None
    at: Optional[str] = None
    tool: Optional[str] = None
    times: int = 1
    parent: bool = False

    __test__ = False  # pytest collects classes of this name

    @property
    def ok(self) -> bool:
        """The test did not fail: it may have been skipped, or have failed as expected."""
        return self.outcome not in ("failed", "error", "not_run")


@dataclass(frozen=True)
class Outcomes:
    """The tests of one run.

    ``complete`` says that the list names every test that the runner counts, and agrees
    with its counts and its exit status; otherwise ``reason`` says why not. ``unnamed``
    are the tests that the runner counts without a name, by outcome.
    """

    tool: str
    complete: bool
    reason: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    unnamed: Mapping[str, int] = field(default_factory=dict)
    tests: Mapping[str, Test] = field(default_factory=dict)

    def as_map(self) -> Dict[str, str]:
        """The ids and words such as PASSED, for a harness that scores patches."""
        return {id: test.outcome.upper() for id, test in self.tests.items()}

    def failed(self) -> List[Test]:
        """The tests that failed, or that something around them failed for."""
        return [test for test in self.tests.values() if test.outcome in ("failed", "error")]


def find_binary() -> str:
    """The path of the program that the wheel carries."""
    name = "cairn.exe" if sys.platform == "win32" else "cairn"
    package = os.path.dirname(os.path.abspath(__file__))
    folders = [
        sysconfig.get_path("scripts"),
        sysconfig.get_path("scripts", scheme=_user_scheme()),
        os.path.join(os.path.dirname(package), "bin"),  # pip install --target
    ]
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return path
    raise CairnError("the program cairn is not in " + ", ".join(folders) + ": install the wheel cairn-parse again")


def _user_scheme() -> str:
    if sys.version_info >= (3, 10):
        return sysconfig.get_preferred_scheme("user")
    return "nt_user" if os.name == "nt" else "posix_user"


def outcomes(
    text: Union[str, bytes],
    command: Union[str, Sequence[str]],
    exit: Optional[int] = None,
    *,
    stderr: Union[str, bytes, None] = None,
    artifacts: Sequence[str] = (),
    timed_out: bool = False,
    cut: bool = False,
) -> Outcomes:
    """What every test came to.

    text       what the run printed: stdout, or both streams in one
    command    the command that was run: a line of shell, or its words
    exit       its exit status; without it the list cannot be held against it
    stderr     stderr, where it was recorded apart
    artifacts  paths of report files that the run wrote
    timed_out  the run was ended because its time was up
    cut        the recording is cut short

    Raises CairnError where the output could not be read, and never because tests failed.
    """
    argv = [find_binary(), "parse", "--tests", "--format", "json"]
    if exit is not None:
        argv.append(f"--exit={exit}")
    argv += [f"--artifact={path}" for path in artifacts]
    argv += ["--timed-out"] if timed_out else []
    argv += ["--cut"] if cut else []
    with tempfile.TemporaryDirectory(prefix="cairn-parse-") as folder:
        if stderr is not None:
            path = os.path.join(folder, "stderr")
            with open(path, "wb") as file:
                file.write(_bytes(stderr))
            argv.append("--stderr=" + path)
        argv.append("--stdout=-")
        argv += ["--shell", command] if isinstance(command, str) else ["--", *command]
        done = subprocess.run(argv, input=_bytes(text), capture_output=True, check=False)
    if done.returncode != 0:
        raise CairnError(done.stderr.decode("utf-8", "replace").strip())
    return _read(json.loads(done.stdout))


def _bytes(text: Union[str, bytes]) -> bytes:
    return text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text


def _read(said: Mapping[str, object]) -> Outcomes:
    tests = [Test(**{key: one[key] for key in one if key in Test.__dataclass_fields__}) for one in said.get("tests") or ()]
    return Outcomes(
        tool=said.get("tool", ""),
        complete=said["complete"],
        reason=said.get("reason", ""),
        counts=said.get("counts") or {},
        unnamed=said.get("unnamed") or {},
        tests={test.id: test for test in tests},
    )
