//go:build unix

package capture

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"cairn/manifest"
	"cairn/objects"
	"cairn/redact"
	"cairn/render"
	"cairn/result"
)

// shelf keeps what is put, and can say no.
type shelf struct{ last []byte }

func (s *shelf) backend() *backend {
	return &backend{put: func(r io.Reader) (objects.Info, error) {
		data, err := io.ReadAll(r)
		s.last = data
		return objects.Info{ID: objects.ID{1}}, err
	}}
}

func newRecord() *manifest.Record {
	return &manifest.Record{V: 1, ID: "01JD5Z2V6Q8T9W0XABCDEFGHJK", Time: time.Unix(1e9, 0)}
}

// Whatever a command is and a tool says, the record fits on a line, and what
// it leaves out is in the object it names.
func TestRecordFits(t *testing.T) {
	long := rapid.Custom(func(t *rapid.T) string {
		text := rapid.SampledFrom([]string{"a", "\"", "\\", "\n", "\xff", "é", "\x1b[31m", "世", "\u2028", "\t", " "}).Draw(t, "text")
		return strings.Repeat(text, rapid.SampledFrom([]int{0, 1, 100, 5000, 9000, 100_000}).Draw(t, "times"))
	})
	rapid.Check(t, func(t *rapid.T) {
		var red redact.Redactor
		rec := newRecord()
		arg := rapid.SampledFrom([]string{"x", "-k", "\n", "\xff\xfe", "a\"b", strings.Repeat("y", 50)}).Draw(t, "arg")
		argv := slices.Repeat([]string{arg}, rapid.SampledFrom([]int{0, 1, 3, 2000}).Draw(t, "args"))
		argv = append(argv, long.Draw(t, "long arg"))
		if rapid.Bool().Draw(t, "shell") {
			setArgv(rec, nil, long.Draw(t, "line"), &red)
		} else {
			setArgv(rec, argv, "", &red)
		}
		rec.Dir = cut(long.Draw(t, "dir"), maxName)
		rec.By = boundBy(&manifest.By{Agent: long.Draw(t, "agent"), Session: long.Draw(t, "session")}, &red)
		full := drawResult(t, long)
		var s shelf
		lost, err := setResult(rec, s.backend(), full)
		if lost != nil || err != nil {
			t.Fatal(lost, err)
		}
		line, err := rec.Encode()
		if err != nil || len(line) >= manifest.MaxLine || bytes.ContainsRune(line, '\n') || !utf8.Valid(line) {
			t.Fatalf("%d bytes, %v", len(line), err)
		}
		checkWhole(t, rec, full, s.last)
	})
}

func drawResult(t *rapid.T, long *rapid.Generator[string]) *result.ToolResult {
	r := &result.ToolResult{Tool: "tool", Kind: result.Lint, Status: result.Failed, ParserConfidence: result.Parsed,
		Body: long.Draw(t, "body"), Counts: map[string]int{"errors": 1, long.Draw(t, "count"): 3},
		Extra: map[string]any{"doubt": long.Draw(t, "extra")}}
	for i := range rapid.SampledFrom([]int{0, 1, 7, 60, 3000}).Draw(t, "findings") {
		r.Findings = append(r.Findings, result.Finding{Kind: result.Diagnostic, Severity: result.SevError,
			Message: fmt.Sprintf("thing %d failed", i), Detail: strings.Repeat("d", i%500), At: &result.Location{Path: fmt.Sprintf("f%d.go", i), Line: i + 1}})
	}
	if len(r.Findings) > 0 {
		r.Findings[0].Message = "m" + long.Draw(t, "message")
	}
	for range rapid.SampledFrom([]int{0, 50}).Draw(t, "parts") {
		r.Parts = append(r.Parts, result.Part{Tool: "tool", Name: strings.Repeat("n", 500), Status: result.Failed})
	}
	result.Seal(r, result.Workspace{})
	r.Summary = result.Summarise(r)
	return r
}

