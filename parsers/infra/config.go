package infra

import (
	"path"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("cue", func(p *tool.Parser) {
	p.Is("cue", result.Lint, 1, "cue 0.4 to 0.14: vet, export, eval: values that conflict, with all their places")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Said{Usage: []string{"unknown command ", "unknown flag: ", "unknown shorthand flag: "}, Other: cueLine}.Parse)})
})

// cueLine reads a message, and below it the places that conflict. The first is the finding's place:
//
//	age: invalid value -1 (out of bound >0):
//	    ./d.cue:1:31
//	    ./d.yaml:2:6
func cueLine(s *read.Sink, l tool.Line) bool {
	f, at := s.Last(), read.PlaceOf(strings.TrimSpace(l.Text))
	switch {
	case at != nil && strings.HasPrefix(l.Text, "    ") && f != nil:
		if f.At == nil {
			f.At = at
		} else {
			f.Related = append(f.Related, result.Related{At: at})
		}
		return s.More(l)
	case l.Stream == tool.Stderr && l.Text != "" && l.Text[0] != ' ' && (strings.HasSuffix(l.Text, ":") || strings.HasSuffix(l.Text, ": no such file or directory")):
		return s.Find(l, result.Finding{Message: strings.TrimSuffix(l.Text, ":")})
	}
	return false
}

var _ = Room.Add("jsonnet jsonnetfmt | jsonnet-lint", func(p *tool.Parser) {
	p.Is("jsonnet", result.Build, 1, "jsonnet of C++ and of Go, jsonnetfmt, jsonnet-lint: what does not compile or evaluate")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Said{
		Errors: []string{"RUNTIME ERROR: ", "STATIC ERROR: ", "ERROR: "}, Whole: []string{"Opening input file: "}, Kind: result.BuildError,
		Fill: leadingPlace, Other: jsonnetLine, End: callsWrong,
	}.Parse)})
})

// leadingPlace moves "a.jsonnet:1:8: " from the message to the place.
func leadingPlace(f *result.Finding) {
	if at, message, ok := place.Cut(f.Message); ok && message != "" {
		f.At, f.Message = &at, message
	}
}

// jsonnetLine reads "a.jsonnet:1:8-9 text", and errors with frames below: the first frame is the error's place.
func jsonnetLine(s *read.Sink, l tool.Line) bool {
	f := s.Last()
	if frame, ok := strings.CutPrefix(l.Text, "\t"); ok && f != nil {
		where, _, _ := strings.Cut(strings.NewReplacer(":(", ":", ")-(", "-").Replace(frame), "\t")
		if at := read.PlaceOf(strings.TrimSuffix(where, ")")); at != nil && f.At == nil {
			f.At = at
		}
		return s.More(l)
	}
	at, message, ok := place.Cut(l.Text)
	if !ok || message == "" || strings.HasPrefix(l.Text, " ") {
		return false
	}
	return s.Find(l, result.Finding{Kind: result.BuildError, Message: message, At: &at})
}

var _ = Room.Add("pkl | jpkl", func(p *tool.Parser) {
	p.Is("pkl", result.Build, 1, "pkl 0.25 to 0.29: eval, and what a module's test says fails")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Lines((*pklError).line))})
})

// pklError reads the message below the head "–– Pkl Error ––", and the first place below the message:
//
//	–– Pkl Error ––
//	Expected value of type `Int`, but got type `String`.
//
//	1 | x: Int = "a"
//	       ^^^
//	at a#x (file:///home/dev/a.pkl, line 1)
type pklError struct{ head bool }

func (p *pklError) line(s *read.Sink, l tool.Line) bool {
	f := s.Last()
	switch {
	case l.Text == "–– Pkl Error ––":
		p.head = true
		return s.Break()
	case p.head && l.Text != "":
		p.head = false
		return s.Find(l, result.Finding{Kind: result.BuildError, Message: l.Text})
	case f == nil:
		return false
	}
	if _, where, ok := strings.Cut(l.Text, " (file://"); ok && f.At == nil && strings.HasPrefix(l.Text, "at ") {
		path, line, _ := strings.Cut(where, ", line ")
		f.At = &result.Location{Path: path, Line: lex.LeadingNumber(line)}
	}
	return s.More(l)
}

var _ = Room.Add("kustomize", func(p *tool.Parser) {
	p.Is("kustomize", result.Infra, 1, "kustomize 4 and 5: what cannot be built, and what is deprecated")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Said{
		Errors: []string{"Error: "}, Warnings: []string{"# Warning: "}, Other: kustomizeLine, Fill: fillKustomize, End: callsWrong,
	}.Parse)})
})

