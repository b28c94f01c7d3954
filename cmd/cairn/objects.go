package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"cairn/capture"
	"cairn/capture/recovery"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/objects"
	"cairn/recall"
	"cairn/recall/filter"
	"cairn/render"
	"cairn/result"
)

func newObjectsFsck(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "fsck",
		Short: "read and verify every object",
		Long: `Read every object from end to end, compare it with its digest, and compare the
store with the records. A damaged object is moved aside and named with the
captures that it belongs to. Of a damaged pack file the sound objects are written
anew, and the file is moved aside.` + exitHelp("every byte that was captured here is here, or was collected on purpose", "something is damaged, missing or unreadable, or a newer cairn wrote to the store"),
		Example: `  cairn objects fsck`,
		Args:    noArgs,
		RunE:    a.onSite(a.fsck),
	}
}

func (a *app) fsck(cmd *cobra.Command, site *place.Site, _ []string) error {
	if err := a.heal(cmd.Context(), site); err != nil {
		return err
	}
	live, err := recall.Live(cmd.Context(), site)
	if err != nil {
		return err
	}
	names := map[objects.ID][]string{}
	for id, ref := range live {
		names[id] = ref.Captures
	}
	r, err := site.Objects.Fsck(cmd.Context(), names)
	if err != nil {
		return err
	}
	here, err := recall.Here(cmd.Context(), site)
	if err != nil {
		return err
	}
	all := len(r.Missing)
	r.Missing = slices.DeleteFunc(r.Missing, func(f objects.Finding) bool { return !here[f.ID] })
	a.printFsck(r)
	if n := all - len(r.Missing); n > 0 {
		a.say("%s that other clones captured: in those clones, not here\n", result.Count(n, "object"))
	}
	if !r.OK() {
		return errors.New("the store is not whole")
	}
	return nil
}

// heal restores lost lines of branch and shards from each other, before either is
// called complete. It leaves a read-only repository alone.
func (a *app) heal(ctx context.Context, site *place.Site) error {
	if site.ReadOnly {
		return nil
	}
	n, err := site.Manifest.Heal(ctx)
	if err != nil {
		return fmt.Errorf("comparing the branch with the shards: %w", err)
	}
	if n > 0 {
		a.say("restored %s that only the branch had\n", result.Count(n, "record"))
	}
	return nil
}

func (a *app) printFsck(r objects.Report) {
	for _, list := range []struct {
		word  string
		found []objects.Finding
	}{{"damaged", r.Corrupt}, {"missing", r.Missing}, {"unreadable", r.Failed}, {"collected", r.Gone}} {
		for _, f := range list.found {
			a.say("%s %s: %s", list.word, f.ID, f.Why)
			if f.MovedTo != "" {
				a.say("; moved to %s", f.MovedTo)
			}
			a.say("; captures %v\n", f.Captures)
		}
	}
	for _, p := range r.Packs {
		a.say("damaged pack file %s: %s; %s lost", p.Path, p.Why, result.Count(p.Lost, "object"))
		if p.MovedTo != "" {
			a.say("; moved to %s, the others are in a new one", p.MovedTo)
		}
		a.say("\n")
	}
	for _, id := range r.Orphans {
		a.say("orphan %s: no capture names it; gc removes it\n", id)
	}
	for _, s := range r.Strays {
		a.say("stray %s: not put there by cairn\n", s)
	}
	a.say("%s checked, %d bytes: %d damaged, %d missing, %d unreadable, %s\n",
		result.Count(r.Checked, "object"), r.Bytes, len(r.Corrupt), len(r.Missing), len(r.Failed), result.Count(len(r.Orphans), "orphan"))
}

type objectsGCOptions struct {
	dryRun   bool
	grace    time.Duration
	maxAge   string
	maxBytes int64
}

func newObjectsGC(a *app) *cobra.Command {
	var o objectsGCOptions
	cmd := &cobra.Command{
		Use:   "gc",
		Short: "remove what nothing names and what the budgets do not allow",
		Long: `Remove objects that no record names and, with --max-age or --max-bytes, the
oldest of the others. Records stay, and what goes is recorded; recalling a removed
object says when and why it went. Never removed: pinned objects, the only evidence of a finding that
still fails, and anything younger than --grace.` + exitHelp("done", "something could not be removed, a record could not be read, another process packs, or a newer cairn wrote to the store"),
		Example: `  cairn objects gc --dry-run --max-age 30d
  cairn objects gc --max-bytes 500000000`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runGC(a, cmd, o) },
	}
	f := cmd.Flags()
	f.BoolVarP(&o.dryRun, "dry-run", "n", false, "say what would go, remove nothing")
	f.DurationVar(&o.grace, "grace", time.Hour, "keep everything younger than this `DURATION`")
	f.StringVar(&o.maxAge, "max-age", "", "remove objects whose newest capture is older than this `AGE`: 72h, 30d")
	f.Int64Var(&o.maxBytes, "max-bytes", 0, "remove the oldest until this many `BYTES` are left on disk")
	return cmd
}

