package main

import (
	"encoding/json"
	"testing"

	"github.com/spf13/cobra"

	"cairn/agents"
	"cairn/agents/rpc"
	"cairn/recall/filter"
)

// TestFiltersAlike: every question has every filter as a flag, through the tool recall and
// through rpc, as package filter declares them.
func TestFiltersAlike(t *testing.T) {
	var tool, all struct {
		Properties map[string]json.RawMessage            `json:"properties"`
		Defs       map[string]map[string]json.RawMessage `json:"$defs"`
	}
	if err := json.Unmarshal(agents.QuestionSchema(), &tool); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(rpc.Schema(), &all); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(all.Defs["recall.params"]["properties"], &all.Properties); err != nil {
		t.Fatal(err)
	}
	a := &app{}
	for _, cmd := range []*cobra.Command{newRecallObjects(a), newRecallSearch(a), newRecallFlaky(a), newRecallStats(a), newRecallDiff(a), newRecallFinding(a), newRecallBlame(a)} {
		for _, of := range filter.All() {
			flag := cmd.Flags().Lookup(of.Name)
			if flag == nil {
				t.Errorf("recall %s lacks --%s", cmd.Name(), of.Name)
			} else if why := filter.Useless(cmd.Name(), of.Name); flag.Hidden != (why != "") {
				t.Errorf("recall %s --%s: hidden %v, useless because it %q", cmd.Name(), of.Name, flag.Hidden, why)
			}
		}
	}
	for _, of := range filter.All() {
		if tool.Properties[of.Name] == nil || all.Properties[of.Name] == nil {
			t.Errorf("%s: the tool recall or the method of that name lacks it", of.Name)
		}
	}
	if all.Properties["cwd"] == nil || string(all.Properties["op"]) != string(tool.Properties["op"]) {
		t.Errorf("the parameters of rpc: %s", all.Defs["recall.params"]["properties"])
	}
}
