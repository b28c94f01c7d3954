package hook

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"cairn/internal/place"
	"cairn/prove"
	"cairn/recall"
)

// What a stop may do: see Options.Prove.
const (
	Warn  = "warn"
	Block = "block"
)

// mostBlocks is how often an agent is sent back in a session.
const mostBlocks = 2

// session is what is remembered of one: the tree at its beginning, or the last that was
// spoken of, and how often the agent was sent back.
type session struct {
	file   string
	tree   string
	blocks int
}

// sessionOf reads what is remembered. A session without an id is not remembered, and never blocked.
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

// keep remembers. Where that fails the agent must not be sent back, or it would be for ever.
func (s *session) keep() error {
	if s.file == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(s.file), 0o700); err != nil {
		return err
	}
	return os.WriteFile(s.file, fmt.Appendf(nil, "%s %d\n", s.tree, s.blocks), 0o600)
}

// begin notes the tree at the beginning of a session: an agent that changes nothing is left alone.
func begin(ctx context.Context, o Options, id string) error {
	site, err := open(ctx, o)
	if err != nil {
		return err
	}
	defer site.Close()
	s := sessionOf(site, id)
	if s.tree != "" || s.file == "" || site.Repo == nil {
		return nil // resumed
	}
	if s.tree, _, err = recall.PresentTree(ctx, site); err != nil {
		return err
	}
	return s.keep()
}

// stop says what is not proven where an agent wants to stop; "" where there is nothing to say:
// no checks, nothing changed, all proven, or said already of these very files. continues says
// that the agent goes on already because of a hook.
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
	gaveUp := continues && o.Prove == Block && s.blocks > 0 // sent back, it stops again: the user hears of it
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

// unproven is the text for the agent, or for the user.
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

// said is the answer in the form of a host.
func said(host, text string, block bool) string {
	switch {
	case !block:
		return encoded(map[string]any{"systemMessage": text})
	case host == "gemini":
		return encoded(map[string]any{"decision": "deny", "reason": text})
	}
	return encoded(map[string]any{"decision": "block", "reason": text})
}
