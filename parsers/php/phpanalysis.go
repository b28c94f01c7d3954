package php

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/lex"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

// Analyzers whose packages no registry that is reached here holds: they are read as
// their documentation shows them, and never believed in full.

const unseen = "its form is known from documentation only"

var _ = Room.Add("phpstan phpstan.phar", func() *tool.Parser {
	return &tool.Parser{
		Tool: "phpstan", Kind: result.Typecheck, Version: 1,
		About:    "PHPStan 1 and 2: table, raw, json; from its documentation",
		Programs: []string{"phpstan"},
		Formats: []tool.Format{
			{Name: "json", Parse: read.JSON{Items: map[string]func(*read.Sink, []byte) error{"/files": phpstanFiles}, End: doubtful}.Parse},
			{Name: "table", Starts: []string{"Line   …"}, Sniff: isPHPStanHead, Parse: read.Text{Line: phpstanLine, End: doubtful}.Parse},
			{Name: "raw", Parse: read.Text{Line: phpstanLine, End: doubtful}.Parse},
		},
	}
})

var _ = Room.Add("psalm psalm.phar", func() *tool.Parser {
	return &tool.Parser{
		Tool: "psalm", Kind: result.Typecheck, Version: 1, ColumnUnit: "char",
		About:    "Psalm 4 to 6: console; from its documentation",
		Programs: []string{"psalm"},
		Exits:    map[int]result.Meaning{1: result.MeansInternal, 2: result.MeansFindings},
		Formats:  []tool.Format{{Name: "console", Parse: read.Text{Line: psalmLine, End: doubtful}.Parse}},
	}
})

var _ = Room.Add("php-cs-fixer php-cs-fixer.phar", func() *tool.Parser {
	return &tool.Parser{
		Tool: "php-cs-fixer", Kind: result.Format, Version: 1,
		About:    "PHP CS Fixer 3: the list of files; from its documentation",
		Programs: []string{"php-cs-fixer"},
		Exits:    map[int]result.Meaning{8: result.MeansFindings, 16: result.MeansUsage, 32: result.MeansUsage, 64: result.MeansInternal},
		Formats:  []tool.Format{{Name: "text", Parse: read.Text{Line: fixerLine, End: doubtful}.Parse}},
	}
})

func doubtful(s *read.Sink) {
	if len(s.Findings) > 0 {
		s.Doubt = unseen
	}
}

// phpstanFiles reads the member "files": an object from path to its messages.
func phpstanFiles(s *read.Sink, item []byte) error {
	var files map[string]struct {
		Messages []struct {
			Message, Identifier, Tip string
			Line                     int
		}
	}
	if string(item) == "[]" {
		return nil
	}
	if err := json.Unmarshal(item, &files); err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		for _, m := range files[path].Messages {
			s.FindHere(result.Finding{Rule: m.Identifier, Message: m.Message, At: &result.Location{Path: path, Line: m.Line}})
		}
	}
	return nil
}

// isPHPStanHead: "Line   src/Parcel.php".
func isPHPStanHead(line string) bool {
	return strings.HasSuffix(strings.TrimSpace(line), ".php")
}

// phpstanLine reads the table and, in raw, "path:line:text":
//
//	------ -------------------------
//	 Line   src/Parcel.php
//	------ -------------------------
//	 12     Undefined variable: $x
//	        🪪  variable.undefined
func phpstanLine(s *read.Sink, l tool.Line) bool {
	t := strings.TrimSpace(l.Text)
	number, text, _ := strings.Cut(t, " ")
	text = strings.TrimSpace(text)
	at, message, placed := place.Cut(l.Text)
	switch {
	case t == "" || strings.Trim(t, "- ") == "":
		s.Break()
		return s.Path != ""
	case number == "Line" && strings.HasSuffix(text, ".php"):
		s.Path = text
	case s.Path != "" && lex.IsDigits(number) && text != "":
		s.Find(l, result.Finding{Message: text, At: &result.Location{Path: s.Path, Line: lex.Atoi(number)}})
	case strings.HasPrefix(t, "[ERROR] ") || strings.HasPrefix(t, "[OK] "):
		if n := read.Counts(t); n["errors"]+n["error"] > 0 {
			s.Claim(n["errors"] + n["error"])
		}
		s.Close(l)
	case placed && strings.HasSuffix(at.Path, ".php"):
		s.Find(l, result.Finding{Message: message, At: &at})
		s.Break()
	case s.Last() == nil:
		return false
	default:
		phpstanMore(s.Last(), t)
		s.More(l)
	}
	return true
}

// phpstanMore: a wrapped message, the identifier behind its mark, a tip.
func phpstanMore(f *result.Finding, t string) {
	if _, id, ok := strings.Cut(t, "🪪 "); ok {
		f.Rule = strings.TrimSpace(id)
	} else if _, tip, ok := strings.Cut(t, "💡 "); ok {
		f.Suggestions = append(f.Suggestions, strings.TrimSpace(tip))
	} else if f.Rule == "" {
		f.Message += " " + t
	}
}

// psalmLine reads "ERROR: UndefinedVariable - src/a.php:3:7 - text (see https://…)".
func psalmLine(s *read.Sink, l tool.Line) bool {
	word, rest, _ := strings.Cut(l.Text, ": ")
	rule, rest, ok := strings.Cut(rest, " - ")
	at, message, placed := place.Cut(rest)
	if !ok || !placed || read.SeverityOf(word) == "" || strings.Contains(rule, " ") {
		return s.Last() != nil && strings.HasPrefix(l.Text, "  ")
	}
	message, url, _ := strings.Cut(message, " (see ")
	s.Find(l, result.Finding{Severity: read.SeverityOf(word), RawSeverity: word, Rule: rule, RuleURL: strings.TrimSuffix(url, ")"), Message: message, At: &at})
	return true
}

// fixerLine reads "   1) src/Parcel.php (braces, indentation_type)".
func fixerLine(s *read.Sink, l tool.Line) bool {
	number, rest, ok := strings.Cut(strings.TrimSpace(l.Text), ") ")
	if !ok || !lex.IsDigits(number) {
		return false
	}
	path, fixers, _ := strings.Cut(rest, " (")
	s.Find(l, result.Finding{Message: strings.TrimSuffix(fixers, ")"), At: &result.Location{Path: path}, Fixable: true})
	return true
}
