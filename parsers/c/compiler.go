package c

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// compiler reads the text output of gcc and clang, and of the assemblers and linkers that they start:
//
//	In file included from src/ring.c:3:
//	src/ring.c:10:9: warning: suggest parentheses [-Wparentheses]
//	   10 |     if (r->head = n)
//	      |         ^
//	src/ring.c:8:9: note: declared here
//
// A note belongs to the diagnostic above it. The rule is the flag that turns the
// diagnostic on, whether or not -Werror made an error of it.
type compiler struct {
	tidy     bool // clang-tidy reported something
	link     linker
	held     *tool.Line // the line below a diagnostic; source, if carets follow
	opens    bool       // the line above was a diagnostic
	wrapped  *tool.Line // the line below a diagnostic: source, if carets follow, else the rest of the message
	required []result.Related
	clang    bool // a line shows that the compiler is clang
	gcc      bool
}

func parseCompiler(in *tool.Input, clang bool) *tool.Report {
	c := &compiler{}
	rep := read.Text{Line: c.line, Count: c.count}.Parse(in)
	if rep == nil || c.clang != c.gcc && c.clang != clang || c.tidy && len(rep.Findings) == 0 {
		return nil
	}
	return rep
}

func (c *compiler) line(s *read.Sink, l tool.Line) bool {
	c.unwrap(s, l)
	opens, held := c.opens, c.held
	c.opens, c.held = false, nil
	if held != nil && isCarets(l.Text) {
		s.More(*held)
		return s.More(l)
	}
	switch {
	case l.Text == "":
		return false
	case c.diagnostic(s, l), c.link.line(s, l), c.driver(s, l):
		return true
	case isContext(l.Text):
		return true
	case opens && c.mayWrap(s, l):
		c.wrapped, c.opens = &l, true
		return true
	case isBelow(l.Text) && s.Open():
		return s.More(l)
	case opens:
		c.held = &l
		return false
	}
	s.Break()
	return false
}

// count replaces line, once no more findings are kept, for errors, warnings, notes and the source below them.
func (c *compiler) count(s *read.Sink, l tool.Line) (own, known bool) {
	if c.held != nil || c.wrapped != nil || l.Text == "" {
		return false, false
	}
	if l.Text[0] == ' ' || l.Text[0] == '\t' {
		known = s.Open() && isSource(l.Text)
		c.opens = c.opens && !known
		return known, known
	}
	d, ok := read.CutDiagnostic(withoutRanges(l.Text))
	if !ok && isPlainContext(l.Text) {
		c.opens = false
		return true, true
	}
	if !ok || isObject(d.At.Path) || isMerged(l.Text) {
		return false, false
	}
	if d.Word != "note" {
		_, rule := cutFlag(d.Message)
		if d.Word != "error" && d.Word != "warning" || isTidys(rule) {
			return false, false
		}
		s.Tell(l, read.SeverityOf(d.Word))
		c.required = nil
	}
	c.opens = true
	return true, true
}

// isSource reports whether an indented line is source: it has no word that marks a line of another program.
func isSource(text string) bool {
	return text[len(text)-1] != ':' && !strings.Contains(text, "erence to ") && !strings.Contains(text, "nition of ") &&
		!strings.Contains(text, " errors") && !strings.Contains(text, ": ")
}

// isMerged reports whether a line has the form of -fdiagnostics-format=vi, "path +3:7: error: text".
func isMerged(text string) bool {
	if colon := strings.IndexByte(text, ':'); colon >= 0 {
		text = text[:colon]
	}
	return strings.Index(text, " +") > 0
}

// withoutRanges removes what clang prints between a place and its message with -fdiagnostics-print-source-range-info:
// "a.c:6:18:{6:18-6:23}{6:11-6:14}: warning: text".
func withoutRanges(text string) string {
	from := strings.Index(text, ":{")
	if from < 0 {
		return text
	}
	end := strings.Index(text[from:], "}: ")
	if end < 0 || strings.Trim(text[from+1:from+end], "{}0123456789:-") != "" {
		return text
	}
	return text[:from] + text[from+end+1:]
}

