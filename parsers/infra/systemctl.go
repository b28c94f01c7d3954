package infra

import (
	"regexp"
	"sync"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("systemctl", func(p *tool.Parser) {
	p.Is("systemctl", result.Infra, 1, "systemctl of systemd 245 to 257: units that are not there or do not start, no systemd")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Said{
		Whole: []string{
			"Failed to ", "System has not been booted with systemd", "Job for ", "A dependency job for ", "Interactive authentication required",
		},
		Usage: []string{"Unknown command verb ", "Unknown operation ", "systemctl: unrecognized option ", "systemctl: invalid option ", "Too few arguments", "Too many arguments"},
		Notes: []string{"See "}, Other: func(s *read.Sink, l tool.Line) bool { // "Unit nope.service not found."
			return missingUnit().MatchString(l.Text) && s.Find(l, result.Finding{Kind: result.GenericFinding, Message: l.Text})
		},
	}.Parse)})
})

var missingUnit = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^Unit \S+ (not found|could not be found|not loaded|is masked|has a bad unit file setting)\.$`)
})
