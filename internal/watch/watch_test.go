package watch

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

// world is files that change at looks and during runs, as a script says.
type world struct {
	files  Files
	looks  int
	atLook map[int]func(*world) // before the look of that number
	inRun  map[int]func(*world)
	runs   []string // what each was started by
	left   []string
	ask    chan struct{}
	most   int // looks, then it is over
}

func (v *world) write(path, content string) { v.files[path] = content }

// play runs a watch until the looks are over.
func (v *world) play(t *testing.T) error {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	if v.files == nil {
		v.files = Files{"a.go": "1", "b.go": "1"}
	}
	running := false
	w := &Watcher{
		Ask:   v.ask,
		Pause: func(context.Context, time.Duration) {},
		Left:  func(paths []string) { v.left = append(v.left, strings.Join(paths, " ")) },
		Look: func(context.Context) (Files, error) {
			if running {
				t.Error("a look during a run")
			}
			v.looks++
			if v.looks > v.most {
				stop()
			}
			if f := v.atLook[v.looks]; f != nil {
				f(v)
			}
			if v.files == nil {
				v.files = Files{"a.go": "1"}
				return nil, ErrMoving
			}
			if v.files["broken"] != "" {
				return nil, errors.New("no such tree")
			}
			return maps.Clone(v.files), nil
		},
		Run: func(changed []string) {
			running = true
			v.runs = append(v.runs, strings.Join(changed, " "))
			if f := v.inRun[len(v.runs)]; f != nil {
				f(v)
			}
			if f := v.inRun[0]; f != nil { // every run
				f(v)
			}
			running = false
		},
	}
	return w.Loop(ctx)
}

func TestWatch(t *testing.T) {
	edit := func(path, content string) func(*world) { return func(v *world) { v.write(path, content) } }
	for name, tc := range map[string]struct {
		v    world
		runs []string
		left []string
	}{
		"nothing changes": {world{most: 20}, []string{""}, nil},
		"a change, an addition, a removal": {world{most: 40, atLook: map[int]func(*world){
			10: edit("a.go", "2"), 20: edit("new.go", "1"), 30: func(v *world) { delete(v.files, "b.go") },
		}}, []string{"", "a.go", "new.go", "b.go"}, nil},
		"a burst is one change": {world{most: 20, atLook: map[int]func(*world){
			10: edit("a.go", "2"), 11: edit("b.go", "2"), 12: edit("a.go", "3"),
		}}, []string{"", "a.go b.go"}, nil},
		"back to what it was before it settled": {world{most: 20, atLook: map[int]func(*world){
			10: edit("a.go", "2"), 11: edit("a.go", "1"),
		}}, []string{""}, nil},
		"what every run writes": {world{most: 40, atLook: map[int]func(*world){20: edit("a.go", "2")}, inRun: map[int]func(*world){
			0: func(v *world) { v.write("out.xml", v.files["out.xml"]+"x") },
		}}, []string{"", "a.go"}, []string{"out.xml", "out.xml"}},
		"a new file each time": {world{most: 40, atLook: map[int]func(*world){20: edit("a.go", "2")}, inRun: map[int]func(*world){
			0: func(v *world) { v.write("log."+strings.Repeat("x", len(v.runs)), "1") },
		}}, []string{"", "a.go"}, []string{"log.x", "log.xx"}},
		"an edit during a later run": {world{most: 40, atLook: map[int]func(*world){10: edit("a.go", "2")}, inRun: map[int]func(*world){
			2: edit("b.go", "2"),
		}}, []string{"", "a.go", "b.go"}, nil},
		"a run that repairs what was edited ends": {world{most: 60, atLook: map[int]func(*world){10: edit("a.go", "2"), 50: edit("a.go", "broken again")}, inRun: map[int]func(*world){
			2: edit("a.go", "repaired"), 3: edit("a.go", "repaired more"),
		}}, []string{"", "a.go", "a.go", "a.go"}, []string{"a.go"}},
		"what a run wrote, edited between runs": {world{most: 40, atLook: map[int]func(*world){20: edit("a.go", "3")}, inRun: map[int]func(*world){
			1: edit("a.go", "2"),
		}}, []string{"", "a.go"}, []string{"a.go"}},
		"while files are moving": {world{most: 30, atLook: map[int]func(*world){10: func(v *world) { v.files = nil }}}, []string{"", "b.go"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if err := tc.v.play(t); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(tc.v.runs, tc.runs) || !slices.Equal(tc.v.left, tc.left) {
				t.Errorf("ran for %q and left %q; want %q and %q", tc.v.runs, tc.v.left, tc.runs, tc.left)
			}
		})
	}
}

func TestWatchIsAsked(t *testing.T) {
	v := world{most: 20, ask: make(chan struct{}, 1), atLook: map[int]func(*world){}}
	v.atLook[10] = func(v *world) { v.ask <- struct{}{} }
	if err := v.play(t); err != nil || !slices.Equal(v.runs, []string{"", ""}) {
		t.Errorf("ran for %q: %v", v.runs, err)
	}
}

func TestWatchFails(t *testing.T) {
	v := world{most: 20, atLook: map[int]func(*world){10: func(v *world) { v.write("broken", "1") }}}
	if err := v.play(t); err == nil || len(v.runs) != 1 {
		t.Errorf("ran %d times: %v", len(v.runs), err)
	}
}
