package rust

import (
	"cmp"
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// cargoVerbs are the words that begin cargo's status lines, right-aligned to twelve columns.
var cargoVerbs = []string{"Compiling", "Checking", "Finished", "Running", "Doc-tests", "Executable", "Building", "Fresh", "Dirty", "Blocking", "Downloading",
	"Downloaded", "Updating", "Locking", "Adding", "Removing", "Downgrading", "Upgrading", "Unchanged", "Documenting", "Scraping", "Fixed", "Skipping", "Installing", "Installed", "Generated", "Packaging", "Verifying", "Ignored", "Vendoring", "Creating", "Warning", "Migrating", "Cleaning", "Removed", "Resolving", "Preparing", "Waiting"}

// isCargoStatus says whether a line is a status: "   Compiling lexer v0.1.0 (/src/lexer)".
func isCargoStatus(s string) bool { return cargoVerb(s) != "" }

func cargoVerb(s string) string {
	if len(s) < 13 || s[12] != ' ' || s[0] != ' ' {
		return ""
	}
	verb := strings.TrimLeft(s[:12], " ")
	for _, v := range cargoVerbs {
		if v == verb {
			return v
		}
	}
	return ""
}

// cargoLine takes a line that cargo or rustc itself prints.
func (s *cargoStream) cargoLine(l tool.Line) bool {
	t, run := l.Text, s.run
	if args, ok := readCargoRerun(t); ok {
		s.closeDiag()
		s.failure(args, l)
		return true
	}
	if verb := cargoVerb(t); verb != "" {
		return s.status(verb, l)
	}
	if name, n, ok := readNotBuilt(t); ok {
		s.closeDiag()
		run.notBuilt[name] = max(run.notBuilt[name], n)
		run.cargo, run.ended = true, true
		return true
	}
	if isRustcSummary(t) {
		s.closeDiag()
		s.list = strings.HasSuffix(t, " failed:")
		run.ended = run.ended || strings.HasPrefix(t, "error: ")
		return true
	}
	if args, ok := strings.CutPrefix(t, "    `"); ok && s.list {
		run.listing = append(run.listing, cargoTarget{start: l.Start, end: l.End, causeSpan: result.Span{Start: l.Start, End: l.End}})
		run.listing[len(run.listing)-1].learn(strings.Trim(args, "`"))
		return true
	}
	s.list = false
	if s.repeats(t) {
		run.ended = true
		return true
	}
	if lex.HasAnyPrefix(t, "Usage: cargo", "USAGE:", "For more information, try '--help'") {
		run.usage = true
		return true
	}
	if strings.HasPrefix(t, "all doctests ran in ") {
		run.joinDocs()
		return true
	}
	return strings.HasPrefix(t, "note: test exited abnormally")
}

// repeats says whether an error only sums up the lines above: the output of a build script, or of several
// runs of cargo by cargo-hack.
func (s *cargoStream) repeats(t string) bool {
	if !strings.HasPrefix(t, "error: ") || len(s.run.diags) == 0 && len(s.run.targets) == 0 && len(s.run.notBuilt) == 0 {
		return false
	}
	s.list = strings.HasPrefix(t, "error: failed to run ") && strings.HasSuffix(t, " commands")
	command, ended := strings.CutPrefix(t, "error: process didn't exit successfully: `")
	program, _, _ := strings.Cut(command, " ")
	return s.list || t == "error: build script logged errors" || ended && (strings.HasSuffix(program, "/bin/cargo") || program == "cargo")
}

// status takes a status line. It ends the output of the last target, since cargo prints a status only between targets.
func (s *cargoStream) status(verb string, l tool.Line) bool {
	s.closeDiag()
	run := s.run
	switch verb {
	case "Running", "Doc-tests":
		if t, binary, ok := readCargoRunning(l.Text); ok {
			s.header(t, binary, l)
		}
	case "Checking":
		run.checking = true
	case "Compiling":
		run.compiling = true
	case "Finished":
		run.ended = true
		run.finishedTest = run.finishedTest || strings.Contains(l.Text, "`test` profile") || strings.Contains(l.Text, "`bench` profile") || strings.Contains(l.Text, " test [")
	case "Executable":
		run.finishedTest = true
	}
	run.cargo = true
	return true
}

// readNotBuilt reads "error: could not compile `lexer` (lib test) due to 5 previous errors; 1 warning emitted".
// n is 1 if the line has no number.
func readNotBuilt(s string) (crate string, n int, ok bool) {
	rest, said := lex.CutAnyPrefix(s, "error: could not compile `", "error: Could not compile `", "error: could not document `")
	crate, rest, ok = strings.Cut(rest, "`")
	_, count, _ := strings.Cut(rest, " due to ")
	return crate, max(1, lex.LeadingNumber(count)), said && ok
}

// isRustcSummary says whether a line only counts or closes the diagnostics of rustc or cargo.
func isRustcSummary(s string) bool {
	level, _, message, ok := cutRustcHeadline(s)
	if !ok {
		return lex.HasAnyPrefix(s, "Some errors have detailed explanations: ", "For more information about ", "Some errors occurred: ")
	}
	switch level {
	case "error":
		return strings.HasPrefix(message, "aborting due to ") || strings.HasPrefix(message, "could not compile `") || message == "build failed" ||
			strings.HasSuffix(message, " targets failed:") || strings.HasSuffix(message, " target failed:")
	case "warning":
		if message == "build failed, waiting for other jobs to finish..." || strings.HasSuffix(message, " emitted") && lex.LeadingNumber(message) > 0 {
			return true
		}
		_, after, quoted := strings.Cut(message, "` (")
		return quoted && strings.HasPrefix(message, "`") && strings.Contains(after, ") generated ") && strings.Contains(after, " warning")
	case "failure-note":
		return true
	}
	return false
}

// cargoCause is how far "Caused by:" below an error of cargo's has been read.
type cargoCause struct {
	open   *rustPanic // a build script's panic, whose message or place comes next
	output bool       // the lines are a build script's output, not cargo's
	file   string     // the manifest, configuration or lock file named last
	said   bool       // the reason was read
	quoted bool       // a compiler's error was, which a build script started
}

// add takes a line below "Caused by:". The causes go into the message, since its first line ("failed to parse
// manifest") is the same for all of them.
func (c *cargoCause) add(f *result.Finding, s string) {
	if len(f.Detail) < maxRustcDetail {
		f.Detail = strings.TrimSpace(f.Detail + "\n" + s)
	}
	if c.open != nil {
		c.panic(f, s)
		return
	}
	if p, ok := readRustPanic(s); ok && !c.said {
		open := p
		c.open = &open
		if !p.old {
			c.panic(f, "")
		}
		return
	}
	said := strings.TrimSpace(s)
	c.file = cmp.Or(configFile(said), c.file, configFile(f.Message))
	placeConfig(f, c.file, said)
	switch {
	case c.said, strings.HasPrefix(said, "See https://"):
	case c.output:
		c.quote(f, said)
	case strings.HasPrefix(said, "--- std"):
		c.output = true
	case strings.HasPrefix(said, "process didn't exit successfully: `"):
		if i := strings.LastIndex(said, "` ("); i >= 0 {
			f.Message += " " + said[i+2:]
		}
	case len(f.Message) < maxRustError && !isTOMLFrame(said) && !strings.HasPrefix(s, " ") && said != "Caused by:":
		f.Message += ": " + said
	}
}

// quote takes a line of a program that cargo ran, and adds the first one that begins with "error: ", or with a place
// before it, to the message.
func (c *cargoCause) quote(f *result.Finding, said string) {
	_, reason, ok := strings.Cut(said, "rror: ")
	if !ok || len(f.Message) >= maxRustError {
		return
	}
	if _, _, placed := place.Cut(said); placed && !c.quoted {
		c.quoted = true
		f.Message += ": " + said
	} else if len(said)-len(reason) == len("error: ") {
		c.said = true
		f.Message += ": " + reason
	}
}

// panic takes a line of a build script's panic. Before Rust 1.73 the place came last.
func (c *cargoCause) panic(f *result.Finding, s string) {
	p := c.open
	if s != "" {
		p.line(s)
	}
	if text := p.text(); p.at != nil && len(text) > 0 {
		f.At = p.at
		f.Message += ": " + panicHeadline(text)
		f.Tags = append(f.Tags, "panic")
		c.open, c.said = nil, true
	}
}

// isTOMLFrame says whether a line shows source below an error in Cargo.toml: "  |" or "3 | name = ".
func isTOMLFrame(s string) bool {
	number, _, ok := strings.Cut(s, "|")
	return ok && strings.Trim(number, " 0123456789") == "" || s == "^"
}
