package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cairn/capture"
	"cairn/internal/own"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/parsers"
	"cairn/recall/filter"
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

// parserInfo is a parser as listed.
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

// printParsers writes a line for each tool, in columns if they are short, and below it
// what its parser reads, which is too long for any terminal.
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
	inOrder := func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) } // as numbers
	for _, code := range slices.SortedFunc(maps.Keys(info.Exits), inOrder) {
		words = append(words, code+" "+string(info.Exits[code]))
	}
	return strings.Join(words, ", ")
}

const parsersTrustLong = `Show what a project says of its own tools, in .cairn/parsers.toml and
.pi/structured-return.json, with the files that it runs; and approve it.

Without HASH everything is shown and nothing is changed. With the HASH that was
shown, these very bytes are approved, for this clone alone; any change of them asks
again. What a program that is run reads or imports by itself is not looked at.

Rules say nothing of the status of a run, and replace nothing that another parser
found. "cairn parsers verify" tries them on failures that are on record.`

func newParsersTrust(a *app) *cobra.Command {
	var revoke bool
	cmd := &cobra.Command{
		Use:   "trust [HASH]",
		Short: "show and approve a project's own parsers",
		Long:  parsersTrustLong + exitHelp("shown, approved or revoked", "the files are not right, or have changed since they were shown", "the project has no parsers of its own"),
		Example: `  cairn parsers trust
  cairn parsers trust 3f9a1c0b77de
  cairn parsers trust --revoke`,
		Args: takes(0, 1, "one HASH, or none"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if revoke && len(args) > 0 {
				return usageError{cmd, errors.New("--revoke takes back all that was approved: give no HASH")}
			}
			p, err := place.Find(cmd.Context(), a.dir, a.env)
			if err != nil {
				return err
			}
			if revoke {
				return own.Trust{Dir: p.Dir}.Revoke()
			}
			return a.trust(cmd, p, args)
		},
	}
	cmd.Flags().BoolVar(&revoke, "revoke", false, "take back all that was approved in this clone")
	return cmd
}

// shortHash is how many digits of a hash are shown, and the fewest that approve it.
const shortHash = 12

func (a *app) trust(cmd *cobra.Command, p *place.Place, args []string) error {
	rules, err := ownRules(p)
	if err != nil {
		return err
	}
	trust := own.Trust{Dir: p.Dir}
	if len(args) == 0 {
		a.showOwn(rules, trust.Approved(rules.Hash))
		return nil
	}
	switch hash := strings.ToLower(args[0]); {
	case !filter.Hex(hash, shortHash, len(rules.Hash)):
		return usageError{cmd, fmt.Errorf("%q is no hash: give the %d digits that \"cairn parsers trust\" shows", args[0], shortHash)}
	case !strings.HasPrefix(rules.Hash, hash):
		return fmt.Errorf("approving the project's parsers: they are not those of %s, but %s now; look at them again: cairn parsers trust", hash, rules.Hash[:shortHash])
	}
	if err := trust.Approve(rules.Hash); err != nil {
		return fmt.Errorf("approving the project's parsers: %w", err)
	}
	fmt.Fprintf(a.out, "approved %s: %s\n", rules.Hash[:shortHash], strings.Join(rules.Files, ", "))
	return nil
}

// ownRules are the project's own rules, after a check that they are valid.
func ownRules(p *place.Place) (*own.Rules, error) {
	rules := own.Load(p.Workspace.Root)
	if rules == nil {
		return nil, notFound{fmt.Errorf("this project has no parsers of its own: there is no %s", own.File)}
	}
	if err := rules.Prepare(); err != nil {
		return nil, fmt.Errorf("reading the project's own parsers: %s", result.CleanLine(err.Error()))
	}
	return rules, nil
}