func checkWhole(t *rapid.T, rec *manifest.Record, full *result.ToolResult, kept []byte) {
	whole, _ := full.JSON()
	short, err := rec.Result()
	if err != nil {
		t.Fatal(err)
	}
	if len(rec.RawResult) > maxInline {
		t.Fatalf("inline %d bytes", len(rec.RawResult))
	}
	if short.Status != full.Status || short.Truncated.FindingsShown != len(short.Findings) || short.Truncated.FindingsTotal != full.Truncated.FindingsTotal {
		t.Fatalf("%+v", short.Truncated)
	}
	if rec.ResultOID == "" && len(short.Findings) == len(full.Findings) {
		return
	}
	if !bytes.Equal(kept, whole) || rec.ResultOID == "" {
		t.Fatalf("kept %d of %d", len(kept), len(whole))
	}
	for i, fp := range rec.More {
		if fp != full.Findings[len(short.Findings)+i].Fingerprint {
			t.Fatal("more is not what was left out")
		}
	}
	if len(rec.More) == 0 && len(short.Findings) < len(full.Findings) {
		t.Fatal("findings were left out without a trace")
	}
}

func TestBoundArgv(t *testing.T) {
	big := strings.Repeat("x", 1<<20)
	for _, tt := range []struct {
		name string
		argv []string
		want []string
	}{
		{"short", []string{"go", "test", "./..."}, []string{"go", "test", "./..."}},
		{"one huge", []string{"echo", big, "end"}, []string{"echo", big[:maxInlineArg] + "[… 1047552 bytes]", "end"}},
		{"newline", []string{"sh", "-c", "a\nb"}, []string{"sh", "-c", "a\nb"}},
		{"not UTF-8", []string{"a\xffb"}, []string{"a\ufffdb"}},
		{"escape", []string{"\x1b[31mred"}, []string{"red"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := boundArgv(tt.argv); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", tt.want) {
				t.Errorf("got %.300q", got)
			}
		})
	}
	many := boundArgv(strings.Fields(strings.Repeat("word ", 10000)))
	if last := many[len(many)-1]; last != fmt.Sprintf("[… %d more arguments]", 10000-len(many)+1) {
		t.Errorf("last: %q of %d", last, len(many))
	}
}

func TestCutKeepsCharacters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, n := rapid.String().Draw(t, "s"), rapid.IntRange(0, 20).Draw(t, "n")
		got := cut(s, n)
		head, rest, was := strings.Cut(got, "[… ")
		if !utf8.ValidString(got) || len(s) <= n != (got == s) {
			t.Fatalf("cut(%q, %d) = %q", s, n, got)
		}
		if len(s) > n && (!was || !strings.HasPrefix(s, head) || rest != fmt.Sprintf("%d bytes]", len(s)-len(head))) && !strings.Contains(s, "[… ") {
			t.Fatalf("cut(%q, %d) = %q", s, n, got)
		}
	})
}

// A secret that lies across the place where an argument is cut is taken out
// before.
func TestRedactBeforeCutting(t *testing.T) {
	secret := "ghp_" + strings.Repeat("aB3dE5gH7j", 3) + "K9mN1p"
	for off := range len(secret) + 2 {
		var red redact.Redactor
		rec := newRecord()
		pad := strings.Repeat("x ", (maxInlineArg-off)/2) + strings.Repeat(" ", (maxInlineArg-off)%2)
		setArgv(rec, []string{"echo", pad + secret, strings.Repeat("y", maxInlineArgv)}, "", &red)
		if strings.Contains(mustJSON(rec), secret[:8]) {
			t.Fatalf("at %d: %.80q", off, rec.Argv[1][maxInlineArg-60:])
		}
		line := strings.Repeat("x ", (maxInlineArgv-off)/2) + strings.Repeat(" ", off%2)
		setArgv(rec, nil, line+secret+" more", &red)
		if strings.Contains(rec.Shell, secret[:8]) {
			t.Fatalf("shell at %d: %q", off, rec.Shell[maxInlineArgv-60:])
		}
	}
}

