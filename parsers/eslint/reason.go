package eslint

import (
	"strings"

	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/read/trace"
	"cairn/result"
)

// What eslint says below "Oops!" is its own sentence or what was thrown, with
// its stack. Most of it is about configuration, of which it names the file in
// one of these ways:
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

// eslintReason is the message, and the place of the workspace that it is about.
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
	if frame := eslintFrame(text); frame != nil {
		at = frame
	}
	return message, at
}

// eslintThrown is the error that stands below the source which node quotes.
func eslintThrown(text []string) string {
	for _, s := range text {
		if trace.IsThrown(s) {
			return s
		}
	}
	return ""
}

// eslintFrame is the deepest frame of a stack that is neither node's nor a package's.
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
