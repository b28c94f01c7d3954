package read

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

// Diagnostic is one line that reports a place: "path:3:7: error: text [rule]".
type Diagnostic struct {
	At      result.Location
	Word    string // word for the severity, translated into English, in lower case; "" without one
	Message string
	Rule    string
}

// SeverityOf is the meaning of a tool's word for a severity; "" for other words.
func SeverityOf(word string) result.Severity {
	var low [longestWord]byte
	for i := range min(len(word), 3*longestWord) { // some letters of up to three bytes have an ASCII lower case
		c := word[i]
		if c >= utf8.RuneSelf {
			return severityOf(strings.ToLower(word))
		}
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if i < longestWord {
			low[i] = c
		}
	}
	if len(word) > longestWord {
		return ""
	}
	return severityOf(string(low[:len(word)]))
}

// longestWord is at least the length of the longest word in severityOf.
const longestWord = 32

// KindOf is the kind of a compiler's finding: what is no error does not stop the build.
func KindOf(severity result.Severity) result.FindingKind {
	if severity == result.SevWarning || severity == result.SevInfo {
		return result.Diagnostic
	}
	return result.BuildError
}

// severityOf is SeverityOf for words in lower case.
func severityOf(word string) result.Severity {
	switch word {
	case "error", "err", "fatal", "fatal error", "internal compiler error", "failure", "syntax error", "critical", "blocker", "major":
		return result.SevError
	case "warning", "warn", "minor", "style", "performance", "portability", "refactor", "convention":
		return result.SevWarning
	case "note", "info", "information", "hint", "help", "suggestion", "remark":
		return result.SevInfo
	}
	if word = english(word); word != "" {
		return severityOf(word)
	}
	return ""
}

// english translates a word, in lower case, with which GNU's programs begin a diagnostic in another language; ""
// for other words.
func english(word string) string {
	switch word {
	case "fehler", "erreur", "errore", "erro", "fout", "fel", "fejl", "virhe", "greška", "hata", "błąd", "chyba", "lỗi", "ошибка", "помилка", "грешка", "σφάλμα", "エラー", "错误", "錯誤", "오류":
		return "error"
	case "schwerwiegender fehler", "fataler fehler", "erreur fatale", "error fatal", "erro fatal", "fatale fout", "ödesdigert fel", "fatal fejl", "fatalny błąd", "фатальная ошибка", "критична помилка", "致命的エラー", "致命错误", "嚴重錯誤":
		return "fatal error"
	case "warnung", "attention", "avertissement", "aviso", "advertencia", "attenzione", "avviso", "let op", "waarschuwing", "varning", "advarsel", "varoitus", "upozorenje", "upozornění", "uyarı", "ostrzeżenie", "cảnh báo", "предупреждение", "попередження", "προειδοποίηση", "警告", "경고":
		return "warning"
	case "anmerkung", "hinweis", "remarque", "nota", "bemærk", "huom", "napomena", "poznámka", "uwaga", "bilgi", "замечание", "примечание", "зауваження", "σημείωση", "備考", "附注", "附註":
		return "note"
	}
	return ""
}

// CutDiagnostic reads a line of the form "path:3:7: error: text". Rule stays empty: its position differs between
// tools (RuleIn).
func CutDiagnostic(line string) (d Diagnostic, ok bool) {
	if d.At, d.Message, ok = place.Cut(line); !ok || d.Message == "" {
		return d, false
	}
	d.Word, d.Message = CutSeverity(d.Message)
	return d, true
}

// IsDiagnostic reports whether a line begins with a place in a file, and has a column, a rule or a word for the
// severity.
func IsDiagnostic(line string) bool {
	d, ok := CutDiagnostic(line)
	if !ok || d.At.Line == 0 || !strings.HasPrefix(line, d.At.Path) || strings.ContainsAny(d.At.Path, " \t|") {
		return false
	}
	_, rule := cutAnyRule(d.Message)
	return rule != "" || (d.Word != "" || d.At.Column > 0) && strings.ContainsAny(d.At.Path, "./")
}

