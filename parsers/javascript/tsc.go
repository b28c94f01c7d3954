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

// tsc, the TypeScript compiler, versions 3 to 6, its native successor (7, also
// called tsgo), programs that print as it does, such as vue-tsc and ts-node, and
// bundlers that run it (see tscbundle.go).
//
// # The format
//
// There is no machine format. In a pipe tsc prints plain lines and no summary:
//
//	src/a.ts(3,7): error TS2322: Type 'number' is not assignable to type 'string'.
//	  a reason, and its own reasons two blanks deeper
//
// With --pretty, or on a terminal, the position is "src/a.ts:3:7 - error TS…",
// the reasons are followed by the source with its line numbers and squiggles
// below, and by related places, indented by two. Up to version 6 what they say
// stands below their source, from 7 on behind " - ". A closing line says how
// many errors there were, and from 4.5 on a table says in which files. An error
// of no file has no position. Build and watch mode add lines that begin with
// the time of day.
//
// # What is believed
//
// "Found N errors" of pretty output, in the words of any language. Plain output has no end of its own: it is
// complete if its last line is. What a watch found counts from its latest
// compilation.
//
// # What a finding is
//
// The rule is the code, "TS2322". The message is the first line: the reasons
// below differ between versions and stand in the detail, as does the source.
// Columns count UTF-16 units.
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

// tscStarts: a path may begin with anything that is no blank.
func tscStarts() []string {
	starts := []string{tscCrash, read.NodeHeapStart, tscHelp, tscHelp3}
	for _, root := range [...]string{"src/", "projects/", "apps/", "libs/", "Error: "} { // of Angular
		starts = append(starts, root+"… - error NG") // a short word would cost all who do not mean it
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

// Lines of the help that tsc prints, and exits with 1, where it finds no
// configuration and no files are named: of version 4 and later, and of 3.
// Above it stands "Version 6.0.3" then, which those who ask for help get of 3 only.
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

// tscCrash begins what a failed assertion of the compiler says.
const tscCrash = "Error: Debug Failure."

func sniffTsc(line string) bool {
	_, ok := cutTscHead(line)
	return ok || strings.HasPrefix(line, tscCrash) || isTscThrown(line) || read.IsNodeHeap(line) || isTscHelp(line)
}

// helped: there was nothing to compile.
func (t *tscText) helped(s *read.Sink, l tool.Line) {
	t.begin(s, tool.Line{Start: t.version.Start, End: t.version.End, Ended: true}, tscHead{word: "error", message: l.Text})
	s.MoreText(l, tscHelped)
	if f := s.Last(); f != nil {
		f.Kind = result.GenericFinding
	}
	s.Break()
}

// tscMeaning is usage where nothing but options and configuration was found
// wrong, internal where the compiler broke.
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

// isTscUsage: codes 5000 to 6999 are about options and files, 18000 to 18003
// about configuration files (TypeScript's diagnosticMessages.json). Of those in
// source files, such as TS6133, none is.
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

// unnecessary are the codes with which tsc marks code that does nothing:
// reportsUnnecessary in its diagnosticMessages.json.
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

// tscSuggestions is what the message asks: "Did you mean 'items'?".
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

// tscFrame is the source below a place.
type tscFrame struct {
	begun  bool // the empty line before it was seen
	number int  // of the last line of source
	margin int  // columns before the source: found from the first squiggles
	marked int  // lines of squiggles
}

// tscRelated reads "a.ts:1:2" and "a.ts:1:2 - text".
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

// about is what a line says of a related place; "" for its source.
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

// squiggle says where the diagnostic ends. Squiggles stand below the source, which is as
// wide as its UTF-16 units; from the second line on they begin with the line.
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

// tscSource tells a line of source from the text around it by its margin: the number of
// the line or, where lines are left out, "...". The margin is painted where colour is
// on; its width says nothing.
func tscSource(text string) (number int, ok bool) {
	digits, _, _ := strings.Cut(text, " ")
	number = lex.Atoi(digits)
	return number, digits == "..." || len(digits) < 10 && lex.IsDigits(digits) && number > 0
}
