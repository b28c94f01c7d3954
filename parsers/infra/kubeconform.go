package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("kubeconform kubeval", func() *tool.Parser {
	return &tool.Parser{
		Tool: "kubeconform", Kind: result.Lint, Version: 1,
		About:    "kubeconform 0.4 to 0.7 and kubeval: text and json; -output junit is JUnit XML",
		Programs: []string{"kubeconform"},
		Formats: []tool.Format{
			{Name: "json", Parse: read.JSON{Clean: true, Items: read.Items(kubeconformResource, "/resources/*")}.Parse},
			{Name: "text", Parse: read.Text{Line: kubeconformLine}.Parse},
		},
	}
})

// kubeconformResource is a resource of the JSON format; those that are valid are
// told with -verbose.
func kubeconformResource(s *read.Sink, v *struct{ Filename, Kind, Name, Version, Status, Msg string }) {
	if v.Status == "statusInvalid" || v.Status == "statusError" {
		s.FindHere(result.Finding{ID: strings.TrimSpace(v.Kind + " " + v.Name), Message: v.Msg, At: &result.Location{Path: v.Filename}})
	}
}

// kubeconformLine reads "deploy.yaml - Deployment teller is invalid: text" and
// "deploy.yaml - Service x failed validation: text".
func kubeconformLine(s *read.Sink, l tool.Line) bool {
	if strings.HasPrefix(l.Text, "Summary: ") {
		counts := read.CountsBehind(strings.ReplaceAll(strings.ReplaceAll(l.Text, " - ", ", "), " resources found", ""))
		s.Claim(counts["invalid"] + counts["errors"])
		return s.Close(l)
	}
	path, rest, ok := strings.Cut(l.Text, " - ")
	for _, how := range [...]string{" is invalid: ", " failed validation: ", "failed validation: "} {
		if resource, message, has := strings.Cut(rest, how); ok && has {
			return s.Find(l, result.Finding{ID: resource, Message: message, At: &result.Location{Path: path}})
		}
	}
	return false
}
