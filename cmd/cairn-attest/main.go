// Command cairn-attest is what "cairn attest" and "cairn verify" become: it signs what the
// record says of runs, and checks what was signed.
package main

import (
	"context"
	"os"

	"cairn/attest"
)

func main() {
	os.Exit(attest.Run(context.Background(), os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr))
}