// isTidys reports whether a message ends with a check of clang-tidy's, [bugprone-branch-clone]. A flag has a dash
// first.
func isTidys(message string) bool {
	_, check := read.Brackets.Cut(message)
	return check != "" && check[0] >= 'a' && check[0] <= 'z' && strings.Contains(check, "-")
}

// diagnostic reads a diagnostic with a place.
func (c *compiler) diagnostic(s *read.Sink, l tool.Line) bool {
	text := l.Text
	if isMerged(text) {
		text = strings.Replace(text, " +", ":", 1)
	}
	d, ok := read.CutDiagnostic(withoutRanges(text))
	if !ok {
		return false
	}
	if rest, sorry := strings.CutPrefix(d.Message, "sorry, unimplemented: "); sorry {
		d.Word, d.Message = "error", rest
	}
	switch {
	case d.Word == "note":
		c.note(s, l, d)
		return true
	case isRequired(d.Message) && d.Word == "":
		c.required = append(c.required, result.Related{Message: d.Message, At: &d.At})
		return true
	case d.Word == "" || isObject(d.At.Path):
		return false
	}
	if isTidys(d.Message) {
		c.tidy = true
		return false
	}
	d.Message, d.Rule = cutFlag(d.Message)
	f := result.Finding{Kind: result.Diagnostic, Severity: read.SeverityOf(d.Word), RawSeverity: d.Word, Rule: d.Rule, Message: d.Message, At: &d.At, Related: c.required}
	if d.Word == "internal compiler error" {
		f.Kind, s.Meaning = result.Panic, result.MeansCrashed
	}
	if f.Severity == result.SevError && f.Kind == result.Diagnostic {
		f.Kind = result.BuildError
	}
	s.Find(l, f)
	c.required, c.opens = nil, true
	return true
}

// wrapIndents are the indents of clang and gcc (-fmessage-length) for the rest of a message wider than the terminal.
var wrapIndents = [...]string{"      ", "   "}

// mayWrap reports whether a line may continue the message above it. Source looks the same, but has carets below it.
func (c *compiler) mayWrap(s *read.Sink, l tool.Line) bool {
	rest, indented := strings.CutPrefix(l.Text, wrapIndents[0])
	if !indented {
		rest, indented = strings.CutPrefix(l.Text, wrapIndents[1])
	}
	f := s.Last()
	isText := rest != "" && rest[0] != ' ' && !isCarets(rest) && !strings.Contains(rest, " | ")
	return indented && isText && f != nil && f.Rule == "" && len(f.Related) == 0
}

// unwrap decides, by the line below it, whether the line in c.wrapped is the rest of a message or source.
func (c *compiler) unwrap(s *read.Sink, l tool.Line) {
	w, f := c.wrapped, s.Last()
	if c.wrapped = nil; w == nil || f == nil {
		return
	}
	if isCarets(l.Text) {
		s.More(*w)
		return
	}
	f.Message = strings.TrimSpace(f.Message)
	if !strings.HasSuffix(f.Message, " [") {
		f.Message += " "
	}
	f.Message, f.Rule = cutFlag(f.Message + strings.TrimSpace(w.Text))
}

// note adds a note to the diagnostic above. A note without a diagnostic, such as a pragma's, is not a finding.
func (c *compiler) note(s *read.Sink, l tool.Line, d read.Diagnostic) {
	c.opens = true
	if f := s.Last(); f != nil {
		if s.More(l); len(f.Related) < 8 {
			f.Related = append(append(f.Related, c.required[:min(len(c.required), 7-len(f.Related))]...), result.Related{Message: d.Message, At: &d.At})
		}
		c.required = nil // the chain led to the note
		return
	}
	s.Cover(l)
}

