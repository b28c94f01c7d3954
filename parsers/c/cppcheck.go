package c

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("cppcheck", func(p *tool.Parser) {
	p.Is("cppcheck", result.Lint, 1, "cppcheck 1.90 to 2.18: xml; text in its own templates, gcc's, vs's and edit's")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "xml", Parse: parseCppcheckXML})
	p.Reads(cppcheckTemplate.Format("cppcheck"))
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Rule: read.Brackets, Other: cppcheckSays,
		Accept: func(d *read.Diagnostic) bool { return d.Word != "" && d.Word != "note" }}.Parse})
	p.Reads(tool.Format{Name: "cppcheck1", Parse: cppcheckOld.Parse})
})

// cppcheckOld reads --template=cppcheck1, where places that lead to the last one come first, and --template=edit.
var cppcheckOld = read.Rows{Rows: []read.Row{
	{Form: "nofile +0: {}", As: read.Skip},
	{Form: "[{path}:{line}]: ({severity}) {message}", Fit: func(f *result.Finding) {
		f.At.Path = f.At.Path[strings.LastIndexByte(f.At.Path, '[')+1:]
		f.Message, f.Rule = read.Brackets.Cut(f.Message)
	}},
	{Form: "{path} +{line}: {severity}: {message}"},
}}

// cppcheckTemplate reads a form given by --template. Of the places in {callstack}, the last one is the finding's.
var cppcheckTemplate = read.Template{
	Names: map[string]string{"id": "{rule}", "callstack": "[{path}:{line}]", "code": "{}", "info": "{}", "remark": "{}"},
	Fit: func(f *result.Finding) bool {
		if f.At != nil {
			f.At.Path = f.At.Path[strings.LastIndexByte(f.At.Path, '[')+1:]
		}
		if f.At == nil || f.At.Path == "nofile" || f.At.Line == 0 {
			f.At = nil
		}
		return true
	},
	Other: cppcheckSays,
}

// cppcheckSays reads cppcheck's messages about itself, and its progress.
func cppcheckSays(s *read.Sink, l tool.Line) bool {
	if message, ok := strings.CutPrefix(l.Text, "cppcheck: error: "); ok {
		return s.Misuse(l, message)
	}
	if text, ok := strings.CutPrefix(l.Text, "nofile:0:0: "); ok {
		word, message := read.CutSeverity(text)
		message, rule := read.Brackets.Cut(message)
		return s.Find(l, result.Finding{Severity: read.SeverityOf(word), RawSeverity: word, Rule: rule, Message: message})
	}
	if strings.HasPrefix(l.Text, "Checking ") || strings.HasSuffix(l.Text, "% done") {
		return s.Sign(l)
	}
	return false
}

// parseCppcheckXML reads an element for each problem, with its places below it:
//
//	<error id="memleak" severity="error" msg="Memory leak: p" …>
//	    <location file="src/warn.c" line="13" column="5"/>
func parseCppcheckXML(in *tool.Input) *tool.Report {
	open := false
	return read.Text{Closes: true, Line: func(s *read.Sink, l tool.Line) bool {
		open = open || strings.HasPrefix(l.Text, "<results")
		if !open {
			return false
		}
		for x := xmltext.NewScanner(strings.NewReader(l.Text)); ; {
			switch x.Next() {
			case xmltext.End:
				return true
			case xmltext.Close:
				if string(x.Name) == "results" {
					s.Close(l)
					open = false
				}
			case xmltext.Open:
				cppcheckTag(s, l, x)
			}
		}
	}}.Parse(in)
}

func cppcheckTag(s *read.Sink, l tool.Line, x *xmltext.Scanner) {
	switch f := s.Last(); string(x.Name) {
	case "error":
		word := x.Attr("severity")
		s.Find(l, result.Finding{Severity: read.SeverityOf(word), RawSeverity: word, Rule: x.Attr("id"), Message: x.Attr("msg")})
	case "location":
		at := result.Location{Path: x.Attr("file"), Line: x.Number("line"), Column: x.Number("column")}
		switch {
		case f == nil:
		case f.At == nil:
			f.At = &at
		case len(f.Related) < 8:
			f.Related = append(f.Related, result.Related{Message: x.Attr("info"), At: &at})
		}
	}
}

// catch2Reports describes the JUnit reports of Catch2, which count assertions as tests. Only the text of a failure
// has the expansion of the expression:
//
//	<failure message="divide(9,2) == 5" type="CHECK">
//	FAILED:
//	  CHECK( divide(9,2) == 5 )
//	with expansion:
//	  4 == 5
//	at math_test.cpp:7
var catch2Reports = &tool.Dialect{
	CountsMore: true, Expected: "TEST_CASE tagged with !mayfail",
	Suite: func(tag *tool.SuiteTag) bool {
		attrs := strings.Replace(strings.Join(tag.Attrs, " "), " skipped", "", 1) // since version 3
		return !tag.All && attrs == "name errors failures tests hostname time timestamp"
	},
	Message: func(message string, text []string) string {
		said := saidOf(text)
		if len(said) < 2 {
			return message
		}
		return strings.Join(said, " ")
	},
}

// doctestReports describes doctest's JUnit, which counts assertions as tests. A failure's text says more than its
// attribute.
var doctestReports = &tool.Dialect{
	CountsMore: true,
	Suite:      func(tag *tool.SuiteTag) bool { return tag.Has("doctest_version") },
	Message: func(message string, text []string) string {
		return cmp.Or(strings.Join(saidOf(text), " "), message)
	},
}

// saidOf returns the first lines of a failure's text, without empty lines and its place.
func saidOf(text []string) (said []string) {
	for _, line := range text {
		line = strings.TrimSpace(line)
		if len(said) < 5 && line != "" && line != "FAILED:" && !isPlaceLine(strings.TrimPrefix(line, "at ")) {
			said = append(said, line)
		}
	}
	return said
}

// boostReports describes Boost.Test's JUnit: the text has the message behind a label, and an id has suites before the
// test.
//
//	ASSERTION FAILURE:
//	- file   : bt.cc
//	- line   : 6
//	- message: check 1 + 1 == 3 has failed
var boostReports = &tool.Dialect{
	Suite: func(tag *tool.SuiteTag) bool {
		return !tag.All && strings.Join(tag.Attrs, " ") == "tests skipped errors failures id name time"
	},
	ID: func(n *tool.CaseNames) (id string, suites []string) {
		return strings.ReplaceAll(n.Class, ".", "/") + "/" + n.Name, strings.Split(n.Class, ".")
	},
	Message: func(message string, text []string) string {
		for i, line := range text {
			if said, ok := lex.CutLabel(strings.TrimLeft(line, "- "), "message"); ok {
				return said
			}
			if strings.HasPrefix(line, "EXCEPTION STACK TRACE: ") && i+1 < len(text) {
				return text[i+1]
			}
		}
		return message
	},
}

// isPlaceLine reports whether a line is only a place, "math_test.cpp:7" or "text_test.cpp:8:".
func isPlaceLine(line string) bool {
	path, _, ok := place.CutLineNumber(strings.TrimSuffix(line, ":"))
	return ok && !strings.Contains(path, " ")
}
