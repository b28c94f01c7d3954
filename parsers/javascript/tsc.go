package javascript

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// tsc is the TypeScript compiler, versions 3 to 6, and its native successor (7, also called tsgo). Programs that
// print like it, such as vue-tsc and ts-node, and bundlers that run it (see tscbundle.go) are read here too.
//
// # The format
//
// There is no machine format. In a pipe tsc prints plain lines and no summary:
//
//	src/a.ts(3,7): error TS2322: Type 'number' is not assignable to type 'string'.
//	  a reason, and its own reasons two blanks deeper
//
// With --pretty, or on a terminal, the position is "src/a.ts:3:7 - error TS…". The reasons are followed by the
// source, with line numbers and squiggles, and by related places, indented by two. The text of a related place
// follows its source up to version 6, and follows the place, after " - ", from 7 on. A closing line says how many
// errors there were; from 4.5 on, a table says in which files. An error without a file has no position. Build and
// watch mode add lines that begin with the time of day.
//
// # What is believed
//
// The closing line of pretty output, "Found N errors", is believed in any language. Plain output has no closing line:
// it is complete if its last line is. In watch mode only the latest compilation counts.
//
// # What a finding is
//
// The rule is the code, "TS2322". The message is the first line. The reasons below it differ between versions, so
// they belong to the detail, as does the source. Columns count UTF-16 units.
var _ = Room.Add(tscPrograms, func(p *tool.Parser) {
	p.Is("tsc", result.Typecheck, 4, "tsc 3 to 7 (tsgo), vue-tsc and ngc: plain and pretty, build and watch mode, bundlers")
	p.ColumnUnit = "utf16"
	p.Matches = isTscCommand
	p.Reads(tool.Format{Name: "text", Starts: tscStarts(), Sniff: sniffTsc, Parse: parseTsc})
	p.Reads(tool.Format{Name: "angular", Starts: []string{"✘ [ERROR] NG", "✘ [ERROR] TS", "▲ [WARNING] NG", "▲ [WARNING] TS"}, Sniff: sniffAngular, Parse: parseAngular})
	p.Reads(tool.Format{Name: "bundle", Starts: tscBundleStarts(), Sniff: sniffTscBundle, Parse: parseTscBundle})
})

func isTscCommand(argv []string) bool { return lex.IsOneOf(argv[0], tscPrograms) }

const tscPrograms = "tsc tsgo vue-tsc vue-tsgo tspc tsc-watch ngc"

