// Command cairn-attest implements "cairn attest" and "cairn verify": it signs the
// records of runs, and checks signed statements.
package main

import (
	"context"
	"os"

	"cairn/attest"
)

func main() {
	os.Exit(attest.Run(context.Background(), os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr))
}
