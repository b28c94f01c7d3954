package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("autoreconf autoconf aclocal automake autoheader", func(p *tool.Parser) {
	p.Is("autoconf", result.Build, 1, "autoreconf, autoconf, aclocal, automake and autoheader: errors and warnings of configure.ac and Makefile.am")
	p.Reads(tool.Format{Name: "text", Starts: []string{"autoreconf: error: ", "automake: error: ", "aclocal: error: "}, Named: true, Parse: read.Text{Line: autotool}.Parse})
})

// autotool reads warnings, with the macros that led there, and errors. A program's own lines begin with its name;
// those without "warning: " or "error: " are progress:
//
//	configure.ac:32: warning: The macro `AC_HEADER_STDC' is obsolete.
//	configure.ac:32: You should run autoupdate.
//	./lib/autoconf/headers.m4:704: AC_HEADER_STDC is expanded from...
//	configure.ac:32: the top level
//	configure:19545: error: possibly undefined macro: LT_LIB_DLLOAD
//	autoreconf: error: /usr/bin/autoconf failed with exit status: 1
func autotool(s *read.Sink, l tool.Line) bool {
	program, message, _ := strings.Cut(l.Text, ": ")
	d, placed := read.CutDiagnostic(l.Text)
	switch {
	case lex.IsOneOf(program, "autoreconf autoconf aclocal automake autoheader autom4te libtoolize autopoint"):
		s.Sign(l)
		if message, ok := strings.CutPrefix(message, "error: "); ok {
			s.Find(l, result.Finding{Kind: result.BuildError, Rule: program, Message: message})
		} else if message, ok := strings.CutPrefix(message, "warning: "); ok {
			s.Find(l, result.Finding{Severity: result.SevWarning, Rule: program, Message: message})
		}
		return s.Break()
	case placed && (d.Word == "error" || d.Word == "warning") && d.At.Line > 0:
		f := result.Finding{Kind: result.BuildError, At: &d.At, Message: d.Message}
		if d.Word == "warning" {
			f.Kind, f.Severity = result.Diagnostic, result.SevWarning
		}
		return s.Find(l, f)
	case s.Last() != nil && (placed || lex.LeadingBlanks(l.Text) > 0):
		return s.More(l)
	}
	return s.Break() && strings.Contains(l.Text, ": installing '")
}

var _ = Room.Add("configure", func(p *tool.Parser) {
	p.Is("configure", result.Build, 1, "configure scripts made by Autoconf 2.5 to 2.72: errors and warnings")
	p.Reads(tool.Format{Name: "text", Starts: []string{"configure: error: "}, Parse: read.Text{Line: configureLine}.Parse})
})

// configureLine reads an error, which may have the directory above it, and a warning:
//
//	configure: error: in `/src/shop':
//	configure: error: C compiler cannot create executables
//	See `config.log' for more details
func configureLine(s *read.Sink, l tool.Line) bool {
	message, failed := strings.CutPrefix(l.Text, "configure: error: ")
	warning, warned := strings.CutPrefix(l.Text, "configure: WARNING: ")
	switch {
	case failed && lex.HasAnyPrefix(message, "in `", "in '"):
		return true
	case failed:
		return s.Find(l, result.Finding{Kind: result.BuildError, Severity: result.SevError, Message: message})
	case warned:
		return s.Find(l, result.Finding{Severity: result.SevWarning, RawSeverity: "warning", Message: warning})
	}
	return s.Last() != nil && strings.HasPrefix(l.Text, "See ") && s.More(l)
}

var _ = Room.Add("pkg-config pkgconf", func(p *tool.Parser) {
	p.Is("pkg-config", result.Package, 1, "pkg-config 0.29 and pkgconf 1 and 2: packages that are missing or too old")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Said{
		Usage: []string{"pkgconf: unknown option", "Unknown option "}, Notes: []string{"Perhaps you should add ", "to the PKG_CONFIG_PATH ", "You may find new versions "}, Other: pkgConfigLine,
	}.Parse)})
})

// pkgConfigLine reads "Package x was not found in the pkg-config search path." and the next line, which names the
// package that requires x.
func pkgConfigLine(s *read.Sink, l tool.Line) bool {
	rest, ok := strings.CutPrefix(l.Text, "Package ")
	rest, unmet := strings.CutPrefix(rest, "dependency requirement ")
	name, why, told := strings.Cut(rest, " ")
	if unmet {
		name, why, told = strings.Cut(strings.TrimPrefix(rest, "'"), "' ")
	}
	name = strings.Trim(name, "',")
	switch {
	case !ok || !told:
		return false
	case s.Last() != nil && (strings.Contains(why, "required by 'virtual:world'") || strings.HasPrefix(why, "has version ")):
		return s.More(l)
	}
	return s.Find(l, result.Finding{Kind: result.BuildError, ID: name, Message: l.Text})
}

