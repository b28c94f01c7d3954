package jsbuild

import (
	"encoding/json"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("yarn", func(p *tool.Parser) {
	p.Is("yarn", result.Package, 1, "yarn 1 to 4: what it says when it fails itself")
	p.Matches = tool.RunsSub("yarn", "install", "add", "remove", "up", "upgrade", "audit", "why", "npm")
	p.Reads(tool.Format{Name: "text", Starts: []string{"➤ YN0", "Internal Error: ", "Usage Error: ", `{"type":"error","name":…"displayName":"YN0`}, Parse: read.Text{Line: yarnLine}.Parse})
	p.Reads(tool.Format{Name: "messages", Parse: read.Text{Line: yarnLine}.Parse})
})

// yarnLine reads "➤ YN0001: │ Error: text", and yarn 1's "error text".
func yarnLine(s *read.Sink, l tool.Line) bool {
	if rest, ok := strings.CutPrefix(l.Text, "➤ YN"); ok {
		code, text, _ := strings.Cut(rest, ":")
		yarnSaid(s, l, "YN"+code, strings.TrimPrefix(strings.TrimPrefix(text, " "), "│ "))
		return true
	}
	if strings.HasPrefix(l.Text, `{"type":"`) {
		return yarnJSON(s, l)
	}
	message, ok := lex.CutAnyPrefix(l.Text, "error ", "Internal Error: ")
	for _, start := range [...]string{"Usage Error: ", "Unknown Syntax Error: ", "Syntax Error: "} {
		if rest, is := strings.CutPrefix(l.Text, start); is {
			message, ok, s.Meaning = rest, true, result.MeansUsage
		}
	}
	if !ok || strings.HasPrefix(message, "Command failed with exit code") {
		return false
	}
	s.Find(l, result.Finding{Message: message})
	return s.Break()
}

// yarnSaid takes the text after a code. An indented text continues the line above. Lines that begin with "+" or "-"
// show how the lockfile would change.
func yarnSaid(s *read.Sink, l tool.Line, rule, text string) {
	f := s.Last()
	text, indented := strings.CutPrefix(text, "  ")
	if f != nil && f.Rule == rule && indented {
		s.More(l)
		return
	}
	s.Break()
	text = strings.TrimLeft(text, " │├└┌·")
	switch {
	case rule == "YN0000" && strings.HasPrefix(text, "Failed with errors"):
		s.Sign(l)
	case lex.IsOneOf(rule, "YN0000 YN0007 YN0013 YN0085"), rule == "YN0028" && (text == "" || text[0] == '+' || text[0] == '-'):
		s.Cover(l)
	default:
		class, message := jserror.CutClass(text)
		f := result.Finding{Rule: rule, Message: message}
		if lex.IsOneOf(rule, "YN0002 YN0050 YN0060 YN0061 YN0086") {
			f.Severity = result.SevWarning
		} else if class != "" {
			f.Message = class + ": " + message
		}
		s.Find(l, f)
	}
}

// yarnJSON reads a line of --json, from yarn 1 or yarn 2 to 4.
func yarnJSON(s *read.Sink, l tool.Line) bool {
	var v struct{ Type, DisplayName, Data string }
	if json.Unmarshal([]byte(l.Text), &v) != nil { // the data of other lines may be an object
		return false
	}
	if v.Type == "error" && v.DisplayName != "" {
		yarnSaid(s, l, v.DisplayName, v.Data)
	} else if v.Type == "error" {
		s.Find(l, result.Finding{Message: v.Data})
		s.Break()
	}
	return v.Type == "error" || v.Type == "info" || v.Type == "warning" || v.Type == "step"
}

var _ = Room.Add("pnpm", func(p *tool.Parser) {
	p.Is("pnpm", result.Package, 2, "pnpm 6 to 12: what it says when it fails itself, and of scripts that failed")
	p.Runner = true
	p.Matches = func(argv []string) bool {
		return argv[0] == "pnpm" && tool.RunsSub("pnpm", "install", "i", "add", "remove", "update", "audit", "ls", "why", "publish", "fetch", "ci")(argv)
	}
	p.Reads(tool.Format{Name: "audit-json", Parse: read.JSON{Items: read.Items(pnpmAdvisories, "/advisories")}.Parse})
	p.Reads(tool.Format{Name: "audit", Parse: read.Lines((*pnpmAudit).line)})
	p.Reads(tool.Format{Name: "text", Starts: []string{"Error: ERR_PNPM_", "ERR_PNPM_", "[ERR_PNPM_", "\u2009ERR_PNPM_", "[ELIFECYCLE] ", "\u2009ELIFECYCLE\u2009", "Summary: … fails, "}, Parse: read.Text{Line: pnpmLine}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Text{Line: pnpmOwn}.Parse)})
})

