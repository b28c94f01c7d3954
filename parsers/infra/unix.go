package infra

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Programs of every Unix: each says "program: what: why".

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "tar", Kind: result.Generic, Version: 1,
		About:   "GNU tar and bsdtar, with what the program that unpacks says",
		Matches: tool.Runs("tar", "bsdtar", "gtar"), Programs: []string{"tar"},
		Formats: []tool.Format{
			{Name: "text", Parse: tarText.Parse},
			{Name: "text", Starts: []string{"tar: Exiting with failure status", "tar: Error is not recoverable"}, Parse: tarText.Parse},
		},
	}
})

var tarText = read.Said{Kind: result.Diagnostic, Errors: []string{"gzip: ", "bzip2: ", "xz: ", "zstd: "}, Other: tarLine}

// tarLine reads what tar says. That it gives up is told by the lines above.
func tarLine(s *read.Sink, l tool.Line) bool {
	message, ok := strings.CutPrefix(l.Text, "tar: ")
	switch {
	case !ok:
		return false
	case strings.HasPrefix(message, "Exiting with failure status"), strings.HasPrefix(message, "Error is not recoverable"), strings.HasPrefix(message, "Error exit delayed"), strings.HasPrefix(message, "Child returned status"):
		s.Sign(l)
	case strings.HasPrefix(message, "Removing leading "), strings.Contains(message, "file changed as we read it"):
		s.Find(l, result.Finding{Severity: result.SevWarning, Message: message})
	default:
		s.Find(l, result.Finding{Message: message})
	}
	return true
}

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "rsync", Kind: result.Generic, Version: 1,
		About:   "rsync 3.x: errors and the line that ends a failed run",
		Matches: tool.Runs("rsync"), Programs: []string{"rsync"},
		Exits: map[int]result.Meaning{1: result.MeansUsage, 2: result.MeansUsage, 20: result.MeansInterrupted},
		Formats: []tool.Format{
			{Name: "text", Parse: rsyncText.Parse},
			{Name: "text", Starts: []string{"rsync error: "}, Parse: rsyncText.Parse},
		},
	}
})

var rsyncText = read.Said{
	Kind: result.Diagnostic, Errors: []string{"rsync: ", "rsync error: ", "ssh: ", "@ERROR: "}, Warnings: []string{"rsync warning: "}, Fill: fillRsync,
}

// fillRsync takes the exit code in "some files were not transferred (code 23) at
// main.c(1394) [sender=3.5.0]" for a rule; where rsync's own source stands is
// nothing to its user.
func fillRsync(f *result.Finding) {
	what, behind, ok := strings.Cut(f.Message, " (code ")
	if code, at, found := strings.Cut(behind, ") at "); ok && found && lex.IsDigits(code) && strings.Contains(at, ".c(") {
		f.Rule, f.Message = code, what
	}
}

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "jq", Kind: result.Generic, Version: 1,
		About:   "jq 1.5 to 1.8: programs that do not compile, input that is not JSON, values of another type",
		Matches: tool.Runs("jq", "gojq", "jaq"), Programs: []string{"jq"},
		Exits: map[int]result.Meaning{2: result.MeansUsage, 3: result.MeansUsage},
		Formats: []tool.Format{{Name: "text", Parse: read.Said{
			End: jqPlace, Kind: result.Diagnostic, Errors: []string{"jq: error: ", "jq: parse error: ", "parse error: ", "jq: error ", "jq: Unknown "}, Other: jqLine, Below: true,
		}.Parse}},
	}
})

// jqPlace takes " at line 3, column 14" off a message: where the input is no JSON.
func jqPlace(s *read.Sink) {
	for i := range s.Findings {
		f := &s.Findings[i]
		message, where, ok := strings.Cut(f.Message, " at line ")
		line, column, found := strings.Cut(where, ", column ")
		if ok && found && lex.IsDigits(line) && lex.IsDigits(column) && len(where) < 24 {
			f.Message, f.At = message, &result.Location{Path: jqFile(s.In), Line: lex.Atoi(line), Column: lex.Atoi(column)}
		}
	}
}

// jqFile is the file behind the filter, where the command names one.
func jqFile(in *tool.Input) string {
	args := slices.DeleteFunc(slices.Clone(in.Command().Argv), func(a string) bool { return strings.HasPrefix(a, "-") })
	if len(args) == 3 {
		return args[2]
	}
	return "<stdin>"
}

// jqLine passes by the count of errors, which stand above it.
func jqLine(_ *read.Sink, l tool.Line) bool {
	return strings.HasPrefix(l.Text, "jq: ") && strings.Contains(l.Text, " compile error")
}
