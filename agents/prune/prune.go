// Package prune decides which old tool outputs of a conversation are replaced
// by a marker, and what the marker says.
//
// # The algorithm
//
// Messages are walked from the newest to the oldest. A user message ends a turn; a
// summary of a compaction ends the walk. Tool outputs of the last Config.Turns
// turns are protected, and so are errors, tools that may not be pruned, and
// outputs that are no longer than their marker. Of the rest, the newest
// Config.Protect tokens are protected, too. What is left is pruned if it is at
// Config.Minimum tokens together. Two programs use this algorithm with different boundaries: Mode "pi" keeps the output
// that crosses Protect and prunes at exactly Minimum tokens; mode "opencode" prunes that output and requires more than
// Minimum.
//
// Some outputs are candidates before all others, whatever Protect says: an output that a later one repeats byte for
// byte, and a file's contents if the file was read or written again later.
//
// # What it promises
//
//   - Sticky: an output that was pruned stays pruned, by the id that the host gave it.
//   - Stable: new outputs are pruned only at the boundary of a user's turn, or when
//     asked; so the beginning of a request stays the same from one to the next.
//   - Deterministic: same bytes and same call, same marker; no clock, no locale.
//   - Recallable: the marker begins with the object id of the bytes. The caller
//     stores the bytes before it applies the edits (Decision.Keep names them).
//   - Statistics count a pruned output once.
//
// The package keeps no state and stores nothing.
package prune

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf16"
)

// Message is one message of the conversation, with the fields that matter here.
type Message struct {
	ID    string            `json:"id"`   // the host's own id, the same in every request
	Role  string            `json:"role"` // user, assistant, toolResult, compactionSummary, …
	Tool  string            `json:"tool,omitempty"`
	Args  map[string]string `json:"args,omitempty"` // the call's arguments: path, command, pattern, query
	Error bool              `json:"error,omitempty"`
	Fixed bool              `json:"fixed,omitempty"` // has more than text, such as an image
	Text  string            `json:"text,omitempty"`  // the text of a tool output
}

// Config has the limits. 0 means the default.
type Config struct {
	Mode      string   `json:"mode,omitempty"`      // pi (default) or opencode
	Turns     int      `json:"turns,omitempty"`     // 2
	Protect   int      `json:"protect,omitempty"`   // 40000 tokens
	Minimum   int      `json:"minimum,omitempty"`   // 20000 tokens
	Prunable  []string `json:"prunable,omitempty"`  // tools, with globs; read bash grep find ls edit write; [] is all
	Protected []string `json:"protected,omitempty"` // tools, with globs
}

// DefaultPrunable are the tools whose output can be obtained again.
var DefaultPrunable = strings.Fields("read bash grep find ls edit write")

// Check returns an error if a setting is not valid.
func (c Config) Check() error {
	if c.Mode != "" && c.Mode != "pi" && c.Mode != "opencode" {
		return fmt.Errorf("mode %q is neither pi nor opencode", c.Mode)
	}
	if c.Turns < 0 || c.Protect < 0 || c.Minimum < 0 {
		return fmt.Errorf("turns, protect and minimum cannot be below zero")
	}
	for _, glob := range slices.Concat(c.Prunable, c.Protected) {
		if _, err := path.Match(glob, ""); err != nil {
			return fmt.Errorf("%q is no pattern: %w", glob, err)
		}
	}
	return nil
}

func (c Config) withDefaults() Config {
	set := func(n *int, def int) {
		if *n == 0 {
			*n = def
		}
	}
	set(&c.Turns, 2)
	set(&c.Protect, 40_000)
	set(&c.Minimum, 20_000)
	if c.Prunable == nil {
		c.Prunable = DefaultPrunable
	}
	return c
}

func (c Config) mayPrune(tool string) bool {
	named := func(globs []string) bool {
		return slices.ContainsFunc(globs, func(g string) bool { ok, _ := path.Match(g, tool); return ok })
	}
	return (len(c.Prunable) == 0 || named(c.Prunable)) && !named(c.Protected)
}

// Pruned is a pruned output, which the host remembers.
type Pruned struct {
	ID     string `json:"id"`
	OID    string `json:"oid"`
	Tokens int    `json:"tokens"`
	Text   string `json:"text"` // the marker
}

// Edit replaces the text of a message.
type Edit struct {
	Index int    `json:"index"`
	ID    string `json:"id"`
	Text  string `json:"text"`
}

// Decision is what to do with a request.
type Decision struct {
	Edits   []Edit   `json:"edits"`         // for this request, oldest first
	New     []Pruned `json:"new"`           // pruned in this request; the host adds them to those it remembers
	Keep    []int    `json:"keep"`          // indexes of messages whose bytes must be stored before New takes effect
	Scanned int      `json:"scanned"`       // tokens of tool outputs in the request
	Saved   int      `json:"saved"`         // tokens of all pruned outputs in the request
	Kept    int      `json:"kept"`          // number of tool outputs that are not pruned
	Why     string   `json:"why,omitempty"` // why no new output was pruned
}

