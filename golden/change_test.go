package golden

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"testing"

	"cairn/result"
)

// change is something about a finding that makes it another finding.
type change struct {
	what string
	of   func(f result.Finding) string // the text that is changed wherever it stands
	edit func(text string) string
}

var changes = []change{
	{"rule", func(f result.Finding) string { return strings.TrimPrefix(f.Rule, "clippy::") }, lastChanged},
	{"file", fileOf, firstChanged},
	{"package", packageOf, lastChanged},
	{"test name", func(f result.Finding) string {
		if f.Kind != result.TestFailure {
			return ""
		}
		name, _, _ := strings.Cut(f.Name[strings.LastIndexAny(f.Name, "/:")+1:], "[")
		name, _, _ = strings.Cut(name, " (line ") // of a documentation test
		return name
	}, lastChanged},
	{"parameter", func(f result.Finding) string { return strings.Trim(f.Params, "[]") }, lastChanged},
	{"number in the message", numberIn, func(s string) string {
		i := lastDigit(s)
		return s[:i] + string('1'+(s[i]-'0'+1)%9) + s[i+1:]
	}},
}

// fileOf is the file that is part of what a finding is: of a test, the one in
// its id, wherever it failed.
func fileOf(f result.Finding) string {
	name, _, isTest := strings.Cut(f.ID, "::")
	switch {
	case isTest:
	case f.ID == "" && f.At != nil && !f.At.External && f.Kind != result.GenericFinding:
		name = f.At.Path
	default:
		return ""
	}
	if name = path.Base(name); strings.Contains(name, ".") {
		return name
	}
	return ""
}

// packageOf is the end of a Go package in the id of a test.
func packageOf(f result.Finding) string {
	slash := strings.LastIndexByte(f.ID[:max(0, strings.Index(f.ID, ".Test"))], '/')
	name, _, found := strings.Cut(f.ID[slash+1:], ".Test")
	if slash < 0 || !found {
		return ""
	}
	return f.ID[:slash+1] + name
}

// lastChanged has another last letter or digit.
func lastChanged(s string) string {
	for i := len(s) - 1; i >= 0; i-- {
		switch c := s[i]; {
		case c >= '0' && c <= '8', c >= 'a' && c <= 'y', c >= 'A' && c <= 'Y':
			return s[:i] + string(c+1) + s[i+1:]
		case c == '9':
			return s[:i] + "8" + s[i+1:]
		case c == 'z' || c == 'Z':
			return s[:i] + string(c-1) + s[i+1:]
		}
	}
	return s
}

// firstChanged is a file of another name and the same kind.
func firstChanged(s string) string {
	name, ext, found := strings.Cut(s, ".")
	if !found || name == "" {
		return s
	}
	return name + "q." + ext
}

// numberIn is the end of a message up to its last number, where that number is
// an amount and not a place, an address, a time or part of a name.
func numberIn(f result.Finding) string {
	i := lastDigit(f.Message)
	if i < 4 || len(f.Message) > 200 || f.MessageTruncated || strings.ContainsAny(f.Message, "<>&\"\\") {
		return ""
	}
	before := strings.TrimRight(f.Message[:i], "0123456789")
	if !strings.HasSuffix(before, " ") || strings.HasSuffix(before, "line ") || strings.HasSuffix(before, "column ") || strings.HasSuffix(before, "pid ") || i+1 < len(f.Message) && !strings.ContainsRune(" ,;)", rune(f.Message[i+1])) {
		return ""
	}
	if unit, _, _ := strings.Cut(strings.TrimSpace(f.Message[i+1:]), " "); slices.Contains([]string{"ms", "s", "milliseconds", "seconds", "minutes"}, strings.Trim(unit, ".,:;")) {
		return "" // a duration
	}
	return f.Message[:i+1]
}

func lastDigit(s string) int { return strings.LastIndexAny(s, "0123456789") }

// TestChange: another rule, file, test, parameter or number is another finding.
func TestChange(t *testing.T) {
	made := map[string]*tally{}
	for _, ch := range changes {
		made[ch.what] = new(tally)
	}
	made["rule"].ofTools(t, 0.5)
	made["file"].ofTools(t, 0.35)
	made["package"].inTools(t, 2)
	made["test name"].inTools(t, 40)
	made["parameter"].inTools(t, 8)
	made["number in the message"].ofTools(t, 0.2)
	each(t, func(t *testing.T, c Case) {
		want := asRecorded(c)
		for _, ch := range changes {
			if ch.what == "file" && (len(c.Files) > 0 || want.Parser != nil && want.Parser.Format == "junit") {
				continue // a report names the module as well
			}
			if ch.what == "package" && want.Parser != nil && want.Parser.Format == "gotestsum" {
				continue // it names packages by their directories as well
			}
			f, was := pick(want, c, ch)
			if was == "" {
				continue
			}
			now := ch.edit(was)
			if now == was {
				continue
			}
			other := rewritten(c, func(text []byte) []byte {
				text = bytes.ReplaceAll(text, []byte(was), []byte(now))
				return bytes.ReplaceAll(text, []byte(dashed(was)), []byte(dashed(now)))
			})
			got := parsed(other)
			made[ch.what].add(c, 1, 1)
			if slices.ContainsFunc(got.Findings, func(g result.Finding) bool { return g.Fingerprint == f.Fingerprint }) {
				t.Errorf("%s: %q is now %q, but there still is %s: %s %s %s", ch.what, was, now, f.Fingerprint, f.Location, f.ID, f.Message)
			}
		}
	})
}

// dashed is how rustc spells the name of a lint that it was given.
func dashed(s string) string { return strings.ReplaceAll(s, "_", "-") }

// pick is a finding whose text for the change stands in its own part of the
// output, as it is.
func pick(r *result.ToolResult, c Case, ch change) (f result.Finding, was string) {
	raw := c.Raw()
	for _, i := range sampled(c.Name+ch.what, len(r.Findings), 6) {
		f = r.Findings[i]
		if was = ch.of(f); len(was) >= 3 && f.RawSpan != nil && bytes.Contains(raw[f.RawSpan.Start:f.RawSpan.End], []byte(was)) && !strings.Contains(c.Root+c.Cmd, was) {
			return f, was
		}
	}
	return f, ""
}
