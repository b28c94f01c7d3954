package filter

import (
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var now = time.Date(2026, 11, 25, 20, 57, 41, 0, time.UTC) // a Wednesday

func TestRead(t *testing.T) {
	for _, test := range []struct {
		f    Filters
		want string // of the error
	}{
		{Filters{Status: "green"}, "--status green: statuses are passed, ok, failed, error, unknown and running"},
		{Filters{Status: "faild"}, "did you mean failed?"},
		{Filters{Tool: "pytest,,ruff"}, "--tool one of its values is empty"},
		{Filters{Branch: "feature/["}, `a "[" has no "]"`},
		{Filters{Fingerprint: "xyz"}, "give 6 to 12 hex digits"},
		{Filters{Dirty: "perhaps"}, "--dirty perhaps: takes yes, no or unknown"},
		{Filters{Commit: "v1.*"}, "and no pattern"},
		{Filters{Tree: "-x"}, "and no pattern"},
		{Filters{Sort: "colour"}, "takes newest, oldest, slowest, fastest, largest, smallest"},
		{Filters{Sort: "new"}, "did you mean newest?"},
		{Filters{Limit: -1}, "from 0 on"},
		{Filters{Since: "soon"}, "is not a time"},
		{Filters{Since: "2h", Until: "3h"}, "nothing is from the one on and before the other"},
		{Filters{Status: "failed,running", Tool: "pytest,r*", Branch: "feature/*", Commit: "HEAD,A..B", Since: "last week", Until: "yesterday", Sort: "slowest"}, ""},
	} {
		_, err := test.f.Read("objects", now)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v, want %q", test.f, err, test.want)
		}
	}
}

func TestPatterns(t *testing.T) {
	is := func(list List, by func(Patterns, string) bool, texts ...string) {
		t.Helper()
		p, err := patterns("x", list.split())
		if err != nil {
			t.Fatalf("%s: %v", list, err)
		}
		for _, text := range texts {
			text, want := strings.TrimPrefix(text, "!"), !strings.HasPrefix(text, "!")
			if by(p, text) != want {
				t.Errorf("%s of %q: %v", list, text, !want)
			}
		}
	}
	is("feature/*,main", Patterns.Is, "feature/a", "feature/a/b", "main", "!feature", "!mainly", "!a,b")
	is(`a\,b,c\*`, Patterns.Is, "a,b", "c*", "!cd", "!a")
	is("go,r?ff", Patterns.Family, "go", "go-test", "ruff", "!gofmt", "!ruff-x")
	is("[^a-m]*x", Patterns.Is, "nox", "zx", "!ax", "ñx", "/x")
	is("tests", Patterns.Path, "tests", "tests/a.py", "x/tests/a.py", "x/tests", "!mytests/a.py", "!tests2/a.py", "!")
	is("src/*.py", Patterns.Path, "src/a.py", "src/shop/a.py", "x/src/a.py", "!src/a.pyc", "!mysrc/a.py")
	is("*.py", Patterns.Path, "a.py", "x/a.py", "!a.pyx")
	is("src/sh*", Patterns.Path, "src/shop/a.py", "src/sh.py", "!src/a/sh")
	is("", Patterns.Path, "a", "!")
	is(".", Patterns.Path, "a", "b/c")
	commands, err := patterns("command", Lines("pytest -q\nsh -c 'a, b'\n[ -f x ]\n*jest*").split())
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{"pytest -q": true, "pytest -q tests": true, "pytest -qx": false, "sh -c 'a, b'": true, "[ -f x ] && y": true, "npx jest a": true, "x": false} {
		if commands.Words(text) != want {
			t.Errorf("command %q: %v", text, !want)
		}
	}
}

// TestMatch: without "/" in the text, patterns match as package path has it.
func TestMatch(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		letters := rapid.SampledFrom([]string{"a", "b", "c", "é", "-"})
		text := strings.Join(rapid.SliceOfN(letters, 0, 8).Draw(rt, "text"), "")
		parts := rapid.SampledFrom([]string{"a", "b", "*", "?", "[ab]", "[^a]", "[a-c]", `\*`, `\a`, "é"})
		pattern := strings.Join(rapid.SliceOfN(parts, 0, 7).Draw(rt, "pattern"), "")
		want, err := path.Match(pattern, text)
		if got := Match(pattern, text); err != nil || got != want {
			rt.Fatalf("Match(%q, %q) = %v, package path says %v, %v", pattern, text, got, want, err)
		}
	})
}

