package jvm

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// plugin reads the findings of plugins, behind a level:
//
//	/src/X.java:[13,17] cannot find symbol
//	src/main/java/X.java:[3] (blocks) NeedBraces: 'if' must use '{}'s.
//	PMD Failure: bank.Teller:28 Rule:OverrideBoth Priority:3 Ensure …
//	High: Comparison of … [bank.Teller] At Teller.java:[line 25] ES_COMPARING
//
// Lines of this form at [INFO] are notes of a compiler or a checker, which do not stop a build. Only
// PMD before 3.22 prints its violations at [INFO]; they are warnings unless its goal fails.
func (m *maven) plugin(s *read.Sink, l tool.Line, level, text string) bool {
	if m.duplicate(s, l, text) {
		return true
	}
	f, ok := pmdFailure(text)
	if quiet := level == "INFO" || level == "DEBUG"; !ok && quiet {
		return false
	}
	if !ok {
		f, ok = mavenPlace(text)
	}
	if !ok {
		f, ok = mavenSource(text)
	}
	if path, missing := strings.CutPrefix(text, "Missing header in: "); !ok && missing { // com.mycila's license:check
		f, ok = result.Finding{Rule: "license-header", Message: "Missing header", At: &result.Location{Path: path}}, true
	}
	if !ok && strings.HasPrefix(text, "Rule violated for ") { // JaCoCo, which prints it at [WARNING]
		f, ok, level = result.Finding{Message: text, At: &result.Location{}}, true, "ERROR"
	}
	if !ok {
		f, ok = spotbug(text)
	}
	if !ok && strings.HasPrefix(text, "Forbidden ") && strings.HasSuffix(text, "]") { // forbiddenapis; the next line has the place
		return s.Find(l, result.Finding{Kind: result.BuildError, Message: text})
	}
	if last := s.Last(); !ok && last != nil && last.At == nil && strings.HasPrefix(last.Message, "Forbidden ") && strings.HasPrefix(text, "  in ") {
		class, spot := read.Parens.Cut(strings.TrimSpace(text)[len("in "):])
		if last.At = read.PlaceOf(spot); last.At != nil {
			last.At.Path = strings.ReplaceAll(class[:strings.LastIndexByte(class, '.')+1], ".", "/") + last.At.Path
		}
		return s.More(l)
	}
	if !ok {
		return false
	}
	word := f.RawSeverity
	f.Kind, f.Severity, f.RawSeverity = result.BuildError, result.SevError, strings.ToLower(level)
	if level != "ERROR" && level != "FATAL" || read.SeverityOf(word) == result.SevWarning {
		f.Kind, f.Severity = result.Diagnostic, result.SevWarning
	}
	if f.At.Path == "" {
		f.At = nil
	}
	key := f.Rule
	if f.At != nil {
		key += f.At.String()
	}
	key += f.Message
	if m.seen[key] {
		return s.Break() // repeated below "Failed to execute goal"
	}
	m.seen[key] = true
	return s.Find(l, f)
}

// mavenPlace reads "PATH:[13,17] text" and, from Kotlin's plugin, "file:///PATH:13:17 text".
func mavenPlace(text string) (f result.Finding, ok bool) {
	path, rest, ok := strings.Cut(text, ":[")
	spot, message, closed := strings.Cut(rest, "] ")
	line, column, _ := strings.Cut(spot, ",")
	if !ok || !closed || !lex.IsDigits(line) || strings.HasPrefix(path, " ") || !strings.Contains(path, ".") {
		text, ok = strings.CutPrefix(text, "file://")
		if at, rest, has := place.Cut(text); ok && has {
			_, f.Message = read.CutSeverity(rest)
			f.At = &at
			return f, true
		}
		return f, false
	}
	if strings.Contains(path, " At ") {
		return f, false
	}
	f.At = &result.Location{Path: path, Line: lex.Atoi(line), Column: lex.Atoi(column)}
	_, f.Message = read.CutSeverity(message)
	if f.Message, f.Rule = leadingRule(f.Message); strings.HasPrefix(message, "(") { // checkstyle's group and rule
		if _, after, has := strings.Cut(message, ") "); has {
			f.Message, f.Rule = read.Colon.Cut(after)
		}
	}
	return f, true
}

