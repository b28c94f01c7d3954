package tokens

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"cairn/internal/build"
)

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
