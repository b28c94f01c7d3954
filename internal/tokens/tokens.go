// Package tokens counts the tokens of texts as a language model would (vocabulary
// cl100k_base, which is part of the program: nothing is fetched). It promises a bounded
// time for any text, at the price of an error of a token or two in unusually long runs
// of one kind of characters. Loading the vocabulary takes a part of a second, and
// linking it adds megabytes and time to each start: it is in a program of its own,
// cairn-tokens, and in benchmarks.
//
// What goes in: counting, not what is counted.
package tokens

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"

	"cairn/internal/build"
)

const (
	// maxRun is how many bytes of one class of characters (letters, spaces, others) are
	// counted as one word at most. The tokenizer's merge loop is quadratic in the
	// length of a word: 100 KB of '=' took 6.8 s in one piece and take a hundredth of
	// that in pieces of this size. A cut makes the count wrong by a token or two, in
	// runs longer than usual texts have.
	maxRun = 512
	// maxPiece bounds the bytes that are counted at once, since the tokenizer keeps
	// several copies of them.
	maxPiece = 64 << 10
)

// Counter returns the number of tokens of a text.
type Counter func(text string) int

// New loads the vocabulary.
func New() (Counter, error) {
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	enc, err := tiktoken.GetEncoding("cl100k_base")
	if err != nil {
		return nil, fmt.Errorf("loading the vocabulary cl100k_base: %w", err)
	}
	return func(text string) (n int) {
		for _, piece := range pieces(text) {
			n += len(enc.EncodeOrdinary(piece))
		}
		return n
	}, nil
}

// pieces splits a text for counting. It splits where every word ends anyway, before the
// first non-space character of a line, as soon as a quarter of maxPiece is reached;
// between two classes at maxPiece; and inside a run only at maxRun.
func pieces(text string) (all []string) {
	start, run := 0, 0 // offsets of the piece and of the run of one class
	var last, lastClass rune
	for i, r := range text {
		class := classOf(r)
		size := i - start
		switch {
		case class != lastClass:
			run = i
			if size >= maxPiece || size >= maxPiece/4 && last == '\n' && class != ' ' {
				all, start = append(all, text[start:i]), i
			}
		case i-run >= maxRun:
			all, start, run = append(all, text[start:i]), i, i
		}
		last, lastClass = r, class
	}
	if start < len(text) {
		all = append(all, text[start:])
	}
	return all
}

// classOf is the class of a character in the pattern that splits text into
// words: ' ' for space, 'a' for letters, '1' for digits, '.' for the rest.
func classOf(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case unicode.IsLetter(r):
		return 'a'
	case unicode.IsNumber(r):
		return '1'
	}
	return '.'
}

// maxText bounds one text, in bytes.
const maxText = 64 << 20

// Run is the program cairn-tokens; it returns the exit status.
func Run(args []string, in io.Reader, out, errs io.Writer) int {
	switch {
	case len(args) == 1 && args[0] == "--version":
		fmt.Fprintln(out, "cairn-tokens", build.Version())
		return 0
	case len(args) > 0:
		fmt.Fprintln(errs, "cairn-tokens: it takes no argument but --version; it is started by: cairn recall stats --tokens")
		return 2
	}
	if err := Serve(in, out); err != nil {
		fmt.Fprintln(errs, "cairn-tokens:", err)
		return 1
	}
	return 0
}

// Serve counts texts: each comes as its length in bytes, a newline, and the text; its
// count is printed on a line before the next text is read.
func Serve(in io.Reader, out io.Writer) error {
	count, err := New()
	if err != nil {
		return err
	}
	r := bufio.NewReader(in)
	for {
		line, err := r.ReadString('\n')
		if err == io.EOF && line == "" {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading the length of a text: %w", err)
		}
		size, err := strconv.Atoi(strings.TrimSuffix(line, "\n"))
		if err != nil || size < 0 || size > maxText {
			return fmt.Errorf("%q is not the length of a text (at most %d bytes)", strings.TrimSuffix(line, "\n"), maxText)
		}
		text := make([]byte, size)
		if _, err := io.ReadFull(r, text); err != nil {
			return fmt.Errorf("reading a text of %d bytes: %w", size, err)
		}
		if _, err := fmt.Fprintln(out, count(string(text))); err != nil {
			return fmt.Errorf("answering: %w", err)
		}
	}
}
