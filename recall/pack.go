package recall

import (
	"context"
	"fmt"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/objects"
)

// Pack packs the outputs of this clone's captures, each against earlier outputs of the
// same command.
func Pack(ctx context.Context, s *place.Site, o objects.PackOptions) (objects.PackReport, error) {
	series, err := seriesOf(ctx, s)
	if err != nil {
		return objects.PackReport{}, fmt.Errorf("finding out which outputs are alike: %w", err)
	}
	o.Series = series
	return s.Objects.Pack(ctx, o)
}

// seriesOf lists the outputs that are in this clone, by command, oldest first. A
// capture without a command key goes by its program.
func seriesOf(ctx context.Context, s *place.Site) ([][]objects.ID, error) {
	at := map[string]int{}
	var all [][]objects.ID
	for rec, err := range s.Manifest.Records(ctx, manifest.Query{Facts: true, Known: true}) {
		if err != nil {
			return nil, err
		}
		if rec.Type != manifest.TypeCapture || rec.Raw == nil || rec.Elsewhere() {
			continue
		}
		id, err := objects.ParseID(rec.Raw.OID)
		if err != nil {
			continue // fsck reports an id that cannot be read
		}
		key := rec.Key
		if key == "" && len(rec.Argv) > 0 {
			key = rec.Argv[0]
		}
		if _, ok := at[key]; !ok {
			at[key] = len(all)
			all = append(all, nil)
		}
		all[at[key]] = append(all[at[key]], id)
	}
	return all, nil
}
