package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("amtool", func(p *tool.Parser) {
	p.Is("amtool", result.Lint, 1, "amtool of Alertmanager 0.2x: check-config, and requests that fail")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Text{Line: amtoolLine}.Parse)})
})

// amtoolLine reads errors in a configuration; for errors of YAML, one row for each:
//
//	Checking 'am.yml'  FAILED: yaml: unmarshal errors:
//	  line 103: field pager_duty_configs not found in type config.plain
//
//	amtool: error: failed to validate 1 file(s)
func amtoolLine(s *read.Sink, l tool.Line) bool {
	f := s.Last()
	if checked, ok := strings.CutPrefix(l.Text, "Checking '"); ok {
		path, message, failed := strings.Cut(checked, "'  FAILED: ")
		if s.Sign(l); !failed {
			return s.Break()
		}
		return s.Find(l, result.Finding{Message: message, At: &result.Location{Path: path, Line: yamlLine(message)}})
	}
	if message, ok := strings.CutPrefix(l.Text, "amtool: error: "); ok {
		if strings.HasPrefix(message, "failed to validate ") {
			return s.Close(l)
		}
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message})
	}
	row, below := strings.CutPrefix(l.Text, "  line ")
	if number, why, ok := strings.Cut(row, ": "); below && ok && f != nil && f.At != nil && lex.IsDigits(number) && len(number) < 9 {
		at := result.Location{Path: f.At.Path, Line: lex.Atoi(number)}
		if strings.HasSuffix(f.Message, "errors:") { // the head of the rows
			f.At, f.Message = &at, why
			return s.Reach(l)
		}
		return s.Find(l, result.Finding{Message: why, At: &at})
	}
	s.Break()
	return false
}

// yamlLine returns the line in "yaml: line 3: did not find expected key", or 0.
func yamlLine(message string) int {
	_, rest, _ := strings.Cut(message, "yaml: line ")
	number, _, _ := strings.Cut(rest, ":")
	if !lex.IsDigits(number) || len(number) > 8 {
		return 0
	}
	return lex.Atoi(number)
}