// showOwn prints every byte that an approval covers, without terminal escapes.
func (a *app) showOwn(rules *own.Rules, approved bool) {
	for _, name := range rules.Files {
		fmt.Fprintf(a.out, "== %s\n%s\n", result.CleanLine(name), strings.TrimRight(result.Clean(string(rules.Text(name))), "\n"))
	}
	fmt.Fprintln(a.out)
	for _, r := range rules.Rules {
		fmt.Fprintf(a.out, "%s (%s): %s\n", r.Name, r.From, r.Says())
	}
	if approved {
		fmt.Fprintf(a.out, "\nThis is approved: %s\n", rules.Hash[:shortHash])
		return
	}
	fmt.Fprintf(a.out, "\nThis is not approved. To approve exactly this: cairn parsers trust %s\n", rules.Hash[:shortHash])
}

const parsersVerifyLong = `Try the project's own parsers on runs on record that failed and that they match:
each is parsed with the rule and without it, and nothing that was shown without
may be missing with it. The project's parsers must be approved, since this runs
the executables that they name.`

func newParsersVerify(a *app) *cobra.Command {
	var limit int
	cmd := &cobra.Command{
		Use:     "verify",
		Short:   "try a project's own parsers on failures on record",
		Long:    parsersVerifyLong + exitHelp("nothing is lost (or no recorded failure matches: this is said)", "a rule loses what a run had to say, or they are not approved or not right", "the project has no parsers of its own"),
		Example: "  cairn parsers verify\n  cairn parsers verify --limit 200",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 1 {
				return usageError{cmd, fmt.Errorf("--limit %d: try at least one run", limit)}
			}
			return a.verifyOwn(cmd, limit)
		},
	}
	cmd.Flags().IntVar(&limit, "limit", 50, "try at most `N` runs of each rule, the newest")
	return cmd
}

func (a *app) verifyOwn(cmd *cobra.Command, limit int) error {
	site, err := a.recallSite(cmd)
	if err != nil {
		return err
	}
	defer site.Close()
	rules, err := ownRules(site.Place)
	if err != nil {
		return err
	}
	if !(own.Trust{Dir: site.Dir}).Approved(rules.Hash) {
		return errors.New("the project's own parsers are not approved: look at them first: cairn parsers trust")
	}
	v := &verifier{a: a, cmd: cmd, site: site, limit: limit, tried: map[*own.Rule]int{}}
	for rec, err := range site.Manifest.Records(cmd.Context(), manifest.Query{Newest: true}) {
		if err != nil {
			return fmt.Errorf("reading the record: %w", err)
		}
		if err := v.try(rec, rules.For(rec.Argv, rec.Shell)); err != nil {
			return err
		}
	}
	return v.say(rules)
}

type verifier struct {
	a     *app
	cmd   *cobra.Command
	site  *place.Site
	limit int
	tried map[*own.Rule]int
	lost  int
}

// try compares the answers for one failed run with and without the rule.
func (v *verifier) try(rec *manifest.Record, rule *own.Rule) error {
	if rule == nil || rec.Type != "" || rec.Raw == nil || v.tried[rule] >= v.limit || rec.Exit != nil && *rec.Exit == 0 && rec.Signal == "" {
		return nil
	}
	with, without, err := capture.ParseWith(v.cmd.Context(), v.site, rec, rule)
	if err != nil {
		v.a.warn(fmt.Sprintf("%s: not tried on %s: %v", rule.Name, rec.ID, err))
		return nil
	}
	v.tried[rule]++
	for _, loss := range own.Lost(with, without) {
		v.lost++
		if _, err := fmt.Fprintf(v.a.out, "%s loses, of %s: %s\n", rule.Name, render.Short(rec.ID), result.CleanLine(loss)); err != nil {
			return err
		}
	}
	return nil
}

func (v *verifier) say(rules *own.Rules) error {
	for _, r := range rules.Rules {
		if n := v.tried[r]; n > 0 {
			fmt.Fprintf(v.a.out, "%s: tried on %d recorded failures\n", r.Name, n)
		} else {
			fmt.Fprintf(v.a.out, "%s: no recorded failure matches: nothing is proven\n", r.Name)
		}
	}
	if v.lost > 0 {
		return fmt.Errorf("the project's own parsers lose %d things that recorded failures say", v.lost)
	}
	return nil
}