// mavenSource reads places in the forms of the tools that plugins run: "/src/X.java:2:17: text [Rule]",
// "/src/X.java:2: error: text", "/src/G.g4 [5:0]: text", and "/src/X.java: text" for a whole file.
func mavenSource(text string) (f result.Finding, ok bool) {
	if d, placed := read.CutDiagnostic(text); placed && isMavenSource(d.At.Path) {
		f.At, f.RawSeverity = &d.At, d.Word
		f.Message, f.Rule = read.Brackets.Cut(d.Message)
		return f, true
	}
	path, rest, found := strings.Cut(text, " [")
	spot, message, closed := strings.Cut(rest, "]: ")
	line, column, two := strings.Cut(spot, ":")
	if found && closed && two && isMavenSource(path) && lex.IsDigits(line) {
		f.Message, f.At = message, &result.Location{Path: path, Line: lex.Atoi(line), Column: lex.Atoi(column)}
		return f, true
	}
	path, message, found = strings.Cut(text, ": ")
	if !found || !isMavenSource(path) {
		return f, false
	}
	f.Message, f.At = message, &result.Location{Path: path}
	if line, text, numbered := strings.Cut(message, ": "); numbered && lex.IsDigits(line) { // Groovy: "34: text @ line 34, column 3."
		f.Message, _, _ = strings.Cut(text, " @ line ")
		f.At.Line, f.At.Column = lex.Atoi(line), groovyColumn(text)
		return f, true
	}
	spot, message, closed = strings.Cut(message, ") ") // Kotlin's plugin: "(3, 7) text"
	if line, column, two = strings.Cut(spot, ", "); closed && two && lex.IsDigits(column) && strings.HasPrefix(line, "(") {
		f.Message, f.At.Line, f.At.Column = message, lex.Atoi(line[1:]), lex.Atoi(column)
	}
	return f, true
}

