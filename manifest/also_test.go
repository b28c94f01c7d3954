package manifest

import (
	"slices"
	"testing"
)

// TestAlso: what lies in another cairn directory of this clone is read as its own,
// and nothing is written there.
func TestAlso(t *testing.T) {
	other := newFixture(t)
	waits := other.add(1)
	f := newFixture(t)
	f.clock.add(1e9)
	r := f.add(0)
	f.Manifest = Open(f.dir, Options{Also: []string{other.dir}, Branch: f.fake, Now: f.clock.now})
	wantIDs(t, f.ids(Query{}), waits.ID, r.ID)
	for rec, err := range f.Records(t.Context(), Query{}) {
		if err != nil || rec.Elsewhere() {
			t.Errorf("%s is another clone's: %v", rec.ID, err)
		}
	}
	days, err := f.ShardDays(t.Context(), nil)
	var found []string
	for _, d := range days {
		for _, s := range d.Shards {
			if !s.Own {
				t.Errorf("%s is another clone's", s.Path)
			}
			records, err := f.ReadShard(s)
			if err != nil {
				t.Fatal(err)
			}
			for _, rec := range records {
				found = append(found, rec.ID)
			}
		}
	}
	if slices.Sort(found); err != nil || !slices.Equal(found, []string{waits.ID, r.ID}) {
		t.Errorf("listed %v, %v", found, err)
	}
	before := other.ids(Query{})
	f.add(0)
	wantIDs(t, other.ids(Query{}), before...)
	if got, err := f.Find(t.Context(), waits.ID[:20]); err != nil || got.ID != waits.ID {
		t.Errorf("by the beginning of its id: %v, %v", got, err)
	}
}
