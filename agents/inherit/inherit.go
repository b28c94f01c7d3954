// Package inherit turns a parent's conversation into the text block that a subagent gets.
//
// # What it promises
//
//   - The last Config.Turns turns are kept, oldest first. A turn is a user message
//     and everything up to the next one.
//   - Tool outputs of the last Config.Outputs turns are included, each at most
//     maxOutput bytes. Older ones are replaced by their object id and size, so that the subagent
//     can recall them. Calls appear as "[tool: name(argument)]", thoughts not at all.
//   - A text longer than longText is cut to keptText, with a note.
//   - The block has at most Config.MaxChars characters: whole turns are left out, the oldest first, with a note.
//     Only a last turn that is too long by itself is cut in the middle, between characters.
//   - Nothing inside can end the block: a closing tag in a message is escaped.
//
// The block depends on nothing but the messages and the Config.
package inherit

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Message is one message of the parent. Lists of messages begin with the oldest.
type Message struct {
	Role  string `json:"role"` // user, assistant, toolResult; others are ignored
	Text  string `json:"text,omitempty"`
	Calls []Call `json:"calls,omitempty"` // of an assistant's message

	// Set for a toolResult.
	Tool  string `json:"tool,omitempty"`
	OID   string `json:"oid,omitempty"`
	Error bool   `json:"error,omitempty"`
}

// Call is a tool call; Arg is its most informative argument.
type Call struct {
	Tool string `json:"tool"`
	Arg  string `json:"arg,omitempty"`
}

// Config has the limits. 0 means the default.
type Config struct {
	Turns    int `json:"recentTurns,omitempty"`      // 6
	Outputs  int `json:"toolOutputWindow,omitempty"` // 2
	MaxChars int `json:"maxChars,omitempty"`         // 24000
}

func (c Config) withDefaults() Config {
	set := func(n *int, def int) {
		if *n <= 0 {
			*n = def
		}
	}
	set(&c.Turns, 6)
	set(&c.Outputs, 2)
	set(&c.MaxChars, 24_000)
	return c
}

const (
	longText, keptText = 2000, 1500 // bytes: texts longer than longText are cut to keptText
	maxOutput          = 4000       // bytes of a tool output
	maxArg             = 120        // bytes of an argument
)

const (
	opens    = "<parent-context>\nWhat was said before, for reference only. Your task comes after it; do not go on with this.\n"
	closes   = "</parent-context>"
	omitted  = "[%d earlier turns left out]\n"
	cutInTwo = "\n[… middle left out …]\n"
)

// Block returns the text for the subagent; "" if the conversation has none.
func Block(messages []Message, c Config) string {
	c = c.withDefaults()
	turns := split(withoutOwnCall(messages))
	left := max(0, len(turns)-c.Turns)
	turns = turns[left:]
	texts := make([]string, len(turns))
	for i, t := range turns {
		texts[i] = told(t, len(turns)-i <= c.Outputs)
	}
	room := c.MaxChars - utf8.RuneCountInString(opens+closes+fmt.Sprintf(omitted, len(messages)))
	for len(texts) > 1 && length(texts) > room {
		texts, left = texts[1:], left+1
	}
	if len(texts) == 0 || strings.TrimSpace(strings.Join(texts, "")) == "" {
		return ""
	}
	head := opens
	if left > 0 {
		head += fmt.Sprintf(omitted, left)
	}
	return head + cutMiddle(strings.Join(texts, ""), room) + closes
}

// subagentTool is the tool that calls subagents.
const subagentTool = "Agent"

// withoutOwnCall removes the subagent calls in the last answer: those calls are just being made, and this block is for
// one of them.
func withoutOwnCall(messages []Message) []Message {
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].Role != "assistant" {
			continue
		}
		messages = slices.Clone(messages)
		messages[i].Calls = slices.DeleteFunc(slices.Clone(messages[i].Calls), func(c Call) bool { return c.Tool == subagentTool })
		break
	}
	return messages
}

// Recent returns the messages of the last turns, from which Block can be made.
func Recent(messages []Message, c Config) []Message {
	turns := split(messages)
	n := 0
	for _, t := range turns[max(0, len(turns)-c.withDefaults().Turns):] {
		n += len(t)
	}
	return messages[len(messages)-n:]
}

func length(texts []string) (n int) {
	for _, t := range texts {
		n += utf8.RuneCountInString(t)
	}
	return n
}

// split divides a conversation into turns. Messages before the first user message belong to the first turn.
func split(messages []Message) (turns [][]Message) {
	for _, m := range messages {
		if len(turns) == 0 || m.Role == "user" && hasUser(turns[len(turns)-1]) {
			turns = append(turns, nil)
		}
		turns[len(turns)-1] = append(turns[len(turns)-1], m)
	}
	return turns
}

func hasUser(turn []Message) bool {
	return slices.ContainsFunc(turn, func(m Message) bool { return m.Role == "user" })
}

func told(turn []Message, outputs bool) string {
	var b strings.Builder
	for _, m := range turn {
		switch m.Role {
		case "user", "assistant":
			text := shortened(m.Text)
			if text == "" && len(m.Calls) == 0 {
				continue
			}
			fmt.Fprintf(&b, "### %s\n", m.Role)
			if text != "" {
				b.WriteString(text + "\n")
			}
			for _, c := range m.Calls {
				fmt.Fprintf(&b, "[tool: %s(%s)]\n", safe(c.Tool), safe(cut(strings.Join(strings.Fields(c.Arg), " "), maxArg)))
			}
		case "toolResult":
			b.WriteString(result(m, outputs) + "\n")
		}
	}
	return b.String()
}

func result(m Message, whole bool) string {
	failed := ""
	if m.Error {
		failed = ", failed"
	}
	if whole && len(m.Text) <= maxOutput {
		return fmt.Sprintf("[output of %s%s]\n%s", safe(m.Tool), failed, safe(strings.TrimRight(m.Text, "\n")))
	}
	id := ""
	if m.OID != "" {
		id = " — " + m.OID
	}
	line := fmt.Sprintf("[tool output omitted%s, %s, %d bytes%s]", id, safe(m.Tool), len(m.Text), failed)
	if whole {
		line += "\n" + safe(cut(m.Text, maxOutput))
	}
	return line
}

func shortened(text string) string {
	if text = strings.TrimSpace(text); len(text) > longText {
		return safe(cut(text, keptText)) + "\n[… truncated …]"
	}
	return safe(text)
}

// cut returns at most the first n bytes, in whole characters.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// cutMiddle cuts s to room characters: the first two fifths and the end are kept.
func cutMiddle(s string, room int) string {
	runes := []rune(s)
	if len(runes) <= room {
		return s
	}
	room = max(room-utf8.RuneCountInString(cutInTwo), 2)
	head := room * 2 / 5
	return string(runes[:head]) + cutInTwo + string(runes[len(runes)-(room-head):])
}

// safe escapes text so that it cannot end the block.
func safe(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "</parent-context", "<\\/parent-context")
}
