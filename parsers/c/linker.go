package c

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add(tool.AnyProgram, func(p *tool.Parser) {
	p.Is("ld", result.Build, 1, "GNU ld and gold, lld, mold, run by name")
	p.Matches = func(argv []string) bool { return lex.IsOneOf(programName(argv[0]), strings.Join(linkers, " ")) }
	p.Reads(tool.Format{Name: "text", Parse: read.Lines((*linker).line)})
})

// linker reads the output of GNU ld, gold, lld and mold:
//
//	/usr/bin/ld: main.o: in function `main':
//	main.c:(.text+0x6): undefined reference to `missing'
//	ld.lld: error: undefined symbol: missing
//	>>> referenced by main.c:3 (src/main.c:3)
type linker struct{ function string }

var linkers = []string{"ld", "ld.bfd", "ld.gold", "gold", "ld.lld", "lld", "ld64.lld", "lld-link", "wasm-ld", "mold", "ld.mold"}

func (k *linker) line(s *read.Sink, l tool.Line) bool {
	text, named := cutLinker(l.Text)
	switch {
	case strings.HasPrefix(l.Text, ">>> "):
		return k.referenced(s, l)
	case strings.HasSuffix(text, "':") && strings.Contains(text, " function `"), strings.Contains(text, ": in function ") && strings.HasSuffix(text, ":"):
		_, k.function, _ = strings.Cut(strings.TrimRight(text, "':"), " function ")
		k.function = strings.Trim(k.function, "`‘’'")
		return true
	case k.reference(s, l, text):
		return true
	case !named:
		return false
	}
	if object, ok := strings.CutSuffix(text, ": previous definition here"); ok && s.Last() != nil { // gold
		s.Last().Related = append(s.Last().Related, result.Related{Message: "previous definition here", At: &result.Location{Path: object}})
		return s.More(l)
	}
	word, message := read.CutSeverity(text)
	f := result.Finding{Kind: read.KindOf(read.SeverityOf(word)), Severity: read.SeverityOf(word), RawSeverity: word, Message: message}
	if f.Severity == result.SevInfo {
		return true
	}
	k.object(&f)
	return s.Find(l, f)
}

// object moves the path of an object file from the message to the place. The name of a temporary object is dropped.
func (k *linker) object(f *result.Finding) {
	if path, rest, ok := strings.Cut(f.Message, ": "); ok && isObject(path) && !strings.HasPrefix(path, "cannot ") {
		word, message := read.CutSeverity(rest)
		if f.Message = message; word == "warning" {
			f.Severity, f.RawSeverity, f.Kind = result.SevWarning, word, result.Diagnostic
		}
		if !isTemporary(path) {
			f.At = &result.Location{Path: path}
		}
		return
	}
	if at, rest, ok := place.Cut(f.Message); ok && rest != "" {
		f.At, f.Message = &at, rest
	}
}

// isTemporary reports whether an object exists only while the compiler runs: gcc's "…/cc1c80NH.o", clang's
// "…/link-6dfeff.o".
func isTemporary(path string) bool {
	i := strings.LastIndexByte(path, '/')
	name := strings.TrimSuffix(path[i+1:], ".o")
	ofGcc := len(name) == 8 && strings.HasPrefix(name, "cc")
	ofClang := len(name) > 7 && name[len(name)-7] == '-'
	return i >= 0 && result.IsAbsolute(path) && (ofGcc || ofClang)
}

// reference reads "FILE:(.text+0x6): undefined reference to `x'" and "multiple definition of `x'". With debug
// information, FILE has a line.
func (k *linker) reference(s *read.Sink, l tool.Line, text string) bool {
	i := strings.Index(text, "undefined reference to ")
	if i < 0 {
		i = strings.Index(text, "multiple definition of ")
	}
	if i < 0 || i > 0 && !strings.HasSuffix(text[:i], ": ") {
		return false
	}
	message, first, _ := strings.Cut(text[i:], "; ")
	f := result.Finding{Kind: result.BuildError, Message: message}
	where, function, _ := strings.Cut(strings.TrimPrefix(strings.TrimSuffix(text[:i], "error: "), "error: "), ":function ") // gold's form
	if at := objectPlace(where); at.Path != "" {
		at.Function = cmp.Or(strings.TrimSuffix(function, ": "), k.function)
		f.At = &at
	}
	if at := objectPlace(strings.TrimSuffix(first, "first defined here")); at.Path != "" {
		f.Related = []result.Related{{Message: "first defined here", At: &at}}
	}
	return s.Find(l, f)
}

// objectPlace reads "main.o:main.c:(.text+0x6): " and "/src/main.c:12: ".
func objectPlace(s string) (at result.Location) {
	s = strings.TrimSuffix(strings.TrimSuffix(s, " "), ":")
	if i := strings.LastIndex(s, ":("); i >= 0 {
		s = s[:i]
	}
	if path, line, ok := place.CutLineNumber(s); ok {
		s, at.Line = path, line
	}
	if path, source, ok := strings.Cut(s, ":"); ok && (isObject(path) || strings.HasSuffix(path, ")")) {
		s = source
	}
	if strings.HasPrefix(s, "(") || s == "" {
		return result.Location{}
	}
	at.Path = s
	return at
}

// referenced reads lld's ">>> referenced by main.c:3 (src/main.c:3)".
func (k *linker) referenced(s *read.Sink, l tool.Line) bool {
	f := s.Last()
	if f == nil {
		return false
	}
	s.More(l)
	rest := strings.TrimPrefix(l.Text, ">>> ")
	for _, word := range [...]string{"referenced by ", "defined at "} {
		name, ok := strings.CutPrefix(rest, word)
		if !ok {
			continue
		}
		if i := strings.LastIndex(name, " ("); i > 0 && strings.HasSuffix(name, ")") {
			name = name[i+2 : len(name)-1]
		}
		if path, line, has := place.CutLineNumber(name); has {
			f.Locations = append(f.Locations, result.Location{Path: path, Line: line})
		} else if !strings.Contains(name, " ") {
			f.Locations = append(f.Locations, result.Location{Path: name})
		}
		if f.At == nil && len(f.Locations) > 0 {
			f.At = &f.Locations[0]
			f.Locations = nil
		}
	}
	return true
}

// cutLinker removes the name of a linker from a line.
func cutLinker(line string) (rest string, ok bool) {
	name, rest, found := strings.Cut(line, ":")
	if !found || strings.ContainsAny(name, " (") {
		return line, false
	}
	base := name[strings.LastIndexAny(name, `/\`)+1:]
	for _, p := range linkers {
		if base == p || strings.HasSuffix(base, "-"+p) && lex.IsOneOf(p, "ld ld.bfd ld.gold ld.lld") {
			return strings.TrimLeft(rest, " "), true
		}
	}
	return line, false
}
