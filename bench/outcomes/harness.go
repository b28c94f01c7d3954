package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"cairn/bench/packages"
)

// harness counts the results of SWE-bench's log parser for the same runner on the same output.
type harness struct{ right, wrong, phantom, falsePass int }

func (h *harness) add(o harness) {
	h.right, h.wrong, h.phantom, h.falsePass = h.right+o.right, h.wrong+o.wrong, h.phantom+o.phantom, h.falsePass+o.falsePass
}

// harnessPackage is the package with these parsers, which run unchanged in a virtual environment of their own.
const harnessPackage = "swebench==5.0.2"

// harnessParsers are the names of its parsers by runner.
var harnessParsers = map[string]string{"pytest": "parse_log_pytest_v2", "unittest": "parse_log_django", "go test": "parse_log_gotest", "cargo test": "parse_log_cargo"}

// harnessProgram runs a parser. Packages that it imports for other purposes, such as docker, are replaced by mocks.
const harnessProgram = `import importlib.abc, importlib.machinery, json, sys, unittest.mock
class Absent(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("docker", "datasets", "modal", "bs4", "requests", "dotenv", "git", "ghapi", "fastcore", "tqdm", "rich", "unidiff", "tenacity", "chardet"):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
    def create_module(self, spec):
        module = unittest.mock.MagicMock(name=spec.name)
        module.__path__, module.__spec__ = [], spec
        return module
    def exec_module(self, module):
        pass
sys.meta_path.append(Absent())
from swebench.harness import log_parsers
print(json.dumps(getattr(log_parsers, sys.argv[1])(sys.stdin.buffer.read().decode("utf-8", "replace"), None)))`

// harness runs the parser on an output, and compares its result with the truth. An id without its file, package or
// class counts for any test whose id ends with it, whichever fits best.
func (b *bench) harness(runner string, o packages.Output, want map[string]string) (h harness, err error) {
	parser := harnessParsers[runner]
	if parser == "" {
		return h, nil
	}
	venv := filepath.Join(b.Dir, "swebench")
	python := filepath.Join(venv, "bin", "python")
	err = b.Once(venv, func() error {
		if _, err := packages.Must("", nil, "python3", "-m", "venv", venv); err != nil {
			return err
		}
		_, err := packages.Must("", nil, filepath.Join(venv, "bin", "pip"), "-q", "install", "--no-deps", harnessPackage)
		return err
	})
	if err != nil {
		return h, err
	}
	cmd := exec.Command(python, "-c", harnessProgram, parser)
	cmd.Stdin = bytes.NewReader(append(append(bytes.Clone(o.Stdout), '\n'), o.Stderr...))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return h, fmt.Errorf("%s of %s: %w: %s", parser, harnessPackage, err, stderr.Bytes())
	}
	var got map[string]string
	if err := json.Unmarshal(out, &got); err != nil {
		return h, fmt.Errorf("%s of %s: %w", parser, harnessPackage, err)
	}
	ends := endsOf(want)
	for id, status := range got {
		h.judge(ends, id, strings.ToLower(status))
	}
	return h, nil
}

func (h *harness) judge(ends map[string]map[string]bool, id, came string) {
	truths := ends[id]
	if in := inBrackets.FindStringSubmatch(id); truths == nil && in != nil { // the form in which unittest prints ids
		if truths = ends[in[2]]; truths == nil {
			truths = ends[in[2]+"."+in[1]]
		}
	}
	came = map[string]string{"xfail": "xfailed"}[came] + map[bool]string{true: "", false: came}[came == "xfail"]
	bad := came == "failed" || came == "error"
	switch {
	case len(truths) == 0:
		h.phantom++
	case truths[came], bad && (truths["failed"] || truths["error"]), came == "passed" && truths["xpassed"]:
		h.right++
	case came == "passed" && (truths["failed"] || truths["error"]):
		h.falsePass++
	default:
		h.wrong++
	}
}

var inBrackets = regexp.MustCompile(`^(\w+) \(([\w.]+)\)`)

// endsOf maps each id, and each end of an id after a separator, to the outcomes of the tests with it.
func endsOf(want map[string]string) map[string]map[string]bool {
	ends := map[string]map[string]bool{}
	for id, came := range want {
		for at := 0; at < len(id); at++ {
			if at > 0 && !strings.HasSuffix(id[:at], ".") && !strings.HasSuffix(id[:at], "::") && !strings.HasSuffix(id[:at], "/") {
				continue
			}
			if ends[id[at:]] == nil {
				ends[id[at:]] = map[string]bool{}
			}
			ends[id[at:]][came] = true
		}
	}
	return ends
}
