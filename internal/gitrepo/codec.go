package gitrepo

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// Trees and commits are encoded here rather than by go-git's object package:
// that package knows sha1 only, and linking it adds 1.0 ms to every start of the
// program (OpenPGP, gob). The tests hold it against this codec.

// entry is a line of a tree. Modes other than those of files and directories
// are kept as they are.
type entry struct {
	name string
	mode filemode.FileMode
	oid  string
}

func (e entry) isDir() bool { return e.mode == filemode.Dir }
func (e entry) isFile() bool {
	return e.mode.IsRegular() || e.mode == filemode.Executable || e.mode == filemode.Deprecated
}

// parseTree reads "<octal mode> <name>\0<raw id>" lines; rawLen is the length
// of a raw id in bytes.
func parseTree(data []byte, rawLen int) ([]entry, error) {
	var entries []entry
	for len(data) > 0 {
		head, rest, ok := bytes.Cut(data, []byte{0})
		mode, name, ok2 := strings.Cut(string(head), " ")
		bits, err := strconv.ParseUint(mode, 8, 32)
		if !ok || !ok2 || err != nil || name == "" || len(rest) < rawLen {
			return nil, errors.New("malformed tree")
		}
		entries = append(entries, entry{name, filemode.FileMode(bits), hex.EncodeToString(rest[:rawLen])})
		data = rest[rawLen:]
	}
	return entries, nil
}

// encodeTree sorts entries as git wants them and encodes them.
func encodeTree(entries []entry) ([]byte, error) {
	sort.Slice(entries, func(i, j int) bool { return entries[i].sortKey() < entries[j].sortKey() })
	var b bytes.Buffer
	for _, e := range entries {
		raw, err := hex.DecodeString(e.oid)
		if err != nil {
			return nil, fmt.Errorf("malformed object id %q of %s", e.oid, e.name)
		}
		fmt.Fprintf(&b, "%o %s\x00", uint32(e.mode), e.name)
		b.Write(raw)
	}
	return b.Bytes(), nil
}

// sortKey: a directory sorts as if its name ended in a slash.
func (e entry) sortKey() string {
	if e.isDir() {
		return e.name + "/"
	}
	return e.name
}

// commitTree is the tree of an encoded commit.
func commitTree(data []byte) (string, error) {
	line, _, _ := strings.Cut(string(data[:min(len(data), 80)]), "\n")
	oid, ok := strings.CutPrefix(line, "tree ")
	if !ok {
		return "", errors.New("malformed commit")
	}
	return oid, nil
}

type commit struct {
	tree              string
	parents           []string
	author, committer person
	when              time.Time
	subject, body     string
}

func (c commit) encode() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "tree %s\n", c.tree)
	for _, p := range c.parents {
		fmt.Fprintf(&b, "parent %s\n", p)
	}
	stamp := strconv.FormatInt(max(c.when.Unix(), 0), 10) + " " + c.when.Format("-0700")
	fmt.Fprintf(&b, "author %s <%s> %s\n", c.author.name, c.author.email, stamp)
	fmt.Fprintf(&b, "committer %s <%s> %s\n\n", c.committer.name, c.committer.email, stamp)
	b.WriteString(oneLine(c.subject) + "\n")
	if body := strings.TrimRight(plainText(c.body), "\n"); body != "" {
		b.WriteString("\n" + body + "\n")
	}
	return b.Bytes()
}

// oneLine makes a commit subject: git ends it at the first empty line.
func oneLine(s string) string {
	if s = strings.Join(strings.Fields(plainText(s)), " "); s == "" {
		return "update"
	}
	return s
}

// plainText is valid UTF-8 without control characters: git refuses NUL, and
// `git log` would send the others to a terminal.
func plainText(s string) string {
	return strings.Map(func(c rune) rune {
		if (c < ' ' && c != '\n' && c != '\t') || (c >= 0x7f && c < 0xa0) {
			return -1
		}
		return c
	}, strings.ToValidUTF8(s, "\uFFFD"))
}
