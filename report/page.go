package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"strings"

	"cairn/result"
)

//go:embed page.html
var pageTemplate string

// Page writes the history as one self-contained page with styles, script and data. nonce is the one that allows its
// scripts to run; "" is for a file, which has a policy of its own for them.
//
// Text of tools is in the page as JSON, in which no character can end its element, and the script makes text nodes of
// it; plots are made here of numbers, with escaped titles.
func (h *History) Page(w io.Writer, nonce string) error {
	data, err := json.Marshal(h)
	if err != nil {
		return err
	}
	policy := ""
	if nonce == "" {
		sum := sha256.Sum256(data)
		nonce = hex.EncodeToString(sum[:16])
		policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'nonce-` + nonce + `'; base-uri 'none'; form-action 'none'">`
	}
	_, err = strings.NewReplacer("<!--POLICY-->", policy, "NONCE", nonce, "<!--TRENDS-->", h.plots(), `"DATA"`, string(data)).WriteString(w, pageTemplate)
	return err
}

// Sizes of a plot, in its own units: it is drawn as wide as there is room.
const (
	plotWidth  = 640
	plotHeight = 72
	ruleHeight = 18
	mostTrends = 40 // commands that are plotted: the most recently run ones
)

// plots are the trends of each command. Each state has a shape of its own, besides a colour.
func (h *History) plots() string {
	var b strings.Builder
	for _, t := range h.trends[:min(len(h.trends), mostTrends)] {
		name := html.EscapeString(t.command)
		fmt.Fprintf(&b, "<section class=plot><h2><code>%s</code></h2>\n<p>%d of %s passed; took %s as a rule, %s at most</p>\n", name, t.passed, result.Count(t.runs, "run"), span(t.median), span(t.worst))
		line, _ := path(t.durations, plotWidth, plotHeight)
		fmt.Fprintf(&b, `<svg viewBox="-6 -6 %d %d" role="img" aria-label="durations of %s, oldest first"><path class=line d="%s"/>`, plotWidth+12, plotHeight+12, name, line)
		for i, m := range t.marks {
			x, y := coordinate(i, len(t.marks), plotWidth), plotHeight-int(t.durations[i]*plotHeight/max(t.worst, 1))
			if m.failed {
				fmt.Fprintf(&b, `<path class=bad d="M%s %dm-4 -4l8 8m0 -8l-8 8"/>`, x, y)
			} else {
				fmt.Fprintf(&b, `<circle class=good cx="%s" cy="%d" r="2.5"/>`, x, y)
			}
		}
		b.WriteString("</svg>\n")
		for _, r := range t.rules {
			line, most := path(r.counts, plotWidth, ruleHeight)
			rule := html.EscapeString(r.rule)
			fmt.Fprintf(&b, `<div class=rule><code>%s</code> <span>%d at most, %d now</span><svg viewBox="0 -2 %d %d" role="img" aria-label="findings of %s, oldest first"><path class=line d="%s"/></svg></div>`+"\n",
				rule, most, r.counts[len(r.counts)-1], plotWidth, ruleHeight+4, rule, line)
		}
		b.WriteString("</section>\n")
	}
	return b.String()
}
