package jvm

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("sbt | sbtn", func(p *tool.Parser) {
	p.Is("sbt", result.Build, 1, "sbt 1: scalac's diagnostics, ScalaTest, munit and specs2, which it runs or its own runner")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Starts: []string{"[error] (Compile / compile", "[error] (Test / test", "[info] welcome to sbt ", "[info] Total for specification "}, Named: true, Parse: read.Fresh(func(b *sbt) read.Text { return read.Text{Line: b.line, End: read.TestsClose, Closes: true} })})
})

var _ = Room.Add("org.scalatest.tools.Runner", func(p *tool.Parser) {
	p.Is("scalatest", result.Test, 1, "ScalaTest 3.0 to 3.2, its own Runner: short stacks and full ones")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Run starting. Expected test count is: ", "*** RUN ABORTED ***"}, Named: true, Parse: read.Fresh(func(b *sbt) read.Text {
		b.bare = true
		return read.Text{Line: b.line, End: read.TestsClose, Closes: true}
	})})
})

// sbt reads lines that begin with a level. Behind it is a line of scalac's or of a failed test:
//
//	[error] /src/Bad.scala:2:16: type mismatch;
//	[error]  found   : String("text")
//	[info] - adds *** FAILED *** (5 milliseconds)
//	[info]   3 did not equal 4 (CartSpec.scala:10)
//	==> X CartSuite.adds  0.01s munit.ComparisonFailException: /src/CartSuite.scala:5
type sbt struct {
	scala   scala
	suite   string
	scopes  []string         // titles around ScalaTest's tests, by depth: "A stock", "  when empty"
	depth   int              // of the failed test; its reason is deeper
	bare    bool             // ScalaTest's own runner, which prints no level
	within  bool             // and Maven's plugin runs it
	thrown  *result.Location // where the program that sbt runs threw an exception
	test    bool             // the last finding is a failed test
	counted bool             // the next counts of sbt's repeat those that a specification has printed
	several bool             // the name of a framework is above its counts: sbt's own, which follow, include them
	partly  bool             // this framework's counts have the form of sbt's own
	falsey  bool             // the last finding is a property of ScalaCheck's
}

func (b *sbt) line(s *read.Sink, l tool.Line) bool {
	level, text, ok := strings.Cut(l.Text, "] ")
	level = strings.TrimPrefix(level, "[")
	if b.bare {
		level, text = "", l.Text
	} else if !ok || level != "error" && level != "warn" && level != "info" && level != "success" {
		if text = l.Text; strings.HasPrefix(text, "==> X ") {
			return b.munit(s, l, text)
		}
		return strings.Contains(text, " example") && b.summary(s, l, text) || b.test && s.Last() != nil && b.below(s, l, text)
	}
	l.Text = text
	switch {
	case strings.HasPrefix(text, "Total time: "):
		s.Close(l) // the last line
	case text == "*** RUN ABORTED ***":
		b.test = s.Find(l, result.Finding{Kind: result.GenericFinding})
		s.EndHere()
	case b.property(s, l, text):
	case strings.Contains(text, " *** ABORTED ***"):
		suite, _, _ := strings.Cut(text, " *** ABORTED ***")
		b.depth, b.test = 0, s.Find(l, result.Finding{Kind: result.TestFailure, ID: suite})
	case level == "error" && strings.HasPrefix(text, "  ") && lex.HasAnyPrefix(strings.TrimSpace(text), "x ", "! "): // specs2
		b.test = s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: strings.TrimSpace(text)[2:]})
	case b.test && level == "error" && strings.HasPrefix(text, "Actual: "):
		s.Last().Actual = strings.TrimSpace(text[len("Actual: "):])
	case b.test && level == "error" && strings.HasPrefix(text, "Expected: "):
		s.Last().Expected = strings.TrimSpace(text[len("Expected: "):])
	case b.summary(s, l, text), strings.HasPrefix(text, "==> X ") && b.munit(s, l, text):
	case strings.Contains(text, " *** FAILED ***"):
		name, _, _ := strings.Cut(strings.TrimLeft(text, "- "), " *** FAILED ***")
		b.depth = lex.LeadingBlanks(text) / 2
		title := strings.Join(append(b.scopes[:min(b.depth+1, len(b.scopes)):len(b.scopes)], name), " ")
		if strings.HasPrefix(name, "Scenario: ") { // the reason is below, not deeper
			b.depth--
		}
		s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: strings.TrimPrefix(b.suite+"."+title, "."), Name: title})
		b.test, s.Tested = true, true
	case b.test && (lex.LeadingBlanks(text)/2 > b.depth || s.Last() != nil && s.Last().ID == "" && s.Last().Message == "") && !lex.HasAnyPrefix(strings.TrimSpace(text), "- ", "Scenario: "):
		b.below(s, l, text)
	case level != "error" && level != "warn" && strings.HasSuffix(text, ":") && !strings.Contains(text, " "):
		b.suite, b.scopes, b.depth, b.test = strings.TrimSuffix(text, ":"), nil, 0, false
	case level == "error" && strings.HasPrefix(text, "\tat "):
		if at, ok := frame.JVM(text[1:]); ok && b.thrown == nil && !at.External {
			b.thrown = &result.Location{Path: at.Path, Line: at.Line}
		}
		b.test = false
	case level == "error" && strings.HasPrefix(text, "\t"):
		if suite := strings.TrimSpace(text); !s.Crowded() && (s.Claimed == 0 || s.Failures() < s.Claimed) && !slices.ContainsFunc(s.Findings, func(f result.Finding) bool { return lex.HasAnyPrefix(f.ID, suite, lex.LastPart(suite)+".") }) { // its tests are cut off
			s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: suite, Message: tool.Untold})
		}
		b.test = false
	case level == "error" && b.failedTask(s, l, text), level == "error" && lex.HasAnyPrefix(text, "Failed tests:", "Error during tests:"):
		b.test = false
	case level == "error" || level == "warn":
		b.test = false
		return b.compiler(s, l, level, text)
	default:
		if title := strings.TrimSpace(text); level == "info" && b.suite != "" && !lex.HasAnyPrefix(title, "- ", "+ ") {
			b.scopes = append(b.scopes[:min(lex.LeadingBlanks(text)/2, len(b.scopes))], strings.Clone(title))
		}
		b.test = false
		return !b.bare // another line in the runner's output may be another tool's
	}
	return true
}

