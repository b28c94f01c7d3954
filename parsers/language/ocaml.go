package language

import (
	"cmp"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("ocamlc ocamlopt ocamlfind | ocaml ocamlc.opt ocamlopt.opt", func(p *tool.Parser) {
	p.Is("ocaml", result.Build, 1, "OCaml 4.08 to 5.4: ocamlc, ocamlopt, ocaml; exceptions of what was run")
	p.ColumnUnit = "byte"
	p.Reads(tool.Format{Name: "text", Starts: []string{"File \"…, characters ", "Fatal error: exception "}, Named: true, Sniff: isOCamlHead, Parse: parseOCaml})
})

var _ = Room.Add("dune", func(p *tool.Parser) {
	p.Is("dune", result.Build, 1, "dune 2.9 to 3.20: build and test, rules that failed, promotions")
	p.ColumnUnit = "byte"
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Parse: parseOCaml})
})

var _ = Room.Add("coqc coqtop coqchk rocq", func(p *tool.Parser) {
	p.Is("coq", result.Build, 1, "Coq 8.10 to 8.20 and Rocq 9: coqc, which reports as OCaml does")
	p.ColumnUnit = "byte"
	p.Reads(tool.Format{Name: "text", Starts: []string{"File \"….v\", line "}, Named: true, Sniff: isOCamlHead, Parse: parseOCaml})
})

// caml reads the compiler's blocks, and dune's lines about failed rules:
//
//	File "a.ml", line 1, characters 14-20:
//	1 | let x : int = "text"
//	                  ^^^^^^
//	Error: This expression has type string but an expression was expected of type
//	         int
type caml struct {
	at    *result.Location // the place of the block that is open
	head  tool.Line
	joins bool // the message goes on in indented lines
	trace bool
	apart bool // inside a failure of OUnit, between two rulers
	diff  int  // number of the finding, from 1, whose difference is being read
	next  int  // the line of the expected output that follows in it
}

func parseOCaml(in *tool.Input) *tool.Report {
	c := &caml{}
	return read.Text{Line: c.line, End: c.promoted}.Parse(in)
}

func isOCamlHead(line string) bool {
	return strings.HasPrefix(line, "Fatal error: exception ") || strings.HasSuffix(line, ":") && strings.Contains(line, `", line`) && !strings.Contains(line, ", in ")
}

func (c *caml) line(s *read.Sink, l tool.Line) bool {
	t := strings.TrimRight(l.Text, " ")
	for strings.HasPrefix(t, "# ") && c.isNamed(s) { // the prompt, if the program comes on stdin
		t = t[2:]
	}
	if c.apart = (c.apart || strings.HasPrefix(t, "=====")) && !strings.HasPrefix(t, "-----"); c.apart {
		return !s.Break()
	}
	c.differs(s, t)
	if c.opens(s, l, t) || c.says(s, l, t) || c.dune(s, l, t) {
		return true
	}
	switch {
	case strings.HasPrefix(t, "Testing `"): // Alcotest, whose lines follow
		return !s.Break()
	case t == "":
		c.joins = false
		return false
	case c.joins && t[0] == ' ' && s.Last() != nil:
		s.Last().Message += " " + strings.TrimSpace(t)
	case c.trace && s.Last() != nil:
		c.frame(s, l, t)
	case s.Last() != nil || c.at != nil:
		c.joins = false
		s.More(l)
	default:
		return false
	}
	return true
}

// opens reads the line with the place of a block.
func (c *caml) opens(s *read.Sink, l tool.Line, t string) bool {
	rest, ok := strings.CutPrefix(t, `File "`)
	path, rest, found := strings.Cut(rest, `", line`)
	if !ok || !found {
		return false
	}
	from, rest, _ := strings.Cut(strings.TrimPrefix(rest, "s"), ",")
	line, end, _ := strings.Cut(strings.Trim(from, " :"), "-")
	at := result.Location{Path: path, Line: lex.LeadingNumber(line)}
	if end = strings.Trim(end, " :"); lex.IsDigits(end) {
		at.EndLine = lex.Atoi(end)
	}
	if chars, ok := strings.CutPrefix(strings.TrimSpace(rest), "characters "); ok {
		first, last, _ := strings.Cut(strings.TrimSuffix(chars, ":"), "-")
		at.Column = lex.LeadingNumber(first) + 1
		if lex.IsDigits(last) && last != first {
			at.EndColumn = lex.Atoi(last) + 1
		}
	}
	c.promoted(s)
	c.at, c.head, c.joins, c.trace = &at, l, false, false
	return s.Break()
}

// promoted adds a test whose output differs from the file of expected output. Dune prints only the file's place,
// `File "a.expected", line 1, characters 0-0:`, and the difference.
func (c *caml) promoted(s *read.Sink) {
	if c.at == nil || c.at.Column != 1 || c.at.EndColumn != 0 {
		c.at = nil
		return
	}
	s.Find(c.head, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: c.at.Path, Message: "the output differs from " + c.at.Path, At: &result.Location{Path: c.at.Path}})
	c.at = nil
}

