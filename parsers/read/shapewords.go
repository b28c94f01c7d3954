package read

import (
	"strings"
	"sync"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
)

// role is the part of a finding that a value gives.
type role uint8

const (
	rolePath role = iota
	roleRule
	roleURL
	roleSeverity
	roleStatus
	roleMessage
	roleName
	roleStack
	roles // number of roles whose values a section keeps

	roleLine
	roleColumn
	roleEndLine
	roleEndColumn
)

// meaning is what a name means. Of several names for one role, the one with the lowest rank is used; a name that
// can mean something else is used if its value fits.
type meaning struct {
	role       role
	rank       uint8
	mayBeOther bool
}

// meanings are the roles of the names that tools give to the parts of a finding, in the form of plainName.
var meanings = sync.OnceValue(func() map[string][]meaning {
	return namesOf(map[meaning]string{
		{rolePath, 1, false}:      "file filename filepath path pathname sourcefile sourcepath absolutepath absolutefilepath relativepath uri fileuri fn",
		{rolePath, 2, true}:       "source sourcefilename modulename name target component loc location where place module fullpath posn pos",
		{rolePath, 3, true}:       "id key title ref verbatimpath",
		{roleRule, 1, false}:      "rule ruleid rulename ruleidentifier checkid checkname rulecode queryname messageid testid violationid lintid errorcode exctype",
		{roleRule, 2, true}:       "code nr number check symbol linter lintername fromlinter identifier errorid warningid",
		{roleRule, 3, true}:       "id type kind name category source slug",
		{roleURL, 1, false}:       "ruleurl helpuri moreinfo helpurl docurl documentationurl url",
		{roleSeverity, 1, false}:  "severity issueseverity errorseverity level severitylevel loglevel",
		{roleSeverity, 2, true}:   "type kind priority impact category status",
		{roleStatus, 1, false}:    "status outcome state result passed success ok valid",
		{roleMessage, 1, false}:   "message msg issuetext errormessage failuremessage failuremessages messagetext",
		{roleMessage, 2, false}:   "text excvalue description reason problem warning failure fullmessage ruledescription",
		{roleMessage, 3, false}:   "error err what condition original detail details title summary shortdescription exception solution",
		{roleName, 1, false}:      "fullname fulltitle testname",
		{roleName, 2, false}:      "testid nodeid",
		{roleName, 3, false}:      "name title test id",
		{roleStack, 1, false}:     "stack stacktrace backtrace trace traceback",
		{roleLine, 1, false}:      "line lnum lineno linenumber linenumbers linenum startline linefrom beginline startlineno beginningline linestart firstline row startrow linebegin lines linerange filelinerange begin start first from loc position",
		{roleColumn, 1, false}:    "column col columnno coloffset colno columnnumber startcolumn begincolumn columnstart startcol columnfrom startlinepos linepos character char columnbegin",
		{roleEndLine, 1, false}:   "endline endlnum lineend endlineno endlinenumber lineto lastline endrow end last to",
		{roleEndColumn, 1, false}: "endcolumn columnend endcol endcolumnno lastcolumn",
	})
})

// namesOf inverts the table. A name may have several roles; its value decides.
func namesOf(table map[meaning]string) map[string][]meaning {
	names := map[string][]meaning{}
	for m, all := range table {
		for _, name := range strings.Fields(all) {
			names[name] = append(names[name], m)
		}
	}
	return names
}

// plainName is a name in lower case, without the marks between its words: "Line_Number", "line-number" and
// "@lineNumber" all give "linenumber".
func plainName(name string) string {
	plain := true
	for i := range len(name) {
		plain = plain && 'a' <= name[i] && name[i] <= 'z'
	}
	if plain {
		return name
	}
	return strings.Map(func(r rune) rune {
		switch {
		case 'A' <= r && r <= 'Z':
			return r | 0x20
		case strings.ContainsRune("_-@$ .:()\ufeff", r):
			return -1
		}
		return r
	}, name)
}

// aside reports whether a part of that name holds no findings: settings, fixes, or what is known about a rule in
// general.
func aside(key string) bool {
	return lex.IsOneOf(plainName(key), "fix fixes suggestion suggestions suppressions config configuration settings options metadata meta environment env properties related relatedlocations relatedinformation references links codeflows taxa rules useddeprecatedrules cwe locals")
}

// explains reports whether parts of that name, in a list, add to the part around them.
func explains(key string) bool {
	return lex.IsOneOf(plainName(key), "location locations position positions range ranges span spans region frame frames source sources error errors failure failures failuremessages messages exception exceptions labels extra data sourceline")
}

// listsTexts reports whether each text in a list of that name is a finding.
func listsTexts(key string) bool {
	return lex.IsOneOf(plainName(key), "errors failures problems violations") || isFileName(key)
}

// startsOrEnds recognises the names of parts in which "line" is the first or last line.
func startsOrEnds(key string) bool { return lex.IsOneOf(key, "begin start first from end last to") }

func countsLines(part string) bool { return strings.HasPrefix(plainName(part), "line") }

// isFileName reports whether a value that may be any name is that of a file. Modules and packages may contain dots
// too, so the extension must be short and in lower case.
func isFileName(name string) bool {
	if len(name) > 512 || !place.IsFile(name) || name[0] == '@' {
		return false
	}
	ending := name[strings.LastIndexAny(name, "./")+1:]
	short := len(ending) <= 6 && strings.ToLower(ending) == ending && strings.LastIndexByte(name, '.') > 0
	return short || strings.HasPrefix(name, "/") || strings.HasPrefix(name, "./")
}

// isGood and isBad classify the status of a test or a check.
func isGood(status string) bool {
	return lex.IsOneOf(strings.ToLower(status), "pass passed ok success succeeded successful true skip skipped pending ignored disabled todo")
}

func isBad(status string) bool {
	return lex.IsOneOf(strings.ToLower(status), "fail failed failure failing error errored broken false undefined timedout crashed")
}

// isTestPart reports whether a value under that name is a test.
func isTestPart(key string) bool {
	return lex.IsOneOf(plainName(key), "test testcase tests spec specs")
}

// isChatty recognises log levels below a warning.
func isChatty(level string) bool {
	return lex.IsOneOf(strings.ToLower(level), "debug trace verbose notice fine finer")
}
