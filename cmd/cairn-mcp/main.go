// Command cairn-mcp implements "cairn mcp": a server of the Model Context Protocol on
// standard input and output. It starts "cairn rpc", of the cairn program beside it, and
// translates between the two.
package main

import (
	"context"
	"os"

	"cairn/agents/mcp"
	"cairn/internal/build"
)

func main() {
	os.Exit(mcp.Run(context.Background(), build.Version(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
