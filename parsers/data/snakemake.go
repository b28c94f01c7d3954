package data

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// snakemake prints the class and the place of an exception, and the message on the next line:
//
//	CalledProcessError in file "/src/Snakefile", line 5:
//	Command 'set -euo pipefail;  echo hi; exit 3' returned non-zero exit status 3.
//	Error in rule make:
//	MissingInputException in rule all in file "/src/miss", line 1:
//	Missing input files for rule all:
//	AmbiguousRuleException:
//	Rules a and b are ambiguous for the file c.txt.
//
// If a rule's Python script failed, its traceback is above these lines. --lint prints a head for each
// rule, and an item "    * text:" for each finding.
var _ = Room.Add("snakemake", func(p *tool.Parser) {
	p.Is("snakemake", result.Build, 1, "snakemake 7 to 9: runs, dry runs, --lint")
	p.Reads(tool.Format{Name: "text", Parse: read.Lines((*snakemake).line)})
	read.InPython(p)
})

type snakemake struct {
	trace  read.Traceback   // the traceback of a rule's script
	began  bool             // jobs have begun: "Error: …" may be their output
	awaits bool             // the next line has the message
	rule   string           // --lint: the current rule
	at     *result.Location // --lint: the rule's place
}

func (p *snakemake) line(s *read.Sink, l tool.Line) bool {
	if p.trace.Line(l.Text) {
		return s.Break()
	}
	if p.awaits {
		if p.awaits = false; l.Text != "" {
			s.Last().Message += ": " + strings.TrimSuffix(l.Text, ":")
			return s.More(l)
		}
	}
	head, place, ok := strings.Cut(l.Text, ` in file "`)
	class, rule, _ := strings.Cut(head, " in rule ")
	path, line, _ := strings.Cut(place, `", line `)
	raised, isRaised := strings.CutSuffix(l.Text, ":") // "MissingInputException in rule a" was read above
	isRaised = isRaised && lex.IsIdentifier(raised) && strings.HasSuffix(raised, "Exception") && raised != "RuleException"
	switch number := strings.TrimSuffix(line, ":"); {
	case ok && lex.IsIdentifier(class) && lex.IsDigits(number) && len(number) < 9:
		f := result.Finding{Kind: result.BuildError, Rule: class, ID: rule, Message: class, At: &result.Location{Path: path, Line: lex.Atoi(number)}}
		if p.trace.Whole() {
			f.Related = []result.Related{{Message: result.CausedBy + p.trace.Last, At: p.trace.Own(s.Files())}}
			p.trace = read.Traceback{}
		}
		s.Find(l, f)
		p.awaits = s.Last() != nil && strings.HasSuffix(line, ":")
		return true
	case strings.HasPrefix(l.Text, "Error in rule ") && strings.HasSuffix(l.Text, ":"):
		id := strings.TrimSuffix(strings.TrimPrefix(l.Text, "Error in rule "), ":")
		if f := s.Last(); f != nil && f.ID == "" {
			f.ID = id // the exception above is this rule's
		} else {
			s.Find(l, result.Finding{Kind: result.BuildError, ID: id, Message: "error in rule " + id})
		}
		return true
	case s.Last() != nil && strings.HasPrefix(l.Text, "        ") && !strings.HasPrefix(s.Last().Rule, "lint"):
		if f := s.Last(); f.Rule == "MissingInputException" {
			f.Message += ", " + strings.TrimSpace(l.Text)
		}
		return s.More(l) // the missing files, or the rule's files and command
	case strings.HasPrefix(l.Text, "Building DAG of jobs"):
		p.began = true
		return s.Sign(l)
	case isRaised, l.Text == "WorkflowError:" && len(s.Findings) == 0:
		s.Find(l, result.Finding{Kind: result.BuildError, Rule: raised, Message: raised})
		p.awaits = s.Last() != nil
		return true
	case strings.HasPrefix(l.Text, "Error: ") && !p.began:
		return s.Misuse(l, strings.TrimPrefix(l.Text, "Error: "))
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
		return s.Break()
	}
	point, ok := strings.CutPrefix(l.Text, "    * ")
	if !ok || p.at == nil {
		return false
	}
	at := *p.at
	return s.Find(l, result.Finding{Severity: result.SevWarning, Rule: "lint", ID: p.rule, Message: strings.TrimRight(point, ".:"), At: &at})
}

// dvc prints an error in one line, "ERROR: text", and the errors of an invalid file with their places:
//
//	'./dvc.yaml' validation failed: 2 errors.
//
//	extra keys not allowed, in stages -> a -> cm, line 3, column 5
var _ = Room.Add("dvc", func(p *tool.Parser) {
	p.Is("dvc", result.Generic, 1, "dvc 2 and 3: every command's errors, files that are not valid")
	p.Exits = map[int]result.Meaning{254: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: dvcLine}.Parse})
	p.Reads(read.PythonTrouble("dvc"))
})

func dvcLine(s *read.Sink, l tool.Line) bool {
	if why, ok := strings.CutPrefix(l.Text, "ERROR: "); ok {
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: why, At: place.InSentence(why)})
	}
	path, rest, ok := strings.Cut(l.Text, "' validation failed: ")
	if ok && strings.HasPrefix(path, "'") {
		s.Path = strings.Clone(strings.TrimPrefix(path[1:], "./"))
		s.Claim(lex.LeadingNumber(rest))
		return true
	}
	if s.Last() != nil && s.Path != "" && strings.HasPrefix(l.Text, "  ") {
		return s.More(l) // the source at the place
	}
	message, where, ok := strings.Cut(l.Text, ", line ")
	line, column, _ := strings.Cut(where, ", column ")
	if !ok || s.Path == "" || !lex.IsDigits(line) || !lex.IsDigits(column) || len(line)+len(column) > 16 {
		return false
	}
	return s.Find(l, result.Finding{Message: message, At: &result.Location{Path: s.Path, Line: lex.Atoi(line), Column: lex.Atoi(column)}})
}
