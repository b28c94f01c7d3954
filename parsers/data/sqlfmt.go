package data

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// sqlfmt names the files that it would change, or cannot read:
//
//	sql/bad.sql failed formatting check.
//	sql/bad.sql would be formatted.             --diff
//	models/x.sql
//	    sqlfmt encountered an error: Parse error at position 4
var _ = Room.Add("sqlfmt", func(p *tool.Parser) {
	p.Is("sqlfmt", result.Format, 1, "sqlfmt 0.9 and later: --check, --diff")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: sqlfmtLine}.Parse})
	p.Reads(read.PythonTrouble("sqlfmt"))
})

func sqlfmtLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	n := read.Counts(l.Text)
	counted := n["file"]+n["files"] > 0
	path, failed := strings.CutSuffix(text, " failed formatting check.")
	if !failed {
		path, failed = strings.CutSuffix(text, " would be formatted.")
	}
	switch {
	case counted || strings.HasPrefix(text, "0 files "):
		return s.Sign(l)
	case failed:
		s.Find(l, result.Finding{Rule: "unformatted", Message: "failed formatting check", At: &result.Location{Path: path}, Fixable: true})
		return s.Break()
	case strings.HasPrefix(text, "sqlfmt encountered an error: "):
		return s.Find(l, result.Finding{Message: strings.TrimPrefix(text, "sqlfmt encountered an error: "), At: &result.Location{Path: s.Path}})
	case strings.HasSuffix(text, ".sql") && !strings.Contains(text, " "):
		s.Path = strings.Clone(text)
		return false
	}
	return false
}
