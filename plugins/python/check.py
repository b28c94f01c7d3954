#!/usr/bin/env python3
"""Installs a wheel of cairn-parse into a fresh environment and tries it there.

    python3 plugins/python/check.py dist/cairn_parse-….whl
"""

import os
import subprocess
import sys
import tempfile

TRIAL = r'''
import cairn_parse

text = """============================= test session starts ==============================
collected 3 items

tests/test_a.py::test_x[a b] PASSED                                      [ 33%]
tests/test_a.py::test_y FAILED                                           [ 66%]
tests/test_a.py::test_z SKIPPED (later)                                  [100%]

=================================== FAILURES ===================================
____________________________________ test_y ____________________________________

    def test_y():
>       assert 1 == 2
E       assert 1 == 2

tests/test_a.py:7: AssertionError
=========================== short test summary info ============================
FAILED tests/test_a.py::test_y - assert 1 == 2
""" + " 1 failed, 1 passed, 1 skipped in 0.03s ".center(80, "=") + "\n"
run = cairn_parse.outcomes(text, "pytest -v", 1)
assert run.tool == "pytest" and run.complete, run
assert run.as_map() == {
    "tests/test_a.py::test_x[a b]": "PASSED", "tests/test_a.py::test_y": "FAILED", "tests/test_a.py::test_z": "SKIPPED"}, run
assert [t.id for t in run.failed()] == ["tests/test_a.py::test_y"]
assert run.counts == {"failed": 1, "passed": 1, "skipped": 1}

lied = cairn_parse.outcomes(text.encode(), ["pytest", "-v"], 0)
assert not lied.complete and "exit status 0" in lied.reason, lied

dots = cairn_parse.outcomes("..\n2 passed in 0.01s\n", "pytest -q", 0)
assert dots.unnamed == {"passed": 2} and not dots.tests and not dots.complete, dots

rows = "test_a (t.T.test_a) ... ok\n\n" + "-" * 70 + "\nRan 1 test in 0.001s\n\nOK\n"
apart = cairn_parse.outcomes("", "python -m unittest -v", 0, stderr=rows)
assert apart.as_map() == {"t.T.test_a": "PASSED"}, apart

try:
    cairn_parse.outcomes("", [], 0)
    raise SystemExit("no error for a run without a command")
except cairn_parse.CairnError:
    pass
print("cairn-parse works: " + cairn_parse.find_binary())
'''


def main():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
        python = os.path.join(folder, "Scripts" if os.name == "nt" else "bin", "python")
        pip = [sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-index", "--no-deps", "--disable-pip-version-check"]
        subprocess.run(pip + [sys.argv[1]], check=True)
        subprocess.run([python, "-I", "-c", TRIAL], check=True, cwd=folder)


if __name__ == "__main__":
    main()
