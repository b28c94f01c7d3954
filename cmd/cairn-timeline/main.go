// Command cairn-timeline implements "cairn timeline serve": timelines of subagents in a
// browser. Its argument is the address to listen on.
package main

import (
	"context"
	"os"

	"cairn/agents/timeline/web"
)

func main() { os.Exit(web.Run(context.Background(), os.Args[1:], os.Stdout, os.Stderr)) }
