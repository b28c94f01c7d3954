package infra

import (
	"cmp"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("ansible-playbook | ansible", func(p *tool.Parser) {
	p.Is("ansible-playbook", result.Infra, 4, "ansible-playbook and ansible, core 2.x, default callback")
	p.Exits = map[int]result.Meaning{1: result.MeansUsage, 4: result.MeansFindings, 5: result.MeansUsage, 99: result.MeansInterrupted, 250: result.MeansInternal}
	p.Reads(tool.Format{Name: "text", Starts: []string{"PLAY [", "PLAY RECAP ***"}, Parse: ansibleText})
	p.Reads(tool.Format{Name: "errors", Parse: ansibleText})
})

var ansibleText = read.Fresh(func(r *ansibleRun) read.Text { return read.Text{Line: r.line, End: ansibleOnce} })

// ansibleRun reads the tasks of a playbook and the results of their hosts.
type ansibleRun struct {
	task   string
	path   string // the task's place, which -vv prints
	first  int    // the index of the task's first finding
	adHoc  bool   // a host's result without a TASK line above is being read
	result bool   // the host's last result was complete: the next result of this host belongs to another task
	reason string // the error that [ERROR] printed before the first host's result
	traces bool   // the traceback that -vvv prints above a failure is being read
	shows  bool   // a result that -v prints, one member on each line, is being read
	yaml   bool   // a result of a failed host, printed as YAML, is being read: ANSIBLE_CALLBACK_RESULT_FORMAT=yaml, and the callback yaml
}

func (r *ansibleRun) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimPrefix(l.Text, "< ") // of cowsay, if it is installed
	if r.traces = text == "The full traceback is:" || r.traces && !lex.HasAnyPrefix(text, "fatal: [", "failed: [", "TASK [", "PLAY "); r.traces {
		s.Cover(l)
		return s.Break()
	}
	if r.yaml = r.yaml && (text == "" || strings.HasPrefix(text, "  ")); r.yaml {
		return text == "" || strings.HasPrefix(text, "  unreachable: ") || s.More(l) // the line of the host says it as well
	}
	switch {
	case r.shows:
		s.More(l)
		if f := s.Last(); f != nil && text == "}" {
			f.Message = ansibleMessage(f.Detail)
		}
		r.shows = text != "}"
	case strings.HasPrefix(text, "TASK ["), strings.HasPrefix(text, "RUNNING HANDLER ["):
		name, _, _ := strings.Cut(text[strings.IndexByte(text, '[')+1:], "]")
		r.task, r.path, r.first = name, "", len(s.Findings)
		s.Sign(l)
		s.Break()
	case strings.HasPrefix(text, "PLAY RECAP "):
		s.Close(l)
	case strings.HasPrefix(text, "fatal: ["), strings.HasPrefix(text, "failed: ["):
		host, what, _ := strings.Cut(text[strings.IndexByte(text, '[')+1:], "]")
		item, why, _ := strings.Cut(what, "=> ")
		f := result.Finding{Kind: result.GenericFinding, Severity: result.SevFailure, ID: r.task, Suite: []string{host}, Detail: why}
		r.yaml = why == "" || strings.HasPrefix(why, "changed=")
		if item = strings.TrimSpace(item); strings.HasPrefix(item, "(item=") && strings.HasSuffix(item, ")") {
			f.Params = strings.TrimSuffix(strings.TrimPrefix(item, "(item="), ")")
		}
		if f.At = read.PlaceOf(r.path); !r.yaml {
			f.Message = ansibleMessage(why)
		}
		s.Find(l, f)
		r.shows = why == "{"
		if strings.Contains(text, "UNREACHABLE!") {
			s.Last().Rule = "unreachable"
		}
	case s.Signed && strings.HasPrefix(text, "task path: "):
		r.path = strings.TrimPrefix(text, "task path: ")
		s.Cover(l)
	case r.host(s, l): // the command "ansible", which runs one task
	case strings.HasPrefix(text, "[ERROR]: "), strings.HasPrefix(text, "ERROR! "):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: strings.TrimPrefix(strings.TrimPrefix(text, "[ERROR]: "), "ERROR! ")})
	case strings.HasPrefix(text, "[WARNING]: "):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Severity: result.SevWarning, Message: strings.TrimPrefix(text, "[WARNING]: ")})
	case strings.HasPrefix(text, "Origin: ") && s.Last() != nil:
		if f := s.Last(); f.At == nil { // the cause of an error has an Origin, too
			f.At = read.PlaceOf(strings.TrimPrefix(text, "Origin: "))
		}
		s.More(l)
	case strings.Contains(text, ": ok=") && strings.Contains(text, "unreachable="):
		for _, word := range strings.Fields(text) {
			if key, n, ok := strings.Cut(word, "="); ok && key != "ok" && lex.IsDigits(n) && n != "0" {
				s.Count(key, lex.Atoi(n))
			}
		}
		s.Cover(l)
	case r.adHoc && s.Open():
		r.ofHost(s, l)
	case s.Open() && quotesTask(strings.TrimSpace(text)):
		s.More(l)
	case text == "...ignoring":
		for i := r.first; i < len(s.Findings); i++ {
			if f := &s.Findings[i]; f.Severity != result.SevWarning {
				f.Severity, f.Tags = result.SevWarning, append(f.Tags, "ignored")
			}
		}
		return true
	case s.Signed && !s.Closed() && lex.HasAnyPrefix(text, "ok: [", "changed: [", "skipping: ["):
		s.Break()
		s.Cover(l)
		r.shows = strings.HasSuffix(text, " => {")
	default:
		_, does, of := strings.Cut(text, "> ")
		return s.Signed && of && text[0] == '<' && lex.HasAnyPrefix(does, "EXEC ", "PUT ", "ESTABLISH ")
	}
	return true
}

