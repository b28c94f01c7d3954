package jsbuild

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("concurrently conc", func(p *tool.Parser) {
	p.Is("concurrently", result.Build, 1, "concurrently 5 to 9: commands that failed")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Starts: []string{"--> Sending SIG"}, Named: true, Parse: read.Text{Line: concurrentlyLine}.Parse})
})

// concurrentlyLine reads "[lint] eslint src exited with code 1": a command's name, or else its number, and the command.
func concurrentlyLine(s *read.Sink, l tool.Line) bool {
	name, text := cutBracketed(strings.TrimRight(l.Text, " "))
	command, code, ok := strings.Cut(text, " exited with code ")
	switch {
	case strings.HasPrefix(text, "--> Sending SIG"), strings.HasPrefix(text, "--> "):
		return s.Sign(l)
	case !ok:
		return false
	case code == "0":
		s.Count("passed", 1)
		return s.Sign(l)
	case strings.HasPrefix(code, "SIG"): // concurrently sent the signal, or another program
		s.Count("killed", 1)
		s.Sign(l)
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Severity: result.SevWarning, ID: name, Message: text})
	case isExit(code):
		if name == "" || strings.Trim(name, "0123456789") == "" {
			name, text = command, "exited with code "+code
		}
		s.Count("failed", 1)
		taskFailed(s, l, name, text)
		if argv := s.In.Command().Argv; slices.Contains(argv, "-s") || slices.Contains(argv, "--success") { // with --success, the run may pass although this command failed
			f := s.Last()
			f.Kind, f.Severity = result.GenericFinding, result.SevWarning
		}
		return true
	}
	return false
}

var _ = Room.Add("npm-run-all run-s run-p | npm-run-all2", func(p *tool.Parser) {
	p.Is("npm-run-all", result.Build, 1, "npm-run-all 4 and npm-run-all2 5 to 8, as run-s and run-p too: scripts that failed")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Starts: []string{"ERROR: \"…\" exited with "}, Named: true, Parse: read.Text{Line: npmRunAllLine}.Parse})
})

// npmRunAllLine reads `ERROR: "lint" exited with 1.` and `ERROR: Task not found: "nope"`.
func npmRunAllLine(s *read.Sink, l tool.Line) bool {
	message, ok := strings.CutPrefix(strings.TrimRight(l.Text, " "), "ERROR: ")
	name, code, failed := strings.Cut(strings.TrimPrefix(message, `"`), `" exited with `)
	switch {
	case !ok:
		return false
	case failed:
		taskFailed(s, l, name, "exited with code "+strings.TrimSuffix(code, "."))
	case lex.HasAnyPrefix(message, "Task not found", "Invalid Option", "Invalid Placeholder", "No such file"):
		s.Misuse(l, message)
	default:
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message})
	}
	return true
}

var _ = Room.Add("lerna", func(p *tool.Parser) {
	p.Is("lerna", result.Build, 1, "lerna 3 to 9: scripts that failed; from 6 on they are run by nx")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Starts: []string{"lerna ERR! ", "Lerna (powered by Nx)   "}, Named: true, Parse: parseNx})
})

// taskFailed adds a runner's finding about a script that failed. The tools that the script ran report why.
func taskFailed(s *read.Sink, l tool.Line, id, how string) {
	s.Find(l, result.Finding{Kind: result.BuildError, Severity: result.SevFailure, ID: id, Message: how})
}

// cutBracketed splits "[name] " from the beginning of a line.
func cutBracketed(text string) (name, rest string) {
	if name, rest, ok := strings.Cut(text, "] "); ok && strings.HasPrefix(name, "[") {
		return name[1:], rest
	}
	return "", text
}

// isExit reports whether the text after "exited with" is a code other than 0 or the name of a signal.
func isExit(code string) bool {
	return lex.IsDigits(code) && code != "0" || strings.HasPrefix(code, "SIG")
}

var _ = Room.Add("wireit", func(p *tool.Parser) {
	p.Is("wireit", result.Build, 1, "wireit 0.10 to 0.14: scripts that failed, mistakes of their configuration")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Starts: []string{"❌ [", "❌ package.json:", "❌ 1 script failed", "❌ … scripts failed", "✅ Ran "}, Parse: read.Text{Line: wireitLine}.Parse})
})

// wireitLine reads "❌ [build] Failed with exit status 2", and mistakes in package.json with their places.
func wireitLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	bad, failed := strings.CutPrefix(text, "❌ ")
	name, how := cutBracketed(bad)
	switch {
	case lex.HasAnyPrefix(text, "✅ ", "🏃 ", "⏳ ", "📂 ", "🔍 ", "Analyzing") || strings.Contains(text, "% [") && strings.Contains(text, " running] "):
		s.Sign(l)
	case failed && name != "":
		taskFailed(s, l, name, strings.TrimSuffix(strings.TrimSuffix(how, " Output:"), "."))
	case failed && (strings.HasSuffix(bad, " script failed.") || strings.HasSuffix(bad, " scripts failed.")):
		s.Close(l)
	case failed:
		d, ok := read.CutDiagnostic(bad)
		if !ok {
			return s.Misuse(l, bad)
		}
		s.Refuse(l, result.Finding{Message: d.Message, At: &d.At})
	case s.Last() != nil && l.Text != text && text != "":
		s.More(l)
	default:
		return false
	}
	return true
}

