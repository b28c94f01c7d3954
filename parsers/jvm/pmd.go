package jvm

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("pmd | pmd.bat run.sh", func(p *tool.Parser) {
	p.Is("pmd", result.Lint, 1, "PMD 6 and 7: text, textcolor, emacs, json, xml, csv, sarif, codeclimate")
	p.ColumnUnit = "char"
	p.Matches = isPMD
	p.Exits = map[int]result.Meaning{1: result.MeansInternal, 2: result.MeansUsage, 4: result.MeansFindings, 5: result.MeansFindings}
	p.Reads(tool.Format{Name: "json", Starts: []string{`"pmdVersion": "`}, Parse: read.JSON{Items: map[string]func(*read.Sink, []byte) error{
		"/files/*": pmdFile.Item, "/processingErrors/*": read.Item(pmdBroken)}}.Parse})
	p.Reads(tool.Format{Name: "codeclimate", Starts: []string{`{"type":"issue","check_name":"`}, Parse: read.Text{Line: pmdIssue}.Parse})
	p.Reads(tool.Format{Name: "sarif", Parse: read.SARIF(nil)})
	p.Reads(tool.Format{Name: "xml", Starts: []string{`<pmd xmlns="http://pmd.sourceforge.net/`}, Parse: read.Text{Line: pmdXML, Closes: true}.Parse})
	p.Reads(tool.Format{Name: "csv", Starts: []string{`"Problem","Package","File","Priority","Line",`}, Parse: read.Text{Line: pmdCSV}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: pmdLine}.Parse})
})

// isPMD matches PMD's commands. Before version 7 the program is run.sh, a common name, so that
// the first argument must be "pmd".
func isPMD(argv []string) bool {
	return tool.Runs("pmd", "pmd.bat")(argv) || argv[0] == "run.sh" && len(argv) > 1 && argv[1] == "pmd"
}

func pmdFinding(path string, line int, rule, message string) result.Finding {
	return result.Finding{Severity: result.SevWarning, Rule: rule, Message: message, At: &result.Location{Path: path, Line: line}}
}

var pmdFile = read.Objects{Path: "filename", In: "violations", Default: result.SevWarning,
	Line: "beginline", Column: "begincolumn", Rule: "rule", URL: "externalInfoUrl", Message: "description"}

func pmdBroken(s *read.Sink, v *struct{ Filename, Message string }) {
	s.FindHere(result.Finding{Rule: "ParseException", Message: v.Message, At: &result.Location{Path: v.Filename}})
}

// pmdIssue reads a line of codeclimate. PMD does not escape the rule's description, so the
// line may not be valid JSON, and is taken apart as text.
func pmdIssue(s *read.Sink, l tool.Line) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(l.Text, "\x00 "), `{"type":"issue","check_name":"`)
	if !ok {
		return strings.Trim(l.Text, "\x00 ") == ""
	}
	rule, rest, _ := strings.Cut(rest, `","description":`)
	var message string
	if json.NewDecoder(strings.NewReader(rest)).Decode(&message) != nil {
		s.Doubt = "some of the JSON does not have the form that is known"
	}
	spot := rest[max(0, strings.LastIndex(rest, `"location":{"path":"`)):]
	path, spot, _ := strings.Cut(strings.TrimPrefix(spot, `"location":{"path":"`), `","lines":{"begin":`)
	return s.Find(l, pmdFinding(path, lex.LeadingNumber(spot), rule, message))
}

// pmdXML reads a line of the report. The text of a violation is on the line below its tag.
func pmdXML(s *read.Sink, l tool.Line) bool {
	if f := s.Last(); !strings.Contains(l.Text, "<") {
		if f != nil && f.Message == "" {
			f.Message = strings.TrimSpace(xmltext.Unescape(l.Text))
		}
		return f != nil
	}
	for x := xmltext.NewScanner(strings.NewReader(l.Text)); ; {
		switch kind := x.Next(); {
		case kind == xmltext.End:
			return true
		case kind == xmltext.Open && string(x.Name) == "file":
			s.Path = x.Attr("name")
		case kind == xmltext.Open && string(x.Name) == "violation":
			s.Find(l, pmdFinding(s.Path, x.Number("beginline"), x.Attr("rule"), ""))
		case kind == xmltext.Open && string(x.Name) == "error":
			s.Find(l, result.Finding{Rule: "ParseException", Message: x.Attr("msg"), At: &result.Location{Path: x.Attr("filename")}})
		case kind == xmltext.Close && string(x.Name) == "pmd":
			s.Close(l)
		}
	}
}

