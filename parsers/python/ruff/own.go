package ruff

import (
	"cmp"
	"slices"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Parts of messages that only ruff prints. If the command does not name the tool, as in the log of
// make or of a workflow, a message without these parts is ignored: "error: unexpected argument", for example, is
// printed by many programs written in Rust.
var (
	ruffBegins = []string{"Usage: ruff", ruffNoFiles, "warning: Invalid `#", "warning: Invalid rule code provided to `#", "warning: The top-level linter settings are deprecated",
		"warning: Rule `", "warning: Selection `", "warning: `ruff <path>` is deprecated.", "warning: The following rules have been removed and ignoring them has no effect",
		"error: Failed to initialize cache at ", "warning: Failed to open cache file "}
	ruffWarns = []string{" are incompatible. Ignoring `", "` has been remapped to `", " may cause conflicts when used with the formatter",
		"` selector has been deprecated. Use the `", "argument is deprecated. Use `--", "` option is incompatible with the formatter"}
	ruffValues = []string{"<RULE_CODE>'", "--config <CONFIG_OPTION>'", "--range <RANGE>'"}
)

// certain reports whether only ruff prints the notice.
func (n *ruffNotice) certain() bool {
	holds := func(words string) bool { return strings.Contains(n.head, words) }
	return n.head == ruffFailed || n.crashedItself() || lex.HasAnyPrefix(n.head, ruffBegins...) || n.unread() || slices.ContainsFunc(n.text, ruffSays) ||
		strings.HasPrefix(n.head, "warning: ") && slices.ContainsFunc(ruffWarns, holds) ||
		strings.HasPrefix(n.head, "error: invalid value ") && slices.ContainsFunc(ruffValues, holds)
}

// ruffSays reports whether a line below an error of the command line has the usage, or
// a list of possible values, that only ruff has.
func ruffSays(s string) bool {
	if strings.HasPrefix(s, "  [possible values: ") {
		return strings.Contains(s, " pylint,") || strings.Contains(s, " py37, py38, ")
	}
	return strings.HasPrefix(s, "Usage: ruff")
}

// unread reports whether the notice is about a Python file or a notebook that could not be read.
func (n *ruffNotice) unread() bool {
	_, what, _ := strings.Cut(n.head, ": ")
	file, ok := lex.CutAnyPrefix(what, ruffFailures[:]...)
	at, _, named := cutRuffFile(file)
	return ok && named && (isPythonPath(at.Path) || strings.HasSuffix(at.Path, ".ipynb"))
}

// reportNotices adds the notices that belong to the tool, and reports whether one of them says that ruff could
// not go on. ran is set if a document or a run was read.
func (r *ruff) reportNotices(rep *tool.Report, ran bool) (fatal bool) {
	for i := range r.notes {
		n := &r.notes[i]
		owner := cmp.Or(n.tool(), r.asked, r.other(r.checked))
		if n.syntax() {
			owner = cmp.Or(r.asked, r.other(r.unparsed))
		}
		if owner != r.tool || !n.certain() && r.asked == "" {
			continue
		}
		rep.Covered = append(rep.Covered, result.Span{Start: n.start, End: n.end})
		f := n.finding()
		if f.Rule == ruffSyntax && r.saidAgain(rep, f) || n.asksOnly() && panics(rep) {
			continue
		}
		rep.Add(f)
		fatal = fatal || f.Severity == result.SevError && (f.Kind != result.Diagnostic || !ran)
	}
	return fatal
}

// other returns the tool that reports a notice which does not name its tool, so that only one of the two does. A file
// that does not parse is named by ruff format, and, before 0.5, by ruff check, which then also has a finding E999.
func (r *ruff) other(checked bool) string {
	if r.formatted && !checked {
		return ruffFormat
	}
	return ruffCheck
}

func panics(rep *tool.Report) bool {
	return slices.ContainsFunc(rep.Findings, func(f result.Finding) bool { return f.Kind == result.Panic })
}

// saidAgain reports whether the syntax error of a notice has a finding already: ruff 0.4 prints it on both
// streams, on stdout perhaps with an absolute path.
func (r *ruff) saidAgain(rep *tool.Report, f result.Finding) bool {
	path, _ := r.in.Workspace.Path(f.At.Path)
	return slices.ContainsFunc(rep.Findings, func(g result.Finding) bool {
		if g.At == nil || f.At.Line > 0 && g.At.Line != f.At.Line || g.Rule != ruffSyntax && g.Rule != "E999" {
			return false
		}
		other, _ := r.in.Workspace.Path(g.At.Path)
		return other == path
	})
}
