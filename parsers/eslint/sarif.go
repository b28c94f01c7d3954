package eslint

import (
	"encoding/json"
	"strings"

	"cairn/parsers/read/sarif"
	"cairn/parsers/text/jsontext"
	"cairn/parsers/tool"
	"cairn/result"
)

// eslintSARIF reads what the sarif formatter writes: problems with a rule are
// results, those without, such as files that do not parse, notifications about
// the configuration.
type eslintSARIF struct {
	run     *eslintRun
	urls    map[string]string // of the rules
	version string
	named   bool // the log says that it is eslint's
	broken  bool // a result could not be read
}

const (
	sarifRule   = "/runs/*/tool/driver/rules/*"
	sarifNotice = "/runs/*/invocations/*/toolConfigurationNotifications/*"
	eslintName  = `"ESLint"`
)

func parseESLintSARIF(in *tool.Input) *tool.Report {
	x := &eslintSARIF{run: newESLintRun(in), urls: map[string]string{}}
	w := jsontext.Walker{Want: map[string]bool{}, Take: x.take}
	for _, path := range []string{sarif.Result, sarif.Name, sarif.Version, sarifRule, sarifNotice} {
		w.Want[path] = true
	}
	for l := range in.LinesOf(tool.Stdout) {
		if w.Line(l) {
			x.run.own(l)
		}
	}
	for l := range in.LinesOf(tool.Stderr) {
		x.run.aside(l)
	}
	if !x.named {
		return nil
	}
	x.run.rep.Version, x.run.sure = x.version, true
	if x.broken {
		x.run.rep.Doubt = "a result of the SARIF log could not be read"
	}
	return x.run.finish(w.Whole())
}

func (x *eslintSARIF) take(item jsontext.Item) {
	switch item.Path {
	case sarif.Name:
		x.named = item.Text == eslintName
	case sarif.Version:
		x.version = strings.Trim(item.Text, `"`)
	case sarifRule:
		var rule struct{ ID, HelpURI string }
		if json.Unmarshal([]byte(item.Text), &rule) == nil {
			x.urls[rule.ID] = rule.HelpURI
		}
	default:
		x.problem(item)
	}
}

func (x *eslintSARIF) problem(item jsontext.Item) {
	r, ok := sarif.Read(item.Text)
	if !ok {
		x.broken = true
		return
	}
	var silenced struct{ Suppressions []json.RawMessage } // by a comment in the source
	if json.Unmarshal([]byte(item.Text), &silenced) == nil && len(silenced.Suppressions) > 0 {
		return
	}
	rule := ""
	if r.RuleID != nil {
		rule = *r.RuleID
	}
	f := eslintProblem(rule, r.Message.Text, r.Severity() == result.SevError, r.Locations[0].At(), tool.Line{Start: item.Start, End: item.End})
	f.RuleURL = x.urls[rule]
	x.run.rep.Add(f)
}
