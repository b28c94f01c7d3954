package capture

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"cairn/internal/redact"
	"cairn/manifest"
	"cairn/result"
)

const (
	// maxInlineArgv bounds the command line in a record, in bytes.
	maxInlineArgv = 8 << 10
	// maxInlineArg bounds one argument of a list that is too long as a whole.
	maxInlineArg = 1 << 10
	// maxName bounds the names that come from elsewhere: a branch, a directory, an
	// agent, a session.
	maxName = 1 << 10
)

// setArgv puts the command into the record: redacted first, since a secret
// that is cut is no longer known for one, then made safe to show, then bounded.
func setArgv(rec *manifest.Record, argv []string, shell string, red *redact.Redactor) {
	rec.Argv = boundArgv(red.Argv(argv))
	if shell != "" {
		rec.Shell = cut(result.Clean(red.Argv([]string{shell})[0]), maxInlineArgv)
	}
}

// boundArgv shortens what is long, and when that is not enough keeps the
// beginning and says how much is left out.
func boundArgv(argv []string) []string {
	kept, size := make([]string, 0, len(argv)), 0
	for _, a := range argv {
		a = result.Clean(a)
		size += len(a) + len(`"",`)
		kept = append(kept, a)
	}
	if size <= maxInlineArgv {
		return kept
	}
	size = 0
	for i := range kept {
		kept[i] = cut(kept[i], maxInlineArg)
		if size += len(kept[i]) + len(`"",`); size > maxInlineArgv {
			return append(kept[:i], fmt.Sprintf("[… %d more arguments]", len(kept)-i))
		}
	}
	return kept
}

// cut keeps at most n bytes of s, whole characters, and says what is left out.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return fmt.Sprintf("%s[… %d bytes]", s[:n], len(s)-n)
}

// boundBy is who ran the command: names that came from flags or the environment.
func boundBy(by *manifest.By, red *redact.Redactor) *manifest.By {
	if by == nil {
		return nil
	}
	safe := func(s string) string { return cut(result.CleanLine(red.String(s)), maxName/4) }
	return &manifest.By{Agent: safe(by.Agent), Session: safe(by.Session)}
}

// quoted is an argument as it stands in an error.
func quoted(arg string) string {
	q := strconv.Quote(arg)
	return q[1 : len(q)-1]
}
