package jvm

import (
	"strings"
	"sync"

	"cairn/parsers/read"
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

// mavenForms are the places in the forms of the tools that plugins run, PMD's, and those of errors in a POM. A path in
// the first two needs only a dot.
var mavenForms = sync.OnceValue(func() (forms struct{ places, pmd, pom, bugs []*read.Form }) {
	for _, text := range [...]string{
		"{path}:[{line},{column}] {message}", "{path}:[{line}] {message}",
		"file://{place} {message}", "{place}: {message}", // Kotlin's plugin; "/src/X.java:2: error: text"
		"{path} [{line}:{column}]: {message}",
		"{path}: {line}: {message} @ line {}, column {column}.", // Groovy
		"{path}: ({line}, {column}) {message}",                  // Kotlin's plugin, and below it a whole file
		"{path}: {message}",
	} {
		forms.places = append(forms.places, read.FormOf(text))
	}
	for _, spot := range [...]string{" {} {path}:[line {line}]{} ", " {} {path}:[lines {line}-{end_line}]{} ", " {} {path} ", " "} {
		forms.bugs = append(forms.bugs, read.FormOf("{}: {message} [{id}]"+spot+"{rule}"))
	}
	forms.pmd = []*read.Form{read.FormOf("PMD Failure: {path}:{line} Rule:{rule} Priority:{} {message}"), read.FormOf("PMD Failure: {path}:{line} Rule:{rule} {message}")}
	forms.pom = []*read.Form{read.FormOf("{message} @ {path}, line {line}, column {column}"), read.FormOf("{message} @ line {line}, column {column}")}
	return forms
})

// mavenPlace reads a line in one of the forms.
func mavenPlace(text string) (f result.Finding, ok bool) {
	for i, form := range mavenForms().places {
		m, ok := form.Match(text)
		if !ok {
			continue
		}
		f = result.Finding{}
		if m.Fill(&f, ""); f.At == nil || strings.HasPrefix(f.At.Path, " ") || !strings.Contains(f.At.Path, ".") || strings.Contains(f.At.Path, " At ") || i > 1 && !isMavenSource(f.At.Path) {
			continue
		}
		message := f.Message
		f.RawSeverity, f.Message = read.CutSeverity(message)
		switch {
		case i > 1:
			f.Message, f.Rule = read.Brackets.Cut(f.Message)
		case strings.HasPrefix(message, "("): // checkstyle's group and rule
			if _, after, has := strings.Cut(message, ") "); has {
				f.Message, f.Rule = read.Colon.Cut(after)
			}
		default:
			f.RawSeverity = ""
			f.Message, f.Rule = leadingRule(f.Message)
		}
		return f, true
	}
	return f, false
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
	for _, form := range mavenForms().pmd {
		if m, ok := form.Match(text); ok {
			m.Fill(&f, "")
			f.At.Path = strings.ReplaceAll(f.At.Path, ".", "/") + ".java"
			return f, true
		}
	}
	return f, false
}

// spotbug reads "High: text [class, class] At X.java:[line 6]… RULE". "At" may be "In", "Dereferenced
// at" or another preposition.
func spotbug(text string) (f result.Finding, ok bool) {
	for _, form := range mavenForms().bugs {
		m, ok := form.Match(text)
		if !ok || !lex.IsOneOf(text[:strings.IndexByte(text, ':')], "High Medium Low Normal") {
			continue
		}
		m.Fill(&f, "")
		class, _, _ := strings.Cut(f.ID, ",")
		class, _, _ = strings.Cut(class, "$")
		at := result.Location{Path: strings.ReplaceAll(class, ".", "/") + ".java"}
		if f.At != nil {
			at = result.Location{Path: at.Path[:strings.LastIndexByte(at.Path, '/')+1] + lastWord(f.At.Path), Line: f.At.Line}
		}
		f.ID, f.At = "", &at
		return f, strings.ToUpper(f.Rule) == f.Rule
	}
	return f, false
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
	below := f.At != nil && f.At.Column > 0 // the caret or, in Maven's output, the place
	badType := below && (strings.HasPrefix(f.Message, "incompatible types: bad ") || strings.HasPrefix(text, "  (") && strings.HasSuffix(text, ")") && !strings.HasPrefix(text, "  (use "))
	switch {
	case labelled && label == "symbol" && strings.HasSuffix(f.Message, "cannot find symbol"):
		f.Message += ": " + value
	case labelled && (label == "required" || label == "method return type") && f.Expected == "":
		f.Expected = value
	case labelled && (label == "found" || label == "type of expression") && f.Actual == "": // the second words are the Checker Framework's
		f.Actual = value
	case labelled && label == "reason" && len(f.Related) == 0:
		f.Related = append(f.Related, result.Related{Message: result.CausedBy + value})
	case len(f.Related) == 0 && (ambiguous || badType):
		f.Related = append(f.Related, result.Related{Message: result.CausedBy + strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(text), "("), ")")})
	}
}

func lastWord(text string) string { return text[strings.LastIndexByte(text, ' ')+1:] }

// cutLevel splits "[ERROR] " from the beginning of a line.
func cutLevel(line string) (level, rest string) {
	for _, level := range [...]string{"ERROR", "INFO", "WARNING", "DEBUG", "FATAL"} {
		if rest, ok := strings.CutPrefix(line, "["+level+"]"); ok {
			return level, strings.TrimPrefix(rest, " ")
		}
	}
	return "", line
}

// mavenError reads an error about a POM. pom is the path for the second form, or "".
func mavenError(text, pom string) result.Finding {
	for _, form := range mavenForms().pom {
		f := result.Finding{Kind: result.BuildError}
		if m, ok := form.Match(text); ok {
			m.Fill(&f, pom)
		}
		if f.At != nil && strings.HasSuffix(f.At.Path, ".xml") {
			return f
		}
	}
	return result.Finding{Kind: result.BuildError, Message: text}
}