// tscStarts returns starts of the lines that tsc prints. A path may begin with any character except a blank, so every
// possible first byte is listed.
func tscStarts() []string {
	starts := []string{tscCrash, read.NodeHeapStart, tscHelp, tscHelp3}
	for _, root := range [...]string{"src/", "projects/", "apps/", "libs/", "Error: "} { // usual in Angular projects
		starts = append(starts, root+"… - error NG") // " NG" alone would match too many lines of other programs
	}
	for _, root := range [...]string{"/", `C:\`, `D:\`} {
		starts = append(starts, root+"…/lib/tsc.js:", root+"…/lib/_tsc.js:", root+`…\lib\tsc.js:`, root+`…\lib\_tsc.js:`)
	}
	for c := byte('!'); c < 0xf5; c++ {
		if c < 0x7f || c >= 0xc2 {
			starts = append(starts, string([]byte{c})+"… TS")
		}
	}
	return starts
}

// Lines of the help that tsc prints, with exit code 1, if it finds no configuration and the command names no files:
// tscHelp from version 4 on, tscHelp3 in version 3. Above this help is "Version 6.0.3"; above requested help, only
// version 3 prints such a line.
const (
	tscHelp     = "tsc: The TypeScript Compiler - Version "
	tscHelp3    = "Syntax:   tsc [options] [file...]"
	tscHelped   = "tsc printed its help: there is no tsconfig.json, and no files are named"
	tscVersions = "Version "
)

func isTscHelp(s string) bool { return strings.HasPrefix(s, tscHelp) || strings.HasPrefix(s, tscHelp3) }

func asksTscHelp(in *tool.Input) bool {
	words := in.Shell + " " + strings.Join(in.Argv, " ") + " "
	return strings.Contains(words, " --help ") || strings.Contains(words, " -h ") || strings.Contains(words, " --all ")
}

// tscCrash begins the message of a failed assertion in the compiler.
const tscCrash = "Error: Debug Failure."

func sniffTsc(line string) bool {
	_, ok := cutTscHead(line)
	return ok || strings.HasPrefix(line, tscCrash) || isTscThrown(line) || read.IsNodeHeap(line) || isTscHelp(line)
}

// helped adds a finding for help that tsc printed because it had nothing to compile.
func (t *tscText) helped(s *read.Sink, l tool.Line) {
	t.begin(s, tool.Line{Start: t.version.Start, End: t.version.End, Ended: true}, tscHead{word: "error", message: l.Text})
	s.MoreText(l, tscHelped)
	if f := s.Last(); f != nil {
		f.Kind = result.GenericFinding
	}
	s.Break()
}

// tscMeaning returns usage if all findings are about options and configuration, internal if the compiler itself
// failed, and otherwise "".
func tscMeaning(found []result.Finding) result.Meaning {
	usage := true
	for _, f := range found {
		if f.Kind == result.Panic {
			return result.MeansInternal
		}
		usage = usage && isTscUsage(f)
	}
	if usage {
		return result.MeansUsage
	}
	return ""
}

// isTscUsage reports whether a finding is about the command or the configuration: codes 5000 to 6999 are about
// options and files, 18000 to 18003 about configuration files (TypeScript's diagnosticMessages.json). A finding in a
// source file, such as TS6133, is not.
func isTscUsage(f result.Finding) bool {
	if f.At != nil && !strings.HasSuffix(f.At.Path, ".json") {
		return false
	}
	if f.Kind == result.GenericFinding {
		return true
	}
	code := strings.TrimPrefix(f.Rule, "TS")
	ofOptions := len(code) == 4 && strings.IndexByte("56", code[0]) >= 0
	return f.At != nil || ofOptions || len(code) == 5 && code >= "18000" && code <= "18003"
}

// unnecessary lists the codes with which tsc marks code that has no effect: reportsUnnecessary in its
// diagnosticMessages.json.
var unnecessary = [...]string{"TS6133", "TS6138", "TS6192", "TS6196", "TS6198", "TS6199", "TS6205", "TS7027", "TS7028"}

func tscTags(rule string) []string {
	switch {
	case slices.Contains(unnecessary[:], rule):
		return []string{"unnecessary"}
	case rule == "TS6385" || rule == "TS6387":
		return []string{"deprecated"}
	}
	return nil
}

// tscSuggestions returns the question in a message: "Did you mean 'items'?".
func tscSuggestions(message string) []string {
	i := strings.Index(message, "Did you mean ")
	if i < 0 {
		return nil
	}
	question, _, asked := strings.Cut(message[i:], "?")
	if !asked {
		return nil
	}
	return []string{question + "?"}
}

// tscFrame is the excerpt of source below a place.
type tscFrame struct {
	begun  bool // the empty line before the source was seen
	number int  // line number of the last line of source
	margin int  // width of the margin before the source; known from the first squiggles
	marked int  // number of lines of squiggles
}

// tscRelated reads a related place, "a.ts:1:2" or "a.ts:1:2 - text".
func tscRelated(text string) (at *result.Location, about string) {
	if text == "" || text[0] == ' ' {
		return nil, ""
	}
	if at = tscColons(text); at != nil {
		return at, ""
	}
	for i := strings.Index(text, " - "); i >= 0 && i < place.MaxPlace; i = lex.NextIndex(text, " - ", i) {
		if at = tscColons(text[:i]); at != nil {
			return at, text[i+3:]
		}
	}
	return nil, ""
}

// about returns what a line below a related place says about that place; "" for a line of source.
func (f *tscFrame) about(text string) string {
	n, isSource := tscSource(text)
	switch {
	case isSquiggle(strings.TrimLeft(text, " ")):
		f.marked++
	case isSource && (f.marked == 0 || n == 0 || n == f.number+1):
		f.number = n
	default:
		return strings.TrimSpace(text)
	}
	return ""
}

func isSquiggle(marks string) bool { return marks != "" && strings.Trim(marks, "~") == "" }

// squiggle sets the end of a diagnostic's place from a line of squiggles, at the offsets from and to. They are below
// the source, one column per UTF-16 unit; from the second line on, they begin at the first column of the source.
func (f *tscFrame) squiggle(at *result.Location, from, to int) {
	if at == nil {
		return
	}
	if f.marked == 0 {
		f.margin = from - at.Column + 1
	}
	f.marked++
	if f.number >= at.Line && to > f.margin {
		at.EndLine, at.EndColumn = f.number, to-f.margin+1
	}
}

// tscSource reports whether a line is source, by its margin: the line's number or, where lines are left out, "...".
// The margin's width varies.
func tscSource(text string) (number int, ok bool) {
	digits, _, _ := strings.Cut(text, " ")
	number = lex.Atoi(digits)
	return number, digits == "..." || len(digits) < 10 && lex.IsDigits(digits) && number > 0
}
