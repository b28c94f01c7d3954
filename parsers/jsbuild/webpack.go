package jsbuild

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/place"
	"cairn/parsers/read/trace"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("webpack | webpack-cli rspack", func(p *tool.Parser) {
	p.Is("webpack", result.Build, 1, "webpack 4 and 5: every preset of stats, --json")
	p.ColumnUnit = "utf16"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Files = []tool.Files{{Flags: tool.OutputFlags("webpack", "--json")}}
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: map[string]func(*read.Sink, []byte) error{
		"/errors/*":   read.Item(func(s *read.Sink, v *webpackItem) { v.find(s, result.SevError) }),
		"/warnings/*": read.Item(func(s *read.Sink, v *webpackItem) { v.find(s, result.SevWarning) }),
	}}.Parse})
	p.Reads(tool.Format{Name: "text", Starts: []string{"ERROR in ./", "webpack … compiled ", "[webpack-cli] "}, Parse: webpackText})
}, tool.WritesFiles)

// webpackText returns nil if all findings are type errors: the type checker's own parser reads them better.
func webpackText(in *tool.Input) *tool.Report {
	rep := read.Text{Line: (&webpack{}).line}.Parse(in)
	if rep == nil || len(rep.Findings) == 0 {
		return rep
	}
	for i := range rep.Findings {
		if !isTyped(rep.Findings[i].Message) && !isTyped(rep.Findings[i].Detail) {
			return rep
		}
	}
	return nil
}

// isTyped reports whether a line of the text is the TypeScript compiler's: "TS2322: …".
func isTyped(text string) bool {
	for line := range strings.SplitSeq(text, "\n") {
		_, rest, ok := strings.Cut(" "+line, " TS")
		if code, _, colon := strings.Cut(rest, ":"); ok && colon && lex.IsDigits(code) {
			return true
		}
	}
	return false
}

// webpack reads "ERROR in ./src/a.js 1:0-30" and the message below it.
type webpack struct {
	waits   bool // the message has not come yet
	loading bool // below "[webpack-cli] Failed to load 'webpack.config.js' config"
}

func (w *webpack) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	for mark, severity := range map[string]result.Severity{"ERROR in ": result.SevError, "WARNING in ": result.SevWarning} {
		if where, ok := strings.CutPrefix(text, mark); ok {
			s.Find(l, result.Finding{Kind: result.BuildError, Severity: severity, Message: where, At: webpackPlace(where)})
			w.waits = true
			return true
		}
	}
	f := s.Last()
	switch {
	case strings.HasPrefix(text, "webpack ") && strings.Contains(text, "compiled "):
		_, rest, _ := strings.Cut(text, " compiled ")
		if counts := read.Counts(rest); counts["error"]+counts["errors"] > 0 {
			s.Claim(counts["error"] + counts["errors"])
		}
		s.Close(l)
	case strings.HasPrefix(text, "[webpack-cli] "):
		w.cli(s, l, strings.TrimPrefix(text[len("[webpack-cli] "):], "✖ "))
	case f == nil:
		return false
	case w.loading:
		webpackReason(f, text)
		s.More(l)
	case w.waits && text != "":
		w.waits = webpackMessage(f, text)
		s.More(l)
	case text == "" && !w.waits && f.Detail != "" && strings.HasPrefix(f.Message, "Module not found"):
		s.Break()
	default:
		webpackExcerpt(f, text)
		s.More(l)
	}
	return true
}

// cli takes the text behind "[webpack-cli] ", mostly an error before the build.
func (w *webpack) cli(s *read.Sink, l tool.Line, text string) {
	if len(s.Findings) > 0 || lex.HasAnyPrefix(text, "Compil", "stats are successfully stored") {
		s.Cover(l)
		return
	}
	class, message := jserror.CutClass(text)
	if strings.HasPrefix(class, "Module") { // with --bail
		s.Find(l, result.Finding{Kind: result.BuildError, Message: message})
		s.Meaning, w.waits = result.MeansFindings, announces(message)
		return
	}
	s.Refuse(l, result.Finding{Rule: class, Message: message})
	if w.loading = strings.HasPrefix(message, "Failed to load "); !w.loading {
		s.Break()
	}
}

// webpackReason takes from the lines below "Failed to load 'webpack.config.js' config"
// the first error, and the first place in a file of the project:
//
//	▶ ESM (`import`) failed:
//	  TypeError: Cannot read properties of undefined (reading 'trim')
//	      at Object.<anonymous> (/src/webpack.config.js:1:31)
func webpackReason(f *result.Finding, text string) {
	if trace.IsThrown(text) && strings.HasSuffix(f.Message, " config") {
		f.Message += ": " + text
		return
	}
	if at, framed := jserror.Frame(text); framed && !at.External && f.At == nil {
		f.At = &at
	}
}

