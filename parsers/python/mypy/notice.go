package mypy

import (
	"strings"

	"cairn/parsers/text/lex"
	"cairn/result"
)

// mypySays lists the beginnings of errors after which mypy or dmypy checks nothing. The text
// before "…" is not part of the message.
var mypySays = []string{
	"mypy: error: …", "dmypy: error: …", "mypy: …can't ", "mypy: …Cannot ", "mypy: …no ", "mypy: …Invalid python executable ",
	"error: …--install-types ", "error: …--non-interactive is only supported with", "error: …--local-partial-types must be",
	"error: …Can't determine which types to install", "…Can't find package '", "…There are no .py[i] files in directory '",
}

// mypySaysTo is like mypySays, for errors that other tools may print, too. The last ones are
// dmypy's, about a daemon that it cannot reach.
var mypySaysTo = []string{
	"error: …--", "error: …The exclude ", "…Package name '", "…No status file found", "…Malformed status file", "…Timed out waiting for daemon to start",
	"…Daemon has died", "…Daemon is still alive", "…Daemon crashed!", "…Daemon may be busy processing",
}

// cutMypyNotice reads an error about an option or the configuration: "mypy: error: …", "Can't find
// package 'x'", "mypy.ini: [mypy]: Unrecognized option: …". Errors that other tools may print count
// only if direct is set: the command is mypy.
func cutMypyNotice(s string, direct bool) (f result.Finding, ok bool) {
	message, ok := cutMypySays(s, mypySays)
	if !ok && (direct || strings.Contains(s, " is an invalid regular expression, because: ")) {
		message, ok = cutMypySays(s, mypySaysTo)
	}
	if ok {
		f = result.Finding{Kind: result.GenericFinding, Severity: result.SevError, Message: message}
		if _, rest, named := strings.Cut(message, " file '"); named && strings.HasPrefix(message, "can't ") {
			path, _, _ := strings.Cut(rest, "'")
			f.At = &result.Location{Path: path}
		}
		return f, true
	}
	if rest, unused := strings.CutPrefix(s, "Warning: unused section(s) in "); unused { // until 1.10
		path, sections, named := strings.Cut(rest, ": ")
		return mypyWarning(path, "unused section(s): "+sections), named
	}
	return cutMypyConfig(s, direct)
}

func mypyWarning(path, message string) result.Finding {
	return result.Finding{Kind: result.Diagnostic, Severity: result.SevWarning, At: &result.Location{Path: path}, Message: message}
}

// cutMypySays returns the message in s, if s begins with one of the texts in all.
func cutMypySays(s string, all []string) (message string, ok bool) {
	for _, says := range all {
		if s == "" || s[0] != strings.TrimPrefix(says, "…")[0] {
			continue // most lines; the comparison is cheap
		}
		who, what, _ := strings.Cut(says, "…")
		if rest, is := strings.CutPrefix(s, who); is && strings.HasPrefix(rest, what) {
			return rest, true
		}
	}
	return "", false
}

// cutMypyConfig reads a warning about the configuration, "mypy.ini: [mypy]: message". Some messages
// have no blank before them.
func cutMypyConfig(s string, direct bool) (f result.Finding, ok bool) {
	path, rest, ok := strings.Cut(s, ": ")
	if !ok || !isMypyConfig(path) || strings.Contains(path, " ") {
		return f, false
	}
	f = mypyWarning(path, rest)
	section, message, ok := strings.Cut(rest, "]:")
	if ok && strings.HasPrefix(section, "[mypy") {
		f.Message = section + "]: " + strings.TrimSpace(message)
		return f, true
	}
	return f, direct && isMypyConfigTrouble(&f)
}

// isMypyConfigTrouble reports whether a warning says that the configuration file cannot be read, and sets the
// place from the end of a message about TOML: "(at line 1, column 9)".
func isMypyConfigTrouble(f *result.Finding) bool {
	_, spot, ok := strings.Cut(f.Message, "(at line ")
	if !ok { // until 0.920
		_, spot, ok = strings.Cut(f.Message, "(line ")
	}
	if _, column, two := strings.Cut(spot, " column "); ok && two {
		f.At.Line, f.At.Column = lex.LeadingNumber(spot), lex.LeadingNumber(column)
		return true
	}
	return lex.HasAnyPrefix(f.Message, "Source contains parsing errors", "File contains no section headers", "No [mypy] section in config file", "While reading from ")
}

func isMypyConfig(path string) bool {
	return strings.HasSuffix(path, ".ini") || strings.HasSuffix(path, ".toml") || strings.HasSuffix(path, ".cfg")
}
