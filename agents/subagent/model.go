package subagent

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// levels are pi's names for how long a model thinks.
var levels = strings.Fields("off minimal low medium high xhigh max")

func isLevel(s string) bool { return slices.Contains(levels, s) }

// Probe is what the handlers of "model:findModel" returned for a reference.
type Probe struct {
	Model     string            `json:"model,omitempty"` // provider/id; "" if no handler answered
	Thinking  string            `json:"thinking,omitempty"`
	Error     string            `json:"error,omitempty"`
	Roles     map[string]string `json:"roles,omitempty"`
	Available []string          `json:"available,omitempty"`
}

// Model is a model to use. The zero value is pi's default.
type Model struct {
	Name     string // provider/id
	Thinking string
}

// maxListed bounds the ids that an error lists.
const maxListed = 20

// findModel finds the model that ref means: as the handlers say, else among known, which are "provider/id". where says
// who gave the reference.
func findModel(ref, where string, p Probe, known []string) (Model, error) {
	switch {
	case p.Model != "":
		return Model{p.Model, p.Thinking}, nil
	case p.Error != "":
		return Model{}, fmt.Errorf("model %q (%s) was not resolved: %s%s", ref, where, p.Error, available(p.Roles, p.Available))
	case strings.HasPrefix(ref, "@"):
		return Model{}, fmt.Errorf("model %q (%s) is a role, and no extension that knows roles is loaded: "+
			"install pi-agent-dashboard or pi-flows, or name a model as provider/id", ref, where)
	}
	if name := among(known, ref); name != "" {
		return Model{Name: name}, nil
	}
	if at := strings.LastIndexByte(ref, ':'); at > 0 && isLevel(ref[at+1:]) {
		if name := among(known, ref[:at]); name != "" {
			return Model{name, ref[at+1:]}, nil
		}
	}
	return Model{}, fmt.Errorf("model %q (%s) is unknown to pi%s", ref, where, available(nil, known))
}

// among finds "provider/id", else the first model with this id.
func among(known []string, ref string) string {
	if slices.Contains(known, ref) {
		return ref
	}
	for _, name := range known {
		if _, id, _ := strings.Cut(name, "/"); id == ref {
			return name
		}
	}
	return ""
}

// available lists the valid roles and models.
func available(roles map[string]string, models []string) string {
	var b strings.Builder
	if names := slices.Sorted(maps.Keys(roles)); len(names) > 0 {
		fmt.Fprintf(&b, "\nRoles: %s", strings.Join(shortened(names), ", "))
	}
	if len(models) > 0 {
		fmt.Fprintf(&b, "\nModels: %s", strings.Join(shortened(models), ", "))
	}
	return b.String()
}

func shortened(names []string) []string {
	if len(names) <= maxListed {
		return names
	}
	return append(slices.Clone(names[:maxListed]), fmt.Sprintf("and %d more", len(names)-maxListed))
}
