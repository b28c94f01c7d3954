package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// attw (Are The Types Wrong?) prints, for each entry point of a package, the result of each way to resolve it. The
// JSON reports some problems by file instead, once for all entry points.
var _ = Room.Add("attw", func(p *tool.Parser) {
	p.Is("attw", result.Lint, 1, "@arethetypeswrong/cli 0.15 to 0.18: ascii, table, table-flipped, json")
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: read.Items(func(s *read.Sink, p *attwProblem) { s.FindHere(p.finding()) }, "/analysis/problems/*")}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.Fresh(func(a *attw) read.Text { return read.Text{Line: a.line} })})
	p.Reads(tool.Format{Name: "messages", Parse: jserror.Usage("error: ", "error while ")})
})

// attwKinds pairs the JSON's name for each kind of problem with the text's.
const attwKinds = "NoResolution=Resolution failed|UntypedResolution=No types|FalseCJS=Masquerading as CJS|FalseESM=Masquerading as ESM|" +
	"NamedExports=Named exports|CJSResolvesToESM=ESM (dynamic import only)|FallbackCondition=Used fallback condition|CJSOnlyExportsDefault=CJS default export|" +
	"FalseExportDefault=Incorrect default export|MissingExportEquals=Missing `export =`|UnexpectedModuleSyntax=Unexpected module syntax|InternalResolutionError=Internal resolution error"

// attwKind finds a kind by either of its two names and returns both.
func attwKind(told string) (kind, words string, ok bool) {
	for pair := range strings.SplitSeq(attwKinds, "|") {
		kind, words, _ = strings.Cut(pair, "=")
		if kind == told || words == told {
			return kind, words, true
		}
	}
	return "", "", false
}

// attwFound returns the finding for a problem of an entry point that is resolved in one way.
func attwFound(kind, words, entry, way string) result.Finding {
	return result.Finding{Rule: kind, Message: entry + " in " + way + ": " + words, At: &result.Location{Path: "package.json"}}
}

// attw reads a table, or the same cells as rows below the name of the entry point:
//
//	"till/sub"
//
//	node10: 💀 Resolution failed
//	node16 (from ESM): 🚭 Unexpected module syntax
//	🥴 Internal resolution error
type attw struct {
	head []string // names of the columns of a table
	row  string   // first cell of the current row, or the way of resolving
}

func (a *attw) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if cells := strings.Split(text, "│"); len(cells) > 3 {
		return a.cells(s, l, cells[1:len(cells)-1])
	}
	if quoted := strings.Trim(text, `"`); len(quoted) == len(text)-2 && quoted != "" {
		s.Path = strings.Clone(text)
		return s.Sign(l)
	}
	if way, rest, ok := strings.Cut(text, ": "); ok && lex.HasAnyPrefix(way, "node10", "node16 (from ", "bundler") {
		a.row, text = strings.Clone(way), rest
	}
	return s.Path != "" && a.problem(s, l, s.Path, a.row, text)
}

// cells takes a row of a table: the first has the names of the columns, the others have the results. A row with an
// empty first cell continues the row above.
func (a *attw) cells(s *read.Sink, l tool.Line, cells []string) bool {
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	if len(a.head) != len(cells) {
		a.head = strings.Split(strings.Clone(strings.Join(cells, "│")), "│")
		return s.Sign(l)
	}
	if cells[0] != "" {
		a.row = strings.Clone(cells[0])
	}
	for i, cell := range cells[1:] {
		a.problem(s, l, a.row, a.head[i+1], cell)
	}
	return true
}

// problem adds a finding if a cell names a problem: "💀 Resolution failed". The entry point is in quotes; it is the
// name of either the row or the column.
func (a *attw) problem(s *read.Sink, l tool.Line, entry, way, text string) bool {
	if strings.HasPrefix(way, `"`) {
		entry, way = way, entry
	}
	kind, words, ok := attwKind(text)
	if _, rest, marked := strings.Cut(text, " "); marked && !ok {
		kind, words, ok = attwKind(strings.TrimSpace(rest))
	}
	if !ok {
		return false
	}
	parts := strings.Split(strings.Trim(entry, `"`), "/")
	name := 1
	if strings.HasPrefix(parts[0], "@") {
		name = min(2, len(parts))
	}
	s.Find(l, attwFound(kind, words, strings.Join(append([]string{"."}, parts[name:]...), "/"), way))
	return s.Break()
}

// attwProblem is a problem in the JSON.
type attwProblem struct {
	Kind, Entrypoint, ResolutionKind, FileName, TypesFileName, ImplementationFileName, ModuleSpecifier string
}

func (p *attwProblem) finding() result.Finding {
	kind, words, ok := attwKind(p.Kind)
	if !ok {
		kind, words = p.Kind, p.Kind
	}
	if p.Entrypoint != "" {
		way := strings.NewReplacer("-cjs", " (from CJS)", "-esm", " (from ESM)").Replace(p.ResolutionKind)
		return attwFound(kind, words, p.Entrypoint, way)
	}
	f := result.Finding{Rule: kind, Message: words, At: &result.Location{Path: insidePackage(p.FileName + p.TypesFileName)}}
	if p.ImplementationFileName != "" {
		f.Message += " (" + insidePackage(p.ImplementationFileName) + ")"
	}
	if p.ModuleSpecifier != "" {
		f.Message += ": " + p.ModuleSpecifier
	}
	return f
}

// insidePackage returns a path relative to its package: "dist/a.js" for "/node_modules/@scope/name/dist/a.js".
func insidePackage(path string) string {
	_, inside, ok := strings.Cut(path, "/node_modules/")
	if !ok {
		return path
	}
	name, rest, _ := strings.Cut(inside, "/")
	if strings.HasPrefix(name, "@") {
		_, rest, _ = strings.Cut(rest, "/")
	}
	return rest
}