// kustomizeLine reads the lines below an error that quotes a transformer's configuration. The reason follows the
// configuration:
//
//	Error: trouble configuring builtin PatchTransformer with config: `
//	paths:
//	- patch.yaml
//	`: evalsymlink failure on '/site/patch.yaml' : lstat /site/patch.yaml: no such file or directory
func kustomizeLine(s *read.Sink, l tool.Line) bool {
	f := s.Last()
	if f == nil || !strings.HasSuffix(f.Message, " with config: `") {
		return false
	}
	why, ends := strings.CutPrefix(l.Text, "`: ")
	if ends {
		f.Message = strings.TrimSuffix(f.Message, " with config: `") + ": " + why
	}
	return s.More(l)
}

// fillKustomize finds the innermost folder in the error, and the file in it whose YAML is wrong:
//
//	accumulation err='accumulating resources from '../base': '/site/base' must resolve to a file': recursed accumulation of path '/site/base': … MalformedYAMLError: yaml: line 5: … in File: a.yaml
func fillKustomize(f *result.Finding) {
	const recursed = "recursed accumulation of path '"
	if i := strings.LastIndex(f.Message, recursed); i >= 0 {
		folder, why, _ := strings.Cut(f.Message[i+len(recursed):], "': ")
		_, file, ok := strings.Cut(why, " in File: ")
		if line := yamlLine(why); ok && line > 0 {
			f.At = &result.Location{Path: path.Join(folder, file), Line: line}
		}
		f.Message = why
	}
}

var _ = Room.Add("nix nix-build nix-instantiate nix-shell nix-env nixos-rebuild home-manager", func(p *tool.Parser) {
	p.Is("nix", result.Build, 1, "nix 2.3 to 2.30: expressions that do not parse or evaluate, builds that failed")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Text{Line: nixLine, End: callsWrong}.Parse)})
})

// nixLine reads an error and the first place below it. Older versions print the trace below the error; newer ones
// print "error:" first, then the trace, and the error last.
//
//	error: undefined variable 'x'
//
//	       at /home/dev/a.nix:1:14:
func nixLine(s *read.Sink, l tool.Line) bool {
	text, f := strings.TrimSpace(l.Text), s.Last()
	if message, ok := strings.CutPrefix(text, "error: "); ok {
		return s.Find(l, result.Finding{Kind: result.BuildError, Message: message})
	}
	if message, ok := strings.CutPrefix(text, "warning: "); ok && text == l.Text {
		s.Find(l, result.Finding{Kind: result.GenericFinding, Severity: result.SevWarning, Message: message})
		return s.Break()
	}
	if f == nil || text != "" && !strings.HasPrefix(l.Text, " ") {
		return text == "error:"
	}
	where, ok := strings.CutPrefix(text, "at ")
	if at := read.PlaceOf(strings.TrimPrefix(strings.TrimSuffix(where, ":"), "«string»")); ok && at != nil && f.At == nil && !strings.Contains(f.Detail, "…") {
		f.At = at
	}
	return s.More(l)
}

var _ = Room.Add("jq | gojq jaq", func(p *tool.Parser) {
	p.Is("jq", result.Generic, 1, "jq 1.5 to 1.8: programs that do not compile, input that is not JSON, values of another type")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage, 3: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Said{
		End: jqPlace, Kind: result.Diagnostic, Errors: []string{"jq: error: ", "jq: parse error: ", "parse error: ", "jq: error ", "jq: Unknown "}, Below: true,
		Other: func(_ *read.Sink, l tool.Line) bool {
			return strings.HasPrefix(l.Text, "jq: ") && strings.Contains(l.Text, " compile error")
		}, // the count of the errors above
	}.Parse})
})

// jqPlace moves " at line 3, column 14", where the input stops being JSON, from the messages to the places.
func jqPlace(s *read.Sink) {
	for i := range s.Findings {
		f := &s.Findings[i]
		message, where, ok := strings.Cut(f.Message, " at line ")
		line, column, found := strings.Cut(where, ", column ")
		if ok && found && lex.IsDigits(line) && lex.IsDigits(column) && len(where) < 24 {
			f.Message, f.At = message, &result.Location{Path: jqFile(s.In), Line: lex.Atoi(line), Column: lex.Atoi(column)}
		}
	}
}

// jqFile returns the file that the command names behind the filter, or "<stdin>".
func jqFile(in *tool.Input) string {
	args := slices.DeleteFunc(slices.Clone(in.Command().Argv), func(a string) bool { return strings.HasPrefix(a, "-") })
	if len(args) == 3 {
		return args[2]
	}
	return "<stdin>"
}
