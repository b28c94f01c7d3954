package capture

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"cairn/internal/own"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/objects"
	"cairn/parsers"
	"cairn/result"
)

// OwnRule returns the project's own rule for a command. It is nil if there is no rule,
// or if the rule was not approved; then warn, if not nil, is called once.
func OwnRule(p *place.Place, argv []string, line string, warn func(string)) *own.Rule {
	rules := own.Load(p.Workspace.Root)
	if rules == nil {
		return nil
	}
	trust := own.Trust{Dir: p.Dir}
	switch approved := trust.Approved(rules.Hash); {
	case approved && rules.Prepare() == nil:
		return rules.For(argv, line)
	case warn == nil:
	case approved:
		warn(fmt.Sprintf("the project's own parsers are not used: %s", result.CleanLine(rules.Err.Error())))
	case trust.SayOnce(rules.Hash):
		warn(fmt.Sprintf("%s describes parsers of this project; they are not used before you have looked at them: cairn parsers trust", rules.Files[0]))
	}
	return nil
}

// ownParser returns the parser that the project's rules give for this output; nil if
// none exists, or if the rule runs an executable.
func ownParser(p *place.Place, argv []string, line string, warn func(string)) *parsers.Parser {
	if rule := OwnRule(p, argv, line, warn); rule != nil {
		return rule.Parser()
	}
	return nil
}

// toldBefore returns a parser with the answer that an executable of the project gave
// when the run was recorded, since reading a record never runs anything.
func toldBefore(s *place.Site, rec *manifest.Record) *parsers.Parser {
	r, err := rec.Result()
	if err != nil || r == nil || r.Parser == nil || r.Parser.Format != own.Executable {
		return nil
	}
	if whole := wholeOf(s, rec); whole != nil {
		r = whole
	}
	findings := make([]result.Finding, len(r.Findings))
	for i, f := range r.Findings {
		f.Fingerprint, f.Group, f.Occurrence, f.Location = "", "", 0, ""
		findings[i] = f
	}
	return own.Told(r.Parser.Name, r.Kind, findings)
}

// wholeOf returns the whole result, if the record holds only its beginning. It is nil
// if there is no such result, or if it is not in this clone.
func wholeOf(s *place.Site, rec *manifest.Record) *result.ToolResult {
	id, err := objects.ParseID(rec.ResultOID)
	if err != nil {
		return nil
	}
	text, err := s.Objects.ReadAll(id)
	if err != nil {
		return nil
	}
	r := new(result.ToolResult)
	if json.Unmarshal(text, r) != nil {
		return nil
	}
	return r
}

// ownFor finds the project's rule for the command.
func (c *capture) ownFor() {
	if c.site == nil {
		return
	}
	argv, line := c.o.said()
	c.own = OwnRule(c.site.Place, argv, line, c.o.Warn)
}

// askOwn runs the project's executable on the output, if a rule says so, and parses the
// output again with its answer. If it fails, or its answer breaks the rules for
// answers, the result stays as it was.
func (c *capture) askOwn(exit result.Exit) {
	if c.own == nil || !c.own.Asks() {
		return
	}
	argv, line := c.o.said()
	p, err := c.own.Ask(c.ctx, own.Finished{
		Argv: argv, Line: line, Dir: cmp.Or(c.workspace.Dir, c.workspace.Root), Exit: exit, Source: c.sink.source, Env: c.o.Command.Env,
	})
	if err != nil {
		c.o.Warn(fmt.Sprintf("the project's parser %s is not believed: %v", c.own.Name, err))
		return
	}
	in := c.input()
	in.As = p
	c.session = parsers.New(in)
	c.session.Scan()
}

// ParseWith parses the output of a capture twice, with a rule and without it, for "cairn
// parsers verify" to compare.
func ParseWith(ctx context.Context, s *place.Site, rec *manifest.Record, rule *own.Rule) (with, without *result.ToolResult, err error) {
	if without, err = parseAs(s, rec, func(parsers.Source) (*parsers.Parser, error) { return nil, nil }); err != nil {
		return nil, nil, err
	}
	with, err = parseAs(s, rec, func(source parsers.Source) (*parsers.Parser, error) {
		if !rule.Asks() {
			return rule.Parser(), nil
		}
		return rule.Ask(ctx, own.Finished{
			Argv: rec.Argv, Line: rec.Shell, Dir: workspaceOf(s, rec).Dir, Exit: exitOfRecord(rec), Source: source,
		})
	})
	return with, without, err
}