// differs reads the difference below: the finding's place is the first line that changes.
func (c *caml) differs(s *read.Sink, t string) {
	of, head := strings.CutPrefix(t, "--- ")
	from, hunk := strings.CutPrefix(t, "@@ -")
	switch {
	case head:
		c.promoted(s)
		c.diff = 1 + slices.IndexFunc(s.Findings, func(f result.Finding) bool {
			return f.At != nil && f.At.Line == 0 && f.ID == f.At.Path && strings.HasSuffix(of, f.ID)
		})
	case hunk:
		c.next = lex.LeadingNumber(from)
	case c.diff == 0 || strings.HasPrefix(t, "+++ "):
	case t == "" || t[0] == ' ':
		c.next++
	case t[0] == '-' || t[0] == '+':
		f := &s.Findings[c.diff-1]
		f.At.Line = cmp.Or(f.At.Line, c.next)
		if t[0] == '-' && f.Expected == "" && f.Actual == "" {
			f.Expected = strings.TrimSpace(t[1:])
		} else if t[0] == '+' {
			f.Actual, c.diff = strings.TrimSpace(t[1:]), 0
		}
	}
}

// says reads "Error: text", "Error (warning 8 [partial-match]): text" and
// "Warning 8 [partial-match]: text", and the exception that ended a program.
func (c *caml) says(s *read.Sink, l tool.Line, t string) bool {
	thrown, ok := strings.CutPrefix(t, "Fatal error: exception ")
	if said, top := strings.CutPrefix(t, "Exception: "); top && c.isNamed(s) {
		thrown, ok = strings.TrimSuffix(said, "."), true
	}
	if ok {
		rule, _, _ := strings.Cut(strings.Replace(thrown, ` "`, "(", 1), "(")
		s.Find(l, result.Finding{Kind: result.Panic, Rule: strings.TrimSpace(rule), Message: thrown, At: assertedAt(thrown)})
		c.trace = true
		return true
	}
	word, message, ok := strings.Cut(t, ": ")
	if !ok {
		word, message = strings.TrimSuffix(t, ":"), ""
	}
	f := result.Finding{Kind: result.BuildError, RawSeverity: "error", Message: message, At: c.at}
	switch {
	case word == "Error" && (c.at != nil || c.isNamed(s)):
	case c.at == nil:
		return false
	case word == "Warning", word == "Alert", strings.HasPrefix(word, "Warning "), strings.HasPrefix(word, "Alert "):
		f.Kind, f.Severity, f.RawSeverity, f.Rule = result.Diagnostic, result.SevWarning, "warning", camlRule(word)
	case strings.HasPrefix(word, "Error (") && strings.HasSuffix(word, ")"):
		f.Rule = camlRule(word[len("Error (") : len(word)-1])
	default:
		return false
	}
	s.Find(l, f)
	c.at, c.joins = nil, true
	return true
}

// assertedAt returns the place in `Assert_failure("t.ml", 1, 9)`, or nil. OCaml counts columns from 0.
func assertedAt(thrown string) *result.Location {
	_, rest, ok := strings.Cut(thrown, `Assert_failure("`)
	path, rest, found := strings.Cut(rest, `", `)
	line, column, both := strings.Cut(strings.TrimSuffix(rest, ")"), ", ")
	if !ok || !found || !both {
		return nil
	}
	return &result.Location{Path: path, Line: lex.LeadingNumber(line), Column: lex.LeadingNumber(column) + 1}
}

func (c *caml) isNamed(s *read.Sink) bool {
	argv := s.In.Command().Argv
	return len(argv) > 0 && (argv[0] == "dune" || lex.HasAnyPrefix(argv[0], "ocaml", "coq", "rocq"))
}

// camlRule returns the name in "warning 8 [partial-match]" and in "alert deprecated".
func camlRule(word string) string {
	if _, name, ok := strings.Cut(word, "["); ok {
		return strings.TrimSuffix(name, "]")
	}
	fields := strings.Fields(word)
	return strings.Join(fields[1:], " ")
}

// dune reads "   t alias t/runtest (exit 3)", the program's command below it, and dune's own messages.
func (c *caml) dune(s *read.Sink, l tool.Line, t string) bool {
	text := strings.TrimSpace(t)
	if code, ok := strings.CutSuffix(text, ")"); ok && t != "" && t[0] == ' ' && !strings.Contains(text, "(internal)") {
		if what, n, has := strings.Cut(code, " (exit "); has && lex.IsDigits(n) || strings.Contains(code, " (got signal ") {
			c.promoted(s)
			f := result.Finding{Kind: result.BuildError, Message: "exited with " + n}
			if name, alias, ok := strings.Cut(what, " alias "); ok {
				f.Kind, f.Severity, f.ID, f.Name = result.TestFailure, result.SevFailure, alias+" "+name, name
			} else {
				f.ID = what
			}
			return s.Find(l, f)
		}
	}
	if f := s.Last(); f != nil && f.ID != "" && strings.HasPrefix(f.Message, "exited with ") && t != "" && t[0] != '(' && t[0] != ' ' && f.Detail != "" {
		f.Message = text + " (" + f.Message + ")"
		return s.More(l)
	}
	switch {
	case strings.HasPrefix(t, "dune: ") || strings.HasPrefix(t, "ocamlfind: "):
		_, message, _ := strings.Cut(t, ": ")
		s.Misuse(l, message)
	case strings.HasPrefix(t, "Hint: ") && s.Last() != nil:
		s.Last().Suggestions = append(s.Last().Suggestions, t[len("Hint: "):])
		s.More(l)
	case strings.HasPrefix(t, "Entering directory '"), strings.HasPrefix(t, "Leaving directory '"):
	case strings.Contains(t, "git (internal) (exit 1)"):
		c.promoted(s)
		c.joins = false
	default:
		return false
	}
	return true
}

// frame reads `Called from Rt in file "rt.ml", line 2, characters 16-22`. The first frame outside of a library is
// the finding's place.
func (c *caml) frame(s *read.Sink, l tool.Line, t string) {
	if at, ok := frame.OCaml(t); ok && s.Last().At == nil && !at.External {
		s.Last().At = &at
	}
	s.More(l)
}
