"""Reads the events of `go test -json` from stdin and says in a few lines what came out.

    packages   a line for each package: ok, no test files or FAIL, with its seconds
    slowest    the forty tests that took longest, with their seconds; subtests are in the time of their test
    skipped    the name of each skipped test
    failed     what each failed test printed, and what its package printed besides

Exit status 0. The events are described by `go doc test2json`.
"""
import json
import sys


def events(lines):
    for line in lines:
        try:
            yield json.loads(line)
        except ValueError:
            # A program that does not build is told in plain text.
            yield {"Action": "output", "Package": "", "Output": line}


def read(lines):
    """The outcome of each test (name None: of the package) and what it printed. One that ran twice failed if it failed once."""
    outcome, printed = {}, {}
    for e in events(lines):
        key = (e.get("Package") or e.get("ImportPath", ""), e.get("Test"))
        if e["Action"] in ("output", "build-output"):
            printed.setdefault(key, []).append(e["Output"])
        elif e["Action"] in ("pass", "fail", "skip", "build-fail"):
            if not outcome.get(key, ("",))[0].endswith("fail"):
                outcome[key] = (e["Action"], e.get("Elapsed", 0))
    return outcome, printed


def failed(outcome, printed):
    """What is worth reading: a test whose subtests failed only repeats them."""
    bad = [k for k, (what, _) in outcome.items() if what.endswith("fail")]
    started = {k for k in printed if k[1] and k not in outcome}  # in the midst of these the program ended
    bad += sorted(started) + [k for k in printed if k[0] == "" and k not in bad]
    for package, test in bad:
        text = "".join(printed.get((package, test), []))
        print(f"\n-- {package} {test or ''}\n{text}", end="")


def main(what):
    outcome, printed = read(sys.stdin)
    if what == "packages":
        names = {"pass": "ok", "skip": "no test files", "fail": "FAIL"}
        for (package, test), (result, seconds) in sorted(outcome.items(), key=str):
            if test is None and result in names:
                print(f"{names[result]:14}{package}  {seconds:.1f}s")
    elif what == "skipped":
        print("\n".join(sorted({t for (_, t), (result, _) in outcome.items() if t and result == "skip"})))
    elif what == "slowest":
        times = [(seconds, package, test) for (package, test), (_, seconds) in outcome.items() if test and "/" not in test]
        for seconds, package, test in sorted(times, reverse=True)[:40]:
            print(f"{seconds:7.1f}s {package} {test}")
    elif what == "failed":
        failed(outcome, printed)
    else:
        sys.exit("usage: tests.py packages|slowest|skipped|failed < EVENTS")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
