// Command secrets says how many secrets the redactor finds, and how much ordinary output it mistakes for secrets,
// compared with the targets of the design.
//
// The tests are not our own: the secrets are the examples that gitleaks generates to test its own rules, made by
// gitleaks' program at the version from which the rules were made. A secret counts as caught if the redacted text does
// not contain it. The number of those that left a piece is given too: for gitleaks, the host of a webhook and the user
// before a password are parts of a secret. The ordinary output is that of the recorded runs of package golden, line by
// line; a line counts as false if it is changed at all, even if a test planted a secret there. gitleaks generates new
// examples each time, so the figures vary a little between runs.
//
// In addition there are our own shapes (shapes.go): several hundred ways in which providers' secrets are printed,
// written from the providers' documentation, a third of which was held out while rules were made. Gitleaks' rules are
// tried on the same texts. Generated lines of digests, identifiers and data (madeLines) count as ordinary output.
//
//	go -C bench run ./secrets                  fetches and builds gitleaks with the go command: about two minutes
//	go -C bench run ./secrets -examples FILE   examples of an earlier run, as -keep FILE wrote them
//	go -C bench run ./secrets -corpus DIR      other recorded runs
//	go -C bench run ./secrets -v               what was missed and what is false
//
// Exit status: 0 met, 1 missed, 2 it could not run.
//
// What may go in: the measurement. Our own secrets are in the tests of package redact.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"cairn/bench/tree"
	"cairn/redact"
)

// The targets, in percent, and the number of lines needed for the second to be meaningful.
const (
	leastCaught = 99.0
	mostFalse   = 0.05
	leastLines  = 5000
)

func main() {
	corpus := flag.String("corpus", "golden", "ordinary output: the stdout and stderr of recorded runs below this `DIR`")
	from := flag.String("examples", "", "read the examples from `FILE`")
	keep := flag.String("keep", "", "write the examples to `FILE`")
	verbose := flag.Bool("v", false, "list what was missed and what is false")
	flag.Parse()
	tree.Enter()
	ok, err := run(os.Stdout, *corpus, *from, *keep, *verbose)
	switch {
	case err != nil:
		fmt.Fprintf(os.Stderr, "secrets: %v\n", err)
		os.Exit(2)
	case !ok:
		os.Exit(1)
	}
}

func run(out io.Writer, corpus, from, keep string, verbose bool) (ok bool, err error) {
	list, err := examples(from, keep)
	if err != nil {
		return false, err
	}
	lines, changed, err := ordinary(corpus)
	if err != nil {
		return false, err
	}
	if lines < leastLines {
		return false, fmt.Errorf("there are %d lines of output below %s, and it takes %d to say anything", lines, corpus, leastLines)
	}
	total, missed, pieces := judge(list)
	if total == 0 {
		return false, fmt.Errorf("there are no secrets among %d examples", len(list))
	}
	caught := 100 * float64(total-len(missed)) / float64(total)
	wrong := 100 * float64(len(changed)) / float64(lines)
	fmt.Fprintf(out, "secrets caught    %6d of %6d   %7.3f %%   (target: at least %g %%)\n", total-len(missed), total, caught, leastCaught)
	fmt.Fprintf(out, "of them in part   %6d              %7.3f %%   (a piece of %d bytes, or of more than half, is left)\n", pieces, 100*float64(pieces)/float64(total), longPiece)
	fmt.Fprintf(out, "ordinary lines    %6d of %6d   %7.3f %% taken for a secret   (target: at most %g %%)\n", len(changed), lines, wrong, mostFalse)
	made := changedOfMade()
	fmt.Fprintf(out, "made lines        %6d of %6d   %7.3f %% taken for a secret   (target: at most %g %%)\n", len(made), len(madeLines()), percentOf(len(made), len(madeLines())), mostFalse)
	fmt.Fprintf(out, "missed by rule    %s\n", byRule(missed))
	if verbose {
		for _, e := range missed {
			fmt.Fprintf(out, "missed %s: %q in %q\n", e.Rule, e.Secret, e.Text)
		}
		for _, c := range append(changed, made...) {
			fmt.Fprintf(out, "false %s\n", c)
		}
	}
	beside := besideGitleaks
	if from != "" {
		beside = nil // with the examples of an earlier run, gitleaks is not needed
	}
	ok, err = reportShapes(out, beside, verbose)
	return ok && caught >= leastCaught && max(wrong, percentOf(len(made), len(madeLines()))) <= mostFalse, err
}

// longPiece is how many consecutive bytes of a secret count as a piece of it.
const longPiece = 12

// judge redacts every example with a secret. pieces counts the secrets of which only a piece is left.
func judge(list []example) (total int, missed []example, pieces int) {
	for _, e := range list {
		if e.Secret == "" {
			continue
		}
		total++
		text := redact.Text(e.Text)
		if n := longest(e.Secret, text); n == len(e.Secret) {
			missed = append(missed, e)
		} else if n >= longPiece || 2*n > len(e.Secret) {
			pieces++
		}
	}
	return total, missed, pieces
}

// longest returns the length of the longest piece of a secret in a text.
func longest(secret, text string) (n int) {
	for i := range secret {
		for i+n < len(secret) && strings.Contains(text, secret[i:i+n+1]) {
			n++
		}
	}
	return n
}

// byRule counts missed examples by rule.
func byRule(missed []example) string {
	counts := map[string]int{}
	for _, e := range missed {
		counts[e.Rule]++
	}
	var words []string
	for rule, n := range counts {
		words = append(words, fmt.Sprintf("%s %d", rule, n))
	}
	if slices.Sort(words); len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}