// quotesTask reports whether a line below Origin is one of the lines that are shown there, or joins an error to its cause.
func quotesTask(text string) bool {
	number, _, _ := strings.Cut(text, " ")
	return lex.IsDigits(number) || strings.HasPrefix(text, "^ column ") || text == "<<< caused by >>>"
}

// ansibleOnce removes each "[ERROR]: Task failed", which ansible-core prints since 2.19 beside the results of the
// hosts, and gives its place to the findings of the hosts.
func ansibleOnce(s *read.Sink) {
	told, i := make([]bool, len(s.Findings)), -1
	for n := range s.Findings {
		f := &s.Findings[n]
		if f.Message == "" && f.ID != "" {
			f.Message = ansibleMessage(f.Detail)
		}
		if f.Params != "" {
			f.Message += " (item " + f.Params + ")"
		}
	}
	for n, e := range s.Findings {
		task := ""
		for m := range s.Findings {
			f := &s.Findings[m]
			if e.ID != "" || f.ID == "" || !strings.HasPrefix(e.Message, "Task failed") || task != f.ID && (task != "" || f.At != nil) {
				continue
			}
			if msg := ansibleMember(f.Detail, "msg"); msg != "" && (strings.HasSuffix(e.Message, msg) || strings.HasPrefix(msg, e.Message)) { // an error may go on in the lines below
				told[n], task, f.At = true, f.ID, cmp.Or(f.At, e.At)
			}
		}
	}
	s.Findings = slices.DeleteFunc(s.Findings, func(result.Finding) bool { i++; return told[i] })
	for i := range s.Findings {
		if f := &s.Findings[i]; f.ID != "" && len(f.Suite) > 0 && f.Suite[0] != "localhost" {
			f.Message = f.Suite[0] + ": " + f.Message
		}
	}
}

// ansibleMessage returns the member "msg" of a task's result. For a failed command, "msg" is only "non-zero return
// code" or the like, and the command's output is appended.
func ansibleMessage(why string) string {
	for _, key := range [...]string{"msg", "stderr", "reason"} {
		message := ansibleMember(why, key)
		if message == "non-zero return code" || lex.HasAnyPrefix(message, "MODULE FAILURE", "Module result deserialization failed") {
			if said := cmp.Or(ansibleMember(why, "stderr"), ansibleMember(why, "stdout"), ansibleMember(why, "module_stderr")); said != "" {
				message += ": " + lex.Clip(said)
			}
		}
		if message != "" {
			return message
		}
	}
	return why
}

