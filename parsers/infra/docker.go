package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("docker podman | docker-compose nerdctl buildah", func(p *tool.Parser) {
	p.Is("docker", result.Infra, 2, "docker and docker compose: errors of the client, the engine and a build")
	p.Runner = true
	p.Matches = showsOwn("docker docker-compose podman nerdctl buildah")
	p.Exits = map[int]result.Meaning{125: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Said{
		Errors:   []string{"ERROR: ", "Error: ", "error: ", "docker: ", "unable to prepare context: "},
		Usage:    []string{"unknown flag: ", "unknown shorthand flag: ", "docker: unknown command", "unknown docker command: "},
		Warnings: []string{"WARNING: ", "WARN: "}, Other: dockerLine,
	}.Parse})
})

// dockerLine reads errors of the engine, a failed step of a build, and compose's "service x …".
func dockerLine(s *read.Sink, l tool.Line) bool {
	text := l.Text
	switch {
	case lex.HasAnyPrefix(text, "Error response from daemon: ", "failed to connect to the docker API", "Cannot connect to the Docker daemon", "permission denied while trying to connect", "service \"", "no configuration file provided", "the input device is not a TTY", "no such service: ", "yaml: ", "Service '", "Unsupported config option for "),
		strings.HasPrefix(text, "services.") && strings.Contains(text, " contains "), strings.HasPrefix(text, ".FileNotFoundError: "), strings.HasPrefix(text, "Couldn't connect to Docker daemon"):
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: strings.TrimPrefix(text, "Error response from daemon: ")})
	}
	if composeLine(s, l) {
		return true
	}
	step, what, ok := strings.Cut(text, " ERROR: ")
	return ok && strings.HasPrefix(step, "#") && s.Find(l, result.Finding{Kind: result.BuildError, ID: step, Message: what})
}

// composeLine reads compose's errors about a file, and the further line of an error in YAML:
//
//	validating /home/dev/compose.yml: services.web.ports must be a array
//	failed to parse /home/dev/compose.yml: yaml: unmarshal errors:
//	  line 1: line 4: mapping key "image" already defined at line 3
func composeLine(s *read.Sink, l tool.Line) bool {
	f := result.Finding{Kind: result.GenericFinding, Message: l.Text}
	for _, doing := range [...]string{"validating ", "failed to parse "} {
		rest, ok := strings.CutPrefix(l.Text, doing)
		if path, why, told := strings.Cut(rest, ": "); ok && told && !strings.Contains(path, " ") {
			f.At, f.Message = &result.Location{Path: path}, why
		}
	}
	last, below := s.Last(), strings.HasPrefix(l.Text, "  line ")
	cannot := lex.HasAnyPrefix(l.Text, "env file ", "unable to get image '", "invalid containerPort: ", "invalid hostPort: ", "error while interpolating ", "validating ")
	missing := strings.HasPrefix(l.Text, "open ") && strings.HasSuffix(l.Text, ": no such file or directory") && l.Stream == tool.Stderr
	switch {
	case below && last != nil && strings.HasSuffix(last.Message, "unmarshal errors:"):
		s.More(l)
		last.Message, last.Detail = last.Message+" "+strings.TrimSpace(l.Text), ""
		return true
	case f.At != nil || cannot || missing:
		return s.Find(l, f)
	}
	return false
}