// announces reports whether the reason, from a loader, follows on the next line.
func announces(text string) bool {
	return strings.HasPrefix(text, "Module build failed (from ") && strings.HasSuffix(text, "):") || text == "Module parse failed:"
}

// webpackExcerpt takes the place from an excerpt of the source, if the head has no line: rspack's "╭─[1:8]", and
// sass's "src/a.scss 1:12  root stylesheet".
func webpackExcerpt(f *result.Finding, text string) {
	if f.At == nil || f.At.Line > 0 {
		return
	}
	position, ok := strings.CutPrefix(text, "╭─[")
	from := 1 // rspack's columns are 0-based
	if words := strings.Fields(text); !ok && len(words) > 1 && words[0] == strings.TrimPrefix(f.At.Path, "./") {
		position, from, ok = words[1], 0, true
	}
	line, column, two := strings.Cut(strings.TrimSuffix(position, "]"), ":")
	if ok && two && lex.IsDigits(line) && lex.IsDigits(column) {
		f.At.Line, f.At.Column = lex.Atoi(line), lex.Atoi(column)+from
	}
}

// webpackPlace reads "./src/a.js 1:0-30", "./src/a.js 3:10" and "./src/a.js", before which loaders may be named:
// "./node_modules/x-loader/index.js!./src/a.js".
func webpackPlace(where string) *result.Location {
	path, position, _ := strings.Cut(where, " ")
	path = path[strings.LastIndexByte(path, '!')+1:]
	if !strings.ContainsAny(path, "./") {
		return nil // "main", "configuration"
	}
	at := &result.Location{Path: path}
	line, column, ok := strings.Cut(position, ":")
	if column, _, _ = strings.Cut(column, "-"); ok && lex.IsDigits(line) {
		at.Line, at.Column = lex.Atoi(line), lex.Atoi(column)+1
	}
	return at
}

// webpackMessage takes the first line below the head, and reports whether the message is still to come. ts-loader
// prints its own place first:
//
//	./src/math.ts 1:52-58
//	[tsl] ERROR in /src/math.ts(1,53)
//	      TS2322: Type 'number' is not assignable to type 'string'.
func webpackMessage(f *result.Finding, text string) (waits bool) {
	if rest, ok := lex.CutAnyPrefix(text, "[tsl] ERROR in ", "[tsl] WARNING in "); ok {
		if at, _, has := place.Cut(rest + ": "); has {
			f.At = &at
		}
		return true
	}
	if position := text[strings.LastIndexByte(text, ' ')+1:]; isRange(position) {
		if f.At != nil && f.At.Line == 0 {
			f.At = webpackPlace(f.At.Path + " " + position)
		}
		return true
	}
	if code, message, ok := strings.Cut(text, ": "); ok && strings.HasPrefix(code, "TS") && lex.IsDigits(code[2:]) {
		f.Rule, f.Message = code, message
		return false
	}
	text = strings.TrimLeft(text, "×╰─▶ ") // rspack draws a tree
	waits = announces(text)
	f.Rule, f.Message = jserror.CutClass(text)
	if f.At != nil { // babel and others repeat the path
		if path, rest, ok := strings.Cut(f.Message, ": "); ok && strings.HasSuffix(path, strings.TrimPrefix(f.At.Path, ".")) {
			f.Message = rest
		}
	}
	if line, column, rest, ok := place.CutAtEnd(f.Message); ok && f.At != nil {
		f.Message = rest
		if f.At.Line == 0 {
			f.At.Line, f.At.Column = line, column+1
		}
	}
	return waits
}

// isRange reports whether a word is a range of columns, "1:52-58".
func isRange(word string) bool {
	line, rest, ok := strings.Cut(word, ":")
	from, to, both := strings.Cut(rest, "-")
	return ok && both && lex.IsDigits(line) && lex.IsDigits(from) && lex.IsDigits(to)
}

// webpackItem is an error or a warning in the JSON.
type webpackItem struct{ Message, ModuleName, Loc string }

func (v *webpackItem) find(s *read.Sink, severity result.Severity) {
	f := result.Finding{Kind: result.BuildError, Severity: severity, Message: v.Message, At: webpackPlace(v.ModuleName + " " + v.Loc)}
	waits := true
	for _, line := range read.TextLines(v.Message) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if !waits {
			webpackExcerpt(&f, line)
			continue
		}
		waits = webpackMessage(&f, line)
	}
	s.FindHere(f)
}
