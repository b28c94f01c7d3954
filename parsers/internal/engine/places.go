package engine

import (
	"path"
	"strings"

	"cairn/parsers/internal/reports"
)

// xmlOfPytest stands before the name of the report that pytest wrote, which its
// configuration may have asked for.
const xmlOfPytest = "- generated xml file: "

// PlacesSeen says where reports may be, judged by what was printed, where the
// command line did not say. Call it after Scan.
func (s *Session) PlacesSeen() (all []reports.Place) {
	groups := map[string]bool{}
	for _, m := range s.claims {
		switch {
		case m.report == nil:
		case m.parser.Tool == "pytest":
			groups["common"] = true
		case m.parser.Family == "cargo":
			groups["nextest"] = true
		}
	}
	for _, l := range s.reducer.all() {
		switch {
		case strings.HasPrefix(l.text, "[INFO] Scanning for projects"), strings.Contains(l.text, "[INFO]  T E S T S"):
			groups["maven"] = true
		case strings.HasPrefix(l.text, "> Task :"):
			groups["gradle"] = true
		case strings.HasPrefix(l.text, "Test Suites: "), strings.HasPrefix(l.text, " Test Files  "):
			groups["common"] = true
		case strings.Contains(l.text, xmlOfPytest):
			_, name, _ := strings.Cut(l.text, xmlOfPytest)
			name = strings.TrimRight(name, " -")
			all = append(all, reports.Place{Dir: path.Dir(name), Pattern: path.Base(name)})
		}
	}
	for _, name := range []string{"maven", "gradle", "nextest", "common"} {
		if groups[name] {
			all = append(all, reports.PlacesByTool[name]...)
		}
	}
	for _, dir := range s.dirs.all() {
		for _, p := range reports.PlacesByTool["common"] {
			p.Dir = dir
			all = append(all, p)
		}
	}
	return all
}
