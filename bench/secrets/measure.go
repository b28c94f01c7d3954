package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"

	"cairn/redact"
)

const (
	leastOfShapes = 97.0 // percent
	drawnOfShape  = 20   // examples
)

// tryShapes redacts examples of the shapes, either the held-out ones or the others, and returns those of which hide
// left a piece.
func tryShapes(out bool, hide func(string) string) (total int, missed []example) {
	for i, s := range shapes {
		if heldOut(i) != out {
			continue
		}
		for _, e := range s.drawn(i, drawnOfShape) {
			if total++; !isHidden(e, hide(e.Text)) {
				missed = append(missed, e)
			}
		}
	}
	return total, missed
}

// isHidden says whether a redacted text contains no piece of its secret.
func isHidden(e example, text string) bool {
	if e.folded {
		text = strings.ReplaceAll(text, "\n", "")
	}
	n := longest(e.Secret, text)
	return n < longPiece && 2*n <= len(e.Secret)
}

func percentOf(n, total int) float64 { return 100 * float64(n) / float64(max(total, 1)) }

// reportShapes prints how many shapes are caught by the redactor, and by gitleaks' own rules.
func reportShapes(out io.Writer, beside func([]string) ([]string, error), verbose bool) (ok bool, err error) {
	ok = true
	for _, held := range []bool{false, true} {
		name := "shapes caught"
		if held {
			name = "  held out"
		}
		total, missed := tryShapes(held, redact.Text)
		share := percentOf(total-len(missed), total)
		fmt.Fprintf(out, "%-17s %6d of %6d   %7.3f %%   (target: at least %g %%)\n", name, total-len(missed), total, share, leastOfShapes)
		ok = ok && share >= leastOfShapes
		for _, e := range missed {
			if verbose {
				fmt.Fprintf(out, "missed %s: %q in %q\n", e.Rule, e.Secret, e.Text)
			}
		}
		if beside == nil {
			continue
		}
		_, all := tryShapes(held, func(s string) string { return s })
		texts := make([]string, len(all))
		for i, e := range all {
			texts[i] = e.Text
		}
		left, err := beside(texts)
		if err != nil {
			return false, err
		}
		caught := 0
		for i, e := range all {
			if isHidden(e, left[i]) {
				caught++
			}
		}
		fmt.Fprintf(out, "  gitleaks' rules %6d of %6d   %7.3f %%\n", caught, len(all), percentOf(caught, len(all)))
	}
	return ok, nil
}

// besideGitleaks returns the texts without what gitleaks finds. Gitleaks is in a module of its own, so that cairn does
// not depend on it.
func besideGitleaks(texts []string) ([]string, error) {
	in, err := json.Marshal(texts)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("go", "run", "./beside")
	var out, problem bytes.Buffer
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = filepath.FromSlash(generator), bytes.NewReader(in), &out, &problem
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("running gitleaks' rules: %w\n%s", err, problem.Bytes())
	}
	var left []string
	if err := json.Unmarshal(out.Bytes(), &left); err != nil || len(left) != len(texts) {
		return nil, fmt.Errorf("gitleaks' rules answered %d of %d texts: %w", len(left), len(texts), err)
	}
	return left, nil
}

// madeForms are lines of ordinary output whose random parts are identities, digests and data, not secrets. A line of
// only 64 base64 digits is not among them: it looks like one of a private key, and is redacted on purpose.
var madeForms = [...]string{
	`      "integrity": "sha512-{b86}==",`,
	"golang.org/x/tools v0.1.2 h1:{b43}=",
	"golang.org/x/tools v0.1.2/go.mod h1:{b43}=",
	"commit {h40}",
	"index {h7}..{h7} 100644",
	"   {h7}..{h7}  main -> origin/main",
	"Digest: sha256:{h64}",
	"docker.io/library/alpine@sha256:{h64}",
	"{h12}: Pull complete",
	"request_id={uuid} status=200",
	`{"id":"{uuid}","trace_id":"{h32}","span_id":"{h16}"}`,
	"tests/test_x.py::test_hash[{h40}] PASSED",
	"tests/test_x.py::test_id[{uuid}-3] PASSED",
	"--- PASS: TestKey/{w12}#01 (0.00s)",
	`checksum = "{h64}"`,
	"    --hash=sha256:{h64} \\",
	"resolved https://registry.example.org/x/-/x-1.2.3.tgz#{h40}",
	"dist/assets/index-{w8}.js   143.20 kB │ gzip: 46.11 kB",
	"e.exports=function({a2}){return {a2}.map((function({a1}){return {a1}.{a4}({d3})}))};var {a2}={l6};",
	"//# sourceMappingURL=data:application/json;base64,{b60}",
	"background:url(data:image/png;base64,{b80}==)",
	"md5 {h32}  dist.tar.gz",
	"0x{h12} in main () at x.c:{d3}",
	"object {h40} is a blob of {d5} bytes",
	"<testcase classname=\"pkg.{a8}\" name=\"test_{a9}_{d3}\" time=\"0.{d3}\"/>",
	"ETag: \"{h32}\"",
	"cache key: linux-go-{h64}",
	"Cache restored from key: node-{h40}",
	"{uuid} | running | 10.0.{d2}.{d2}",
	"-----BEGIN CERTIFICATE-----",
	"got {h64}, want {h64}",
	"expected token: {a6}, got {a5}",
	"--fingerprint {h12} first seen in {h7}",
}

// changedOfMade returns the generated lines that the redactor changes.
func changedOfMade() (changed []string) {
	for _, line := range madeLines() {
		if got := redact.Text(line); got != line {
			changed = append(changed, fmt.Sprintf("made: %q", got))
		}
	}
	return changed
}

// madeLines returns lines generated from madeForms, the same each time.
func madeLines() []string {
	var lines []string
	r := rand.New(rand.NewPCG(20, 26))
	for range 200 {
		for _, form := range madeForms {
			lines = append(lines, fill(r, form))
		}
	}
	return lines
}
