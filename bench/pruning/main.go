// Command pruning measures how pruning affects the requests of a scripted session of 40 turns: how many bytes are sent,
// and how many of them a provider can take from its cache, which is the beginning that a request shares with the one
// before.
//
// It compares no pruning, the behaviour of the extension that cairn's pruning is modelled on (decided anew for every
// request, as its documentation and a run of it showed), and package prune as the extension for pi applies it. Requests
// are written as pi writes them for chat completions; that the real pi sends what package prune decides is tested by
// bench/agents. The session is the same in every run.
//
//	go -C bench run ./pruning          -turns 40, -every for each request
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"cairn/agents/prune"
	"cairn/bench/tree"
)

func main() {
	turns := flag.Int("turns", 40, "how many `TURNS` the user takes")
	every := flag.Bool("every", false, "a line for each request")
	pi := flag.String("pi", "", "the `DIR` below which npm installed @earendil-works/pi-coding-agent")
	flag.Parse()
	tree.Enter()
	do := func() error { return run(*turns, *every) }
	if *pi != "" {
		do = func() error { return runPi(*pi, *turns) }
	}
	if err := do(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(turns int, every bool) error {
	fmt.Println(heading)
	for _, p := range policies() {
		m, err := measure(session(turns), p, every)
		if err != nil {
			return err
		}
		m.print(p.name)
	}
	return nil
}

const heading = "policy      requests  MB sent  last KB  shared with the one before  MB not shared  broken at"

func (m *measured) print(policy string) {
	fmt.Printf("%-10s  %8d  %7.1f  %7.0f  %25.1f%%  %13.2f  %d requests\n", policy, m.requests, mega(m.sent), float64(len(m.last))/1e3,
		100*float64(m.shared)/float64(m.before), mega(m.sent-m.shared), m.broken)
}

func mega(n int) float64 { return float64(n) / 1e6 }

// measured are the sums over a session.
type measured struct {
	requests, sent int
	shared, before int // bytes that equal the beginning of the request before; bytes of those requests
	broken         int // requests that do not begin with the whole request before
	last           []byte
}

// add adds the next request, and returns how many bytes it shares with the one before.
func (m *measured) add(request []byte) (same int) {
	same = shared(m.last, request)
	m.requests, m.sent = m.requests+1, m.sent+len(request)
	m.shared, m.before = m.shared+same, m.before+len(m.last)
	if same < len(m.last) {
		m.broken++
	}
	m.last = request
	return same
}

// measure makes each request of a session.
func measure(all []message, p policy, every bool) (m measured, err error) {
	for n, last := range all {
		if last.asks() {
			request, err := encode(p.apply(all[:n+1]))
			if err != nil {
				return m, err
			}
			before := len(m.last)
			same := m.add(request)
			if every {
				fmt.Printf("%s request %d: %d bytes, %d as before of %d\n", p.name, m.requests, len(request), same, before)
			}
		}
	}
	return m, nil
}

// encode returns the list of messages as JSON without its closing bracket, since a cache compares beginnings.
func encode(all []message) ([]byte, error) {
	var out []byte
	for _, m := range all {
		line, err := json.Marshal(m.wire())
		if err != nil {
			return nil, err
		}
		out = append(append(out, line...), ',')
	}
	return out, nil
}

func shared(a, b []byte) (n int) {
	const step = 1 << 12
	for n+step <= min(len(a), len(b)) && bytes.Equal(a[n:n+step], b[n:n+step]) {
		n += step
	}
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// policy is a method of pruning. apply is called for each request in turn.
type policy struct {
	name  string
	apply func(all []message) []message
}

func policies() []policy {
	var before []prune.Pruned
	return []policy{
		{"none", func(all []message) []message { return all }},
		{"reference", reference},
		{"cairn", func(all []message) []message {
			flat := make([]prune.Message, len(all))
			for i, m := range all {
				flat[i] = m.Message
			}
			d := prune.Decide(flat, prune.Config{}, before, false)
			before = append(before, d.New...)
			return replaced(all, d.Edits)
		}},
	}
}

func replaced(all []message, edits []prune.Edit) []message {
	out := append([]message(nil), all...)
	for _, e := range edits {
		out[e.Index].Text = e.Text
	}
	return out
}

// reference reimplements the other extension: everything is decided anew, from the newest to the oldest; the output
// that crosses 40,000 tokens is kept; errors count for the minimum but are not pruned; a marker may be longer than the
// text that it replaces.
func reference(all []message) []message {
	turns, kept, sum := 0, 0, 0
	var edits []prune.Edit
	for i := len(all) - 1; i >= 0; i-- {
		m := all[i]
		if m.Role == "user" {
			turns++
		}
		if m.Role != "toolResult" || turns < 2 {
			continue
		}
		tokens := prune.Tokens(m.Text)
		if kept < 40_000 {
			kept += tokens
			continue
		}
		if sum += tokens; !m.Error {
			edits = append(edits, prune.Edit{Index: i, Text: fmt.Sprintf("[output pruned — ~%d tokens | %s | %q]", tokens, m.Tool, m.Args["path"]+m.Args["command"]+m.Args["pattern"])})
		}
	}
	if sum < 20_000 {
		return all
	}
	return replaced(all, edits)
}
