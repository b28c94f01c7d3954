// Package bash reads shell lines as bash does, within bounds: whatever a line holds, reading it takes a few
// milliseconds at the most.
//
// It holds the parser (mvdan.cc/sh) and the bounds; what the commands of a line mean belongs to its callers.
package bash

import (
	"errors"
	"regexp"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// maxDoubled bounds how many "((" a line may have that are more than plain arithmetic. Each may be an arithmetic command or
// a subshell in a subshell; the parser tries one and then the other, so that nested ones double its work.
const maxDoubled = 16

// errNested is what is said of a line that goes beyond.
var errNested = errors.New(`the line has too many "(("`)

// readers are parsers that wait to be used again: to make one takes as long as to read a short line.
var readers, plainReaders = readersOf(syntax.LangBash), readersOf(syntax.LangPOSIX)

func readersOf(lang syntax.LangVariant) *sync.Pool {
	return &sync.Pool{New: func() any { return syntax.NewParser(syntax.Variant(lang)) }}
}

// Parse reads a line.
func Parse(line string) (*syntax.File, error) { return parse(line, readers) }

// ParsePlain reads a line as a shell does that knows what POSIX asks for, and no more.
func ParsePlain(line string) (*syntax.File, error) { return parse(line, plainReaders) }

func parse(line string, of *sync.Pool) (*syntax.File, error) {
	if !bounded(line) {
		return nil, errNested
	}
	p := of.Get().(*syntax.Parser)
	file, err := p.Parse(strings.NewReader(line), "")
	of.Put(p) // one that panicked is not used again
	return file, err
}

// arithmetic is a plain one, which has nothing nested in it.
var arithmetic = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\(\([^()"'#\\` + "`" + `\n]*\)\)`) })

// bounded says whether a line has few enough "((".
func bounded(line string) bool {
	if doubled(line) <= maxDoubled {
		return true
	}
	return doubled(arithmetic().ReplaceAllString(line, "")) <= maxDoubled
}

// doubled counts each "(" that follows another.
func doubled(line string) (n int) {
	for i := 1; i < len(line); i++ {
		if line[i] == '(' && line[i-1] == '(' {
			n++
		}
	}
	return n
}
