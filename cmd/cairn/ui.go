package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"cairn/recall/filter"
)

const uiLong = `Browse what was run, on the whole terminal: a list of runs, what each found, what its tests
came to and since when, and the exact bytes that it printed. The filters choose the runs of the list at
first; f changes them, by the same words, and ? tells all keys.

It reads the record as "cairn recall" does, and changes nothing. What tools printed is shown as text, of
whose escape sequences only colours are kept. NO_COLOR and --color are obeyed.
` + aboutCaptures + `

Exit status:
  0  it was left
  1  the record could not be read
  2  the command line is not right, or this is no terminal`

func newUI(a *app) *cobra.Command {
	var f filter.Filters
	var color string
	cmd := &cobra.Command{
		Use:   "ui",
		Short: "browse runs, findings and outputs on the whole terminal",
		Long:  uiLong,
		Example: `  cairn ui
  cairn ui --status failed --since 7d`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := f.Read("objects", time.Now()); err != nil {
				return usageError{cmd, err}
			}
			return runUI(a, cmd, f, a.colored(color))
		},
	}
	a.filterFlags(cmd, &f, "objects")
	colorFlag(cmd, &color)
	return cmd
}

// runUI brings the record up to date, as every question does, and starts the terminal browser.
func runUI(a *app, cmd *cobra.Command, f filter.Filters, colors bool) error {
	if !isTerminal(a.in) || !isTerminal(a.stdout) {
		return usageError{cmd, errors.New(`it needs a terminal for its input and its output: "cairn recall objects" lists the runs anywhere`)}
	}
	site, err := a.recallSite(cmd)
	if err != nil {
		return err
	}
	site.Close()
	request, err := json.Marshal(map[string]any{"filters": f, "color": colors})
	if err != nil {
		return fmt.Errorf("writing the filters: %w", err)
	}
	a.flush()
	return a.hand(cmd, "cairn-ui", a.in, string(request))
}
