package capture

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"cairn/internal/own"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/objects"
	"cairn/parsers"
	"cairn/redact"
	"cairn/result"
)

// OwnRule returns the project's own rule for a command. It is nil if there is no rule,
// or if the rule was not approved; then warn, if not nil, is called once.
func OwnRule(p *place.Place, argv []string, line string, warn func(string)) *own.Rule {
	rules := own.Load(p.Workspace.Root)
	if rules == nil {
		return nil
	}
	trust := own.Trust{Dir: p.Dir}
	switch approved := trust.Approved(rules.Hash); {
	case approved && rules.Prepare() == nil:
		return rules.For(argv, line)
	case warn == nil:
	case approved:
		warn(fmt.Sprintf("the project's own parsers are not used: %s", result.CleanLine(rules.Err.Error())))
	case trust.SayOnce(rules.Hash):
		warn(fmt.Sprintf("%s describes parsers of this project; they are not used before you have looked at them: cairn parsers trust", rules.Files[0]))
	}
	return nil
}

// ownParser returns the parser that the project's rules give for this output; nil if
// none exists, or if the rule runs an executable.
func ownParser(p *place.Place, argv []string, line string, warn func(string)) *parsers.Parser {
	if rule := OwnRule(p, argv, line, warn); rule != nil {
		return rule.Parser()
	}
	return nil
}

// toldBefore returns a parser with the answer that an executable of the project gave
// when the run was recorded, since reading a record never runs anything.
func toldBefore(s *place.Site, rec *manifest.Record) *parsers.Parser {
	r, err := rec.Result()
	if err != nil || r == nil || r.Parser == nil || r.Parser.Format != own.Executable {
		return nil
	}
	r = cmp.Or(wholeOf(s, rec), r)
	findings := make([]result.Finding, len(r.Findings))
	for i, f := range r.Findings {
		f.Fingerprint, f.Group, f.Occurrence, f.Location = "", "", 0, ""
		findings[i] = f
	}
	return own.Told(r.Parser.Name, r.Kind, findings)
}

// wholeOf returns the whole result, if the record holds only its beginning. It is nil
// if there is no such result, or if it is not in this clone.
func wholeOf(s *place.Site, rec *manifest.Record) *result.ToolResult {
	id, err := objects.ParseID(rec.ResultOID)
	if err != nil {
		return nil
	}
	text, err := s.Objects.ReadAll(id)
	if err != nil {
		return nil
	}
	r := new(result.ToolResult)
	if json.Unmarshal(text, r) != nil {
		return nil
	}
	return r
}

// ownFor finds the project's rule for the command.
func (c *capture) ownFor() {
	if c.site == nil {
		return
	}
	argv, line := c.o.said()
	c.own = OwnRule(c.site.Place, argv, line, c.o.Warn)
}

// askOwn runs the project's executable on the output, if a rule says so, and parses the
// output again with its answer. If it fails, or its answer breaks the rules for
// answers, the result stays as it was.
func (c *capture) askOwn(exit result.Exit) {
	if c.own == nil || !c.own.Asks() {
		return
	}
	argv, line := c.o.said()
	p, err := c.own.Ask(c.ctx, own.Finished{
		Argv: argv, Line: line, Dir: cmp.Or(c.workspace.Dir, c.workspace.Root), Exit: exit, Source: c.sink.source, Env: c.o.Command.Env,
	})
	if err != nil {
		c.o.Warn(fmt.Sprintf("the project's parser %s is not believed: %v", c.own.Name, err))
		return
	}
	in := c.input()
	in.As = p
	c.session = parsers.New(in)
	c.session.Scan()
}

// ParseWith parses the output of a capture twice, with a rule and without it, for "cairn
// parsers verify" to compare.
func ParseWith(ctx context.Context, s *place.Site, rec *manifest.Record, rule *own.Rule) (with, without *result.ToolResult, err error) {
	if without, err = parseAs(s, rec, func(parsers.Source) (*parsers.Parser, error) { return nil, nil }); err != nil {
		return nil, nil, err
	}
	with, err = parseAs(s, rec, func(source parsers.Source) (*parsers.Parser, error) {
		if !rule.Asks() {
			return rule.Parser(), nil
		}
		return rule.Ask(ctx, own.Finished{
			Argv: rec.Argv, Line: rec.Shell, Dir: workspaceOf(s, rec).Dir, Exit: exitOfRecord(rec), Source: source,
		})
	})
	return with, without, err
}

// mattering are the environment variables that decide which programs run, and what they
// do by default. Two runs of a command on one tree are compared only if these are
// equal.
var mattering = []string{
	"CC", "CFLAGS", "CGO_ENABLED", "CI", "CONDA_PREFIX", "CXX", "CXXFLAGS", "GOARCH", "GOFLAGS", "GOOS", "GOTOOLCHAIN", "JAVA_HOME",
	"LANG", "LC_ALL", "LDFLAGS", "NODE_ENV", "NODE_OPTIONS", "NODE_PATH", "PATH", "PERL5LIB", "PYTEST_ADDOPTS", "PYTHONHASHSEED", "PYTHONPATH",
	"RUBYLIB", "RUBYOPT", "RUSTFLAGS", "RUSTUP_TOOLCHAIN", "TZ", "VIRTUAL_ENV",
}

