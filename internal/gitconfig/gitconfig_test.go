package gitconfig

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// asked is what git says of a file; false where it refuses it.
func asked(t testing.TB, text string) (all []Setting, ok bool) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "git", "config", "--file", file, "--no-includes", "--null", "--list")
	cmd.Dir = t.TempDir()
	out, err := cmd.Output()
	if err != nil {
		return nil, false
	}
	for entry := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if entry == "" {
			continue
		}
		key, value, has := strings.Cut(entry, "\n")
		if !has {
			value = "true"
		}
		all = append(all, Setting{Key: key, Value: value})
	}
	return all, true
}

// wrong says in what a reading differs from git's, "" for nothing. certain: the
// file must be read.
func wrong(t testing.TB, text string, certain bool) string {
	t.Helper()
	got, ok := Parse([]byte(text))
	if !ok {
		if certain {
			return fmt.Sprintf("%q is not read", text)
		}
		return ""
	}
	want, fine := asked(t, text)
	if !fine {
		return fmt.Sprintf("%q: git refuses it, and we read %+v", text, got)
	}
	if !slices.EqualFunc(got, want, func(g, w Setting) bool { return g.Key == w.Key && (g.Odd || g.Value == w.Value) }) {
		return fmt.Sprintf("%q: %+v, but git says %+v", text, got, want)
	}
	return ""
}

func TestAsGit(t *testing.T) {
	for _, text := range []string{
		"", "\n\n", "# only\n; remarks",
		"[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n",
		"[Remote \"Origin\"]\n\tURL = https://h/x.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n",
		"[user] name = A B ; who\n email=a@b\n",
		"[user]\nname = \"  A ; B  \" # c\n",
		"[a.b-C.1]\nx-Y = 1\n",
		"[core]\n\tbare\n\tempty =\n\tquoted = \"\"\n\tlast =   ",
		"[alias]\n\tl = \"!f() { \\\n\t\tgit log; }; f\"\n\tm = one \\\ntwo\\\n three\n",
		"[a]\nx = \\\"\\\\\\n\\t\\b\n",
		"[a \"b\\\"c\\\\d.e]\"]\nx=1\n",
		"[a]\r\nx = 1\r\n[b]\r\ny\r\n",
		"[a]\nx = one  two \"\" \n",
		"[a]\nx = \"one\ttwo\"\n",
		"[a]\nx = ü ✓\n",
		"[a]x=1\n[a] y = 2\n",
		"[a]\nx = a#b;c\n",
		"[include]\npath = nowhere\n[a]\nx = 1\n",
	} {
		if problem := wrong(t, text, true); problem != "" {
			t.Error(problem)
		}
	}
}

// TestRefused: what git refuses is never read.
func TestRefused(t *testing.T) {
	for _, text := range []string{
		"x = 1\n", "[a]\n1x = 1\n", "[a\nx = 1\n", "[a]\nx = \"1\n", "[a]\nx = \\q\n", "[a \"b]\nx=1", "[a b]\n", "[]\nx=1\n", "[ \"b\"]\nx=1\n",
		"[a \"b\" ]\nx=1\n", "[a]\nx y\n", "[a]\nx # none\n", "[a_b]\nx=1", "[a]\nx\rb = 1\n", "\ufeff[a]\nx=1\n", "[a]\nx = 1\x002\n", "[a]\nx = 1\\",
	} {
		if problem := wrong(t, text, false); problem != "" {
			t.Error(problem)
		}
	}
}

func TestOdd(t *testing.T) {
	got, ok := Parse([]byte("[a]\nx = one\ttwo\ny = one\t# two\nz = \"\t\"\n"))
	if !ok || len(got) != 3 || !got[0].Odd || got[1].Odd || got[2].Odd {
		t.Errorf("%+v %v", got, ok)
	}
}

// TestAnyAsGit draws files of the pieces that the syntax is made of.
func TestAnyAsGit(t *testing.T) {
	if testing.Short() {
		t.Skip("git is asked a hundred times")
	}
	piece := rapid.SampledFrom([]string{"[a]", "[B \"c\"]", "[", "]", "\"", "\\", "\n", "\n", "\n[d]\n", " ", "\t", "x", "Y-1", "=", " = ", "key = ", "#", ";", "é", "\\\n", "\\t", "\\\"", ".", "1", "\r\n", "\r"})
	rapid.Check(t, func(r *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 0, 24).Draw(r, "pieces"), "")
		if rapid.Bool().Draw(r, "in a section") {
			text = "[s]\n" + text
		}
		if problem := wrong(t, text, false); problem != "" {
			r.Fatal(problem)
		}
	})
}

// FuzzParse: nothing that a file holds ends the program.
func FuzzParse(f *testing.F) {
	f.Add([]byte("[core]\n\tbare = \"false\" # no\n"))
	f.Add([]byte("[a \"b\\"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if all, ok := Parse(text); !ok && all != nil {
			t.Errorf("%q: not certain, and %+v", text, all)
		}
	})
}
