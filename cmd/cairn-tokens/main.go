// Command cairn-tokens counts tokens for "cairn recall stats --tokens": texts come on
// standard input and counts go out, in the form of tokens.Serve.
package main

import (
	"fmt"
	"os"

	"cairn/internal/tokens"
)

func main() {
	if err := tokens.Serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "cairn-tokens: %v\n", err)
		os.Exit(1)
	}
}