// ansibleMember returns a text member of a result on one line, or "".
func ansibleMember(why, key string) string {
	_, rest, ok := strings.Cut(why, `"`+key+`": "`)
	if !ok {
		return yamlMember(why, key)
	}
	for i := 0; i < len(rest); i++ {
		if rest[i] == '\\' {
			i++
		} else if rest[i] == '"' {
			return strings.TrimSpace(strings.NewReplacer(`\n`, " ", `\"`, `"`).Replace(rest[:i]))
		}
	}
	return ""
}

// yamlMember returns a member of a result that is printed as YAML, or "".
func yamlMember(why, key string) (value string) {
	depth := -1
	for line := range strings.Lines(why) {
		bare := strings.TrimSpace(line)
		if rest, is := strings.CutPrefix(bare, key+": "); depth < 0 && is {
			depth, value = lex.LeadingBlanks(line), strings.TrimLeft(rest, "|>-")
		} else if depth >= 0 && bare != "" && lex.LeadingBlanks(line) <= depth {
			break
		} else if depth >= 0 {
			value = strings.TrimSpace(value + " " + bare)
		}
	}
	if inner, ok := strings.CutPrefix(value, "'"); ok {
		return strings.ReplaceAll(strings.TrimSuffix(inner, "'"), "''", "'")
	}
	return value
}

// The command "ansible" runs one task and prints the result of each host:
//
//	[ERROR]: Task failed: Module failed: non-zero return code
//	db1 | FAILED | rc=2 >>
//	ls: cannot access 'nothere': No such file or directory
//	db2 | UNREACHABLE! => {
//	    "msg": "Failed to connect to the host via ssh",

// host reads the first line of a host's result, and reports whether it is the line of a failed host.
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
	case f != nil && len(f.Suite) == 0 && f.Severity == result.SevError: // the [ERROR] above is this host's
		r.reason = f.Message
		s.More(l)
	case f != nil && r.adHoc && !r.result && len(f.Suite) == 1 && f.Suite[0] == host: // the result takes two lines
		s.More(l)
	default:
		if f != nil && r.result && len(f.Suite) == 1 && f.Suite[0] == host {
			r.reason = ""
		}
		s.Find(l, result.Finding{Kind: result.GenericFinding})
	}
	r.result = strings.HasSuffix(rest, "! => {")
	if f = s.Last(); f != nil {
		f.Suite, f.Message = []string{host}, host+": "+r.reason
		if why := ansibleMessage(rest); r.reason == "" || strings.HasPrefix(rest, "FAILED | rc=") {
			f.Message = host + ": " + strings.TrimSuffix(strings.TrimSuffix(why, " >>"), " | (stdout) ")
		}
	}
	r.adHoc = true
	return true
}

// ofHost reads a line below that first line: the command's output, or a member of the result.
func (r *ansibleRun) ofHost(s *read.Sink, l tool.Line) {
	f := s.Last()
	if s.More(l); f == nil || len(f.Suite) == 0 {
		return
	}
	text, head := strings.TrimSpace(l.Text), f.Suite[0]+": "
	switch {
	case strings.HasPrefix(text, `"msg": "`) && strings.HasSuffix(f.Message, "! => {"):
		f.Message = head + ansibleMessage(text)
	case strings.HasPrefix(text, `"msg": "`) && strings.HasSuffix(f.Message, " items failed"): // the first failed item's message
		f.Message += ": " + ansibleMessage(text)
	case strings.HasPrefix(f.Message, head+"FAILED | rc=") && !strings.Contains(f.Message, "; "):
		f.Message = strings.TrimSuffix(f.Message+"; "+strings.TrimSuffix(text, "non-zero return code"), "; ")
	}
}
