package hook

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"cairn/agents/shell"
	"cairn/internal/bash"
	"cairn/internal/place"
	"cairn/prove"
	"cairn/recall"
)

// Modes of Options.Prove.
const (
	Warn  = "warn"
	Block = "block"
)

// mostBlocks is how often an agent is sent back per session.
const mostBlocks = 2

// session is the state kept for a session: the tree at its beginning, or the tree last reported, and how often the
// agent was sent back.
type session struct {
	file   string
	tree   string
	blocks int
}

// sessionOf reads the state. A session without an id has none, and is never blocked.
func sessionOf(site *place.Site, id string) *session {
	if id == "" {
		return &session{blocks: mostBlocks}
	}
	sum := sha256.Sum256([]byte(id))
	s := &session{file: filepath.Join(site.Dir, "prove", hex.EncodeToString(sum[:8]))}
	text, err := os.ReadFile(s.file)
	if err == nil {
		fmt.Sscan(string(text), &s.tree, &s.blocks)
	}
	return s
}

// keep saves the state. If that fails the agent must not be sent back, since it would be sent back forever.
func (s *session) keep() error {
	if s.file == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(s.file), 0o700); err != nil {
		return err
	}
	return os.WriteFile(s.file, fmt.Appendf(nil, "%s %d\n", s.tree, s.blocks), 0o600)
}

// begin saves the tree at the beginning of a session: an agent that changes nothing is not checked.
func begin(ctx context.Context, o Options, id string) error {
	site, err := open(ctx, o)
	if err != nil {
		return err
	}
	defer site.Close()
	s := sessionOf(site, id)
	if s.tree != "" || s.file == "" || site.Repo == nil {
		return nil // the session was resumed
	}
	if s.tree, _, err = recall.PresentTree(ctx, site); err != nil {
		return err
	}
	return s.keep()
}

// stop returns which checks are not proven when an agent wants to stop; "" if there are no checks, nothing changed, all
// are proven, or the same files have been reported before. continues says that a hook has already made the agent
// continue.
func stop(ctx context.Context, o Options, id string, continues bool) (string, error) {
	site, err := open(ctx, o)
	if err != nil {
		return "", err
	}
	defer site.Close()
	if declared, err := prove.Declared(ctx, site); err != nil || !declared {
		return "", err
	}
	answer, err := prove.Ask(ctx, site, prove.Options{Now: o.Now()})
	if errors.Is(err, prove.ErrNoChecks) {
		return "", nil
	}
	if err != nil {
		return encoded(map[string]any{"systemMessage": "cairn prove: nothing is proven: " + err.Error()}), nil
	}
	s := sessionOf(site, id)
	gaveUp := continues && o.Prove == Block && s.blocks > 0 // the agent was sent back and stops again: the user hears of it
	if answer.Proven || s.tree == answer.Tree && !gaveUp || s.tree == "" && answer.Tree == site.Repo.Tree {
		return "", nil
	}
	block := o.Prove == Block && !continues && s.blocks < mostBlocks
	if s.tree = answer.Tree; block {
		s.blocks++
	}
	if err := s.keep(); err != nil {
		block = false
	}
	return said(o.Host, unproven(answer), block), nil
}

// unproven is the text about unproven checks for the agent, or for the user.
func unproven(a *prove.Answer) string {
	var b strings.Builder
	b.WriteString("cairn: ")
	b.WriteString(strings.TrimSpace(a.Unproven()))
	if lines := a.Commands(); len(lines) > 0 {
		b.WriteString("\nTo prove: cairn prove --run, which runs: " + strings.Join(lines, "; "))
	} else {
		b.WriteString("\nRunning them once more proves nothing: see cairn prove")
	}
	return b.String()
}

// said is the answer in the host's format.
func said(host, text string, block bool) string {
	switch {
	case !block:
		return encoded(map[string]any{"systemMessage": text})
	case host == "gemini":
		return encoded(map[string]any{"decision": "deny", "reason": text})
	}
	return encoded(map[string]any{"decision": "block", "reason": text})
}

// Rewrite puts prefix before the simple commands of a line. ok is false if there was nothing to rewrite; then the line
// is to be run unchanged.
//
// A command is simple here if it is a literal program name and words, without assignments, redirections and
// substitutions, and not in a pipeline. The whole line stays unchanged if it declares or loads anything that could
// change what a name means.
func Rewrite(line, prefix string) (rewritten string, ok bool) {
	if shell.Judge(line) != "" {
		return line, false
	}
	file, err := bash.Parse(line)
	if err != nil || !plain(file) {
		return line, false
	}
	var at []int
	for _, stmt := range file.Stmts {
		at = append(at, simple(stmt)...)
	}
	var b strings.Builder
	last := 0
	for _, offset := range at {
		b.WriteString(line[last:offset] + prefix + " ")
		last = offset
	}
	b.WriteString(line[last:])
	return b.String(), len(at) > 0
}

// changers are builtins after which a name may mean something else, and those whose output the prefix would change.
var changers = strings.Fields("alias unalias source . eval shopt set enable hash trap exec builtin command")

// plain says whether the line is only a list of commands.
func plain(file *syntax.File) bool {
	ok := true
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.FuncDecl:
			ok = false
		case *syntax.CallExpr:
			if len(n.Args) > 0 && slices.Contains(changers, n.Args[0].Lit()) {
				ok = false
			}
			for _, a := range n.Assigns { // "PATH=x; cmd" finds another program
				if a.Name != nil && a.Name.Value == "PATH" {
					ok = false
				}
			}
		case *syntax.DeclClause:
			ok = false
		}
		return ok
	})
	return ok
}

// simple returns the offsets of the simple commands in a statement.
func simple(stmt *syntax.Stmt) []int {
	if stmt.Negated || stmt.Background || stmt.Coprocess || len(stmt.Redirs) > 0 {
		return nil
	}
	switch cmd := stmt.Cmd.(type) {
	case *syntax.BinaryCmd:
		if cmd.Op == syntax.AndStmt {
			return append(simple(cmd.X), simple(cmd.Y)...)
		}
	case *syntax.CallExpr:
		if len(cmd.Assigns) == 0 && program(cmd.Args[0]) && !substitutes(cmd) {
			return []int{int(cmd.Args[0].Pos().Offset())}
		}
	}
	return nil
}

// program says whether the word is a literal program name, which Judge would capture on its own.
func program(w *syntax.Word) bool {
	name := w.Lit()
	return name != "" && !strings.ContainsAny(name[:1], "%+-") && !strings.ContainsAny(name, "\\*?[]{}~=") && shell.Judge(name) == "" // "%1" is a job, and "+x" an option
}

// substitutes says whether an argument of the command runs another command.
func substitutes(cmd *syntax.CallExpr) (found bool) {
	syntax.Walk(cmd, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst, *syntax.ArithmExp:
			found = true
		}
		return !found
	})
	return found
}
