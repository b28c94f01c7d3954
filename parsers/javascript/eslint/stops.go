package eslint

import (
	"cmp"
	"strings"

	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/read/trace"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// maxESLintTrouble is the maximum number of lines kept of one message: the first lines have the reason, and a stack
// is rarely longer.
const maxESLintTrouble = 40

// Beginnings of the messages with which eslint stops.
const (
	eslintOops     = "Oops! Something went wrong! :("
	eslintWarnings = "ESLint found too many warnings (maximum: "
	eslintUnpruned = "There are suppressions left that do not occur anymore."
	eslintLoading  = "There was a problem loading formatter: "
	eslintWriting  = "There was a problem writing the output file:"
	eslintFormer   = " formatter is no longer part of core ESLint."
	eslintFlat     = "You're using eslint.config.js, some command line flags are no longer available."
)

// eslintStops lists beginnings of lines that only eslint prints when it stops.
var eslintStops = []string{
	eslintOops, eslintWarnings, eslintUnpruned, eslintLoading,
	"The suppressions file does not exist. Please run the command with `--suppress-all`",
}

// eslintMisuses lists beginnings that other programs print, too: they count only if the command names eslint.
var eslintMisuses = []string{eslintWriting, "Cannot write to output file path, it is a directory: ", "Invalid option '", "Invalid value for option '", "Value for '", "The --"}

// eslintStop is one message with which eslint stopped.
type eslintStop struct {
	kind  string // its beginning, one of the constants
	text  []string
	start int64
	end   int64
}

// stopLine takes a line that says why eslint stopped.
func (e *eslint) stopLine(l tool.Line) bool {
	text := strings.TrimRight(l.Text, " \t")
	if strings.HasPrefix(text, eslintFlat) {
		return e.named
	}
	if kind := stopOf(text, e.named); kind != "" {
		e.stops = append(e.stops, eslintStop{kind: kind, text: []string{text}, start: l.Start, end: l.End})
		e.stop, e.blank = kind == eslintOops || kind == eslintLoading || kind == eslintWriting, 0
		return true
	}
	return e.stop && e.stopMore(text, l)
}

// stopOf returns the beginning of a message with which eslint stops, if the line has one; else "".
func stopOf(text string, named bool) string {
	if text == "" || strings.IndexByte("OETCIV", text[0]) < 0 {
		return ""
	}
	for _, start := range eslintStops {
		if strings.HasPrefix(text, start) {
			return start
		}
	}
	for _, start := range eslintMisuses {
		if named && strings.HasPrefix(text, start) {
			return start
		}
	}
	if strings.HasPrefix(text, "The ") && strings.Contains(text, eslintFormer) {
		return eslintFormer
	}
	return ""
}

// stopMore takes a further line of the open message. The message ends after its stack, or where npm's output begins.
func (e *eslint) stopMore(text string, l tool.Line) bool {
	stop := &e.stops[len(e.stops)-1]
	switch {
	case text == "":
		e.blank++
		e.stop = !(stop.kind == eslintLoading || strings.HasPrefix(stop.text[len(stop.text)-1], "    at "))
		return e.stop
	case trace.IsScriptTail(text), e.blank > 2:
		e.stop = false
		return false
	}
	e.blank = 0
	if v, ok := strings.CutPrefix(text, "ESLint: "); ok && e.version == "" {
		e.version = v
	}
	lex.Keep(&stop.text, maxESLintTrouble, text)
	stop.end = max(stop.end, l.End)
	return true
}

// endStop ends the open message.
func (e *eslint) endStop() { e.stop, e.blank = false, 0 }

func (s eslintStop) finding() result.Finding {
	f := result.Finding{
		Kind: result.GenericFinding, Severity: result.SevError, Message: s.text[0],
		RawSpan: &result.Span{Start: s.start, End: s.end},
	}
	switch s.kind {
	case eslintWarnings:
		f.Rule = "max-warnings"
	case eslintUnpruned:
		f.Rule = "unpruned-suppressions"
	case eslintLoading, eslintWriting:
		f.Detail = strings.Join(s.text[1:], "\n")
		if s.kind == eslintWriting && len(s.text) > 1 {
			f.Message += " " + strings.TrimPrefix(s.text[1], "Error: ")
		}
	case eslintOops:
		s.oops(&f)
	}
	return f
}

// oops completes the finding of an "Oops!" message: the reason follows the version.
func (s eslintStop) oops(f *result.Finding) {
	text := s.text[1:]
	if len(text) > 0 && strings.HasPrefix(text[0], "ESLint: ") {
		text = text[1:]
	}
	if len(text) == 0 {
		return
	}
	f.Message, f.At = eslintReason(text)
	f.Detail = strings.Join(text[1:], "\n")
	if where, ok := s.after("Occurred while linting "); ok {
		f.Kind, f.At = result.Panic, &result.Location{Path: where}
		if path, line, ok := place.CutLineNumber(where); ok {
			f.At = &result.Location{Path: path, Line: line}
		}
	}
	if rule, ok := s.after(`Rule: "`); ok {
		f.Rule = strings.TrimSuffix(rule, `"`)
	}
}

// after returns the rest of the first line that begins with word.
func (s eslintStop) after(word string) (string, bool) {
	for _, line := range s.text {
		if rest, ok := strings.CutPrefix(line, word); ok {
			return rest, true
		}
	}
	return "", false
}

// Below "Oops!" eslint prints its own sentence, or an exception with its stack. Most concern the configuration, whose
// file is named in one of these ways:
//
//	/home/dev/shop/eslint.config.js:3          node quotes the line below, and
//	];                                         the error comes after it
//	^
//	SyntaxError: Unexpected token ']'
//
//	Cannot read config file: /home/dev/shop/.eslintrc.json
//	Error: Unexpected token } in JSON
//
//	TypeError: …
//	    at Object.<anonymous> (/home/dev/shop/eslint.config.js:2:21)

const eslintUnreadable = "Cannot read config file: "

// eslintReason returns the message, and the place in the workspace that the message is about.
func eslintReason(text []string) (message string, at *result.Location) {
	message = strings.TrimPrefix(text[0], "Error: ")
	if path, line, ok := place.CutLineNumber(message); ok && result.IsAbsolute(path) && !strings.Contains(path, " ") {
		if thrown := eslintThrown(text[1:]); thrown != "" {
			return thrown, &result.Location{Path: path, Line: line}
		}
	}
	if strings.HasSuffix(message, ":") && len(text) > 1 {
		message += " " + strings.TrimSpace(text[1])
		text = text[1:]
	}
	if _, path, ok := strings.Cut(message, eslintUnreadable); ok && result.IsAbsolute(path) {
		at = &result.Location{Path: path}
		if len(text) > 1 && strings.HasPrefix(text[1], "Error: ") {
			message += ": " + text[1][len("Error: "):]
		}
	}
	at = cmp.Or(eslintFrame(text), at)
	return message, at
}

// eslintThrown returns the error below the source that node quotes.
func eslintThrown(text []string) string {
	for _, s := range text {
		if trace.IsThrown(s) {
			return s
		}
	}
	return ""
}

// eslintFrame returns the innermost frame of a stack that is neither node's nor a package's; nil if every frame is.
func eslintFrame(text []string) *result.Location {
	for _, s := range text {
		at, ok := frame.JavaScript(strings.TrimSpace(s))
		at.Path, at.Function = strings.TrimPrefix(at.Path, "file://"), ""
		if ok && !at.External && result.IsAbsolute(at.Path) && strings.HasPrefix(s, "    at ") {
			return &at
		}
	}
	return nil
}