// secretFor puts a secret together, so that this file holds none.
func secretFor(n string) string { return "gh" + "p_aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1cD3e" + n }

// No secret reaches what git tracks or an answer, whichever way it came in.
func TestNothingLeaks(t *testing.T) {
	dir := repository(t)
	git(t, dir, "checkout", "-q", "-b", "fix-"+secretFor("F1"))
	secret := secretFor("G2")
	placed := "hunter" + "2abcXYZ"
	for _, tt := range []struct {
		name string
		o    Options
		fail bool // the record is made by recovery
	}{
		{"argv", options(dir, "/bin/sh", "-c", "exit 1", "x", "--token="+secret, "--password", placed), false},
		{"shell", func() Options {
			o := options(dir)
			o.Command.Shell = ": mysql -p" + placed + " " + secret + "; echo error: bad token " + secret + "; exit 1"
			return o
		}(), false},
		{"output", shell(dir, "echo error: bad token $KEY; exit 1"), false},
		{"recovered", shell(dir, "echo error: bad token $KEY; : --password "+placed+"; exit 1"), true},
		{"not found", options(dir, "no-such-"+secret), false},
		{"start error", options(dir, "cat", "--password", placed+"\x00"), false},
		{"agent", func() Options {
			o := shell(dir, "exit 1")
			o.By = &manifest.By{Agent: secret, Session: secret}
			return o
		}(), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := tt.o
			o.Command.Env = append(os.Environ(), "KEY="+secret)
			if tt.fail {
				o.hurt = appendFails(&nth{at: 1, err: syscall.EIO, forever: true})
			}
			out := Run(t.Context(), o)
			out.CatchUp(t.Context())
			s := site(t, dir)
			CatchUp(t.Context(), s, true, nil)
			text, err := render.Compact(out.Result, out.Raw), error(nil)
			if err != nil {
				t.Fatal(err)
			}
			record := mustJSON(out.Record)
			if tt.fail {
				all := records(t, s)
				record = mustJSON(all[len(all)-1])
			}
			shown := string(text) + string(out.Raw) + record + git(t, dir, "log", "-p", "cairn") + manifestText(t, s.Dir)
			for _, bad := range []string{secret, secretFor("F1"), placed} {
				if i := strings.Index(shown, bad); i >= 0 {
					t.Errorf("leaked: …%s", shown[max(0, i-200):i])
				}
			}
			if !strings.Contains(record, `"redacted":[`) {
				t.Errorf("no count: %s", record)
			}
		})
	}
}