var _ = Room.Add("msgfmt msgmerge xgettext msgcat msgconv msginit msguniq", func(p *tool.Parser) {
	p.Is("gettext", result.Build, 1, "msgfmt, msgmerge, xgettext and their kin, 0.19 to 0.23")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Linter{
		Other: gettextOther, Below: read.Indented, Accept: func(d *read.Diagnostic) bool { return !strings.HasPrefix(d.Message, "...") },
	}.Parse)})
})

// gettextOther reads a program's own messages, and the second half of a message that names two places,
// "...this is the location of the first definition".
func gettextOther(s *read.Sink, l tool.Line) bool {
	program, message, ok := strings.Cut(l.Text, ": ")
	count, what, _ := strings.Cut(strings.TrimPrefix(message, "found "), " ")
	switch {
	case strings.Contains(l.Text, ": ...this is the location of the first definition"):
		return true
	case !ok || !strings.HasPrefix(program, "msg") && !strings.HasPrefix(program, "xgettext"):
		return false
	case lex.IsDigits(count) && strings.HasPrefix(what, "fatal error"):
		return s.Found(l, lex.Atoi(count))
	}
	f := result.Finding{Kind: result.GenericFinding, Message: message}
	if path, why, warned := strings.Cut(message, ": warning: "); warned {
		f = result.Finding{Severity: result.SevWarning, RawSeverity: "warning", Message: why, At: &result.Location{Path: path}}
	}
	s.Find(l, f)
	if strings.HasPrefix(message, "unrecognized option ") || strings.HasPrefix(message, "invalid option ") {
		s.Meaning = result.MeansUsage
	}
	return true
}

var _ = Room.Add("bmake pmake", func(p *tool.Parser) {
	p.Is("bmake", result.Build, 1, "make of the BSDs: recipes that failed, targets without a rule, mistakes in a makefile")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Text{Line: bmakeLine}.Parse)})
})

// bmakeLine reads failed recipes, and mistakes in a makefile:
//
//	*** [b] Error code 1
//	bmake: "/src/b.mk" line 3: Malformed conditional (foo()
//	bmake: don't know how to make nodep. Stop
func bmakeLine(s *read.Sink, l tool.Line) bool {
	if text, ok := strings.CutPrefix(l.Text, "*** "); ok {
		target, why, named := strings.Cut(strings.TrimPrefix(text, "["), "] ")
		if !named {
			target, why = "", text
		}
		if why = strings.TrimSuffix(why, " (continuing)"); !lex.HasAnyPrefix(why, "Error code ", "Signal ") {
			return false
		}
		return s.Find(l, result.Finding{Kind: result.BuildError, ID: target, Message: why})
	}
	_, text, ok := strings.Cut(l.Text, "make: ")
	if !ok || strings.HasPrefix(text, "stopped in ") {
		return ok
	}
	f := result.Finding{Kind: result.BuildError, Message: strings.TrimSuffix(text, ". Stop")}
	if quoted, at := strings.CutPrefix(text, `"`); at {
		path, rest, _ := strings.Cut(quoted, `" line `)
		number, message, _ := strings.Cut(rest, ": ")
		f.At, f.Message = &result.Location{Path: path, Line: lex.LeadingNumber(number)}, message
	}
	if strings.HasPrefix(text, "Fatal errors encountered") && s.Last() != nil {
		return s.More(l)
	}
	return s.Refuse(l, f)
}

var _ = Room.Add(tool.NoProgram, func(p *tool.Parser) {
	p.Is("automake", result.Test, 1, "make check of Automake 1.12 to 1.17: the parallel harness, with VERBOSE=1 its test-suite.log")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Testsuite summary for "}, Parse: read.Fresh(func(a *automake) read.Text {
		a.text.Max = maxLogged
		return read.Text{Line: a.line, End: a.logged}
	})})
})

// automake reads a verdict per line, the log of the failed tests if it is printed, and a summary per directory:
//
//	FAIL: testit.sh
//	   popt 1.19: tests/test-suite.log
//	FAIL: testit.sh
//	===============
//	FAIL: test1 - 18: got "x", which the test itself prints
//	FAIL testit.sh (exit status: 2)
//
//	Testsuite summary for popt 1.19
//	# FAIL:  1
type automake struct {
	summary bool   // the rows of a summary follow
	log     bool   // inside the log of the failed tests
	above   string // the line above; a line of "=" below it makes it a heading of the log
	text    lex.Bounded
	at      map[string]int // number of a test's finding, from 1, by the name of the test
	of      string         // the test whose log is being read
}

// maxLogged is the maximum size of the log that is kept of one test, in bytes.
const maxLogged = 32 << 10

