package data

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/lex"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

// snakemake names a class and a place, and says below what went wrong:
//
//	CalledProcessError in file "/src/Snakefile", line 5:
//	Command 'set -euo pipefail;  echo hi; exit 3' returned non-zero exit status 3.
//	Error in rule make:
//	MissingInputException in rule all in file "/src/miss", line 1:
//	Missing input files for rule all:
//
// --lint has a head for each rule, and a point for each finding of it.
var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "snakemake", Kind: result.Build, Version: 1,
		About:   "snakemake 7 to 9: runs, dry runs, --lint",
		Matches: tool.Runs("snakemake"), Programs: []string{"snakemake"},
		Exits:   map[int]result.Meaning{2: result.MeansUsage},
		Formats: []tool.Format{{Name: "text", Parse: parseSnakemake}, read.PythonTrouble("snakemake")},
	}
})

type snakemake struct {
	awaits bool   // the line that says what went wrong
	rule   string // of lint
	at     *result.Location
}

func parseSnakemake(in *tool.Input) *tool.Report {
	p := &snakemake{}
	return read.Text{Line: p.line}.Parse(in)
}

func (p *snakemake) line(s *read.Sink, l tool.Line) bool {
	if l.Stream != tool.Stderr {
		return false
	}
	if p.awaits {
		if p.awaits = false; l.Text != "" {
			s.Last().Message += ": " + strings.TrimSuffix(l.Text, ":")
			s.More(l)
			return true
		}
	}
	head, place, ok := strings.Cut(l.Text, ` in file "`)
	class, rule, _ := strings.Cut(head, " in rule ")
	path, line, _ := strings.Cut(place, `", line `)
	switch number := strings.TrimSuffix(line, ":"); {
	case ok && lex.IsIdentifier(class) && lex.IsDigits(number) && len(number) < 9:
		f := result.Finding{Kind: result.BuildError, Rule: class, ID: rule, Message: class, At: &result.Location{Path: path, Line: lex.Atoi(number)}}
		s.Find(l, f)
		p.awaits = s.Last() != nil && strings.HasSuffix(line, ":")
		return true
	case strings.HasPrefix(l.Text, "Error in rule ") && strings.HasSuffix(l.Text, ":"):
		id := strings.TrimSuffix(strings.TrimPrefix(l.Text, "Error in rule "), ":")
		if f := s.Last(); f != nil && f.ID == "" {
			f.ID = id // of the exception above
		} else {
			s.Find(l, result.Finding{Kind: result.BuildError, ID: id, Message: "error in rule " + id})
		}
		return true
	case s.Last() != nil && strings.HasPrefix(l.Text, "        ") && !strings.HasPrefix(s.Last().Rule, "lint"):
		if f := s.Last(); f.Rule == "MissingInputException" {
			f.Message += ", " + strings.TrimSpace(l.Text)
		}
		s.More(l) // the files of it, the command
		return true
	case strings.HasPrefix(l.Text, "Error: "):
		s.Misuse(l, strings.TrimPrefix(l.Text, "Error: "))
		return true
	}
	return p.lint(s, l)
}

// lint reads "Lints for rule make (line 3, /src/Snakefile):" and "    * text:".
func (p *snakemake) lint(s *read.Sink, l tool.Line) bool {
	if rest, ok := strings.CutPrefix(l.Text, "Lints for "); ok {
		what, where, _ := strings.Cut(strings.TrimSuffix(rest, ":"), " (line ")
		line, path, numbered := strings.Cut(strings.TrimSuffix(where, ")"), ", ")
		if p.rule, p.at = strings.TrimPrefix(what, "rule "), nil; numbered && lex.IsDigits(line) && len(line) < 9 {
			p.at = &result.Location{Path: path, Line: lex.Atoi(line)}
		} else if path, ok := strings.CutPrefix(what, "snakefile "); ok {
			p.rule, p.at = "", &result.Location{Path: path}
		}
		s.Break()
		return true
	}
	point, ok := strings.CutPrefix(l.Text, "    * ")
	if !ok || p.at == nil {
		return false
	}
	at := *p.at
	s.Find(l, result.Finding{Severity: result.SevWarning, Rule: "lint", ID: p.rule, Message: strings.TrimRight(point, ".:"), At: &at})
	return true
}

// dvc says what it cannot do in one line, and of a file that is not valid where:
//
//	'./dvc.yaml' validation failed: 2 errors.
//
//	extra keys not allowed, in stages -> a -> cm, line 3, column 5
var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "dvc", Kind: result.Generic, Version: 1,
		About:   "dvc 2 and 3: every command's errors, files that are not valid",
		Matches: tool.Runs("dvc"), Programs: []string{"dvc"},
		Exits:   map[int]result.Meaning{254: result.MeansUsage},
		Formats: []tool.Format{{Name: "text", Parse: read.Text{Line: dvcLine}.Parse}, read.PythonTrouble("dvc")},
	}
})

func dvcLine(s *read.Sink, l tool.Line) bool {
	if why, ok := strings.CutPrefix(l.Text, "ERROR: "); ok {
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: why, At: place.InSentence(why)})
		return true
	}
	path, rest, ok := strings.Cut(l.Text, "' validation failed: ")
	if ok && strings.HasPrefix(path, "'") {
		s.Path = strings.Clone(strings.TrimPrefix(path[1:], "./"))
		s.Claim(lex.LeadingNumber(rest))
		return true
	}
	if s.Last() != nil && s.Path != "" && strings.HasPrefix(l.Text, "  ") {
		s.More(l) // the source
		return true
	}
	message, where, ok := strings.Cut(l.Text, ", line ")
	line, column, _ := strings.Cut(where, ", column ")
	if !ok || s.Path == "" || !lex.IsDigits(line) || !lex.IsDigits(column) || len(line)+len(column) > 16 {
		return false
	}
	s.Find(l, result.Finding{Message: message, At: &result.Location{Path: s.Path, Line: lex.Atoi(line), Column: lex.Atoi(column)}})
	return true
}