// compiler passes a line to scalac's reader. For Scala 2, the level replaces the missing severity.
func (b *sbt) compiler(s *read.Sink, l tool.Line, level, text string) bool {
	if d, ok := read.CutDiagnostic(text); ok && d.Word == "" && d.At.Line > 0 && strings.HasSuffix(d.At.Path, ".scala") {
		text = d.At.String() + ": " + strings.Replace(level, "warn", "warning", 1) + ": " + d.Message
	}
	if b.scala.line(s, l, text) {
		return true
	}
	text = strings.TrimSpace(text)
	said := "" // of the last finding
	if n := len(s.Findings); n > 0 {
		said = s.Findings[n-1].Message
	}
	switch invalid := strings.HasPrefix(text, "Not a valid "); {
	case invalid && lex.HasAnyPrefix(said, "Expected ", "Not a valid "):
		s.Findings[len(s.Findings)-1].Message = text
	case level == "error" && text != "" && (s.Failures() == 0 || invalid):
		s.Find(l, result.Finding{Kind: result.BuildError, Message: text})
		s.Break()
	}
	return true
}

// failedTask takes a line that says why a task failed, or only repeats that there were errors: "(ledger / update)
// sbt.librarymanagement.ResolveException: …", "(Compile / compileIncremental) Compilation failed", "2 errors found".
func (b *sbt) failedTask(s *read.Sink, l tool.Line, text string) bool {
	task, why, ok := strings.Cut(text, ") ")
	if !ok || !strings.HasPrefix(task, "(") || !strings.Contains(task, " / ") {
		return strings.HasSuffix(text, " errors found") || strings.HasSuffix(text, " error found")
	}
	i := slices.IndexFunc(s.Findings, func(f result.Finding) bool { return f.Kind == result.BuildError && f.Message == why })
	switch {
	case i >= 0:
		if s.Findings[i].ID = task[1:]; lex.IsOneOf(lastWord(task), "run runMain") {
			s.Findings[i].At = b.thrown
		}
	case !lex.HasAnyPrefix(why, "Compilation failed", "sbt.TestsFailedException: "):
		s.Find(l, result.Finding{Kind: result.BuildError, ID: task[1:], Message: why})
		s.Break()
	}
	b.thrown = nil
	return true
}

// property reads a property of ScalaCheck's that does not hold, and the values for which it does not:
//
//	! Ledger.split: Falsified after 0 passed tests.
//	> ARG_0: 7
//	> ARG_0_ORIGINAL: 2147483647
func (b *sbt) property(s *read.Sink, l tool.Line, text string) bool {
	value, ok := strings.CutPrefix(text, "> ")
	if name, fails := strings.CutPrefix(text, "! "); fails && strings.Contains(name, ": ") {
		name, why, _ := strings.Cut(name, ": ")
		b.test, b.falsey = false, s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: name, Message: strings.TrimSuffix(why, ".")})
		return true
	}
	f := s.Last()
	if b.falsey = b.falsey && f != nil && (ok || strings.HasSuffix(f.Message, ":")); !b.falsey {
		return false
	}
	if !strings.Contains(value, "_ORIGINAL: ") {
		f.Message += "; " + strings.TrimSpace(value)
	}
	return s.More(l)
}

