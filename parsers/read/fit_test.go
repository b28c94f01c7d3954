package read

import (
	"testing"

	"cairn/parsers/tool"
	"cairn/result"
)

func TestBareRule(t *testing.T) {
	for rule, want := range map[string]string{"Tool.R1": "R1", "R1": "R1", "Other.R1": "Other.R1", "": ""} {
		f := result.Finding{Rule: rule}
		if BareRule("Tool.")(&f); f.Rule != want {
			t.Errorf("%s: %q", rule, f.Rule)
		}
	}
}

func TestStyleIsNote(t *testing.T) {
	for word, want := range map[string]result.Severity{"style": result.SevInfo, "info": result.SevInfo, "warning": result.SevWarning, "error": result.SevError, "nope": ""} {
		if got := StyleIsNote(word); got != want {
			t.Errorf("%s is %q", word, got)
		}
	}
}

// TestItems: values of one form are taken wherever they stand.
func TestItems(t *testing.T) {
	take := func(s *Sink, v *struct{ Message string }) { s.FindHere(result.Finding{Message: v.Message}) }
	parse := JSON{Items: Items(take, "/*", "/comments/*")}.Parse
	for _, text := range []string{`[{"message":"a"}]`, `{"comments":[{"message":"a"}]}`} {
		rep := parse(input("", text, ""))
		if rep == nil || len(rep.Findings) != 1 || rep.Findings[0].Message != "a" {
			t.Errorf("%s: %+v", text, rep)
		}
	}
}

// TestUsage: a line in which a tool says that it was called wrongly is found by
// every reader of lines, and says what the exit means.
func TestUsage(t *testing.T) {
	const text = "noise\nunknown option --nope\n"
	usage := []string{"unknown option "}
	none := func(*Sink, tool.Line) bool { return false }
	for name, parse := range map[string]func(*tool.Input) *tool.Report{
		"text":    Text{Line: none, Usage: usage}.Parse,
		"linter":  Linter{Usage: usage}.Parse,
		"grouped": Grouped{Usage: usage}.Parse,
	} {
		rep := parse(input("", text, ""))
		if rep == nil || len(rep.Findings) != 1 || rep.Findings[0].Message != "unknown option --nope" || rep.Meaning != result.MeansUsage {
			t.Errorf("%s: %+v", name, rep)
		}
	}
	if rep := (Text{Line: none}).Parse(input("", text, "")); rep != nil {
		t.Errorf("without Usage: %+v", rep)
	}
}