// pnpmLine reads " ERR_PNPM_CODE  text", up to pnpm 11, and "Error: ERR_PNPM_CODE" with a framed message below it.
func pnpmLine(s *read.Sink, l tool.Line) bool {
	text := strings.Trim(l.Text, " \u2009")
	if pnpmScript(s, l, text) {
		return true
	}
	if rest, ok := strings.CutPrefix(strings.TrimPrefix(strings.TrimPrefix(text, "Error: "), "["), "ERR_PNPM_"); ok {
		code, message, _ := strings.Cut(strings.Replace(rest, "] ", " ", 1), " ")
		code = strings.TrimRight(code, "\u2009")
		s.Find(l, result.Finding{Rule: "ERR_PNPM_" + code, Message: strings.Trim(message, " \u2009")})
		if strings.HasPrefix(code, "RECURSIVE_") { // scripts failed
			s.Last().Kind = result.BuildError
		}
		if code == "NO_SCRIPT" {
			s.Meaning = result.MeansUsage
		}
		return true
	}
	f := s.Last()
	if f == nil {
		return false
	}
	said := strings.TrimLeft(text, "×╰├─▶│ ")
	if help := lex.HasAnyPrefix(said, "help: ", "Note that in CI environments "); said != "" && !help && len(f.Message) < 300 && !strings.Contains(f.Detail, "help: ") && !strings.HasPrefix(said, "at ") {
		f.Message = strings.TrimSpace(f.Message + " " + said)
	}
	return s.More(l)
}

// pnpmOwn reads errors without a code: flags that pnpm does not know, and a framed message below "Error:   ×".
func pnpmOwn(s *read.Sink, l tool.Line) bool {
	if why, ok := strings.CutPrefix(l.Text, "error: "); ok && len(s.Findings) == 0 && (strings.HasPrefix(why, "unexpected argument ") || strings.HasPrefix(why, "invalid value ")) {
		return s.Misuse(l, why)
	}
	if why, ok := strings.CutPrefix(l.Text, "Error:   × "); ok {
		return s.Find(l, result.Finding{Message: why})
	}
	if s.Open() && s.Meaning != "" {
		return s.More(l)
	}
	return s.Open() && pnpmLine(s, l)
}

// pnpmScript reads pnpm's lines about the scripts that it runs. In a workspace, each line of a script begins with the
// package and the script, and is assigned to them.
//
//	packages/a lint$ eslint .
//	packages/a lint: Failed
//	[ELIFECYCLE] Command failed with exit code 1.
func pnpmScript(s *read.Sink, l tool.Line, text string) bool {
	head, state, _ := strings.Cut(text, ": ")
	failed, ok := strings.CutPrefix(strings.TrimPrefix(text, "["), "ELIFECYCLE")
	switch {
	case ok:
		why := strings.Trim(strings.TrimPrefix(failed, "]"), " \u2009")
		if f := s.Last(); f != nil && f.Message == "task failed" {
			f.Message = why
			s.More(l)
		} else if s.Path == "" {
			taskFailed(s, l, "", why)
		} // else: a workspace's task, whose tools report the reason
		s.Break()
	case isPnpmTask(head) && state == "Failed":
		taskFailed(s, l, head, "task failed")
	case s.Path == "" && strings.HasPrefix(text, "ERROR\u2009 ") && strings.HasSuffix(text, "`"): // " ERROR  a@1.0.0 test: `vitest run`", below a summary whose tasks were cut off
		taskFailed(s, l, strings.TrimPrefix(head, "ERROR\u2009 "), "command failed: "+strings.Trim(state, "`"))
		s.Break()
	case isPnpmTask(head) && state == "Done":
		s.Break()
	default:
		name, _, echo := strings.Cut(text, "$ ")
		if echo = echo && isPnpmTask(name) || strings.HasPrefix(text, "Scope: ") && strings.HasSuffix(text, " workspace projects"); echo {
			s.Path = "workspace"
		}
		return echo
	}
	return true
}