// No name of a directory or file leaks either, wherever it stands: in the path of the repository, of a linked worktree or below
// it, or only in what was printed. What lies in the workspace is still known to.
func TestNoPlaceLeaks(t *testing.T) {
	secret := secretFor("P6")
	below := func(t *testing.T, dir string) string { // a directory within
		sub := filepath.Join(dir, "d-"+secret+"_old", "s")
		if err := os.MkdirAll(sub, 0o755); err != nil {
			t.Fatal(err)
		}
		return sub
	}
	for name, at := range map[string]func(t *testing.T) string{
		"directory": func(t *testing.T) string { return below(t, repository(t)) },
		"worktree": func(t *testing.T) string {
			wt := filepath.Join(t.TempDir(), secret+"-wt")
			git(t, repository(t), "worktree", "add", "-q", "-b", "w/"+secret+".x", wt)
			return wt
		},
		"both": func(t *testing.T) string {
			wt := filepath.Join(t.TempDir(), secret+"-wt")
			git(t, repository(t), "worktree", "add", "-q", "-b", "w/"+secret+".x", wt)
			return below(t, wt)
		},
	} {
		for _, dies := range []bool{false, true} {
			t.Run(fmt.Sprint(name, dies), func(t *testing.T) {
				dir := at(t)
				script := `echo "a-$KEY+b/m.py:3:1: F401 unused"; echo "$PWD/a-$KEY+b/m.py:4:1: F401 unused too"; echo "make: Entering directory '$PWD/a-$KEY'"; exit 1`
				o := shell(dir, script)
				o.Tool = "ruff"
				o.Command.Env = append(os.Environ(), "KEY="+secret, "PWD="+dir)
				if dies {
					o.hurt = appendFails(&nth{at: 1, err: syscall.EIO, forever: true})
				}
				out := Run(t.Context(), o)
				out.CatchUp(t.Context())
				s := site(t, dir)
				CatchUp(t.Context(), s, true, nil)
				all := records(t, s)
				rec := all[len(all)-1]
				shown := string(render.Compact(out.Result, out.Raw)) + mustJSON(out.Result) + mustJSON(rec) + git(t, dir, "log", "-p", "cairn") + manifestText(t, s.Dir)
				if i := strings.Index(shown, secret[4:]); i >= 0 {
					t.Errorf("leaked: …%s", shown[max(0, i-200):i])
				}
				r, err := rec.Result()
				if err != nil || len(r.Findings) != 2 {
					t.Fatalf("%v: %s", err, mustJSON(rec))
				}
				for _, f := range r.Findings {
					if f.At.External || f.At.Path != r.Findings[0].At.Path || !strings.Contains(f.At.Path, "[redacted:github-pat]+b/m.py") {
						t.Errorf("%s: %+v", name, f.At)
					}
				}
				again, err := Parse(s, rec)
				if err != nil || again.Findings[0].Fingerprint != r.Findings[0].Fingerprint || again.Findings[0].At.Path != r.Findings[0].At.Path {
					t.Errorf("parsed again: %v: %s", err, mustJSON(again))
				}
			})
		}
	}
}

// Tests whose names differ in a secret alone are two tests, in the order of their places; and the numbers are all that is
// known of the secrets.
func TestNamesThatDifferInASecret(t *testing.T) {
	dir := nowhere(t)
	parse := func(first, second string, swapped bool) *result.ToolResult {
		lines := []string{"(0.00s)\n    a_test.go:7: differs\n", "(0.00s)\n    a_test.go:9: differs\n"}
		one := "--- FAIL: TestA/http://u:" + first + "@h/ " + lines[0]
		two := "--- FAIL: TestA/http://u:" + second + "@h/ " + lines[1]
		if swapped {
			one, two = two, one
		}
		o := options(dir, "/bin/sh", "-c", "cat out; exit 1")
		os.WriteFile(filepath.Join(dir, "out"), []byte(one+two+"FAIL\nFAIL\tmod\t0.1s\nFAIL\n"), 0o600)
		out := Run(t.Context(), o)
		out.CatchUp(t.Context())
		if len(out.Result.Findings) != 2 {
			t.Fatalf("%s", mustJSON(out.Result))
		}
		return out.Result
	}
	identities := func(r *result.ToolResult) string {
		var list []string
		for _, f := range r.Findings {
			list = append(list, f.ID+" "+f.Fingerprint+" "+f.Group)
		}
		slices.Sort(list)
		return strings.Join(list, "\n")
	}
	a := identities(parse("alpha", "beta", false))
	if first, second, _ := strings.Cut(a, "\n"); first == second || !strings.Contains(a, "[redacted:url-password]") || !strings.Contains(a, "[redacted:url-password#2]") {
		t.Errorf("not two tests:\n%s", a)
	}
	if b := identities(parse("alpha", "beta", true)); b != a {
		t.Errorf("in another order:\n%s\nwant\n%s", b, a)
	}
	if b := identities(parse("gamma", "delta", false)); b != a {
		t.Errorf("with other secrets:\n%s\nwant\n%s", b, a)
	}
}

