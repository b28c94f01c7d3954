package infra

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("helm", func(p *tool.Parser) {
	p.Is("helm", result.Infra, 2, "helm 3 and 4: errors, and lint's messages")
	p.Reads(tool.Format{Name: "text", Parse: parseHelm})
})

// helm reads errors, whose text goes on up to an empty line, and the rows of lint, which stand below their chart:
//
//	==> Linting charts/web
//	[ERROR] values.yaml: - at '/replicas': got number, want string
//	- at '': missing property 'host'
//
//	Error: template: web/templates/svc.yaml:4:11: executing … at <include "x" .>: …
//
// Helm 4 puts a place and each part of the reason on lines of their own.
type helm struct {
	chart  string          // the chart that is linted
	text   string          // the last finding's text, its lines joined
	listed bool            // the last finding is an item of a list
	told   map[string]bool // the items read so far, which lint prints again
}

func parseHelm(in *tool.Input) *tool.Report {
	h := &helm{told: map[string]bool{}}
	return read.Text{Line: h.line, End: endHelm}.Parse(in)
}

func (h *helm) line(s *read.Sink, l tool.Line) bool {
	f := result.Finding{Kind: result.GenericFinding}
	chart, lints := strings.CutPrefix(l.Text, "==> Linting ")
	message, failed := strings.CutPrefix(l.Text, "Error: ")
	warning, warns := strings.CutPrefix(l.Text, "WARNING: ")
	switch {
	case h.row(s, l):
	case lints:
		h.chart = chart
		s.Sign(l)
		s.Break()
	case failed:
		h.find(s, l, f, message)
	case strings.HasPrefix(l.Text, "Error unable to "):
		h.find(s, l, f, l.Text)
	case warns:
		f.Severity = result.SevWarning
		h.find(s, l, f, warning)
	case strings.HasPrefix(l.Text, "level="):
		s.Break()
		return strings.HasPrefix(l.Text, "level=ERROR ") // helm 4 prints it again as "Error: "
	case s.Open() && strings.TrimSpace(l.Text) != "" && !strings.Contains(l.Text, " [debug] "):
		h.more(s, l)
	default:
		s.Break()
		return false
	}
	return true
}

// row reads "[ERROR] templates/svc.yaml: text".
func (h *helm) row(s *read.Sink, l tool.Line) bool {
	word, rest, ok := strings.Cut(l.Text, "] ")
	if word = strings.TrimPrefix(word, "["); !ok || !lex.IsOneOf(word, "ERROR WARNING INFO") || l.Text[0] != '[' {
		return false
	}
	f := result.Finding{Severity: read.SeverityOf(word), RawSeverity: strings.ToLower(word)}
	if at, message, ok := strings.Cut(rest, ": "); ok && !strings.Contains(at, " ") {
		f.At, rest = &result.Location{Path: h.inChart(at)}, message
	}
	h.find(s, l, f, rest)
	return true
}

// inChart makes a path that lint prints relative to the chart relative to lint's working directory.
func (h *helm) inChart(p string) string {
	if path.IsAbs(p) || h.chart == "" || strings.HasSuffix(h.chart, ".tgz") {
		return p
	}
	return path.Join(h.chart, p)
}

func (h *helm) find(s *read.Sink, l tool.Line, f result.Finding, text string) {
	item, listed := strings.CutPrefix(text, "- ")
	h.text, h.listed, f.Message = text, listed, item
	if listed {
		h.told[h.chart+"\n"+item] = true
	}
	s.Find(l, f)
	h.explain(s)
}

// more reads a line below a finding: an item of a list, which is a finding of its own, or more text.
func (h *helm) more(s *read.Sink, l tool.Line) {
	f, text := s.Last(), strings.TrimSpace(l.Text)
	item, listed := strings.CutPrefix(text, "- ")
	key := h.chart + "\n" + item
	switch again := h.told[key]; {
	case f == nil || listed && again || h.listed && !listed:
		s.More(l)
	case h.listed:
		s.Find(l, result.Finding{Kind: f.Kind, Severity: f.Severity, RawSeverity: f.RawSeverity, At: f.At, Message: item})
	case listed:
		s.More(l)
		f.Message, f.Detail = item, ""
	default:
		s.More(l)
		if h.text += " "; !strings.HasSuffix(h.text, ": ") && !endsInPlace().MatchString(h.text) {
			h.text = strings.TrimSpace(h.text) + ": "
		}
		h.text += text
		f.Message, f.Detail = h.text, ""
		h.explain(s)
	}
	if listed && !h.told[key] {
		h.listed, h.told[key] = true, true
	}
}

// explain moves the innermost place in a template from the message to the finding. The path begins with the chart's
// name; in its place comes the linted folder, or an argument of the command that ends in this name.
func (h *helm) explain(s *read.Sink) {
	f := s.Last()
	if f == nil {
		return
	}
	for m := placeInTemplate().FindStringSubmatch(f.Message); m != nil; m = placeInTemplate().FindStringSubmatch(f.Message) {
		name, inside, _ := strings.Cut(m[1], "/")
		f.At, f.Message = &result.Location{Path: m[1], Line: number(m[2]), Column: number(m[3])}, m[4]
		if h.chart != "" {
			f.At.Path = h.inChart(inside)
		} else if i := slices.IndexFunc(s.In.Argv, func(a string) bool { return path.Base(a) == name && strings.ContainsRune(a, '/') }); i > 0 {
			f.At.Path = path.Join(s.In.Argv[i], inside)
		}
		if what, line, ok := strings.Cut(f.Message, " started at "+m[1]+":"); ok {
			f.At.Line, f.Message = number(line), what
		}
	}
}

func number(digits string) int {
	if digits == "" || len(digits) > 8 {
		return 0
	}
	return lex.Atoi(digits)
}

var (
	placeInTemplate = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:^|[ (])([^\s():"<>]+/templates/[^\s():"<>]+)(?::(\d+)(?::(\d+))?)?(?:\)?: | )(.+)$`)
	})
	endsInPlace = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`/templates/[^\s():"<>]+:\d+(:\d+)? $`) })
)

// endHelm drops the last finding, "… 1 chart(s) failed", if an error above gives the reason.
func endHelm(s *read.Sink) {
	if n := len(s.Findings) - 1; n > 0 && strings.HasSuffix(s.Findings[n].Message, " chart(s) failed") && s.Findings[n].At == nil {
		if slices.ContainsFunc(s.Findings[:n], func(f result.Finding) bool { return f.Severity == result.SevError }) {
			s.Findings = s.Findings[:n]
		}
	}
	callsWrong(s)
}