func runGC(a *app, cmd *cobra.Command, o objectsGCOptions) error {
	now := time.Now()
	oldest, err := filter.Time("max-age", o.maxAge, now)
	if err == nil && (o.maxBytes < 0 || o.grace < 0) {
		err = errors.New("--grace and --max-bytes must not be below zero")
	}
	if err != nil {
		return usageError{cmd, err}
	}
	unread := 0
	site, err := place.Open(cmd.Context(), a.dir, a.env, func(w manifest.Warning) {
		if a.warn(w.String()); w.Incomplete {
			unread++
		}
	})
	if err != nil {
		return err
	}
	defer site.Close()
	if _, _, err := capture.Recover(cmd.Context(), site); err != nil {
		a.warn(err.Error()) // the journal keeps the objects that it names
	}
	if err := a.heal(cmd.Context(), site); err != nil { // so that objects which only the branch names are kept
		return err
	}
	gc := objects.GCOptions{
		InFlight: func() (time.Time, error) { return recovery.InFlight(site.Dir) },
		Now:      func() time.Time { return now }, Grace: o.grace, MaxBytes: o.maxBytes, DryRun: o.dryRun,
		Live: func() (map[objects.ID]objects.Ref, error) {
			live, err := recall.Live(cmd.Context(), site)
			if err == nil && unread > 0 {
				err = fmt.Errorf("%s of the manifest could not be read, and what is named there must not go", result.Count(unread, "place"))
			}
			return live, err
		},
	}
	if !oldest.IsZero() {
		gc.MaxAge = now.Sub(oldest)
	}
	r, err := site.Objects.GC(cmd.Context(), gc)
	a.printGC(r)
	err = packError(err)
	if !o.dryRun {
		err = errors.Join(err, recall.Evict(cmd.Context(), site, r.Deleted))
	}
	return err
}

func (a *app) printGC(r objects.GCReport) {
	verb := "removed"
	if r.DryRun {
		verb = "would remove"
	}
	for _, d := range r.Deleted {
		a.say("%s %s (%d bytes): %s\n", verb, d.ID, d.Stored, d.Why)
	}
	a.say("%s %s, %d bytes; kept %s, %d bytes\n", verb, result.Count(len(r.Deleted), "object"), r.FreedBytes, result.Count(r.Kept, "object"), r.KeptBytes)
	if n := len(r.Temps); n > 0 {
		a.say("%s %s of killed runs\n", verb, result.Count(n, "temporary file"))
	}
	if n := len(r.Recompressed); n > 0 {
		a.say("%s compressed\n", result.Count(n, "large object"))
	}
	if r.OverBudget > 0 {
		a.say("%d bytes over the budget: all that is left is pinned, evidence or young\n", r.OverBudget)
	}
}

func newObjectsPin(a *app) *cobra.Command {
	return pinCommand(a, "pin", "keep a capture or an object", true)
}

func newObjectsUnpin(a *app) *cobra.Command { return pinCommand(a, "unpin", "take a pin back", false) }

func pinCommand(a *app, name, short string, keep bool) *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use:   name + " ID",
		Short: short,
		Long: fmt.Sprintf(`Record that gc may %s remove ID: a run id, an object id, or the
beginning of either. The record is shared like every other.`+exitHelp("recorded", "it could not be recorded, or ID is ambiguous", "nothing is called ID"), map[bool]string{true: "not", false: "again"}[keep]),
		Example: "  cairn objects " + name + " 01KAJ4 --reason 'evidence for the review'",
		Args:    takes(1, 1, "one ID"),
		RunE: a.onSite(func(cmd *cobra.Command, site *place.Site, args []string) error {
			id, err := recall.Pin(cmd.Context(), site, args[0], reason, keep)
			if err != nil {
				return asNotFound(err)
			}
			a.say("%s %s\n", name, id)
			a.catchUp(cmd.Context(), site)
			return nil
		}),
	}
	cmd.ValidArgsFunction = a.completeRuns
	cmd.Flags().StringVar(&reason, "reason", "", "`TEXT` for the record")
	return cmd
}

func newObjectsStats(a *app) *cobra.Command {
	var format render.Format
	cmd := &cobra.Command{
		Use:     "stats",
		Short:   "how much is kept",
		Long:    `Sum up the store: objects, bytes, codecs, what is in flight and what is damaged.` + exitHelp("printed", "the store could not be read"),
		Example: `  cairn objects stats --format json`,
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runStats(a, cmd, format) },
	}
	formatFlag(cmd, &format)
	return cmd
}

// storeStats is objects.Stats as printed.
type storeStats struct {
	Dir string `json:"dir"`
	objects.Stats
}

func runStats(a *app, cmd *cobra.Command, format render.Format) error {
	site, err := a.site(cmd.Context())
	if err != nil {
		return err
	}
	defer site.Close()
	st, err := site.Objects.Stats()
	if err != nil {
		return err
	}
	s := storeStats{site.Dir, st}
	return a.print(format, s, fmt.Sprintf("%s\n%s, %d bytes in %d on disk (%d compressed, %d packed, %d in %s)\n%d in flight, %d abandoned, %d damaged and set aside, %d collected\n%s of killed runs, %d bytes: gc removes them\n",
		result.CleanLine(s.Dir), result.Count(s.Objects, "object"), s.Size, s.Stored, s.Zstd, s.Packed, s.InPacks, result.Count(s.PackFiles, "pack file"), s.InFlight, s.Abandoned, s.Quarantined, s.Gone, result.Count(s.Temps, "temporary file"), s.TempSize))
}
