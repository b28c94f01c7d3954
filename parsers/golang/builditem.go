package golang

import (
	"cmp"
	"slices"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/result"
)

// The tools named as sources of findings, whichever command printed them: a compile error
// reported by go test has the same source as one reported by go build.
const (
	goBuildTool = "go-build"
	goVetTool   = "go-vet"
)

// findings turns the block's items into findings.
func (k *goBlock) findings() []result.Finding {
	items := k.items
	if len(items) > 1 && items[0].at == nil && (k.header || isLinkerSummary(items[0].text[0])) {
		items = items[1:]
	}
	var all []result.Finding
	for _, item := range items {
		all = append(all, k.finding(item))
	}
	if n := len(all); k.more != nil && n > 0 {
		all = append(all, k.stopped(all[n-1]))
	}
	return all
}

// stopped returns the finding "too many errors", with which the compiler says that it left out further ones.
func (k *goBlock) stopped(last result.Finding) result.Finding {
	f := result.Finding{
		Kind: result.Diagnostic, Severity: result.SevInfo, Source: goBuildTool, Message: "too many errors", ID: last.ID, Suite: last.Suite, Extra: last.Extra,
		At: cmp.Or(k.more.at, last.At), RawSpan: &result.Span{Start: k.more.span.Start, End: k.more.span.End},
	}
	if f.At != nil { // a copy, since its path may be completed later
		at := *f.At
		f.At = &at
	}
	return f
}

// finding turns one item of a block into a finding.
func (k *goBlock) finding(i goBuildItem) result.Finding {
	f := result.Finding{
		Kind: result.BuildError, Severity: result.SevError, Source: goBuildTool, At: i.at,
		Message: i.text[0], RawSpan: &result.Span{Start: i.span.Start, End: i.span.End},
	}
	text := i.text[1:]
	switch {
	case strings.HasPrefix(f.Message, "package ") && len(text) > 0 && f.At == nil:
		text = fillImports(&f, i.text)
		f.ID = cmp.Or(k.pkg, f.ID) // go test reports an import cycle once for each package in it
	case i.at == nil:
		text = fillReason(&f, text)
	}
	fillSeverity(&f)
	f.Detail = strings.Join(fillNotes(&f, text), "\n")
	for _, advice := range []string{"; to add it:", "; to add:", "; to update it:"} {
		f.Message = strings.TrimSuffix(f.Message, advice)
	}
	k.fillPackage(&f)
	if rule := goVetRule(f.Message); !i.typed && (k.vet || rule != "") {
		f.Source, f.Rule, f.Tags = goVetTool, rule, []string{"vet"}
	}
	return f
}

// fillPackage sets the package of a finding. Without a place, the package is the finding's id: nothing else locates it.
func (k *goBlock) fillPackage(f *result.Finding) {
	if f.At == nil {
		f.ID = cmp.Or(f.ID, k.pkg)
		if f.ID != "" {
			f.Suite = []string{f.ID}
		}
		return
	}
	if f.At.Line == 0 {
		f.ID = cmp.Or(f.ID, k.pkg)
	}
	if k.pkg != "" {
		f.Extra = map[string]any{"package": k.pkg}
	}
}

// fillImports reads "package a / imports b / imports a: import cycle not allowed", the reason first, and "package a /
// x.go:3:8: use of internal package b not allowed".
func fillImports(f *result.Finding, text []string) (rest []string) {
	f.ID = strings.TrimPrefix(text[0], "package ")
	if at, message, ok := cutGoPosition(text[1]); ok {
		f.At, f.Message = at, message
		return text[2:]
	}
	n := len(text)
	if i := slices.IndexFunc(text, func(s string) bool { return strings.Contains(s, ": ") }); i > 0 {
		n = i + 1
	}
	f.Message = importChain(text[:n])
	return text
}

// importChain joins an error about imports into one line that begins with the reason.
func importChain(text []string) string {
	last := text[len(text)-1]
	i := strings.LastIndex(last, ": ")
	if i < 0 {
		return strings.Join(text, " ")
	}
	chain := append(append([]string{}, text[:len(text)-1]...), last[:i])
	return last[i+2:] + ": " + strings.Join(chain, " ")
}

// fillNotes takes places, values and advice out of the lines that continue a diagnostic. It returns all lines except
// those with places.
func fillNotes(f *result.Finding, text []string) (rest []string) {
	for _, s := range text {
		if at, message, ok := cutGoPosition(s); ok {
			f.Related = append(f.Related, result.Related{Message: message, At: at})
			continue
		}
		if v, ok := strings.CutPrefix(s, "have "); ok {
			f.Actual = v
		}
		if v, ok := strings.CutPrefix(s, "want "); ok {
			f.Expected = v
		}
		if lex.HasAnyPrefix(s, "go get ", "go mod ", "go work ") {
			f.Suggestions = append(f.Suggestions, s)
		}
		if strings.HasPrefix(s, "note: ") {
			f.Related = append(f.Related, result.Related{Message: strings.TrimPrefix(s, "note: ")})
		}
		rest = append(rest, s)
	}
	return rest
}

// fillSeverity cuts a C compiler's word ("error: ", "warning: ") off the message, and the warning's name off its end.
func fillSeverity(f *result.Finding) {
	for _, word := range []string{"fatal error", "error", "warning"} {
		rest, ok := strings.CutPrefix(f.Message, word+": ")
		if !ok {
			continue
		}
		f.Message, f.RawSeverity = rest, word
		if word == "warning" {
			f.Kind, f.Severity = result.Diagnostic, result.SevWarning
		}
		if i := strings.LastIndex(rest, " [-W"); i > 0 && strings.HasSuffix(rest, "]") {
			f.Message, f.Rule = rest[:i], rest[i+2:len(rest)-1]
		}
		return
	}
}
