package c

import (
	"encoding/json"
	"strconv"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/sarif"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// gccStarts are starts of lines. A failed build has at least one such line, whatever program ran gcc.
var gccStarts = []string{"cc1: ", "cc1plus: ", "collect2: error: ", "compilation terminated", "In file included from ", "gcc: ", "g++: ", "cc: error", "c++: error", "[…Building C", "FAILED: …"}

var _ = Room.Add(tool.AnyProgram, func(p *tool.Parser) {
	p.Is("gcc", result.Build, 1, "gcc and g++ 4 to 16: text, json (to 15) and sarif; GNU as, ld, gold and mold beside them")
	p.ColumnUnit = "display"
	p.Matches = isGCC
	p.Programs, p.Exits = compilers("gcc", "g++", "cc", "c++"), map[int]result.Meaning{4: result.MeansCrashed}
	p.Reads(tool.Format{Name: "json", Starts: []string{`[{"kind": "`}, Parse: read.JSON{Items: read.Items(gccItem, "/*")}.Parse})
	p.Reads(tool.Format{Name: "sarif", Parse: parseCompilerSARIF})
	p.Reads(tool.Format{Name: "text", Starts: gccStarts, Named: true, Parse: parseGCC})
})

func parseGCC(in *tool.Input) *tool.Report { return parseCompiler(in, false) }

type gccPlace struct {
	Caret struct {
		File         string
		Line, Column int
	}
}

func (p gccPlace) at() *result.Location {
	return &result.Location{Path: p.Caret.File, Line: p.Caret.Line, Column: p.Caret.Column}
}

type gccDiagnostic struct {
	Kind, Message, Option string
	Locations             []gccPlace
	Children              []gccDiagnostic
	Metadata              struct{ CWE int }
}

// gccItem reads one diagnostic of gcc's JSON; its notes are its children.
func gccItem(s *read.Sink, v *gccDiagnostic) {
	_, rule := cutFlag("x [" + v.Option + "]")
	f := result.Finding{Kind: result.Diagnostic, Severity: read.SeverityOf(v.Kind), RawSeverity: v.Kind, Rule: rule, Message: v.Message}
	if f.Severity == result.SevError {
		f.Kind = result.BuildError
	}
	if n := v.Metadata.CWE; n > 0 { // as in the text
		f.Message += " [CWE-" + strconv.Itoa(n) + "]"
	}
	if len(v.Locations) > 0 {
		f.At = v.Locations[0].at()
	}
	for _, note := range v.Children {
		if len(note.Locations) > 0 && len(f.Related) < 8 {
			f.Related = append(f.Related, result.Related{Message: note.Message, At: note.Locations[0].at()})
		}
	}
	if f.Severity != result.SevInfo {
		s.FindHere(f)
	}
}

// parseCompilerSARIF reads a log of gcc 13 or clang; the rule is the flag.
func parseCompilerSARIF(in *tool.Input) *tool.Report {
	return read.JSON{Items: map[string]func(*read.Sink, []byte) error{sarif.Result: func(s *read.Sink, item []byte) error {
		r, ok := sarif.Read(string(item))
		if !ok {
			return json.Unmarshal(item, &r)
		}
		at := r.Locations[0].At()
		f := result.Finding{Kind: result.Diagnostic, Severity: read.SeverityOf(r.Level), RawSeverity: r.Level, Message: r.Message.Text, At: &at}
		if r.RuleID != nil && strings.HasPrefix(*r.RuleID, "-") {
			_, f.Rule = cutFlag("x [" + *r.RuleID + "]")
		}
		if f.Severity == result.SevError {
			f.Kind = result.BuildError
		}
		s.FindHere(f)
		return nil
	}}}.Parse(in)
}

// Programs of a compiler. A message without a place in a source begins with the program's name.
var (
	gccPrograms   = []string{"gcc", "g++", "cc", "c++", "cc1", "cc1plus", "cc1obj", "lto1", "lto-wrapper", "as", "f951", "gfortran", "gdc", "d21"}
	clangPrograms = []string{"clang", "clang++", "clang-cl"}
)

// driver reads a compiler's messages without a place, "gcc: fatal error: no input files", and its closing lines.
func (c *compiler) driver(s *read.Sink, l tool.Line) bool {
	if c.generated(s, l) {
		return true
	}
	switch {
	case strings.HasPrefix(l.Text, "compilation terminated"), strings.HasSuffix(l.Text, ": all warnings being treated as errors"),
		strings.HasPrefix(l.Text, "collect2: error: ld returned "), strings.HasPrefix(l.Text, "Please submit a full bug report"):
		c.gcc = true
		return c.closes(s, l)
	case strings.HasPrefix(l.Text, "clang") && strings.Contains(l.Text, "error: linker command failed with exit code"):
		c.clang = true
		return c.closes(s, l)
	}
	program, rest, ok := strings.Cut(l.Text, ": ")
	if !ok {
		return false
	}
	name := programName(program)
	switch {
	case lex.IsOneOf(name, strings.Join(gccPrograms, " ")):
		c.gcc = true
	case lex.IsOneOf(name, strings.Join(clangPrograms, " ")):
		c.clang = true
	case (program == "error" || program == "warning" || program == "fatal error") && s.In.Command().Argv != nil && isClang(s.In.Command().Argv):
		c.clang, rest = true, l.Text
	default:
		return false
	}
	word, message := read.CutSeverity(rest)
	severity := read.SeverityOf(word)
	if severity == "" || severity == result.SevInfo {
		return severity != ""
	}
	message, rule := cutFlag(message) // with -fno-show-source-location, a message about a source has this form, too
	f := result.Finding{Kind: read.KindOf(severity), Severity: severity, RawSeverity: word, Rule: rule, Message: message}
	if path, why, has := strings.Cut(message, ": "); has && strings.HasPrefix(why, "No such file") && !strings.Contains(path, " ") {
		f.At, f.Message = &result.Location{Path: path}, why
	}
	if severity == result.SevError && len(s.Findings) == 0 && isUsage(message) {
		s.Meaning = result.MeansUsage
	}
	s.Find(l, f)
	return s.Break()
}

// closes takes a closing line. One that says "error: " is a finding if there is no failure above it.
func (c *compiler) closes(s *read.Sink, l tool.Line) bool {
	if strings.Contains(l.Text, "error: ") && s.Failures() == 0 {
		_, rest, _ := strings.Cut(l.Text, "error: ")
		s.Find(l, result.Finding{Kind: result.BuildError, Message: rest})
	}
	return s.Close(l)
}

// generated reads clang's "2 warnings and 1 error generated."
func (c *compiler) generated(s *read.Sink, l tool.Line) bool {
	counts, ok := strings.CutSuffix(l.Text, " generated.")
	if !ok || counts == "" || !lex.IsDigits(counts[:1]) {
		return false
	}
	n := read.Counts(counts)
	if n["error"]+n["errors"]+n["warning"]+n["warnings"] == 0 {
		return false
	}
	c.clang = true
	return s.Found(l, n["error"]+n["errors"])
}

func isUsage(message string) bool {
	return strings.Contains(message, "argument to ‘") || lex.HasAnyPrefix(message, "unrecognized ", "unknown argument", "unknown value", "no input files",
		"unsupported option", "invalid value", "no such file", "missing argument", "missing filename")
}

// programName returns the name of a compiler without target and version: "gcc" for "x86_64-linux-gnu-gcc-12".
func programName(path string) string {
	name := strings.TrimSuffix(path[strings.LastIndexAny(path, `/\`)+1:], ".exe")
	if i := strings.LastIndexByte(name, '-'); i > 0 && strings.Trim(name[i+1:], "0123456789.") == "" {
		name = name[:i]
	}
	for _, p := range [...]string{"gcc", "g++", "cc", "c++", "clang", "clang++", "gfortran"} {
		if strings.HasSuffix(name, "-"+p) {
			return p
		}
	}
	return name
}

func isGCC(argv []string) bool { return lex.IsOneOf(programName(argv[0]), "gcc g++ cc c++") }

func isClang(argv []string) bool { return lex.IsOneOf(programName(argv[0]), "clang clang++ clang-cl") }

// compilers returns the names under which a compiler is started, with usual targets and versions.
func compilers(names ...string) (all []string) {
	for _, n := range names {
		all = append(all, n, "x86_64-linux-gnu-"+n, "aarch64-linux-gnu-"+n, "arm-none-eabi-"+n)
		for _, v := range [...]string{"11", "12", "13", "14", "15", "16", "17", "18", "19", "20", "21"} {
			all = append(all, n+"-"+v)
		}
	}
	return all
}