// cutFlag splits "[-Wformat=]", "[-Werror=format=]" or "[-Werror,-Wformat]" from a message, and returns the flag
// without -Werror. The analyzer's CWE stays in the message. The category that clang adds with
// -fdiagnostics-show-category is removed: "[-Wformat,Format String Issue]", "[Semantic Issue]", "[4]".
func cutFlag(message string) (rest, rule string) {
	if !strings.HasSuffix(message, "]") {
		return message, ""
	}
	i := strings.LastIndexByte(message, '[')
	for i > 0 && message[i-1] != ' ' {
		i = strings.LastIndexByte(message[:i], '[')
	}
	if i <= 0 {
		return message, ""
	}
	rest, rule = message[:i-1], message[i+1:len(message)-1]
	if flags, category, _ := lex.CutLast(","+rule, ","); isCategory(category) {
		if rule = strings.TrimPrefix(flags, ","); rule == "" {
			return rest, ""
		}
	}
	rule = read.WarningFlag(strings.TrimPrefix(rule, "-Werror,"))
	if strings.IndexByte(rule, ' ') >= 0 || strings.IndexByte(rule, '\'') >= 0 || !strings.HasPrefix(rule, "-") && !strings.Contains(rule, ".") {
		return message, ""
	}
	return rest, rule
}

// isCategory reports whether text is the name or the number of a category of clang's diagnostics.
func isCategory(text string) bool {
	return lex.IsDigits(text) || strings.HasSuffix(text, " Issue") || strings.HasPrefix(text, "ARC ") || text == "Deprecations"
}

// isRequired reports whether a message belongs to the chain that leads to an error in a template.
func isRequired(message string) bool {
	return lex.HasAnyPrefix(message, "required ", "recursively required ", "in ‘constexpr’ expansion", "in requirements ", "within ‘") || message == "required from here"
}

// isContext reports whether a line says where the diagnostics below it are: "src/a.cc: In function 'int f()':".
func isContext(text string) bool {
	if strings.HasPrefix(text, "In file included from ") || strings.HasPrefix(text, "In module imported from") {
		return true
	}
	path, rest, ok := strings.Cut(text, ": ")
	if ok && rest != "" && isSourceName(path) && !strings.ContainsAny(rest[:len(rest)-1], ":/") && (rest[len(rest)-1] == ':' || strings.HasSuffix(rest, "：")) {
		return true // a line of this form in any language
	}
	return ok && (strings.HasPrefix(rest, "In ") && strings.HasSuffix(rest, ":") || rest == "At top level:" || rest == "At global scope:" || rest == "Assembler messages:")
}

// isPlainContext reports whether a line is "src/a.cc: In function 'int f()':", with the name of a source and nothing
// by which a line of a linker or a driver is recognized.
func isPlainContext(text string) bool {
	path, rest, ok := strings.Cut(text, ": ")
	return ok && strings.HasPrefix(rest, "In ") && rest[len(rest)-1] == ':' && strings.IndexByte(path, ' ') < 0 &&
		isSourceName(path) && strings.IndexByte(rest, '`') < 0 && !strings.Contains(rest, ": ")
}

var sourceEndings = [...]string{"c", "cc", "cpp", "h", "hpp", "cxx", "hh", "C", "c++", "hxx", "m", "mm"}

// isSourceName reports whether a path has an ending of C, C++ or Objective-C, which no program has.
func isSourceName(path string) bool {
	ending := path[strings.LastIndexByte(path, '.')+1:]
	return len(ending) < len(path) && slices.Contains(sourceEndings[:], ending)
}

// isBelow reports whether a line belongs to the diagnostic above: source, carets, and what gcc nests there.
func isBelow(text string) bool {
	return text[0] == ' ' || text[0] == '\t' || text[0] == '|' || strings.HasPrefix(text, "fix-it:")
}

func isCarets(text string) bool {
	s := strings.TrimLeft(text, " \t")
	return s != "" && (s[0] == '^' || s[0] == '~') && strings.Trim(s, "^~ ") == ""
}

func isObject(path string) bool {
	return strings.HasSuffix(path, ".o") || strings.HasSuffix(path, ".a") || strings.HasSuffix(path, ".so")
}
