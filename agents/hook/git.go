package hook

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"cairn/internal/place"
	"cairn/prove"
)

// trailer matches a line that prove.Answer.Trailers returns.
var trailer = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^Checked: [A-Za-z0-9][A-Za-z0-9._/-]{0,63}( [0-9A-Z]{12})? (missing|stale|failed|weakened|unread|proven)$`)
})

// scissors is in the line of a message below which git ignores everything.
const scissors = " ------------------------ >8 ------------------------"

// CommitMessage is the hook prepare-commit-msg: it writes into the file of a commit's message which checks are proven
// for the committed tree. Trailers of another tree (of a commit that is amended, rebased or squashed) are removed. If
// git opens an editor on a message without text, the trailers are written as comments, which EditedMessage turns into
// trailers: a message that is left empty must stay empty. source is git's second argument.
func CommitMessage(ctx context.Context, o Options, file, source string) error {
	site, err := open(ctx, o)
	if err != nil {
		return err
	}
	defer site.Close()
	if declared, err := prove.Declared(ctx, site); err != nil || !declared {
		return err
	}
	m, err := readMessage(ctx, site, o, file)
	if err != nil {
		return err
	}
	had := m.take("")
	if len(had) == 0 && site.Repo.Replaying() {
		return nil // cairn was not there when the commit was made
	}
	answer, err := prove.Ask(ctx, site, prove.Options{Staged: true, Now: o.Now()})
	switch {
	case errors.Is(err, prove.ErrNoChecks):
		return nil
	case err != nil:
		return errors.Join(m.write(had != nil), fmt.Errorf("nothing is proven: %w", err))
	}
	trailers := strings.Split(strings.TrimSpace(answer.Trailers()), "\n")
	if source != "" && source != "template" {
		return m.add(ctx, trailers)
	}
	if cleanup, _ := site.Repo.Config(ctx, "commit.cleanup"); cleanup != "" && cleanup != "default" && cleanup != "strip" {
		return nil // else a comment might stay in the message
	}
	for i := range trailers {
		trailers[i] = m.comment + " " + trailers[i]
	}
	at := slices.IndexFunc(m.lines, func(l string) bool { return strings.HasPrefix(l, m.comment) })
	if at < 0 {
		at = len(m.lines)
	}
	m.lines = slices.Insert(m.lines, at, trailers...)
	return m.write(true)
}

// EditedMessage is the hook commit-msg: it turns the comments left by CommitMessage into trailers, if a text was
// written above them.
func EditedMessage(ctx context.Context, o Options, file string) error {
	site, err := open(ctx, o)
	if err != nil {
		return err
	}
	defer site.Close()
	m, err := readMessage(ctx, site, o, file)
	if err != nil || site.Repo == nil {
		return err
	}
	trailers := m.take(m.comment + " ")
	switch {
	case len(trailers) == 0:
		return nil
	case m.text() == "" || m.text() == m.template(ctx):
		return m.write(true) // git ends the commit, since the message is empty
	}
	return m.add(ctx, trailers)
}

// message is the message of the commit that git is making.
type message struct {
	site    *place.Site
	home    string
	file    string
	lines   []string
	comment string // git ignores a line with this prefix
}

func readMessage(ctx context.Context, site *place.Site, o Options, file string) (*message, error) {
	if !filepath.IsAbs(file) {
		file = filepath.Join(o.Dir, file)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	m := &message{site: site, home: o.Env.Home, file: file, lines: strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"), comment: "#"}
	if site.Repo == nil {
		return m, nil
	}
	for _, key := range []string{"core.commentchar", "core.commentstring"} {
		if set, err := site.Repo.Config(ctx, key); err == nil && set != "" && set != "auto" {
			m.comment = set
		}
	}
	return m, nil
}

// end is how many lines belong to the message, with comments.
func (m *message) end() int {
	for i, l := range m.lines {
		if strings.HasPrefix(l, m.comment+scissors) {
			return i
		}
	}
	return len(m.lines)
}

// take removes cairn's trailers that follow before on their line, and returns them without it.
func (m *message) take(before string) (taken []string) {
	end := m.end()
	var left []string
	for _, l := range m.lines[:end] {
		rest, ok := strings.CutPrefix(strings.TrimRight(l, "\r"), before)
		if ok && trailer().MatchString(rest) {
			taken = append(taken, rest)
		} else {
			left = append(left, l)
		}
	}
	for n := len(left); len(taken) > 0 && n > 0 && strings.TrimSpace(left[n-1]) == ""; n-- {
		left = left[:n-1] // blank lines between the text and the trailers
	}
	m.lines = append(left, m.lines[end:]...)
	return taken
}

// text is the message as git would take it, without comments.
func (m *message) text() string {
	var b strings.Builder
	for _, l := range m.lines[:m.end()] {
		if !strings.HasPrefix(l, m.comment) {
			b.WriteString(l + "\n")
		}
	}
	return strings.TrimSpace(b.String())
}

// template is the text that git puts into every message, which does not count as a message; "" without one.
func (m *message) template(ctx context.Context) string {
	path, err := m.site.Repo.Config(ctx, "commit.template")
	if err != nil || path == "" {
		return ""
	}
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		path = filepath.Join(m.home, rest)
	} else if !filepath.IsAbs(path) {
		path = filepath.Join(m.site.Repo.TopLevel, path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return (&message{lines: strings.Split(string(text), "\n"), comment: m.comment}).text()
}

func (m *message) write(changed bool) error {
	if !changed {
		return nil
	}
	return os.WriteFile(m.file, []byte(strings.Join(m.lines, "\n")+"\n"), 0o666)
}

func (m *message) add(ctx context.Context, trailers []string) error {
	if err := m.write(true); err != nil {
		return err
	}
	return m.site.Repo.AddTrailers(ctx, m.file, trailers)
}

// mostPushed bounds how many commits of a push are judged.
const mostPushed = 32

// Push is the hook pre-push. It returns a text about the pushed commits, and whether the push is to be refused. from is
// git's standard input, one line per ref. With Block, commits that could not be judged are refused like those that are
// not proven.
func Push(ctx context.Context, o Options, remote string, from io.Reader) (text string, refuse bool, err error) {
	site, err := open(ctx, o)
	if err != nil {
		return "", false, err
	}
	defer site.Close()
	if site.Repo == nil {
		return "", false, nil
	}
	pushed, err := pushedRefs(from, site)
	if err != nil {
		return "", false, err
	}
	var b bytes.Buffer
	todo := ""
	if more := len(pushed) - mostPushed; more > 0 {
		fmt.Fprintf(&b, "cairn: %d commits are pushed, and %d are judged at most\n", len(pushed), mostPushed)
		if pushed, todo = pushed[:mostPushed], "push fewer refs at once"; o.Prove == Block {
			pushed = nil
		}
	}
	for _, p := range pushed {
		answer, err := p.prove(ctx, site, o)
		switch {
		case errors.Is(err, prove.ErrNoChecks):
		case err != nil:
			fmt.Fprintf(&b, "cairn: %s: nothing is proven: %v\n", p.to, err)
			todo = cmp.Or(todo, "mend what is wrong, commit that")
		case !answer.Proven:
			fmt.Fprintf(&b, "cairn: %s, commit %.12s: %s", p.to, answer.Commit, strings.Replace(answer.Unproven(), "the files as they are now", "it", 1))
			todo = "with these files checked out: cairn prove --run"
		}
	}
	if refuse = o.Prove == Block && todo != ""; refuse {
		fmt.Fprintf(&b, "cairn: nothing was pushed: %s; past this hook: git push --no-verify\n", todo)
	}
	return b.String(), refuse, nil
}

// pushedRef is a ref that a push moves.
type pushedRef struct{ oid, to, was string }

// pushedRefs returns the refs that are pushed, without removed ones and cairn's record, and each commit once.
func pushedRefs(from io.Reader, site *place.Site) (all []pushedRef, err error) {
	lines := bufio.NewScanner(from)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words) != 4 || strings.Trim(words[1], "0") == "" || site.Branch != nil && words[2] == "refs/heads/"+site.Branch.Name() && words[0] == words[2] {
			continue
		}
		if !slices.ContainsFunc(all, func(p pushedRef) bool { return p.oid == words[1] }) {
			all = append(all, pushedRef{words[1], words[2], words[3]})
		}
	}
	return all, lines.Err()
}

// prove judges the commit of p, compared with what the remote has, or else with where its branch began.
func (p pushedRef) prove(ctx context.Context, site *place.Site, o Options) (*prove.Answer, error) {
	commit, err := site.Repo.CommitOf(ctx, p.oid)
	if err != nil {
		return nil, prove.ErrNoChecks // a tag of another kind of object
	}
	base := ""
	if strings.Trim(p.was, "0") != "" {
		base, _ = site.Repo.CommitOf(ctx, p.was) // the remote's commit may not be fetched
	}
	if base == "" {
		if branch, err := site.Repo.DefaultBranch(ctx); err == nil {
			for _, name := range []string{"origin/" + branch, branch} {
				if tip, err := site.Repo.CommitOf(ctx, name); err == nil && tip != commit {
					base, _ = site.Repo.MergeBase(ctx, tip, commit)
					break
				}
			}
		}
	}
	return prove.Ask(ctx, site, prove.Options{Rev: commit, Base: base, Now: o.Now()})
}
