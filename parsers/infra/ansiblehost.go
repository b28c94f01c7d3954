package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// The command "ansible" runs one task and tells the result of each host:
//
//	[ERROR]: Task failed: Module failed: non-zero return code
//	db1 | FAILED | rc=2 >>
//	ls: cannot access 'nothere': No such file or directory
//	db2 | UNREACHABLE! => {
//	    "msg": "Failed to connect to the host via ssh",

// host takes the line that a host's result begins with.
func (r *ansibleRun) host(s *read.Sink, l tool.Line) bool {
	host, rest, ok := strings.Cut(l.Text, " | ")
	if ok = ok && host != "" && !strings.ContainsAny(host, " \t\""); !ok {
		return false
	}
	if lex.HasAnyPrefix(rest, "SUCCESS => ", "CHANGED => ", "SUCCESS | rc=", "CHANGED | rc=", "SKIPPED") {
		r.adHoc = false
		s.Break()
		return false
	}
	if !lex.HasAnyPrefix(rest, "FAILED! => ", "UNREACHABLE! => ", "FAILED | rc=") {
		return false
	}
	f := s.Last()
	switch {
	case f != nil && len(f.Suite) == 0 && f.Severity == result.SevError: // what was reported of the task is of this host
		r.reason = f.Message
		s.More(l)
	case f != nil && r.adHoc && len(f.Suite) == 1 && f.Suite[0] == host: // on two lines
		s.More(l)
	default:
		s.Find(l, result.Finding{Kind: result.GenericFinding})
	}
	if f = s.Last(); f != nil {
		f.Suite, f.Message = []string{host}, host+": "+r.reason
		if why := ansibleMessage(rest); r.reason == "" || strings.HasPrefix(rest, "FAILED | rc=") {
			f.Message = host + ": " + strings.TrimSuffix(strings.TrimSuffix(why, " >>"), " | (stdout) ")
		}
	}
	r.adHoc = true
	return true
}

// ofHost takes a line below it: what the command printed, or a member of the result.
func (r *ansibleRun) ofHost(s *read.Sink, l tool.Line) {
	f := s.Last()
	if s.More(l); f == nil || len(f.Suite) == 0 {
		return
	}
	text, head := strings.TrimSpace(l.Text), f.Suite[0]+": "
	switch {
	case strings.HasPrefix(text, `"msg": "`) && strings.HasSuffix(f.Message, "! => {"):
		f.Message = head + ansibleMessage(text)
	case strings.HasPrefix(f.Message, head+"FAILED | rc=") && !strings.Contains(f.Message, "; "):
		f.Message = strings.TrimSuffix(f.Message+"; "+strings.TrimSuffix(text, "non-zero return code"), "; ")
	}
}