// Decide decides what to prune. before are the outputs pruned so far; with now, it waits neither for the boundary of a
// turn nor for the minimum.
func Decide(messages []Message, c Config, before []Pruned, now bool) Decision {
	c = c.withDefaults()
	sticky := map[string]Pruned{}
	for _, p := range before {
		sticky[p.ID] = p
	}
	d := Decision{Edits: []Edit{}, New: []Pruned{}, Keep: []int{}}
	if at := len(messages) - 1; now || at >= 0 && messages[at].Role == "user" {
		d.decide(messages, c, sticky, now)
	} else {
		d.Why = "not at the boundary of a user's turn"
	}
	for i, m := range messages {
		if m.Role == "toolResult" {
			d.Scanned += Tokens(m.Text)
		}
		if p, ok := sticky[m.ID]; ok && m.Role == "toolResult" {
			d.Edits = append(d.Edits, Edit{i, m.ID, p.Text})
			d.Saved += p.Tokens
		} else if m.Role == "toolResult" {
			d.Kept++
		}
	}
	return d
}

// decide adds the outputs to be pruned now to sticky.
func (d *Decision) decide(messages []Message, c Config, sticky map[string]Pruned, now bool) {
	chosen, sum := candidates(messages, c, sticky)
	enough := sum >= c.Minimum
	if c.Mode == "opencode" {
		enough = sum > c.Minimum
	}
	if len(chosen) == 0 || !enough && !now {
		d.Why = fmt.Sprintf("%d tokens could be pruned, and %d are the least", sum, c.Minimum)
		return
	}
	slices.Sort(chosen)
	for _, i := range chosen {
		p := pruned(messages[i])
		sticky[p.ID] = p
		d.New, d.Keep = append(d.New, p), append(d.Keep, i)
	}
}

// candidates returns the indexes of the outputs that may be pruned, and the sum of their tokens.
func candidates(messages []Message, c Config, sticky map[string]Pruned) (chosen []int, sum int) {
	later := newLater()
	turns, protected := 0, 0
	for i := len(messages) - 1; i >= 0; i-- {
		m := messages[i]
		switch m.Role {
		case "user":
			turns++
			continue
		case "compactionSummary":
			return chosen, sum
		case "toolResult":
		default:
			continue
		}
		again := later.see(m)
		if turns < c.Turns || m.Error || m.Fixed || m.ID == "" || !c.mayPrune(m.Tool) {
			continue
		}
		tokens := Tokens(m.Text)
		_, done := sticky[m.ID]
		if !again {
			crossing := protected < c.Protect
			if c.Mode == "opencode" {
				crossing = protected+tokens <= c.Protect
			}
			if protected += tokens; crossing {
				continue
			}
		}
		if done || len(marker(m)) >= len(m.Text) {
			continue
		}
		chosen, sum = append(chosen, i), sum+tokens
	}
	return chosen, sum
}

// later holds the texts and files that newer messages contain.
type later struct {
	texts map[[sha256.Size]byte]bool
	files map[string]bool
}

func newLater() later { return later{map[[sha256.Size]byte]bool{}, map[string]bool{}} }

// see says whether a newer message, seen before, repeats m or makes it obsolete. Then it notes m.
func (l later) see(m Message) (again bool) {
	if m.Error || m.Text == "" {
		return false
	}
	sum := sha256.Sum256([]byte(m.Text))
	again = l.texts[sum]
	l.texts[sum] = true
	file := m.Args["path"]
	if file == "" {
		return again
	}
	switch m.Tool {
	case "read":
		part := m.Args["offset"] != "" || m.Args["limit"] != ""
		again = again || l.files[file]
		l.files[file] = l.files[file] || !part // reading a part does not make the whole obsolete
	case "write", "edit":
		l.files[file] = true
	}
	return again
}

func pruned(m Message) Pruned {
	return Pruned{ID: m.ID, OID: OID(m.Text), Tokens: Tokens(m.Text), Text: marker(m)}
}

// OID is the object id of text.
func OID(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// shortOID is the length of ids in the compact form.
const shortOID = len("sha256:") + 12

// maxArg bounds the call's argument in the marker, in bytes.
const maxArg = 80

// marker replaces the text of m. The id comes first, since summaries keep the beginnings of texts.
func marker(m Message) string {
	arg := ""
	for _, key := range []string{"path", "command", "pattern", "query"} {
		if arg = m.Args[key]; arg != "" {
			break
		}
	}
	if arg = strings.Join(strings.Fields(arg), " "); len(arg) > maxArg {
		arg = strings.ToValidUTF8(arg[:maxArg-len("…")], "") + "…"
	}
	if arg != "" {
		arg = fmt.Sprintf(" %q", arg)
	}
	return fmt.Sprintf("[%s output pruned, ~%d tokens: %s%s; recall it by this id]", OID(m.Text)[:shortOID], Tokens(m.Text), m.Tool, arg)
}

// Tokens estimates the tokens of text as pi does: a quarter of its UTF-16 units, rounded up.
func Tokens(text string) int {
	units := 0
	for _, r := range text {
		units += utf16.RuneLen(r) // an invalid byte is read as U+FFFD, one unit
	}
	return (units + 3) / 4
}
