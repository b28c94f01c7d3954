package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cairn/parsers"
	"cairn/render"
	"cairn/result"
)

func newParsers(a *app) *cobra.Command {
	var format render.Format
	cmd := &cobra.Command{
		Use:   "parsers",
		Short: "what is recognised, and how",
		Long: `List the tools whose output is understood. Everything else is captured too, as
a generic result: exact status, reduced text, every byte kept.

A project describes tools of its own in .cairn/parsers.toml: which parser reads
what they print, or how their lines look, or which executable reads them. Such a
file is not used before you have approved it: see "cairn parsers trust".

  [[parser]]
  name = "acme-lint"
  match.argv = ["acme", "lint"]            # words of the command; match.regex
  lines = ['^(?P<path>[^:]+):(?P<line>\d+): (?P<message>.*)$']
  # or errorformat = ["%f:%l: %m"], parse_as = "eslint", run = ["tools/findings"]

Exit status:
  0  always`,
		Example: `  cairn parsers
  cairn parsers --format json | jq .tool`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return a.listParsers(format) },
	}
	formatFlag(cmd, &format)
	cmd.AddCommand(newParsersTrust(a), newParsersVerify(a))
	return cmd
}

// parserInfo is a parser as it is listed.
type parserInfo struct {
	Tool    string                    `json:"tool"`
	Kind    result.Kind               `json:"kind"`
	Version int                       `json:"version"`
	Formats []string                  `json:"formats"`
	Starts  []string                  `json:"starts"`
	Exits   map[string]result.Meaning `json:"exits,omitempty"`
	About   string                    `json:"about"`
}

func describeParser(p *parsers.Parser) parserInfo {
	info := parserInfo{Tool: p.Tool, Kind: p.Kind, Version: p.Version, About: p.About, Exits: map[string]result.Meaning{}}
	for _, f := range p.Formats {
		info.Formats = append(info.Formats, f.Name)
		info.Starts = append(info.Starts, f.Starts...)
	}
	for code, meaning := range p.Exits {
		info.Exits[fmt.Sprint(code)] = meaning
	}
	return info
}

func (a *app) listParsers(f render.Format) error {
	if f == render.FormatCompact {
		return a.printParsers()
	}
	for _, p := range parsers.All() {
		line, err := json.Marshal(describeParser(p))
		if err != nil {
			return err
		}
		if f == render.FormatYAML {
			if line, err = render.YAML(append(append([]byte{'['}, line...), ']')); err != nil {
				return err
			}
		} else {
			line = append(line, '\n')
		}
		if err := a.put(f, line); err != nil {
			return err
		}
	}
	return nil
}

// printParsers writes a line a tool, in columns as far as they are short, and below it what is read of it: no terminal is as wide as
// the longest of them.
func (a *app) printParsers() error {
	for _, p := range parsers.All() {
		info := describeParser(p)
		below := "reads " + strings.Join(info.Formats, ", ")
		if codes := exits(info); codes != "" {
			below += "; exits with " + codes
		}
		if _, err := fmt.Fprintf(a.out, "%-23s %-10s %s\n    %s\n", info.Tool, info.Kind, info.About, below); err != nil {
			return err
		}
	}
	return nil
}

func exits(info parserInfo) string {
	var words []string
	inOrder := func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) } // of numbers
	for _, code := range slices.SortedFunc(maps.Keys(info.Exits), inOrder) {
		words = append(words, code+" "+string(info.Exits[code]))
	}
	return strings.Join(words, ", ")
}