// Every text of a record is redacted or cannot hold a secret. A new field of manifest.Record belongs into one of the two
// lists, and its redaction into TestNothingLeaks, TestNoPlaceLeaks or a test of its own.
func TestEveryTextOfARecordIsKnown(t *testing.T) {
	redacted := []string{"Says", "Reason", "Tool", "Counts", "Argv", "Shell", "ShellIs", "Dir", "ParseAs", "Git.Branch", "By.Agent", "By.Session", "By.Parent", "Artifacts.Path", "RawResult", "Outcomes.Reason", // TestOutcomesAreRedacted
		"Envelope",                                                                                                                                         // made of a record that is redacted already: attest_redact.txtar
		"Stages.List.Says", "Stages.List.Tool", "Stages.List.Counts", "Stages.List.Argv", "Stages.List.Before", "Stages.List.Dir", "Stages.List.RawResult"} // TestStagesAreRedacted
	noSecret := []string{ // ids, digests, and words that this program chose
		"ID", "Type", "Target", "Status", "Signal", "From", "Interrupted", "Key", "Env", "Git.Commit", "Git.Tree", "Git.Worktree", "Git.WorktreeUnknown", "Raw.OID", "Raw.Order", "Artifacts.OID", "Artifacts.Role",
		"ResultOID", "More", "Redacted.Rule", "Outcomes.OID", "Outcomes.Counts", "Outcomes.Unnamed",
		"Stages.List.Status", "Stages.List.Signal", "Stages.List.Key", "Stages.List.Raw.OID", "Stages.List.Raw.Order", "Stages.List.ResultOID", "Stages.List.More",
	}
	var texts []string
	var walk func(t reflect.Type, name string)
	walk = func(t reflect.Type, name string) {
		switch t.Kind() {
		case reflect.String, reflect.Map:
			texts = append(texts, name)
		case reflect.Pointer, reflect.Slice:
			if t.Elem().Kind() == reflect.Uint8 {
				texts = append(texts, name)
				return
			}
			walk(t.Elem(), name)
		case reflect.Struct:
			for i := range t.NumField() {
				if f := t.Field(i); f.IsExported() && f.Type != reflect.TypeFor[time.Time]() {
					walk(f.Type, strings.TrimPrefix(name+"."+f.Name, "."))
				}
			}
		}
	}
	walk(reflect.TypeFor[manifest.Record](), "")
	for _, name := range texts {
		if !slices.Contains(redacted, name) && !slices.Contains(noSecret, name) {
			t.Errorf("%s: git tracks it; is it redacted before it is written, and by which test?", name)
		}
	}
	for _, name := range slices.Concat(redacted, noSecret) {
		if !slices.Contains(texts, name) {
			t.Errorf("%s is no text of a record any more", name)
		}
	}
}

func manifestText(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	filepath.WalkDir(filepath.Join(dir, "manifest"), func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			data, _ := os.ReadFile(path)
			all.Write(data)
		}
		return nil
	})
	return all.String()
}

// The same failure has one fingerprint and one key, whatever the secret in it.
func TestIdentityHasNoSecret(t *testing.T) {
	dir := nowhere(t)
	seen := map[string]bool{}
	for _, n := range []string{"F1", "G2"} {
		o := options(dir, "/bin/sh", "-c", "cat out; exit 1", "x", "--token="+secretFor(n))
		text := "--- FAIL: TestA (0.00s)\n    a_test.go:7: bad token " + secretFor(n) + "\nFAIL\nFAIL\tmod\t0.1s\nFAIL\n"
		os.WriteFile(filepath.Join(dir, "out"), []byte(text), 0o600)
		out := Run(t.Context(), o)
		out.CatchUp(t.Context())
		if len(out.Result.Findings) == 0 {
			t.Fatalf("no finding: %s", mustJSON(out.Result))
		}
		seen[out.Record.Key+" "+out.Result.Findings[0].Fingerprint] = true
	}
	if len(seen) != 1 {
		t.Errorf("%v", seen)
	}
}