// TestTimesAsGit: the words that git log takes mean what they mean there. (Of a weekday alone
// and of "today" git makes the present moment.)
func TestTimesAsGit(t *testing.T) {
	repo := t.TempDir()
	run := func(args ...string) (string, error) {
		cmd := exec.Command("git", args...)
		cmd.Dir = repo
		cmd.Env = append(os.Environ(), "TZ=UTC", "GIT_TEST_DATE_NOW="+strconv.FormatInt(now.Unix(), 10), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
		out, err := cmd.Output()
		return strings.TrimSpace(string(out)), err
	}
	if _, err := run("init", "-q"); err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{
		"yesterday", "last week", "2 days ago", "two days ago", "last month", "3 months ago", "1 year ago", "5.minutes.ago", "90 seconds ago", "1 week 2 days ago",
		"last friday", "last tuesday", "2 fridays ago", "noon", "midnight", "yesterday noon", "noon yesterday", "10:30", "23:30", "3pm", "tea", "6.months", "4 hours",
	} {
		at, err := moment("since", s, now)
		if err != nil {
			t.Error(err)
			continue
		}
		want, err := run("rev-parse", "--since="+s)
		if got := "--max-age=" + strconv.FormatInt(at.Unix(), 10); err != nil || got != want {
			// A time of day that is still to come is yesterday's here.
			if age, _ := strconv.ParseInt(strings.TrimPrefix(want, "--max-age="), 10, 64); age <= now.Unix() || at.Unix() != age-24*60*60 {
				t.Errorf("%q: %s, and git has %s (%v)", s, got, want, err)
			}
		}
	}
	for s, want := range map[string]string{
		"today": "2026-11-25T00:00:00Z", "friday": "2026-11-20T20:57:41Z", "2h": "2026-11-25T18:57:41Z", "3d": "2026-11-22T20:57:41Z", "1w": "2026-11-18T20:57:41Z",
		"2026-11-20": "2026-11-20T00:00:00Z", "Nov 20": "2026-11-20T00:00:00Z", "Dec 3": "2025-12-03T00:00:00Z", "20 Nov 2025": "2025-11-20T00:00:00Z",
		"2026-11-20T15:04:05+02:00": "2026-11-20T13:04:05Z", "@1700000000": "2023-11-14T22:13:20Z", "2026/11/02": "2026-11-02T00:00:00Z",
	} {
		if at, err := moment("since", s, now); err != nil || at.UTC().Format(time.RFC3339) != want {
			t.Errorf("%q: %v, %v; want %s", s, at, err, want)
		}
	}
	for _, s := range []string{"soon", "-2h", "2 bananas ago", "ago", "last", "week", "2 days ago ago", "5", "next week", "2 days hence", "99999999h ago", "yesterdays", "d", "-1d", "1e9d"} {
		if at, err := moment("since", s, now); err == nil {
			t.Errorf("%q is taken for %v", s, at)
		}
	}
}

func TestJSON(t *testing.T) {
	var f Filters
	if err := json.Unmarshal([]byte(`{"tool":["pytest","a,b"],"branch":"main,x","command":["a, b","c"],"limit":3}`), &f); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(f.Tool.split(), []string{"pytest", "a,b"}) || !slices.Equal(f.Branch.split(), []string{"main", "x"}) || !slices.Equal(f.Command.split(), []string{"a, b", "c"}) || f.Limit != 3 {
		t.Errorf("%+v", f)
	}
}

// TestSet: a flag that is given again adds to a list, and is refused where there is no list.
func TestSet(t *testing.T) {
	var f Filters
	for _, of := range All() {
		first, second := f.Set(of, "1"), f.Set(of, "2")
		if list := strings.Contains(of.Type.Name(), "Li"); first != nil || list != (second == nil) && of.Name != "limit" {
			t.Errorf("%s: %v, %v", of.Name, first, second)
		}
	}
	if f.Tool != "1,2" || f.Command != "1\n2" || f.Since != "1" {
		t.Errorf("%+v", f)
	}
}
