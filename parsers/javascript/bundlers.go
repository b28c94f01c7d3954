package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/lex"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

// Bundlers that say what is wrong first, and below it where: esbuild, vite with
// rolldown, parcel.

var _ = Room.Add("esbuild tsup", func() *tool.Parser {
	return &tool.Parser{
		Tool: "esbuild", Kind: result.Build, Version: 1, ColumnUnit: "byte",
		About: "esbuild 0.8 to 0.25, and what is built on it (tsup, vite's dependency scan)",

		Formats: []tool.Format{
			{Name: "text", Starts: []string{"✘ [ERROR] ", "✗ [ERROR] ", "▲ [WARNING] "}, Parse: read.Text{Line: esbuildLine}.Parse},
		},
	}
})

// esbuildLine reads "✘ [ERROR] text [rule]" and "    src/a.js:1:18:" below it,
// where columns begin with 0. What a plugin says with a code of tsc's or of
// Angular's compiler is theirs.
func esbuildLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(strings.TrimPrefix(l.Text, " WARN "))
	for mark, severity := range map[string]result.Severity{"✘ [ERROR] ": result.SevError, "✗ [ERROR] ": result.SevError, "▲ [WARNING] ": result.SevWarning} {
		if message, ok := strings.CutPrefix(text, mark); ok {
			if isCompilerCode(message) {
				s.Break()
				return false
			}
			message, rule := read.Brackets.Cut(message)
			s.Find(l, result.Finding{Kind: result.BuildError, Severity: severity, Rule: rule, Message: message})
			return true
		}
	}
	if n, rest, ok := lex.CutCount(text, "error"); ok && rest == "" && l.Text == text {
		s.Claim(n)
		s.Close(l)
		return true
	}
	f := s.Last()
	if f == nil {
		return false
	}
	if at := place.LastColons(strings.TrimSuffix(text, ":")); at != nil && f.At == nil && strings.HasSuffix(text, ":") {
		at.Column++
		f.At = at
		s.Cover(l)
		return true
	}
	if l.Text != "" && l.Text[0] != ' ' {
		s.Break()
		return false
	}
	s.More(l)
	return true
}

// isCompilerCode says so of "TS2322: text", "TS-998001: text" and "NG8001: text".
func isCompilerCode(message string) bool {
	code, _, ok := strings.Cut(message, ": ")
	if !ok || !strings.HasPrefix(code, "TS") && !strings.HasPrefix(code, "NG") {
		return false
	}
	return lex.IsDigits(strings.TrimPrefix(code[2:], "-"))
}

var _ = Room.Add("vite", func() *tool.Parser {
	return &tool.Parser{
		Tool: "vite", Kind: result.Build, Version: 1, ColumnUnit: "char",
		About:   "vite build 4 to 8",
		Matches: func(argv []string) bool { return argv[0] == "vite" && (len(argv) == 1 || argv[1] != "preview") },
		Formats: []tool.Format{
			{Name: "text", Starts: []string{"error during build:", "✓ built in "}, Parse: viteText},
		},
	}
})

func viteText(in *tool.Input) *tool.Report { return read.Text{Line: (&vite{}).line}.Parse(in) }

// vite reads diagnostics of rolldown, "[CODE] text" and below it "╭─[ path:1:19 ]",
// and what older versions say behind "error during build:".
type vite struct {
	failed, waits bool
	stream        tool.Stream // of the failure
}

func (v *vite) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	code, message, coded := strings.Cut(strings.TrimPrefix(text, "["), "] ")
	_, framed := jserror.Frame(text)
	f := s.Last()
	switch {
	case text == "error during build:" || strings.HasPrefix(text, "✗ Build failed in ") || strings.HasPrefix(text, "x Build failed in "):
		v.failed, v.waits, v.stream = true, text[0] == 'e', l.Stream
		s.Sign(l)
		s.Break()
	case strings.HasPrefix(text, "✓ built in "):
		s.Close(l)
	case strings.HasPrefix(text, "failed to load config from "):
		s.Meaning = result.MeansUsage
	case strings.Contains(text, "Build failed with ") && strings.HasSuffix(text, ":") && v.failed:
		v.waits = false
		s.Claim(lex.LeadingNumber(text[strings.Index(text, "Build failed with ")+len("Build failed with "):]))
	case coded && text[0] == '[' && isCode(code):
		s.Find(l, result.Finding{Kind: result.BuildError, Severity: v.severity(), Rule: code, Message: message})
	case v.failed && l.Stream != v.stream:
		return false
	case v.waits && text != "" && !framed:
		v.waits = false
		s.Find(l, viteOld(text))
	case f == nil:
		return false
	case framed:
		s.Cover(l)
		s.Break()
	default:
		viteMore(f, text)
		s.More(l)
	}
	return true
}

