package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("kubeconform | kubeval", func(p *tool.Parser) {
	p.Is("kubeconform", result.Lint, 1, "kubeconform 0.4 to 0.7 and kubeval: text, pretty, tap, json and junit")
	p.JUnit = &tool.Dialect{Own: true, Suites: []string{"kubeconform"}}
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Clean: true, Items: read.Items(kubeconformResource, "/resources/*")}.Parse})
	p.Reads(tool.Format{Name: "junit", Parse: read.Fresh(func(k *kubeconformXML) read.Text { return read.Text{Line: k.line} })})
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: kubeconformLine}.Parse})
})

// kubeconformResource reads a resource of the JSON format. With -verbose, valid resources are listed too.
func kubeconformResource(s *read.Sink, v *struct{ Filename, Kind, Name, Version, Status, Msg string }) {
	if v.Status == "statusInvalid" || v.Status == "statusError" {
		s.FindHere(result.Finding{ID: kubeconformNamed(v.Kind, v.Name), Message: v.Msg, At: &result.Location{Path: v.Filename}})
	}
}

// kubeconformLine reads the formats text (two forms), pretty and tap:
//
//	deploy.yaml - Deployment teller is invalid: text
//	deploy.yaml - Service x failed validation: text
//	✖ deploy.yaml: Deployment teller is invalid: text
//	not ok 2 - deploy.yaml (apps/v1/Deployment//teller): text
func kubeconformLine(s *read.Sink, l tool.Line) bool {
	if strings.HasPrefix(l.Text, "Summary: ") {
		counts := read.CountsBehind(strings.ReplaceAll(strings.ReplaceAll(l.Text, " - ", ", "), " resources found", ""))
		s.Claim(counts["invalid"] + counts["errors"])
		return s.Close(l)
	}
	if row, tap := strings.CutPrefix(l.Text, "not ok "); tap {
		_, row, _ = strings.Cut(row, " - ")
		path, message, ok := strings.Cut(row, ": ")
		path, resource, _ := strings.Cut(path, " (")
		parts := strings.Split("//"+strings.TrimSuffix(resource, ")"), "/")
		return ok && s.Find(l, result.Finding{ID: kubeconformNamed(parts[len(parts)-3], parts[len(parts)-1]), Message: message, At: &result.Location{Path: path}})
	}
	path, rest, ok := strings.Cut(l.Text, " - ")
	if row, pretty := strings.CutPrefix(l.Text, "✖ "); pretty {
		path, rest, ok = strings.Cut(row, ": ")
	}
	for _, how := range [...]string{" is invalid: ", " failed validation: ", "failed validation: "} {
		if resource, message, has := strings.Cut(rest, how); ok && has {
			return s.Find(l, result.Finding{ID: resource, Message: strings.TrimLeft(message, " "), At: &result.Location{Path: path}})
		}
	}
	return false
}

// kubeconformNamed returns the text format's name for a resource, "Deployment teller", or "" if it has no name.
func kubeconformNamed(kind, name string) string {
	if name == "" {
		return ""
	}
	return kind + " " + name
}

// kubeconformXML reads -output junit, which has one tag on each line and a suite for each file:
//
//	<testsuite name="deploy.yaml" …>
//	  <testcase name="teller" classname="Deployment@apps/v1" …>
//	    <failure message="text" type="">
type kubeconformXML struct {
	path, named string
	from        tool.Line // the line of the test case
}

func (k *kubeconformXML) line(s *read.Sink, l tool.Line) bool {
	switch text := strings.TrimSpace(l.Text); {
	case strings.HasPrefix(text, `<testsuites name="kubeconform" `):
		return s.Sign(l)
	case strings.HasPrefix(text, "<testsuite "):
		k.path = xmltext.Attribute(text, "name")
	case strings.HasPrefix(text, "<testcase "):
		kind, _, _ := strings.Cut(xmltext.Attribute(text, "classname"), "@")
		name := xmltext.Attribute(text, "name") // "namespace/name"
		k.from, k.named = l, kubeconformNamed(kind, name[strings.LastIndexByte(name, '/')+1:])
	case strings.HasPrefix(text, "<failure "), strings.HasPrefix(text, "<error "):
		return k.path != "" && s.Find(k.from, result.Finding{ID: k.named, Message: xmltext.Attribute(text, "message"), At: &result.Location{Path: k.path}}) && s.More(l)
	case text == "</testsuites>" && k.path != "":
		return s.Close(l)
	}
	return false
}
