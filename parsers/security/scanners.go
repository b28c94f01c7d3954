package security

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("grype", func(p *tool.Parser) {
	p.Is("grype", result.Security, 1, "Grype 0.6x to 0.10x: -o json and sarif; from its documentation")
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: read.Items(grypeMatch, "/matches/*"), End: read.Unseen}.Parse})
	p.Reads(tool.Format{Name: "sarif", Parse: read.SARIF(nil)})
	p.Reads(tool.Format{Name: "log", Parse: read.Text{Line: scannerLog, End: read.Unseen}.Parse})
})

func grypeMatch(s *read.Sink, v *struct {
	Vulnerability struct {
		ID, Severity, Description string
		Fix                       struct{ Versions []string }
	}
	Artifact struct {
		Name, Version string
		Locations     []struct{ Path string }
	}
}) {
	fixed, path := "", ""
	if len(v.Vulnerability.Fix.Versions) > 0 {
		fixed = v.Vulnerability.Fix.Versions[0]
	}
	if len(v.Artifact.Locations) > 0 {
		path = v.Artifact.Locations[0].Path
	}
	s.FindHere(advisory(v.Vulnerability.ID, v.Vulnerability.Severity, v.Vulnerability.Description, v.Artifact.Name, v.Artifact.Version, fixed, path))
}

var _ = Room.Add("tfsec", func(p *tool.Parser) {
	p.Is("tfsec", result.Security, 1, "tfsec 1.x: its default form and json")
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{At: []string{"/results/*"}, Clean: true, Path: "location.filename", Line: "location.start_line", Rule: "long_id", Message: "description"}.Parse})
	p.Reads(tool.Format{Name: "text", Starts: []string{"Result #1 "}, Named: true, Parse: read.Rows{Rows: []read.Row{
		{Form: "Result #{} {} {message}"}, {Form: "  {path}:{line}", As: read.Fill}, {Form: "  {path}:{line}-{}", As: read.Fill},
		{Form: "          ID {rule}", As: read.Fill}, {Form: "  {} potential problem(s) detected.", As: read.Close},
	}, Below: func(_ *read.Sink, l tool.Line) bool { return !strings.HasPrefix(l.Text, "  timings") }}.Parse})
})

var _ = Room.Add("openssl", func(p *tool.Parser) {
	p.Is("openssl", result.Security, 1, "the commands of OpenSSL 1.1 and 3.x: its stack of errors, and verify")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Said{
		Whole: []string{"Could not ", "Can't ", "unable to ", "Unable to ", "error "}, Errors: []string{"openssl:Error: "},
		Usage: []string{"Invalid command '", "openssl: Use -help"}, Other: opensslLine,
	}.Parse)})
})

// opensslLine reads "40F7…:error:8000006F:library:function:reason:file:line:data".
// The first number is the thread's, and the file is one of OpenSSL's own source.
func opensslLine(s *read.Sink, l tool.Line) bool {
	parts := strings.SplitN(l.Text, ":", 9)
	if len(parts) < 8 || parts[1] != "error" || !lex.IsDigits(parts[7]) {
		return false
	}
	f := result.Finding{Kind: result.GenericFinding, Rule: parts[2], Message: parts[5] + " (" + parts[3] + ")"}
	if len(parts) > 8 && parts[8] != "" {
		f.Message += ": " + parts[8]
	}
	return s.Find(l, f)
}

// scannerLog reads why a scanner could not run: a line of its log with the level FATAL or
// ERROR, or an error about the command line.
//
//	2026-11-22T10:00:00Z	FATAL	Fatal error	run error: …
//	[0001] ERROR failed to catalog: …
//	Error: unknown flag: --nope
func scannerLog(s *read.Sink, l tool.Line) bool {
	for _, level := range [...]string{"FATAL", "ERROR"} {
		before, message, ok := strings.Cut(l.Text, level)
		if ok && len(before) < 40 && message != "" && strings.ContainsAny(message[:1], "\t ") && l.Stream == tool.Stderr {
			s.Find(l, result.Finding{Kind: result.GenericFinding, Message: strings.Join(strings.Fields(message), " ")})
			s.Meaning = result.MeansInternal
			return true
		}
	}
	if message, ok := strings.CutPrefix(l.Text, "Error: "); ok {
		return s.Misuse(l, message)
	}
	return false
}

var _ = Room.Add("brakeman", func(p *tool.Parser) {
	p.Is("brakeman", result.Security, 1, "Brakeman 4 to 7: text, json; sarif, junit and github are anyone's")
	p.Exits = map[int]result.Meaning{3: result.MeansFindings, 4: result.MeansUsage, 7: result.MeansInternal}
	p.Reads(tool.Format{Name: "json", Starts: []string{`{"scan_info":{"app_path":`}, Named: true, Parse: read.Objects{
		At: []string{"/warnings/*"}, Clean: true, Path: "file", Line: "line", Rule: "check_name", Message: "message", Fit: func(f *result.Finding) { f.Severity = result.SevWarning },
	}.Parse})
	p.Reads(tool.Format{Name: "text", Starts: []string{"== Brakeman Report =="}, Named: true, Parse: read.Rows{Rows: []read.Row{
		{Form: "Confidence: {}", As: read.Warning}, {Form: "Check: {rule}", As: read.Fill}, {Form: "Message: {message}", As: read.Fill},
		{Form: "File: {path}", As: read.Fill}, {Form: "Line: {line}", As: read.Fill}, {Form: "Category: {}", As: read.More}, {Form: "Code: {}", As: read.More},
		{Form: "== Warnings ==", As: read.Close}, {Form: "Security Warnings: {}", As: read.Skip},
	}}.Parse})
})