func (v *vite) severity() result.Severity {
	if v.failed {
		return result.SevError
	}
	return result.SevWarning
}

func isCode(s string) bool { return s != "" && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "" }

// viteOld reads "src/a.js (1:10): text" and "[vite]: text".
func viteOld(text string) result.Finding {
	f := result.Finding{Kind: result.BuildError, Severity: result.SevError}
	f.Rule, text = jserror.CutClass(text)
	if at, rest, ok := cutRollup(text); ok {
		f.At, text = at, rest
	}
	f.Message = text
	return f
}

// viteMore finds the place of a diagnostic.
func viteMore(f *result.Finding, text string) {
	if f.At != nil && f.At.Line > 0 {
		return
	}
	if at := orPlace(nil, text); at != nil {
		f.At = at
	} else if rest, ok := strings.CutPrefix(text, "file: "); ok {
		if f.At = place.LastColons(rest); f.At == nil {
			f.At = &result.Location{Path: rest}
		}
	}
}

// cutRollup reads "src/a.js (1:10): text".
func cutRollup(text string) (at *result.Location, rest string, ok bool) {
	head, rest, ok := strings.Cut(text, "): ")
	path, where, has := strings.Cut(head, " (")
	line, column, two := strings.Cut(where, ":")
	if !ok || !has || !two || !lex.IsDigits(line) || !lex.IsDigits(column) || strings.Contains(path, " ") {
		return nil, text, false
	}
	return &result.Location{Path: path, Line: lex.Atoi(line), Column: lex.Atoi(column)}, rest, true
}

var _ = Room.Add("rollup", func() *tool.Parser {
	return &tool.Parser{
		Tool: "rollup", Kind: result.Build, Version: 1, ColumnUnit: "char",
		About: "rollup 2 to 4",

		Formats: []tool.Format{
			{Name: "text", Starts: []string{"[!] RollupError: ", "[!] (plugin "}, Parse: read.Text{Line: rollupLine}.Parse},
			{Name: "messages", Parse: read.Text{Line: rollupLine}.Parse},
		},
	}
})

// rollupLine reads "[!] RollupError: src/a.js (1:10): text" and "(!) text", and the
// place below where the line has none.
func rollupLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if message, ok := strings.CutPrefix(text, "[!] "); ok {
		f := viteOld(message)
		if f.Rule == "RollupError" {
			f.Rule = ""
		}
		s.Find(l, f)
		return true
	}
	if message, ok := strings.CutPrefix(text, "(!) "); ok {
		s.Find(l, result.Finding{Kind: result.BuildError, Severity: result.SevWarning, Message: message})
		return true
	}
	f := s.Last()
	if f == nil || strings.HasPrefix(text, "created ") {
		s.Break()
		return false
	}
	if at, _, ok := cutRollup(text + ": "); ok && f.At == nil {
		f.At = at
	} else if f.At == nil && jserror.IsScript(text) && !strings.Contains(text, " ") && !strings.Contains(text, "://") {
		f.At = &result.Location{Path: text}
	}
	s.More(l)
	return true
}

var _ = Room.Add("parcel", func() *tool.Parser {
	return &tool.Parser{
		Tool: "parcel", Kind: result.Build, Version: 1, ColumnUnit: "char",
		About: "parcel 2",

		Formats: []tool.Format{{Name: "text", Starts: []string{"🚨 Build failed."}, Parse: read.Text{Line: parcelLine}.Parse}},
	}
})

// parcelLine reads "@parcel/core: text" and "  /tmp/src/a.js:1:10" below it.
func parcelLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if message, ok := strings.CutPrefix(l.Text, "@parcel/"); ok {
		rule, message, _ := strings.Cut(message, ": ")
		s.Find(l, result.Finding{Kind: result.BuildError, Rule: "@parcel/" + rule, Message: message})
		return true
	}
	if strings.HasPrefix(text, "🚨 Build failed.") {
		s.Sign(l)
		return true
	}
	f := s.Last()
	if f == nil {
		return false
	}
	if at := place.LastColons(text); at != nil && f.At == nil && !frame.IsLibrary(at.Path) {
		f.At = at
	}
	s.More(l)
	return true
}