// munit reads "==> X CartSuite.adds  0.01s munit.ComparisonFailException: /src/A.scala:5".
func (b *sbt) munit(s *read.Sink, l tool.Line, text string) bool {
	name, rest, _ := strings.Cut(text[len("==> X "):], "  ")
	_, rest, _ = strings.Cut(rest, "s ")
	class, message, _ := strings.Cut(rest, ": ")
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: name, Name: name, Rule: class, Message: message}
	if at, said, ok := place.Cut(message); ok {
		f.At, f.Message = &at, class
		if said = strings.TrimSpace(said); said != "" && said != "assertion failed" { // what was asserted is below
			f.Message = said
		}
	}
	s.Find(l, f)
	b.test, s.Tested = true, true
	return true
}

// below reads the reason of a failed test, which ends with the place: "3 did not equal 4 (A.scala:10)".
func (b *sbt) below(s *read.Sink, l tool.Line, text string) bool {
	f := s.Last()
	if text = strings.TrimSpace(text); text == "" || f == nil {
		return false
	}
	if at, ok := frame.JVM(text); ok && strings.HasPrefix(text, "at ") && strings.Count(text, " ") == 1 {
		if f.At == nil && !at.External {
			f.At = &result.Location{Path: at.Path, Line: at.Line}
		}
	} else if message, spot := read.Parens.Cut(text); f.Message == "" || strings.HasSuffix(f.Message, ", because:") {
		if read.PlaceOf(spot) != nil {
			text, f.At = message, read.PlaceOf(spot)
		}
		f.Message = strings.TrimSpace(f.Message + " " + text)
	} else if said := read.PlaceOf(spot); f.At == nil && said != nil && frame.IsJVMSource(said.Path) { // below a diagram
		f.At = said
	} else if f.Message == f.Rule && strings.Trim(text[:1], "0123456789") != "" {
		f.Message = text
	}
	return s.More(l)
}

// summary reads the counts of a project: ScalaTest's "Tests: succeeded 1, failed 1, canceled 0, …" or sbt's own "Failed:
// Total 3, Failed 1, Errors 0, Passed 2". With tests of several frameworks, sbt prints "ScalaTest" above the first,
// and then the second, of all.
func (b *sbt) summary(s *read.Sink, l tool.Line, text string) bool {
	if _, rest, suites := strings.Cut(text, ", aborted "); suites && !b.several && strings.HasPrefix(text, "Suites: ") && rest != "0" {
		s.Claim(lex.LeadingNumber(rest))
		s.Count("error", lex.LeadingNumber(rest))
	}
	if lex.IsOneOf(text, "ScalaTest ScalaCheck") {
		b.several, b.partly = true, text == "ScalaCheck"
	}
	counts, own := lex.CutAnyPrefix(text, "Failed: Total ", "Passed: Total ", "Error: Total ")
	counts, ok := lex.CutAnyPrefix(counts, "Tests: ")
	examples := strings.Contains(text, " example") && lex.LeadingNumber(text) > 0 // the counts of a specification of specs2
	switch repeats := own && (b.counted || b.partly) || ok && b.several; {
	case !own && !ok && !examples:
		return strings.HasPrefix(text, "*** ") && strings.HasSuffix(text, " ***")
	case repeats:
		b.counted, b.partly = b.counted && !own, false
		return true
	}
	n := read.Counts(strings.Replace(text, " examples", " total", 1))
	n["failed"], n["errors"] = n["failures"]+n["failure"], n["error"]+n["errors"]
	n["passed"] = max(0, n["total"]-n["failed"]-n["errors"]-n["skipped"])
	for part := range strings.SplitSeq(counts, ", ") {
		if name, v, has := strings.Cut(part, " "); has {
			n[strings.ToLower(name)] = read.Counts(v + " x")["x"]
		}
	}
	s.Tested = true
	s.Scores(n, "failed: failed; error: errors; passed: passed, succeeded; skipped: ignored, skipped, canceled; todo: pending")
	b.test, b.counted, b.several = false, examples, b.several && !own
	if b.bare && !b.within || examples {
		return s.Close(l)
	}
	return s.Sign(l)
}