// automakeOutcome returns the outcome for a word before a test's name, or before a count; "" for another word.
func automakeOutcome(word string) string {
	return lex.Means(word, "passed: PASS; failed: FAIL; error: ERROR; skipped: SKIP; xfailed: XFAIL; xpassed: XPASS")
}

func (a *automake) line(s *read.Sink, l tool.Line) bool {
	word, rest, _ := strings.Cut(strings.TrimPrefix(l.Text, "# "), ":")
	outcome, name := automakeOutcome(word), strings.TrimSpace(rest)
	above := a.above
	a.above = l.Text
	switch {
	case strings.HasPrefix(l.Text, "Testsuite summary for "):
		a.logged(s)
		a.summary, a.log = true, false
		return s.Close(l)
	case a.summary && strings.HasPrefix(l.Text, "# ") && outcome != "" && lex.IsDigits(name):
		s.Score(outcome, lex.Atoi(name))
		return s.Ended(l)
	case strings.HasSuffix(l.Text, "/test-suite.log") && strings.HasPrefix(l.Text, "   "), l.Text == ".. contents:: :depth: 2":
		a.log, a.summary = true, false
	case a.log && len(l.Text) > 4 && strings.Trim(l.Text, "=") == "" && len(l.Text) == len(above) && strings.Contains(above, ": "):
		a.logged(s)
		_, a.of, _ = strings.Cut(above, ": ")
	case a.log:
		if verdict, told, _ := strings.Cut(above, " "); strings.Trim(above, "=") != "" && (automakeOutcome(verdict) == "" || !strings.HasPrefix(told, a.of+" (exit status: ")) {
			a.text.Add(above, nil) // a line late, since it may be a heading
		}
		return a.of != "" || strings.Trim(l.Text, "=") == "" || strings.HasPrefix(l.Text, "# ")
	case outcome != "" && name != "" && !strings.HasPrefix(l.Text, "# "):
		a.summary = false
		return a.verdict(s, l, read.Outcome(outcome), name)
	default:
		return a.summary && (strings.Trim(l.Text, "=") == "" || lex.HasAnyPrefix(l.Text, "# TOTAL: ", "See ", "Please report to ")) || isSilent(l.Text) ||
			strings.Contains(l.Text, "test-driver: line ") && strings.HasSuffix(l.Text, ` "$@" >> "$log_file" 2>&1`) // what the shell says of a test that crashed
	}
	return true
}

// isSilent reports whether a line is the progress of Automake's silent rules: "  CC       src/kvs.o", of its recursion: "make  check-TESTS",
// or a command of its rules that keep dependencies.
func isSilent(text string) bool {
	if lex.HasAnyPrefix(text, "Making ", "depbase=`echo ", "mv -f $depbase.Tpo ", "mv -f .deps/") || strings.Contains(text, " -DPACKAGE_NAME=") || strings.Contains(text, " -DHAVE_CONFIG_H ") {
		return true
	}
	what, file, ok := strings.Cut(strings.TrimPrefix(text, "  "), " ")
	return ok && (what == "make" && strings.HasPrefix(file, " ") ||
		strings.HasPrefix(text, "  ") && len(text)-len(strings.TrimLeft(file, " ")) == len("  CC       ") && what == strings.ToUpper(what))
}

func (a *automake) verdict(s *read.Sink, l tool.Line, outcome read.Outcome, name string) bool {
	s.Ran(tool.Test{ID: name, Outcome: outcome})
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: name, Message: strings.ToLower(l.Text[:strings.IndexByte(l.Text, ':')])}
	switch outcome {
	case tool.Errored:
		f.Severity = result.SevError
	case tool.Failed, tool.XPassed:
	default:
		return s.Sign(l)
	}
	s.Find(l, f)
	if s.Last() != nil {
		lex.Put(&a.at, name, len(s.Findings))
	}
	return s.Break()
}

// logged completes a finding from its test's log: by the last line with a place, or else by the failed checks.
func (a *automake) logged(s *read.Sink) {
	lines, n := a.text.Lines(), a.at[a.of]
	a.text, a.of = lex.Bounded{Max: maxLogged}, ""
	if n == 0 || len(lines) == 0 {
		return
	}
	f := &s.Findings[n-1]
	f.Detail = lex.Clip(strings.Join(lines, "\n"))
	if at, said := lastPlace(lines); at != nil {
		f.At, f.Message = at, f.Message+": "+said
		return
	}
	var bad []string
	for _, line := range lines {
		if lex.HasAnyPrefix(line, "FAIL: ", "FAIL - ", "not ok ", "FAILED: ") && len(bad) < 5 {
			bad = append(bad, line)
		}
	}
	if len(bad) > 0 {
		f.Message += ": " + strings.Join(bad, "; ")
	} else if said := read.Reason(lines); said != "" {
		f.Message += ": " + said
	}
}