func pmdCSV(s *read.Sink, l tool.Line) bool {
	row, err := csv.NewReader(strings.NewReader(l.Text)).Read()
	if err != nil || len(row) < 8 {
		return false
	}
	if s.Sign(l); row[0] != "Problem" {
		s.Find(l, pmdFinding(row[2], lex.LeadingNumber(row[4]), row[7], row[5]))
	}
	return true
}

// pmdLine reads the text formats:
//
//	src/W.java:2:	ShortClassName:	Avoid short class names like W
//	src/W.java:2: Avoid short class names like W                    (emacs)
//	* file: src/W.java                                              (textcolor)
//	    src:  W.java:2:2
//	    rule: ShortClassName
//	    msg:  Avoid short class names like W
func pmdLine(s *read.Sink, l tool.Line) bool {
	t := strings.TrimSpace(l.Text)
	d, ok := read.CutDiagnostic(strings.ReplaceAll(l.Text, ":\t", ": "))
	switch {
	case strings.HasPrefix(t, "* file: "):
		s.Path = t[len("* file: "):]
	case s.Path != "" && strings.HasPrefix(t, "src:"):
		at := cmp.Or(read.PlaceOf(strings.TrimSpace(t[4:])), &result.Location{})
		return s.Find(l, pmdFinding(s.Path, at.Line, "", ""))
	case s.Path != "" && s.Last() != nil && lex.HasAnyPrefix(t, "rule: ", "msg:", "code:"):
		switch word, said, _ := strings.Cut(t, ":"); word {
		case "rule":
			s.Last().Rule = strings.TrimSpace(said)
		case "msg":
			s.Last().Message = strings.TrimSpace(said)
		}
		return s.More(l)
	case s.Path != "" && strings.HasPrefix(t, "err:"):
		rule, message, _ := strings.Cut(strings.TrimSpace(t[4:]), ": ")
		pmdUnread(s, l, s.Path, rule, message)
	case lex.HasAnyPrefix(t, "[main] ", "[ERROR] ", "[WARN] "):
		pmdLog(s, l, t)
	case ok && d.Word == "" && l.Stream == tool.Stdout:
		rule, message, tabbed := strings.Cut(d.Message, ": ")
		if !tabbed || !strings.Contains(l.Text, ":\t") {
			rule, message = "", d.Message
		}
		s.Find(l, pmdFinding(d.At.Path, d.At.Line, rule, message))
		s.Break()
	case l.Stream == tool.Stderr && lex.HasAnyPrefix(t, "Unknown option", "Missing required", "Invalid value"):
		s.Misuse(l, t)
	case strings.Contains(l.Text, "\t-\t"):
		path, message, _ := strings.Cut(l.Text, "\t-\t")
		rule, message, _ := strings.Cut(message, ": ")
		pmdUnread(s, l, path, rule, message)
	case s.Last() != nil && t != "" && (l.Stream == tool.Stdout || s.Meaning == result.MeansUsage):
		s.More(l)
	default:
		return false
	}
	return true
}

// pmdUnread adds the finding of a file that was not checked: "Parse exception in file 'a.java' at line 2, column 11:
// …".
func pmdUnread(s *read.Sink, l tool.Line, path, rule, message string) {
	_, at, _ := strings.Cut(message, " at line ")
	s.Find(l, result.Finding{Rule: rule, Message: message, At: &result.Location{Path: path, Line: max(0, lex.LeadingNumber(at))}})
}

// pmdLog reads "[main] ERROR net.sourceforge.pmd.cli - No such file nothere".
func pmdLog(s *read.Sink, l tool.Line, t string) {
	level, message, _ := strings.Cut(t, " - ")
	if s.Sign(l); strings.Contains(level, "ERROR") || strings.Contains(message, "Cannot ") {
		s.Misuse(l, message)
		s.Break()
	}
}
