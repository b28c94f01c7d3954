package security

import (
	"cmp"
	"path"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/junit"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("zizmor", func(p *tool.Parser) {
	p.Is("zizmor", result.Security, 1, "zizmor 1.x: plain, json, sarif, github")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Clean: true, Items: read.Items(zizmorItem, "/*", "/findings/*")}.Parse})
	p.Reads(tool.Format{Name: "sarif", Parse: read.SARIF(zizmorResult)})
	p.Reads(tool.Format{Name: "text", Parse: read.Lines((*zizmor).line)})
})

// zizmorItem reads a finding of the JSON, whose lines and columns count from 0.
func zizmorItem(s *read.Sink, v *struct {
	Ident, Desc, URL string
	Determinations   struct{ Severity string }
	Locations        []struct {
		Symbolic struct {
			Key struct {
				Local struct {
					Given    string `json:"given_path"`
					Verbatim string `json:"verbatim_path"`
				}
			}
			Kind string
		}
		Concrete struct {
			Location struct {
				Start struct{ Row, Column int } `json:"start_point"`
			}
		}
	}
}) {
	f := result.Finding{Severity: cmp.Or(result.Severity(lex.Means(v.Determinations.Severity, "error: High; warning: Medium")), result.SevInfo), RawSeverity: strings.ToLower(v.Determinations.Severity), Rule: v.Ident, RuleURL: v.URL, Message: v.Desc}
	for _, at := range v.Locations {
		if at.Symbolic.Kind == "Primary" || f.At == nil {
			start := at.Concrete.Location.Start
			f.At = &result.Location{Path: cmp.Or(at.Symbolic.Key.Local.Given, at.Symbolic.Key.Local.Verbatim), Line: start.Row + 1, Column: start.Column + 1}
		}
	}
	s.FindHere(f)
}

type zizmor struct{ read.Framed }

// line reads a finding in a frame or in GitHub's form, and the errors that stop the program.
func (p *zizmor) line(s *read.Sink, l tool.Line) bool {
	if p.Line(s, l) {
		return true
	}
	if w, ok := read.CutWorkflow(l.Text); ok && w.Title != "" {
		_, message, _ := strings.Cut(w.Message, ": ")
		message, _, _ = strings.Cut(message, ": ")
		return s.Find(l, result.Finding{Severity: read.SeverityOf(w.Word), Rule: w.Title, Message: message, At: &w.At})
	}
	text := strings.TrimSpace(l.Text)
	message, fatal := strings.CutPrefix(text, "fatal: ")
	usage, wrong := strings.CutPrefix(text, "error: ")
	switch {
	case fatal:
		return s.Misuse(l, message)
	case wrong && len(s.Findings) == 0 && strings.Contains(text, " argument"):
		return s.Misuse(l, usage)
	case s.Last() != nil && s.Meaning == result.MeansUsage && text != "":
		return s.More(l)
	case strings.HasPrefix(text, "No findings to report"), strings.Contains(text, " findings (") && strings.HasSuffix(text, "high"), strings.HasPrefix(text, "INFO zizmor: "), strings.HasPrefix(text, "INFO audit: zizmor: "):
		return s.Sign(l)
	}
	return false
}

// zizmorResult removes from a result of SARIF the texts that the other formats do not have.
func zizmorResult(f *result.Finding) {
	f.Rule = strings.TrimPrefix(f.Rule, "zizmor/")
	f.Message, _, _ = strings.Cut(f.Message, ": ")
}

var _ = Room.Add("checkov", func(p *tool.Parser) {
	p.Is("checkov", result.Security, 1, "checkov 2 and 3: cli, json, junitxml, gitlab_sast")
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: map[string]func(*read.Sink, []byte) error{
		"/results/failed_checks/*": read.Item(checkovItem), "/*/results/failed_checks/*": read.Item(checkovItem),
	}}.Parse})
	p.Reads(tool.Format{Name: "junitxml", Parse: checkovJUnit})
	p.Reads(tool.Format{Name: "text", Starts: []string{"Passed checks: …, Failed checks: "}, Parse: read.Lines((*checkov).line)})
	read.InPython(p)
})

// checkovItem reads a failed check. The path begins with "/", although it is relative to the directory in
// which checkov runs.
func checkovItem(s *read.Sink, v *struct {
	Rule     string `json:"check_id"`
	Name     string `json:"check_name"`
	Path     string `json:"repo_file_path"`
	Lines    []int  `json:"file_line_range"`
	Severity string
	URL      string `json:"guideline"`
}) {
	f := result.Finding{Rule: v.Rule, RuleURL: v.URL, Message: v.Name, Severity: result.SevError, RawSeverity: strings.ToLower(v.Severity), At: &result.Location{Path: strings.TrimPrefix(v.Path, "/")}}
	if len(v.Lines) == 2 {
		f.At.Line, f.At.EndLine = v.Lines[0], v.Lines[1]
	}
	s.FindHere(f)
}

// checkovJUnit reads JUnit XML, whose paths are relative to the scanned directory.
func checkovJUnit(in *tool.Input) *tool.Report {
	root := checkovRoot(in)
	return read.Fitted(junit.Lints, func(f *result.Finding) {
		f.Severity = result.SevError
		if f.At != nil {
			f.At.Path = path.Join(root, f.At.Path)
		}
	})(in)
}

// checkov reads the list of all checks, passed and failed:
//
//	Check: CKV_AWS_20: "S3 Bucket has an ACL defined which allows public READ access."
//		FAILED for resource: aws_s3_bucket.b
//		File: /a.tf:1-4
type checkov struct {
	rule, message string
	start         int64 // offset of the line with the check
}

func (c *checkov) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	switch {
	case strings.HasPrefix(text, "Check: "):
		c.rule, c.message, _ = strings.Cut(strings.Clone(text[len("Check: "):]), ": ")
		c.message, c.start = strings.Trim(c.message, `"`), l.Start
		return s.Break()
	case strings.HasPrefix(text, "FAILED for resource: ") && c.rule != "":
		l.Start = c.start
		return s.Find(l, result.Finding{Rule: c.rule, Message: c.message})
	case strings.HasPrefix(text, "File: ") && s.Last() != nil && s.Last().At == nil:
		at, _, _ := place.Cut(text[len("File: "):] + ":")
		s.More(l)
		if s.Last().Detail = ""; at.Path != "" {
			at.Path = path.Join(checkovRoot(s.In), at.Path)
			s.Last().At = &at
		}
		return true
	case lex.HasAnyPrefix(text, "PASSED for resource: ", "SKIPPED for resource: "):
		return s.Break()
	case strings.HasPrefix(text, "Passed checks: "):
		s.Scores(read.CountsBehind(text), "failed: failed checks; passed: passed checks; skipped: skipped checks")
		return s.Sign(l)
	}
	return false
}

// checkovRoot returns the scanned directory, from -d in the command; otherwise "".
func checkovRoot(in *tool.Input) string {
	argv := in.Command().Argv
	for i, arg := range argv {
		if (arg == "-d" || arg == "--directory") && i+1 < len(argv) {
			return argv[i+1]
		}
	}
	return ""
}
