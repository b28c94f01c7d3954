package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("bazel bazelisk", func(p *tool.Parser) {
	p.Is("bazel", result.Build, 1, "Bazel 5 to 8, by its manual: targets that failed, tests, errors in BUILD files; what compilers print is theirs")
	p.Runner = true
	p.Exits = map[int]result.Meaning{2: result.MeansUsage, 4: result.MeansNoTests, 8: result.MeansInterrupted, 37: result.MeansInternal}
	p.Reads(tool.Format{Name: "text", Starts: []string{"ERROR: Build did NOT complete successfully", "INFO: Build completed, ", "INFO: Build completed successfully, ", "FAILED: Build did NOT complete successfully"}, Parse: read.Text{Line: bazelLine, End: read.Unseen}.Parse})
	p.Reads(tool.Format{Name: "messages", Parse: read.Text{Line: bazelLine, End: read.Unseen}.Parse})
})

// bazelLine reads errors, and the table of tests at the end:
//
//	ERROR: /src/app/BUILD:3:10: Compiling app/main.cc failed: (Exit 1): gcc failed: error executing command
//	//app:cart_test                                              FAILED in 0.1s
//	  /src/bazel-out/testlogs/app/cart_test/test.log
//	Executed 2 out of 2 tests: 1 test passes and 1 fails locally.
func bazelLine(s *read.Sink, l tool.Line) bool {
	text := l.Text
	message, isError := strings.CutPrefix(text, "ERROR: ")
	switch {
	case strings.HasPrefix(text, "INFO: Build completed, "), strings.HasPrefix(text, "INFO: Build completed successfully, "):
		return s.Close(l)
	case strings.HasSuffix(text, "Build did NOT complete successfully"), strings.HasPrefix(text, "ERROR: Couldn't start the build. Unable to run tests"):
		return s.Sign(l)
	case isError:
		return s.Find(l, bazelError(message))
	case strings.HasPrefix(text, "Executed ") && strings.Contains(text, " out of "):
		bazelTally(s, l, text)
		return true
	case strings.HasPrefix(text, "//") || strings.HasPrefix(text, "@"):
		return bazelTest(s, l, text)
	}
	return bazelCompiler(s, l)
}

// bazelCompiler adds an error that a compiler printed below Bazel's line for the failed action.
func bazelCompiler(s *read.Sink, l tool.Line) bool {
	d, ok := read.CutDiagnostic(l.Text)
	ok = ok && s.Failures() > 0 && read.SeverityOf(d.Word) == result.SevError
	if s.Break(); ok {
		s.Find(l, result.Finding{Kind: result.BuildError, RawSeverity: d.Word, Message: d.Message, At: &d.At})
	}
	return ok
}

// bazelError returns the finding of "/src/app/BUILD:3:10: message", placed at the rule in the BUILD file.
func bazelError(message string) result.Finding {
	f := result.Finding{Kind: result.BuildError, Message: message}
	if at, rest, ok := place.Cut(message); ok && rest != "" {
		f.At, f.Message = &at, rest
	}
	return f
}

// bazelTest reads a row of the table of tests: "//app:cart_test    FAILED in 0.1s".
func bazelTest(s *read.Sink, l tool.Line, text string) bool {
	target, rest, ok := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	rest = strings.TrimPrefix(rest, "(cached) ")
	if !ok || !strings.Contains(target, ":") {
		return false
	}
	for _, word := range [...]string{"FAILED TO BUILD", "FAILED", "TIMEOUT", "NO STATUS"} {
		if rest != word && !strings.HasPrefix(rest, word+" in ") {
			continue
		}
		f := result.Finding{Kind: result.TestFailure, Severity: read.Grade(word != "FAILED"), RawSeverity: word, ID: target, Message: strings.ToLower(word)}
		if s.Find(l, f); word == "FAILED" || word == "TIMEOUT" {
			s.Tested = true
		}
		return true
	}
	return strings.HasPrefix(rest, "PASSED") || strings.HasPrefix(rest, "FLAKY")
}

// bazelTally reads "Executed 3 out of 4 tests: 2 tests pass, 1 fails to build and 1 fails locally."
func bazelTally(s *read.Sink, l tool.Line, text string) {
	_, counts, _ := strings.Cut(text, ": ")
	counts = strings.NewReplacer(" and ", ", ", ".", "").Replace(counts)
	for part := range strings.SplitSeq(counts, ", ") {
		n := lex.LeadingNumber(part)
		switch {
		case strings.Contains(part, " pass"):
			s.Count("passed", n)
		case strings.Contains(part, " fail"), strings.Contains(part, " time"):
			s.Count("failed", n)
		case strings.Contains(part, " skipped"), strings.Contains(part, " was "), strings.Contains(part, " were "):
			s.Count("skipped", n)
		}
	}
	s.Tested = true
	s.Sign(l)
}
