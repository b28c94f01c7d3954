//go:build unix

package capture

import (
	"iter"
	"os"
	"slices"
	"strings"
	"testing"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/parsers"
	"cairn/result"
)

// at panics when a capture comes to that step.
func at(step string) func(string) {
	return func(now string) {
		if now == step {
			panic("this step is broken")
		}
	}
}

// Whatever step of cairn's breaks off, the command runs, its output is shown and its status
// is the one that cairn exits with. It is recorded, by the next command at the latest, as
// long as there is a place to record it.
func TestBreaksOffAnywhere(t *testing.T) {
	var steps []string
	o := shell(nowhere(t), victim)
	o.enter = func(step string) { steps = append(steps, step) }
	Run(t.Context(), o).CatchUp(t.Context())
	if len(steps) < 12 {
		t.Fatalf("too few steps: %q", steps)
	}
	for _, step := range steps {
		t.Run(step, func(t *testing.T) {
			dir := nowhere(t)
			o := shell(dir, victim)
			o.enter = at(step)
			out := Run(t.Context(), o)
			out.CatchUp(t.Context())
			if out.Status != 3 || out.Result.Status != result.Failed || *out.Result.ExitCode != 3 {
				t.Errorf("status %d, %s", out.Status, out.Result.Status)
			}
			if out.Trouble == nil || !strings.Contains(out.Trouble.Error(), step) || !strings.Contains(out.Trouble.Error(), "this step is broken") {
				t.Errorf("told: %v", out.Trouble)
			}
			if shown := string(out.Raw) + out.Result.Body; !strings.Contains(shown, "out3") {
				t.Errorf("shown: %q", shown)
			}
			checkBroken(t, dir, step)
		})
	}
}

// checkBroken checks what is on record of a victim of which one step broke off.
func checkBroken(t *testing.T, dir, step string) {
	t.Helper()
	s := site(t, dir)
	CatchUp(t.Context(), s, true, nil)
	all := records(t, s)
	if step == "finding the place of the record" {
		if len(all) != 0 {
			t.Errorf("%d records", len(all))
		}
		return
	}
	if len(all) != 1 || all[0].Exit == nil || *all[0].Exit != 3 {
		t.Fatalf("%d records: %s", len(all), mustJSON(all))
	}
	if step == "preparing to keep the output" {
		if !all[0].Partial {
			t.Errorf("%s", mustJSON(all[0]))
		}
		return
	}
	checkAllKept(t, s, all[0])
	if step != "leaving the journal" { // this process still holds it
		clean(t, s)
	}
}

// checkAllKept checks that all of the victim's output was kept.
func checkAllKept(t *testing.T, s *place.Site, rec *manifest.Record) {
	t.Helper()
	if stdout, stderr, _ := kept(t, s, rec); stdout != "out1out2out3" || stderr != "err1err2" {
		t.Errorf("kept: %q, %q", stdout, stderr)
	}
}

// brokenSource breaks off where a parser reads behind so many chunks.
type brokenSource struct {
	parsers.Source
	after int
}

func (s brokenSource) Chunks() iter.Seq[parsers.Chunk] {
	return func(yield func(parsers.Chunk) bool) {
		n := 0
		for c := range s.Source.Chunks() {
			if n++; n > s.after {
				panic("this output is broken")
			}
			if !yield(c) {
				return
			}
		}
	}
}

// breaking is a parser of the project's own that breaks off.
func breaking() *parsers.Parser {
	return &parsers.Parser{Tool: "fragile", Kind: result.Test, Version: 1, Formats: []parsers.Format{{Name: "text", Parse: func(in *parsers.Input) *parsers.Report {
		for l := range in.Lines() {
			_ = l.Text[len(l.Text)+1:]
		}
		return in.NewReport()
	}}}}
}

// Whatever breaks off while an output is read, the record is that of a program which no
// parser knows, and says what broke.
func TestReaderBreaksOff(t *testing.T) {
	for name, tt := range map[string]struct {
		read func(*parsers.Input)
		why  string
	}{
		"a parser":             {func(in *parsers.Input) { in.As = breaking() }, "the fragile parser broke off: "},
		"the first chunk":      {func(in *parsers.Input) { in.Source = brokenSource{in.Source, 0} }, "this output is broken"},
		"the second chunk":     {func(in *parsers.Input) { in.Source = brokenSource{in.Source, 1} }, "this output is broken"},
		"the way to directory": {func(in *parsers.Input) { in.Redact = func(string) string { panic("this text is broken") } }, "broke off"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := nowhere(t)
			o := shell(dir, victim)
			o.read = tt.read
			out := Run(t.Context(), o)
			if notes := out.CatchUp(t.Context()); len(notes) > 0 || out.Trouble != nil {
				t.Errorf("told: %q, %v", notes, out.Trouble)
			}
			why, _ := out.Result.Extra["broken"].(string)
			if out.Status != 3 || out.Result.ParserConfidence != result.Untyped || out.Result.Status != result.Failed || !strings.Contains(why, tt.why) {
				t.Errorf("status %d, %s", out.Status, mustJSON(out.Result))
			}
			if out.Raw != nil && !strings.Contains(string(out.Raw), "out3") {
				t.Errorf("shown: %q", out.Raw)
			}
			s := site(t, dir)
			all := records(t, s)
			if len(all) != 1 || all[0].Exit == nil || *all[0].Exit != 3 || all[0].Partial {
				t.Fatalf("%s", mustJSON(all))
			}
			checkAllKept(t, s, all[0])
			clean(t, s)
		})
	}
}

// What is left of a run and breaks off in recovery is recorded with its bytes, and the run
// that recovers it is shown and recorded as if it were not there.
func TestRecoveryBreaksOff(t *testing.T) {
	dir := nowhere(t)
	die(t, dir, "capture", "spool#3:after", "/bin/sh", "-c", victim)
	o := shell(dir, "echo fine")
	o.hurt = func(b *backend) {
		b.parse = func(in parsers.Input, exit result.Exit) *result.ToolResult {
			if in.Source != nil {
				for range in.Source.Chunks() {
					panic("this output is broken")
				}
			}
			return parsers.Parse(in, exit)
		}
	}
	out := Run(t.Context(), o)
	notes := out.CatchUp(t.Context())
	if out.Status != 0 || string(out.Raw) != "fine\n" || out.Trouble != nil {
		t.Errorf("status %d, %q, %v", out.Status, out.Raw, out.Trouble)
	}
	if told := strings.Join(notes, "\n"); !strings.Contains(told, "this output is broken") || !strings.Contains(told, "set-aside") {
		t.Errorf("told: %q", notes)
	}
	s := site(t, dir)
	if notes := CatchUp(t.Context(), s, true, nil); len(notes) > 0 {
		t.Errorf("told again: %q", notes)
	}
	all := records(t, s)
	i := slices.IndexFunc(all, func(rec *manifest.Record) bool { return rec.ID != out.Record.ID })
	if len(all) != 2 || i < 0 || !all[i].Partial || all[i].Raw == nil {
		t.Fatalf("%s", mustJSON(all))
	}
	if _, _, both := kept(t, s, all[i]); both != "out1err1out2" {
		t.Errorf("kept: %q", both)
	}
	if _, err := os.Stat(s.Dir + "/set-aside/" + all[i].ID + ".spool"); err != nil {
		t.Error(err)
	}
}