// CutSeverity removes "error: ", "warning ", "[error] " or "(warning) " from the beginning of a text.
func CutSeverity(text string) (word, rest string) {
	s := text
	if s != "" && s[0] >= utf8.RuneSelf {
		if end := strings.Index(s[:min(len(s), longestWord)], "："); end > 0 && english(s[:end]) != "" { // the colon of Chinese text
			return english(s[:end]), s[end+len("："):]
		}
	}
	if s != "" && (s[0] == '[' || s[0] == '(') {
		if end := strings.IndexAny(s, "])"); end > 0 && SeverityOf(s[1:end]) != "" {
			return lowered(s[1:end]), strings.TrimLeft(s[end+1:], ": ")
		}
		return "", text
	}
	for end := wordEnd(s, 0); end > 0 && end < len(s) && end < longestWord; end = wordEnd(s, end+1) {
		if SeverityOf(s[:end]) != "" && (s[end] == ':' || s[end] == ' ' && !strings.EqualFold(s[end:min(end+7, len(s))], " error:")) {
			return lowered(s[:end]), strings.TrimLeft(s[end+1:], ": ")
		}
		if s[end] == ':' || !beginsWords(s[:end]) {
			break
		}
	}
	return "", text
}

// lowered is a severity word in lower case; the common spellings, of which every line of a log has one, cost no
// allocation.
func lowered(word string) string {
	switch word {
	case "ERROR", "Error":
		return "error"
	case "WARNING", "Warning":
		return "warning"
	case "WARN":
		return "warn"
	case "INFO":
		return "info"
	}
	word = strings.ToLower(word)
	return cmp.Or(english(word), word)
}

// beginsWords reports whether a severity of several words may begin like s.
func beginsWords(s string) bool {
	switch s[0] | 0x20 {
	case 'f', 'i', 's': // "fatal error", "internal compiler error", "syntax error"
		return true
	}
	return s[0] >= utf8.RuneSelf // possibly a letter whose lower case is one of these
}

// wordEnd is the index of the first colon or blank from i on, or the end of the longest possible severity word.
func wordEnd(s string, i int) int {
	for n := min(len(s), longestWord); i < n && s[i] != ':' && s[i] != ' '; {
		i++
	}
	return i
}

// RuleIn says where a rule stands in a message.
type RuleIn uint8

const (
	NoRule   RuleIn = iota
	Brackets        // "text [rule]"
	Parens          // "text (rule)"
	First           // "RULE text", "RULE: text"
	Colon           // "rule: text"
	Ahead           // "RULE error: text": without a severity behind it, the first word is no rule
)

// Cut removes the rule from a message.
func (r RuleIn) Cut(message string) (rest, rule string) {
	switch r {
	case Brackets:
		return cutEnd(message, '[', ']')
	case Parens:
		return cutEnd(message, '(', ')')
	case Ahead:
		if rest, rule = First.Cut(message); rule != "" {
			if word, _ := CutSeverity(rest); word != "" {
				return rest, rule
			}
		}
		return message, ""
	case First, Colon:
		ends := " :"
		if r == Colon {
			ends = ":"
		}
		if i := strings.IndexAny(message, ends); i > 0 && !strings.ContainsAny(message[:i], " \t'\"`") {
			return strings.TrimLeft(message[i+1:], " "), message[:i]
		}
	}
	return message, ""
}

// cutEnd removes "[rule]" from the end of a message.
func cutEnd(message string, open, end byte) (rest, rule string) {
	message = strings.TrimRight(message, " ")
	if n := len(message) - 1; n > 0 && message[n] == end {
		// Brackets directly behind a word belong to it: "no member of Option[Int]".
		if i := strings.LastIndexByte(message, open); i >= 0 && i < n-1 && (i == 0 || message[i-1] == ' ' || open != '[') && !strings.ContainsAny(message[i:], " \t") {
			return strings.TrimRight(message[:i], " "), message[i+1 : n]
		}
	}
	return message, ""
}