var _ = Room.Add("lint-staged", func(p *tool.Parser) {
	p.Is("lint-staged", result.Lint, 2, "lint-staged 10 to 16: tasks that failed, mistakes of the configuration")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Starts: []string{"[STARTED] Preparing lint-staged...", "[COMPLETED] Preparing lint-staged...", "✔ Preparing lint-staged...", "→ lint-staged could not find any staged files", "✖ lint-staged "}, Named: true,
		Parse: read.Text{Line: lintStagedLine}.Parse})
})

// lintStagedLine reads "✖ eslint --fix:", the line above the output of a failed task, and lint-staged's own errors.
// The tree of tasks, which a terminal shows again in every state, repeats both.
func lintStagedLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	said, bad := strings.CutPrefix(text, "✖ ")
	command, heads := strings.CutSuffix(said, ":")
	switch {
	case lex.HasAnyPrefix(text, "[STARTED] ", "[COMPLETED] ", "[FAILED] ", "[SKIPPED] ", "[TITLE] ", "✔ ", "❯ ", "◼ ", "→ ", "↓ ", "⚠ Running tasks ", "⚠ Skipping backup "), isSpinner(text):
		s.Sign(l)
	case strings.HasPrefix(text, "⚠ "):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Severity: result.SevWarning, Message: strings.TrimPrefix(text, "⚠ ")})
		s.Break()
	case !bad || strings.HasSuffix(said, "]") || l.Text != text:
		return bad // a row of the tree
	case read.Counts(said)["problem"]+read.Counts(said)["problems"] > 0:
		return false // a line of eslint's
	case heads:
		taskFailed(s, l, command, "task failed")
	case strings.HasPrefix(said, "Task killed: "):
		taskFailed(s, l, strings.TrimPrefix(said, "Task killed: "), "task killed")
	case lex.HasAnyPrefix(said, "lint-staged failed", "Running tasks "):
	default:
		f := result.Finding{Kind: result.GenericFinding, Message: said}
		if lex.HasAnyPrefix(said, "Failed to read config", "lint-staged could not find any valid configuration", "No valid configuration", "Could not find ", "Current directory is not a git", "Failed to get ", "Invalid ", "Configuration ") || strings.Contains(said, "onfig") {
			s.Meaning = result.MeansUsage
		}
		s.Find(l, f)
	}
	return true
}

// isSpinner reports whether a row of the tree has a task that is running: "⠼ markdownlint".
func isSpinner(text string) bool {
	for _, r := range text {
		return r >= 0x2800 && r < 0x2900
	}
	return false
}

var _ = Room.Add("changeset | changesets", func(p *tool.Parser) {
	p.Is("changesets", result.Package, 1, "changesets 2: what a command refuses, and warnings")
	p.Reads(tool.Format{Name: "text", Starts: []string{"🦋  error "}, Named: true, Parse: read.Fresh(func(c *changesets) read.Text {
		return read.Text{Line: c.line, Turn: c.flush, End: c.flush}
	})})
})

// changesets reads one error of several lines, and its stack:
//
//	🦋  error Error: could not parse changeset - invalid version type "huge" for package "@shop/a".
//	🦋  error Valid version types are: major, minor, patch, none
//	🦋  error     at validateReleases (/shop/node_modules/@changesets/parse/index.js:26:13)
type changesets struct{ lines []string }

func (c *changesets) line(s *read.Sink, l tool.Line) bool {
	rest, ok := strings.CutPrefix(l.Text, "🦋  ")
	word, text, _ := strings.Cut(rest, " ")
	switch {
	case ok && word == "error" && s.Last() != nil:
		c.lines = append(c.lines, strings.Clone(text))
		return s.More(l)
	case ok && word == "error" && strings.TrimSpace(text) != "":
		c.lines = []string{strings.Clone(text)}
		return s.Find(l, result.Finding{Message: text})
	case ok && word == "warn":
		c.flush(s)
		return s.Find(l, result.Finding{Severity: result.SevWarning, Message: text}) && s.Break()
	}
	c.flush(s)
	return false
}

// flush completes the finding of the error; the second line is part of the message.
func (c *changesets) flush(s *read.Sink) {
	f := s.Last()
	if f != nil && len(c.lines) > 0 {
		f.Detail = ""
		if jserror.Explain(f, c.lines); len(c.lines) > 1 {
			if _, framed := jserror.Frame(strings.TrimSpace(c.lines[1])); !framed && !strings.HasSuffix(f.Message, c.lines[1]) {
				f.Message += " " + c.lines[1]
			}
		}
	}
	c.lines = nil
	s.Break()
}