// environmentOf is the key of an environment. Secrets are removed first, since a short
// one could be guessed from the key.
func environmentOf(environ []string, redact func(string) string) string {
	var settings []string
	for _, kv := range environ {
		if name, _, _ := strings.Cut(kv, "="); slices.Contains(mattering, name) {
			settings = append(settings, redact(lasting(kv)))
		}
	}
	slices.Sort(settings)
	return result.EnvironmentKey(settings)
}

// lasting is a setting in the form that it has in every session of a host. From PATH it removes
// repeated folders, in which no program is found. Codex puts a folder in front of PATH that has
// another name in each session: the names of the files in it replace its name.
func lasting(kv string) string {
	if !strings.HasPrefix(kv, "PATH=") {
		return kv
	}
	var list []string
	for _, dir := range filepath.SplitList(kv[len("PATH="):]) {
		if !slices.Contains(list, dir) {
			list = append(list, dir)
		}
	}
	for i, dir := range list {
		parent, name := filepath.Split(dir)
		if !strings.HasPrefix(name, "codex-arg0") || !strings.HasPrefix(filepath.Base(parent), "arg0") {
			continue
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		list[i] = parent
		for _, e := range entries {
			list[i] += "/" + e.Name()
		}
	}
	return "PATH=" + strings.Join(list, string(filepath.ListSeparator))
}

// KeysOf are the keys under which a command may be recorded in the directory of a site:
// as it is given, and as the shell line of the same words, or the other way round.
func KeysOf(s *place.Site, argv []string, line string) []string {
	return KeysIn(s.Workspace, s.Rel, argv, line)
}

// KeysIn is KeysOf for a directory relative to the root of a workspace.
func KeysIn(w result.Workspace, dir string, argv []string, line string) []string {
	key := func(argv []string, line string) string {
		var red redact.Redactor
		rec := &manifest.Record{Dir: cut(red.String(dir), maxName)}
		setArgv(rec, argv, line, &red)
		return keyOf(w, rec)
	}
	switch {
	case line != "" && strings.ContainsAny(line, "|&;<>()$`\\\"'*?[]{}#~=%!\n"):
		return []string{key(nil, line)}
	case line != "":
		return []string{key(nil, line), key(strings.Fields(line), "")}
	}
	return []string{key(argv, ""), key(nil, strings.Join(argv, " "))}
}

// shield keeps the signals that end a command from ending cairn before its record is
// written: package child passes them on, and cairn ends after the command. A signal
// that was ignored from the start (nohup) stays ignored. A closed pipe is only a write
// error: the end of a program that reads along must not end the capture.
//
// After the command has ended, signals are for cairn. One may be a repetition of those
// that ended the command, so the second one means that the user wants to leave: cairn
// stops waiting, and the next command does what is left. After the answer is printed,
// the first signal means that.
type shield struct {
	caught chan os.Signal
	up     chan struct{} // closed when signals are caught
}

// maxCaught is more signals than are ever needed.
const maxCaught = 8

// raise begins to raise a shield and returns at once. For each signal the Go runtime
// waits for another thread, twice, which takes long on a busy machine; meanwhile the
// caller can do other work.
func raise() *shield {
	s := &shield{caught: make(chan os.Signal, maxCaught), up: make(chan struct{})}
	go func() {
		defer close(s.up)
		for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
			if !signal.Ignored(sig) {
				signal.Notify(s.caught, sig)
			}
		}
		catchPipe()
	}()
	return s
}

// holds returns when the signals are caught.
func (s *shield) holds() { <-s.up }

// wanted calls cancel at the second signal from now on, unless stop is called before.
func (s *shield) wanted(cancel context.CancelFunc) (stop func()) { return s.after(2, cancel) }

// ends calls cancel at the next signal, unless stop is called before. s may be nil.
func (s *shield) ends(cancel context.CancelFunc) (stop func()) { return s.after(1, cancel) }

func (s *shield) after(n int, cancel context.CancelFunc) (stop func()) {
	if s == nil {
		return func() {}
	}
	for len(s.caught) > 0 { // drops earlier signals
		<-s.caught
	}
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for range n {
			select {
			case <-s.caught:
			case <-quit:
				return
			}
		}
		cancel()
	}()
	return func() { close(quit); <-done }
}

// lower ends the protection: a moment later signals end the process again. Like raise,
// it does not wait. s may be nil.
func (s *shield) lower() {
	if s != nil {
		go signal.Stop(s.caught)
	}
}
