package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("docker docker-compose podman nerdctl buildah", func() *tool.Parser {
	return &tool.Parser{
		Tool: "docker", Kind: result.Infra, Version: 1, Runner: true,
		Matches:  showsOwn("docker docker-compose podman nerdctl buildah"),
		About:    "docker and docker compose: errors of the client, the engine and a build",
		Programs: []string{"docker", "podman"},
		Exits:    map[int]result.Meaning{125: result.MeansUsage},
		Formats: []tool.Format{{Name: "text", Parse: read.Said{
			Errors:   []string{"ERROR: ", "Error: ", "error: ", "docker: ", "unable to prepare context: "},
			Usage:    []string{"unknown flag: ", "unknown shorthand flag: ", "docker: unknown command"},
			Warnings: []string{"WARNING: ", "WARN: "}, Other: dockerLine,
		}.Parse}},
	}
})

// dockerLine reads what the engine says, a failing step of a build, and
// "service x …" of compose.
func dockerLine(s *read.Sink, l tool.Line) bool {
	text := l.Text
	switch {
	case lex.HasAnyPrefix(text, "Error response from daemon: ", "failed to connect to the docker API", "Cannot connect to the Docker daemon", "permission denied while trying to connect", "service \"", "validating ", "no configuration file provided", "the input device is not a TTY", "no such service: ", "yaml: ", "Service '", "Unsupported config option for "),
		strings.HasPrefix(text, "services.") && strings.Contains(text, " contains "), strings.HasPrefix(text, ".FileNotFoundError: "), strings.HasPrefix(text, "Couldn't connect to Docker daemon"):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: strings.TrimPrefix(text, "Error response from daemon: ")})
		return true
	}
	step, what, ok := strings.Cut(text, " ERROR: ")
	if !ok || !strings.HasPrefix(step, "#") {
		return false
	}
	s.Find(l, result.Finding{Kind: result.BuildError, ID: step, Message: what})
	return true
}
