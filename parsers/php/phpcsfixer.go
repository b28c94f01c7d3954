package php

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("php-cs-fixer | php-cs-fixer.phar", func(p *tool.Parser) {
	p.Is("php-cs-fixer", result.Format, 1, "PHP CS Fixer 3: txt, with --diff and -v, and gitlab")
	p.Exits = map[int]result.Meaning{4: result.MeansFindings, 8: result.MeansFindings, 12: result.MeansFindings, 16: result.MeansUsage, 32: result.MeansUsage, 64: result.MeansInternal}
	p.Reads(tool.Format{Name: "gitlab", Parse: read.CodeQuality(func(f *result.Finding) { f.Rule = strings.TrimPrefix(f.Rule, "PHP-CS-Fixer.") })})
	p.Reads(tool.Format{Name: "text", Starts: []string{"Found … that can be fixed in ", "Fixed … files in ", "PHP CS Fixer "}, Named: true, Parse: read.Fresh(func(r *fixed) read.Text { return read.Text{Line: r.line} })})
})

// fixed reads a row for each file, "   1) src/Parcel.php (braces, indentation_type)", and the difference below it,
// whose first change is the place. Files that do not parse have rows of their own behind the counts.
type fixed struct {
	diff    bool
	invalid bool
	old     int // the number of the next line of the old file, until the first change
}

func (r *fixed) line(s *read.Sink, l tool.Line) bool {
	t := strings.TrimSpace(l.Text)
	number, row, isRow := strings.Cut(t, ") ")
	hunk, isHunk := strings.CutPrefix(l.Text, "@@ -")
	f := s.Last()
	switch {
	case strings.HasPrefix(t, "---------- begin diff"):
		r.diff, r.old = true, 0
	case strings.HasPrefix(t, "----------- end diff"):
		r.diff = false
	case r.diff && isHunk && f != nil && f.At.Line == 0:
		r.old = lex.LeadingNumber(hunk)
	case r.diff && r.old > 0 && f != nil && lex.HasAnyPrefix(l.Text, "-", "+"):
		f.At.Line, r.old = r.old, 0
	case r.diff:
		r.old += min(r.old, 1)
	case isRow && lex.IsDigits(number) && strings.HasPrefix(l.Text, "  "):
		path, fixers, _ := strings.Cut(row, " (")
		say := result.Finding{Message: strings.TrimSuffix(fixers, ")"), At: &result.Location{Path: path}, Fixable: true}
		if r.invalid {
			say.Message, say.Fixable = path[strings.LastIndexByte(path, '/')+1:]+" has errors and was not fixed", false
		}
		return s.Find(l, say)
	case strings.HasPrefix(t, "Files that were not fixed due to errors "):
		r.invalid = true
		return s.Break()
	case strings.HasPrefix(t, "Found ") && strings.Contains(t, " that can be fixed in "):
		return s.Close(l)
	default:
		s.Break()
		return lex.HasAnyPrefix(t, "PHP CS Fixer ", "PHP runtime: ", "Loaded config ", "Running analysis on ", "Paths from configuration ", "If you need help while solving warnings") || strings.Contains(t, "░") || strings.Contains(t, "▓")
	}
	return s.More(l)
}
