package main

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/spf13/pflag"

	"cairn/agents"
	"cairn/agents/rpc"
)

// TestFiltersAlike: what filters the list on the command line does so for agents, through
// the tool recall and through rpc.
func TestFiltersAlike(t *testing.T) {
	var tool, all struct {
		Properties map[string]json.RawMessage            `json:"properties"`
		Defs       map[string]map[string]json.RawMessage `json:"$defs"`
	}
	if err := json.Unmarshal(agents.QuestionSchema(), &tool); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(rpc.Schema, &all); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(all.Defs["recall.params"]["properties"], &all.Properties); err != nil {
		t.Fatal(err)
	}
	forPeople := []string{"format", "color", "ids"}
	newRecallObjects(&app{}).Flags().VisitAll(func(f *pflag.Flag) {
		if slices.Contains(forPeople, f.Name) {
			return
		}
		if tool.Properties[f.Name] == nil {
			t.Errorf("recall objects --%s: agents.Filters lacks it", f.Name)
		}
	})
	for name := range tool.Properties {
		if all.Properties[name] == nil {
			t.Errorf("%s: agents/rpc/schema.json lacks it in recall.params", name)
		}
	}
}
