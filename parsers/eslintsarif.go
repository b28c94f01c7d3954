package parsers

import (
	"encoding/json"
	"strings"

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

func parseESLintSARIF(in *Input) *Report {
	x := &eslintSARIF{run: newESLintRun(in), urls: map[string]string{}}
	w := jsonWalker{want: map[string]bool{}, take: x.take}
	for _, path := range []string{sarifResult, sarifName, sarifVersion, sarifRule, sarifNotice} {
		w.want[path] = true
	}
	for l := range in.LinesOf(Stdout) {
		if w.line(l) {
			x.run.own(l)
		}
	}
	for l := range in.LinesOf(Stderr) {
		x.run.aside(l)
	}
	if !x.named {
		return nil
	}
	x.run.rep.Version, x.run.sure = x.version, true
	if x.broken {
		x.run.rep.Doubt = "a result of the SARIF log could not be read"
	}
	return x.run.finish(w.whole())
}

func (x *eslintSARIF) take(item jsonItem) {
	switch item.path {
	case sarifName:
		x.named = item.text == eslintName
	case sarifVersion:
		x.version = strings.Trim(item.text, `"`)
	case sarifRule:
		var rule struct{ ID, HelpURI string }
		if json.Unmarshal([]byte(item.text), &rule) == nil {
			x.urls[rule.ID] = rule.HelpURI
		}
	default:
		x.problem(item)
	}
}

func (x *eslintSARIF) problem(item jsonItem) {
	if len(x.run.rep.Findings) >= MaxFindings && !strings.Contains(item.text, `"suppressions"`) {
		x.run.rep.Dropped++
		return
	}
	r, ok := readSARIF(item.text)
	if !ok {
		x.broken = true
		return
	}
	var silenced struct{ Suppressions []json.RawMessage } // by a comment in the source
	if json.Unmarshal([]byte(item.text), &silenced) == nil && len(silenced.Suppressions) > 0 {
		return
	}
	rule := ""
	if r.RuleID != nil {
		rule = *r.RuleID
	}
	f := eslintProblem(rule, r.Message.Text, r.severity() == result.SevError, r.Locations[0].at(), Line{Start: item.start, End: item.end})
	f.RuleURL = x.urls[rule]
	x.run.rep.Add(f)
}
