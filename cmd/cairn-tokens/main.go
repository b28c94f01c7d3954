// Command cairn-tokens counts tokens for "cairn recall stats --tokens": it reads texts
// from standard input and prints counts, in the protocol of tokens.Serve.
package main

import (
	"os"

	"cairn/internal/tokens"
)

func main() { os.Exit(tokens.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
