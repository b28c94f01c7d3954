package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// ssh exits with 255 if ssh itself failed, and otherwise with the remote command's exit code.
var _ = Room.Add("ssh", func(p *tool.Parser) {
	p.Is("ssh", result.Generic, 1, "ssh of OpenSSH: connections that fail, its options and files")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Text{Line: sshLine}.Parse)})
})

// sshLine reads ssh's own errors, and leaves the remote command's output to other readers:
//
//	ssh: connect to host db port 22: Connection refused
//	dev@db: Permission denied (publickey).
//	/home/dev/.ssh/config: line 3: Bad configuration option: hots
func sshLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimRight(l.Text, "\r ")
	from, what, _ := strings.Cut(text, ": ")
	f := result.Finding{Kind: result.GenericFinding, Message: text}
	n, bad, inFile := strings.Cut(strings.TrimPrefix(what, "line "), ": ")
	switch {
	case from == "ssh" && what != "":
		f.Message = what
	case lex.HasAnyPrefix(text, "Host key verification failed", "Can't open user config file ", "kex_exchange_identification: ", "Bad port '", "unknown option -- ", "Connection closed by ", "Connection reset by "):
	case strings.HasPrefix(what, "Permission denied (") && strings.HasSuffix(text, ")."):
	case inFile && strings.HasPrefix(bad, "Bad configuration option: ") && lex.IsDigits(n) && len(n) < 8:
		if s.Meaning, f.Message = result.MeansUsage, bad; from != "command-line" {
			f.At = &result.Location{Path: from, Line: lex.Atoi(n)}
		}
	default:
		return false
	}
	return s.Find(l, f)
}
