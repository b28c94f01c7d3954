package jvm

import (
	"strconv"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/lex"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

// plugin reads what plugins print below a level:
//
//	/src/X.java:[13,17] cannot find symbol
//	src/main/java/X.java:[3] (blocks) NeedBraces: 'if' must use '{}'s.
//	PMD Failure: bank.Teller:28 Rule:OverrideBoth Priority:3 Ensure …
//	High: Comparison of … [bank.Teller] At Teller.java:[line 25] ES_COMPARING
func (m *maven) plugin(s *read.Sink, l tool.Line, level, text string) bool {
	f, ok := mavenPlace(text)
	if !ok {
		f, ok = pmdFailure(text)
	}
	if !ok {
		f, ok = spotbug(text)
	}
	if !ok {
		return false
	}
	f.Kind, f.Severity, f.RawSeverity = result.BuildError, result.SevError, strings.ToLower(level)
	if level == "WARNING" {
		f.Kind, f.Severity = result.Diagnostic, result.SevWarning
	}
	key := f.At.String() + f.Rule + strings.SplitN(f.Message, ":", 2)[0]
	if m.seen[key] {
		s.Break()
		return true // printed again where the goal fails
	}
	m.seen[key] = true
	s.Find(l, f)
	return true
}

// mavenPlace reads "PATH:[13,17] text" and "file:///PATH:13:17 text", which
// Kotlin's plugin prints.
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
	if f.Message = message; strings.HasPrefix(message, "(") { // checkstyle's group and rule
		if _, after, has := strings.Cut(message, ") "); has {
			f.Message, f.Rule = read.Colon.Cut(after)
		}
	}
	if rule, after, has := strings.Cut(f.Message, "] "); has && strings.HasPrefix(rule, "[") { // of -Xlint
		f.Rule, f.Message = rule[1:], after
	}
	return f, true
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
	rest, where, _ := strings.Cut(rest, " At ")
	f.Message = rest
	f.At = &result.Location{}
	if open := strings.LastIndex(rest, " ["); open > 0 && strings.HasSuffix(rest, "]") {
		f.Message = rest[:open]
		f.At.Path = strings.ReplaceAll(strings.Split(rest[open+2:len(rest)-1], "$")[0], ".", "/") + ".java"
	}
	if file, line, has := strings.Cut(where, ":["); has {
		if slash := strings.LastIndexByte(f.At.Path, '/'); slash >= 0 {
			f.At.Path = f.At.Path[:slash+1] + file
		} else {
			f.At.Path = file
		}
		f.At.Line = lex.LeadingNumber(strings.TrimPrefix(strings.TrimPrefix(line, "lines "), "line "))
	}
	return f, f.At.Path != ""
}

// symbol adds what javac says below "cannot find symbol": which one.
func symbol(f *result.Finding, text string) {
	name, ok := strings.CutPrefix(strings.TrimSpace(text), "symbol:")
	if ok && strings.HasSuffix(f.Message, "cannot find symbol") {
		f.Message += ": " + strings.Join(strings.Fields(name), " ")
	}
}

// mavenError reads what maven says of a model, with "@ line 14, column 17" in it.
func mavenError(text string) result.Finding {
	f := result.Finding{Kind: result.BuildError, Message: text}
	before, after, ok := strings.Cut(text, ", line ")
	if i := strings.LastIndex(before, " @ "); ok && i > 0 && strings.HasSuffix(before, ".xml") {
		f.Message, f.At = before[:i], &result.Location{Path: before[i+3:], Line: lex.LeadingNumber(after)}
		if _, column, has := strings.Cut(after, "column "); has {
			f.At.Column, _ = strconv.Atoi(strings.TrimRight(column, " ."))
		}
	}
	return f
}