// isMavenSource reports whether a text is the path of a source file, and not a class or a test, which have dots, too.
func isMavenSource(path string) bool {
	i := strings.LastIndexByte(path, '.')
	return i > 0 && strings.ContainsAny(path, `/\`) && !strings.ContainsAny(path, " ") && lex.IsOneOf(path[i+1:], "java kt kts groovy scala g4 xml yaml yml json proto properties jj xsd wsdl")
}

// duplicate reads a finding of CPD, with the places below it:
//
//	CPD Failure: Found 2 lines of duplicated code at locations:
//	    /src/Q.java line 8
//	    /src/Q.java line 9
func (m *maven) duplicate(s *read.Sink, l tool.Line, text string) bool {
	if message, ok := strings.CutPrefix(text, "CPD Failure: "); ok {
		m.copies = true
		return s.Find(l, result.Finding{Kind: result.BuildError, Message: strings.TrimSuffix(message, " at locations:")})
	}
	path, line, ok := strings.Cut(strings.TrimSpace(text), " line ")
	f := s.Last()
	if m.copies = m.copies && ok && lex.IsDigits(line) && strings.HasPrefix(text, "    "); !m.copies || f == nil {
		return m.copies
	}
	if at := (result.Location{Path: strings.Clone(path), Line: lex.Atoi(line)}); f.At == nil {
		f.At = &at
	} else {
		f.Locations = append(f.Locations, at)
	}
	return s.More(l)
}

func pmdFailure(text string) (f result.Finding, ok bool) {
	text, ok = strings.CutPrefix(text, "PMD Failure: ")
	where, rest, found := strings.Cut(text, " Rule:")
	class, line, ok2 := place.CutLineNumber(where)
	if !ok || !found || !ok2 {
		return f, false
	}
	f.Rule, f.Message, _ = strings.Cut(rest, " ")
	if strings.HasPrefix(f.Message, "Priority:") {
		_, f.Message, _ = strings.Cut(f.Message, " ")
	}
	f.At = &result.Location{Path: strings.ReplaceAll(class, ".", "/") + ".java", Line: line}
	return f, true
}

// spotbug reads "High: text [class, class] At X.java:[line 6]… RULE". "At" may be "In", "Dereferenced
// at" or another preposition.
func spotbug(text string) (f result.Finding, ok bool) {
	priority, rest, ok := strings.Cut(text, ": ")
	if !ok || !lex.IsOneOf(priority, "High Medium Low Normal") {
		return f, false
	}
	i := strings.LastIndexByte(rest, ' ')
	if i < 0 || strings.ToUpper(rest[i+1:]) != rest[i+1:] {
		return f, false
	}
	f.Rule, rest = rest[i+1:], rest[:i]
	before, where, placed := strings.Cut(rest, ":[line")
	if !placed {
		before = rest
	}
	open := strings.LastIndex(before, " [")
	classes, _, closed := strings.Cut(before[max(open, 0):], "]")
	if open < 0 || !closed {
		return f, false
	}
	f.Message = before[:open]
	class, _, _ := strings.Cut(classes[2:], ",")
	class, _, _ = strings.Cut(class, "$")
	f.At = &result.Location{Path: strings.ReplaceAll(class, ".", "/") + ".java"}
	if file := before[strings.LastIndexByte(before, ' ')+1:]; strings.Contains(file, ".") && !strings.Contains(file, "]") {
		f.At.Path = f.At.Path[:strings.LastIndexByte(f.At.Path, '/')+1] + file
	}
	if placed {
		f.At.Line = lex.LeadingNumber(strings.TrimPrefix(strings.TrimPrefix(where, "s"), " "))
	}
	return f, true
}

// symbol adds a line below javac's message to the finding: the symbol that is not found, the types required and found,
// or the reason why they do not fit:
//
//	required: reference
//	found:    int
//	reason: inference variable T has incompatible bounds
func symbol(f *result.Finding, text string) {
	label, value, labelled := strings.Cut(strings.TrimSpace(text), ":")
	value = strings.Join(strings.Fields(value), " ")
	ambiguous := strings.HasPrefix(text, "  both ") && strings.HasSuffix(f.Message, " is ambiguous")
	badType := strings.HasPrefix(f.Message, "incompatible types: bad ") && strings.HasSuffix(text, " cannot be converted to "+lastWord(text))
	switch {
	case labelled && label == "symbol" && strings.HasSuffix(f.Message, "cannot find symbol"):
		f.Message += ": " + value
	case labelled && label == "required" && f.Expected == "":
		f.Expected = value
	case labelled && label == "found" && f.Actual == "":
		f.Actual = value
	case labelled && label == "reason" && len(f.Related) == 0:
		f.Related = append(f.Related, result.Related{Message: result.CausedBy + value})
	case len(f.Related) == 0 && (ambiguous || badType):
		f.Related = append(f.Related, result.Related{Message: result.CausedBy + strings.TrimSpace(text)})
	}
}

func lastWord(text string) string { return text[strings.LastIndexByte(text, ' ')+1:] }

// mavenError reads an error about a POM, which ends with "@ line 14, column 17" or "@ /src/pom.xml, line 14, column
// 17". pom is the path for the first form, or "".
func mavenError(text, pom string) result.Finding {
	f := result.Finding{Kind: result.BuildError, Message: text}
	i := strings.LastIndex(text, " @ ")
	if i < 0 {
		return f
	}
	file, where, ok := strings.Cut(text[i+3:], "line ")
	if file = strings.TrimSuffix(file, ", "); file == "" {
		file = pom
	}
	if !ok || !strings.HasSuffix(file, ".xml") {
		return f
	}
	f.Message, f.At = strings.TrimSpace(text[:i]), &result.Location{Path: file, Line: lex.LeadingNumber(where)}
	if _, column, has := strings.Cut(where, "column "); has {
		f.At.Column = max(0, lex.LeadingNumber(column))
	}
	return f
}
