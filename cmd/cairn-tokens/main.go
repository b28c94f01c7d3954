// Command cairn-tokens counts tokens for "cairn recall stats --tokens": texts come on
// standard input and counts go out, in the form of tokens.Serve.
package main

import (
	"os"

	"cairn/internal/tokens"
)

func main() { os.Exit(tokens.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
