// Command cairn-ui is the full-screen browser of runs. "cairn ui" starts it, with the filters as JSON in its argument.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	tea "charm.land/bubbletea/v2"

	"cairn/capture"
	"cairn/internal/build"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/recall/filter"
	"cairn/result"
	"cairn/ui"
)

// request is cairn's argument.
type request struct {
	Filters filter.Filters `json:"filters"`
	Color   bool           `json:"color"`
}

func main() {
	if len(os.Args) == 2 && os.Args[1] == "--version" {
		fmt.Println("cairn-ui", build.Version())
		return
	}
	var r request
	if len(os.Args) != 2 || json.Unmarshal([]byte(os.Args[1]), &r) != nil {
		fmt.Fprintln(os.Stderr, "cairn-ui: it takes a request, and is started by: cairn ui")
		os.Exit(2)
	}
	if err := run(context.Background(), r); err != nil {
		fmt.Fprintln(os.Stderr, "cairn:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, r request) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	site, err := place.OpenToRead(ctx, dir, place.FromEnviron(os.Environ()), func(manifest.Warning) {}) // cairn has printed the warnings
	if err != nil {
		return err
	}
	defer site.Close()
	site.Parse = func(rec *manifest.Record) (*result.ToolResult, error) { return capture.Parse(site, rec) }
	_, err = tea.NewProgram(ui.New(ctx, site, r.Filters, r.Color)).Run()
	return err
}