// Linter reads a tool that prints one diagnostic per line.
type Linter struct {
	Rule     RuleIn
	Default  result.Severity                           // for lines without a severity; "" means error
	Severity func(word string) result.Severity         // meaning of the tool's own words, in lower case; nil: SeverityOf
	Accept   func(d *Diagnostic) bool                  // may change or reject a diagnostic, and must not keep it; may be nil
	Other    func(s *Sink, l tool.Line) bool           // takes other lines, such as closing lines; may be nil
	Kind     result.FindingKind                        // "" means a diagnostic
	Usage    []string                                  // see Text
	Closes   bool                                      // see Text
	Plain    bool                                      // the tool prints no severities: "error strings …" is a message
	Below    func(s *Sink, l tool.Line) (belongs bool) // reports whether a line below a diagnostic belongs to it, even if the diagnostic is only counted; may be nil
	// Program is the tool's name, if the tool prints it as GNU's programs do: before a place ("PROGRAM:src/a.c:3:
	// text"), or before a text without one ("PROGRAM: text").
	Program string
	Joins   bool // a line about the place of the diagnostic above, with the same words, is more of its message
}

// Parse reads an input.
func (t Linter) Parse(in *tool.Input) *tool.Report {
	return Text{Line: t.line, Count: t.count, Usage: t.Usage, Closes: t.Closes}.Parse(in)
}

// cut reads a diagnostic of the tool.
func (t Linter) cut(line string) (d Diagnostic, ok bool) {
	if t.Program != "" {
		line = strings.TrimPrefix(line, t.Program+":")
	}
	if d.At, d.Message, ok = place.Cut(line); !ok || d.Message == "" {
		return d, false
	}
	if !t.Plain {
		d.Word, d.Message = CutSeverity(d.Message)
	}
	if d.Message, d.Rule = t.Rule.Cut(d.Message); t.Rule == Ahead && d.Rule != "" {
		d.Word, d.Message = CutSeverity(d.Message)
	}
	return d, t.Accept == nil || t.Accept(&d)
}

func (t Linter) count(s *Sink, l tool.Line) (own, known bool) {
	d, ok := t.cut(l.Text)
	if ok = ok && !t.Joins; ok {
		s.Tell(l, t.severity(d.Word))
	}
	return ok, ok
}

func (t Linter) line(s *Sink, l tool.Line) bool {
	d, ok := t.cut(l.Text)
	if !ok {
		if s.Open() && t.Below != nil && t.Below(s, l) {
			return s.More(l)
		}
		s.Break()
		return t.ofItself(s, l) || t.Other != nil && t.Other(s, l)
	}
	if f := s.Last(); t.Joins && f != nil && f.At != nil && *f.At == d.At && f.RawSeverity == d.Word && f.Rule == d.Rule {
		f.Message += "; " + strings.TrimSpace(d.Message)
		return s.More(l)
	}
	return s.Find(l, t.finding(d))
}

func (t Linter) finding(d Diagnostic) result.Finding {
	return result.Finding{Kind: t.Kind, Severity: t.severity(d.Word), RawSeverity: d.Word, Rule: d.Rule, Message: d.Message, At: &d.At}
}

// ofItself reads "PROGRAM: text".
func (t Linter) ofItself(s *Sink, l tool.Line) bool {
	message, ok := strings.CutPrefix(l.Text, t.Program+": ")
	if ok = ok && t.Program != ""; ok {
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message})
	}
	return ok
}

// severity is the meaning of a word, "" if neither the word nor the tool gives one.
func (t Linter) severity(word string) result.Severity {
	if t.Severity != nil {
		return cmp.Or(t.Severity(word), t.Default)
	}
	return cmp.Or(SeverityOf(word), t.Default)
}

// Indented is a Linter's Below for tools that indent the source, carets and notes below a diagnostic.
func Indented(_ *Sink, l tool.Line) bool {
	return l.Text != "" && (l.Text[0] == ' ' || l.Text[0] == '\t' || l.Text[0] == '|')
}

// PlaceOf reads a place, "path:3:7"; nil for other texts.
func PlaceOf(text string) *result.Location {
	if at, _, ok := place.Cut(text); ok {
		return &at
	}
	return nil
}
