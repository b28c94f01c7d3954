// Package bash parses shell lines as bash does, within bounds: parsing any line takes a few milliseconds at
// most.
//
// It holds the parser (mvdan.cc/sh) and the bounds; the callers decide what the commands of a line mean.
package bash

import (
	"errors"
	"regexp"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// maxDoubled is how many "((" a line may have besides plain arithmetic. Each may be an arithmetic command or a
// subshell in a subshell; the parser tries one and then the other, so that each nested one doubles its work.
const maxDoubled = 16

// errNested says that a line has more than maxDoubled.
var errNested = errors.New(`the line has too many "(("`)

// readers are parsers to be reused: making one takes as long as parsing a short line.
var readers, plainReaders = readersOf(syntax.LangBash), readersOf(syntax.LangPOSIX)

func readersOf(lang syntax.LangVariant) *sync.Pool {
	return &sync.Pool{New: func() any { return syntax.NewParser(syntax.Variant(lang)) }}
}

// Parse parses a line as bash does.
func Parse(line string) (*syntax.File, error) { return parse(line, readers) }

// ParsePlain parses a line as a shell that knows only POSIX, such as dash.
func ParsePlain(line string) (*syntax.File, error) { return parse(line, plainReaders) }

func parse(line string, of *sync.Pool) (*syntax.File, error) {
	if !bounded(line) {
		return nil, errNested
	}
	p := of.Get().(*syntax.Parser)
	file, err := p.Parse(strings.NewReader(line), "")
	of.Put(p) // a parser that panicked is not reused
	return file, err
}

// arithmetic matches a plain arithmetic command, without nesting.
var arithmetic = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\(\([^()"'#\\` + "`" + `\n]*\)\)`) })

// bounded says whether a line has at most maxDoubled "((".
func bounded(line string) bool {
	if doubled(line) <= maxDoubled {
		return true
	}
	return doubled(arithmetic().ReplaceAllString(line, "")) <= maxDoubled
}

// doubled counts each "(" that follows another "(".
func doubled(line string) (n int) {
	for i := 1; i < len(line); i++ {
		if line[i] == '(' && line[i-1] == '(' {
			n++
		}
	}
	return n
}