// isPnpmTask reports whether text is a package and a script, "packages/a lint"; "." is the root of the workspace.
func isPnpmTask(text string) bool {
	dir, script, ok := strings.Cut(text, " ")
	return ok && script != "" && !strings.Contains(script, " ") && (strings.Contains(dir, "/") || dir == "." || !strings.ContainsAny(dir, ".:")) && !strings.ContainsAny(text, "'\"()=,")
}

// pnpmAudit reads a table for each advisory, and the counts below the tables:
//
//	┌─────────────────────┬───────────────────────────────────────────────────┐
//	│ high                │ Command Injection in lodash                       │
//	├─────────────────────┼───────────────────────────────────────────────────┤
//	│ Package             │ lodash                                            │
//	│ Patched versions    │ >=4.17.21                                         │
//	│ More info           │ https://github.com/advisories/GHSA-35jh-r3h4-6jhm │
//	└─────────────────────┴───────────────────────────────────────────────────┘
//	1 vulnerabilities found
//
// A text that is too wide for its cell continues in the next line, beside an empty cell.
type pnpmAudit struct {
	level, key string
	cells      map[string]string
	top        tool.Line
}

func (p *pnpmAudit) line(s *read.Sink, l tool.Line) bool {
	n, rest, _ := strings.Cut(l.Text, " ")
	row := strings.Split(l.Text, "│")
	switch {
	case strings.HasPrefix(l.Text, "┌─"):
		p.level, p.key, p.cells, p.top = "", "", map[string]string{}, l
		return false // covered later, if the row below is an advisory's
	case strings.HasPrefix(l.Text, "└─"):
		if p.level != "" && s.Open() {
			s.More(l)
		}
		s.Break()
		p.cells = nil
	case p.cells != nil && len(row) == 4:
		return p.row(s, l, strings.TrimSpace(row[1]), strings.TrimSpace(row[2]))
	case strings.HasPrefix(l.Text, "├─") && s.Open():
		s.More(l)
	case lex.IsDigits(n) && len(n) < 8 && rest == "vulnerabilities found":
		if !slices.ContainsFunc(s.In.Argv, func(a string) bool { return strings.HasPrefix(a, "--audit-level") }) { // lower levels are counted, but not shown
			s.Claim(lex.Atoi(n))
			s.Count("vulnerabilities", lex.Atoi(n))
		}
		s.Close(l)
	case strings.HasPrefix(l.Text, "Severity: ") && s.Closed():
		s.Cover(l)
	case l.Text == "No known vulnerabilities found":
		s.Close(l)
	default:
		return false
	}
	return true
}

func (p *pnpmAudit) row(s *read.Sink, l tool.Line, key, value string) bool {
	switch {
	case p.level == "" && lex.IsOneOf(key, "critical high moderate low info"):
		p.level = key
		s.Cover(p.top)
		s.Find(l, result.Finding{Kind: result.Vulnerability, Message: value})
	case p.level == "":
		return false
	default:
		s.More(l)
	}
	if key != "" {
		p.key = key
		p.cells[key] = value
	} else if p.cells[p.key] += value; p.key != "More info" && value != "" {
		p.cells[p.key] = strings.TrimSpace(strings.TrimSuffix(p.cells[p.key], value) + " " + value)
	}
	if f := s.Last(); f != nil {
		span, detail := f.RawSpan, f.Detail
		*f = advisory(p.cells["Package"], p.cells["Vulnerable versions"], p.level, p.cells[p.level], p.cells["More info"])
		f.Package.FixedVersion = p.cells["Patched versions"]
		f.RawSpan, f.Detail = span, detail
	}
	return true
}

// pnpmAdvisories reads the advisories of pnpm audit --json, by number.
func pnpmAdvisories(s *read.Sink, all *map[string]struct {
	Title, Severity, URL string
	Module               string `json:"module_name"`
	Vulnerable           string `json:"vulnerable_versions"`
	Patched              string `json:"patched_versions"`
}) {
	var found []result.Finding
	for _, v := range *all {
		f := advisory(v.Module, v.Vulnerable, v.Severity, v.Title, v.URL)
		f.Package.FixedVersion = v.Patched
		found = append(found, f)
	}
	findSorted(s, found)
	s.Counts["vulnerabilities"] = len(*all)
}
