// Command cairn-tokens counts tokens for "cairn recall stats --tokens": texts come on
// standard input and counts go out, in the form of tokens.Serve.
package main

import (
	"fmt"
	"os"

	"cairn/internal/build"
	"cairn/internal/tokens"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == "--version" {
		fmt.Println("cairn-tokens", build.Version())
		return
	}
	if len(os.Args) > 1 {
		fmt.Fprintln(os.Stderr, "cairn-tokens: it takes no argument but --version; it is started by: cairn recall stats --tokens")
		os.Exit(2)
	}
	if err := tokens.Serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "cairn-tokens: %v\n", err)
		os.Exit(1)
	}
}
