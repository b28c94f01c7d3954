package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

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
	s.Claim(n["error"] + n["errors"])
	return s.Close(l)
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
