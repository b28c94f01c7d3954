package subagent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cairn/agents/inherit"
	"cairn/agents/timeline"
)

// told is what a run told, in order.
type told struct {
	t        *testing.T
	channels []string
	events   []json.RawMessage
	updates  int
	puts     map[string]string
	kept     int
}

func (o *told) Event(channel string, data any) {
	raw, err := json.Marshal(data)
	if err != nil || len(raw) > 20<<10 {
		o.t.Errorf("%s: %d bytes, %v", channel, len(raw), err)
	}
	o.channels, o.events = append(o.channels, strings.TrimPrefix(channel, "subagents:")), append(o.events, raw)
}
func (o *told) Update(timeline.Details) { o.updates++ }
func (o *told) Keep(_ *timeline.Timeline, steps []int) {
	o.kept += len(steps)
}
func (o *told) Put(text string) (string, error) {
	oid := fmt.Sprintf("sha256:%064d", len(o.puts))
	o.puts[oid] = text
	return oid, nil
}

// decode reads the event at a place, counted from the end where it is below zero.
func (o *told) decode(at int) (e struct {
	Result, Error string
	Index         int
	ToolUses      int
	Entry         timeline.Entry
	Details       timeline.Details
}) {
	o.t.Helper()
	if at < 0 {
		at += len(o.events)
	}
	if err := json.Unmarshal(o.events[at], &e); err != nil {
		o.t.Fatal(err)
	}
	return e
}

func plan(t *testing.T, r Request, p Sources, s Settings, ticks <-chan time.Time) (*Run, *told) {
	t.Helper()
	o := &told{t: t, puts: map[string]string{}}
	clock := time.UnixMilli(0)
	now := func() time.Time { clock = clock.Add(time.Millisecond); return clock }
	return Plan(r, Caller{ID: "01A", ToolCall: "call", Session: "s"}, p, s, Surroundings{o, now, ticks}), o
}

var defaults, _ = ReadSettings("/nowhere")

func lay(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestProcess runs a program in the place of pi: 5 MB outputs and 1,000 steps,
// events as long as all of it that no one needs, and one that is too long.
func TestProcess(t *testing.T) {
	if os.Getenv("CAIRN_FAKE_PI") != "" {
		fakePi()
		return
	}
	run, o := plan(t, Request{Type: "any", Description: "d", Prompt: "@p -- \x01é"}, Sources{}, defaults, nil)
	pi := Pi{Exec: os.Args[0]}
	out := run.Do(t.Context(), new(Queue), Start{Tools: []string{"bash", "Agent", "read"}, Current: Model{"p/m", "high"}},
		func(ctx context.Context, j Job, event func([]byte), note func(string)) error {
			argv := pi.argv(j)
			if got := strings.Join(argv[1:], " "); got != "--mode json --no-session --no-skills --no-prompt-templates --no-themes --tools bash,read --model p/m --thinking high" {
				t.Error(got)
			}
			return pi.start(ctx, []string{os.Args[0], "-test.run=^TestProcess$"}, t.TempDir(), append(os.Environ(), "CAIRN_FAKE_PI=1"), j, event, note)
		})
	if out.Failed || !strings.HasPrefix(out.Text, "I was told <task>\n@p -- \x01é\n</task>, and am 01A of s\n\n[timeline 01A: 1003 steps") {
		t.Errorf("%.300s", out.Text)
	}
	steps := run.Timeline().Entries(0)
	big := 0
	for _, text := range o.puts {
		if len(text) == 5<<20 {
			big++
		}
	}
	if len(steps) != 1003 || steps[0].Output.Bytes != 5<<20 || len(steps[0].Output.Preview) > 2<<10 || big == 0 {
		t.Errorf("%d steps, the first %+v; %d large outputs", len(steps), steps[0].Output, big)
	}
	if !slices.ContainsFunc(steps, func(e timeline.Entry) bool {
		return e.Kind == "error" && strings.Contains(e.Text, "too long to be kept")
	}) {
		t.Error("an event was lost without a word")
	}
	entries := 0
	for i, name := range o.channels {
		if name == "entry" {
			if e := o.decode(i); e.Index != entries {
				t.Fatalf("entry %d after %d", e.Index, entries)
			}
			entries++
		}
	}
	last := o.decode(-1)
	if entries != 1003 || o.kept != 1003 || o.channels[len(o.channels)-1] != "completed" || last.Details.EntryCount != 1003 || last.ToolUses != 1001 {
		t.Errorf("%d entries, %d kept, %+v", entries, o.kept, last)
	}
}

// fakePi prints what pi would.
func fakePi() {
	text := strings.Repeat("0123456789abcdef", 5<<20/16)
	line := func(format string, args ...any) { fmt.Printf(format+"\n", args...) }
	line(`{"type":"session","id":"x"}`)
	tool := func(id int, output string) {
		line(`{"type":"tool_execution_start","toolCallId":"%d","toolName":"bash","args":{"command":"c"}}`, id)
		line(`{"type":"tool_execution_update","toolCallId":"%d","partialResult":"%s"}`, id, output)
		line(`{"type":"tool_execution_end","toolCallId":"%d","toolName":"bash","result":{"content":[{"type":"text","text":"%s"}]}}`, id, output)
	}
	tool(0, text)
	for i := 1; i <= 1000; i++ {
		tool(i, "small")
	}
	fmt.Print(`{"type":"message_end","message":{"role":"assistant","content":"`)
	for range 8 {
		fmt.Print(text)
	}
	line(`"}}`)
	fmt.Print(`{"type":"agent_end","messages":["`)
	for range 20 {
		fmt.Print(text)
	}
	line(`"]}`)
	prompt, _ := os.ReadFile("/dev/stdin")
	said, _ := json.Marshal(fmt.Sprintf("I was told %s, and am %s of %s", prompt, os.Getenv("CAIRN_SUBAGENT"), os.Getenv("CAIRN_PARENT")))
	line(`{"type":"message_end","message":{"role":"assistant","content":%s,"stopReason":"stop","usage":{"input":1000,"output":500}}}`, said)
	os.Exit(0)
}

// TestTicks: progress is reported once for a tick, without entries, nothing where nothing
// happened, and the last of it before the end.
func TestTicks(t *testing.T) {
	ticks := make(chan time.Time)
	run, o := plan(t, Request{Type: "any", Prompt: "p"}, Sources{}, defaults, ticks)
	text := func(s string) []byte {
		return fmt.Appendf(nil, `{"type":"message_end","message":{"role":"assistant","content":%q}}`, s)
	}
	out := run.Do(t.Context(), new(Queue), Start{}, func(_ context.Context, _ Job, event func([]byte), _ func(string)) error {
		event(text("one"))
		event(text("two"))
		ticks <- time.Time{}
		ticks <- time.Time{} // taken only when the first is done; nothing happened since
		event(text("three"))
		return nil
	})
	want := []string{"created", "started", "entry", "entry", "started", "entry", "started", "completed"}
	if !slices.Equal(o.channels, want) || o.updates != 2 {
		t.Errorf("%v, %d updates", o.channels, o.updates)
	}
	if d := o.decode(4).Details; len(d.Entries) != 0 || d.EntryCount != 2 {
		t.Errorf("progress: %+v", d)
	}
	if last := o.decode(-1); last.Result != "three" || len(last.Details.Entries) != 3 || out.Failed {
		t.Errorf("%+v", last)
	}
}

func TestHowItEnds(t *testing.T) {
	failed := []byte(`{"type":"message_end","message":{"role":"assistant","content":[],"stopReason":"error","errorMessage":"overloaded"}}`)
	for name, c := range map[string]struct {
		run  func(cancel func(), event func([]byte)) error
		want timeline.Status
		text string
	}{
		"an error of the model": {func(_ func(), event func([]byte)) error { event(failed); return nil }, timeline.Failed, "overloaded"},
		"an error of the run":   {func(func(), func([]byte)) error { return errors.New("no such program") }, timeline.Failed, "no such program"},
		"no word":               {func(func(), func([]byte)) error { return nil }, timeline.Completed, "(no output)"},
		"aborted": {func(cancel func(), event func([]byte)) error {
			event([]byte(`{"type":"tool_execution_start","toolCallId":"1","toolName":"bash"}`))
			cancel()
			return errors.New("killed")
		}, timeline.Aborted, "Subagent aborted by parent."},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			run, o := plan(t, Request{Type: "any", Prompt: "p"}, Sources{}, defaults, nil)
			out := run.Do(ctx, new(Queue), Start{}, func(_ context.Context, _ Job, event func([]byte), _ func(string)) error { return c.run(cancel, event) })
			last := o.decode(-1)
			if out.Details.Status != c.want || out.Failed != (c.want != timeline.Completed) || !strings.Contains(out.Text, c.text) || last.Details.Status != c.want {
				t.Errorf("%+v", out)
			}
			if name == "aborted" && !slices.Equal(o.channels, []string{"created", "started", "entry", "started", "failed"}) {
				t.Error(o.channels)
			}
		})
	}
}

// TestTiers: the project's definition before the user's before the bundled one before a
// package's, and no path for a name.
func TestTiers(t *testing.T) {
	dir := t.TempDir()
	p := Sources{Dir: filepath.Join(dir, "project"), AgentDir: filepath.Join(dir, "agent"), Bundled: filepath.Join(dir, "bundled"), NodeRoots: []string{filepath.Join(dir, "npm")}}
	lay(t, filepath.Join(p.AgentDir, "settings.json"), `{"packages":["npm:@b/c@1.2.3",{"source":"../a"},"git:github.com/u/r@v1"]}`)
	tiers := []struct{ path, source, pkg string }{
		{"agent/git/github.com/u/r/agents", "package", "git:github.com/u/r@v1"}, {"npm/@b/c/agents", "package", "npm:@b/c@1.2.3"}, {"a/agents", "package", "../a"},
		{"bundled", "bundled", ""}, {"agent/agents", "user", ""}, {"project/.pi/agents", "project", ""},
	}
	for i, tier := range tiers {
		if i == 1 { // of two packages the first by name counts
			if err := os.Remove(filepath.Join(dir, tiers[0].path, "X.md")); err != nil {
				t.Fatal(err)
			}
		}
		lay(t, filepath.Join(dir, tier.path, "X.md"), "body of "+tier.path)
		if d, err := p.Find("X"); err != nil || d.Source != tier.source || d.Package != tier.pkg || d.Prompt != "body of "+tier.path {
			t.Errorf("%s: %+v %v", tier.path, d, err)
		}
	}
	p.Dir = "" // not trusted
	if d, _ := p.Find("X"); d.Source != "user" {
		t.Errorf("%+v", d)
	}
	for _, name := range []string{"", ".", "..", "../agents/X", `..\X`, "a/X", "nosuch"} {
		if d, err := p.Find(name); err != nil || d.Path != "" {
			t.Errorf("%q: %+v %v", name, d, err)
		}
	}
}

func TestFrontmatter(t *testing.T) {
	yes, no := true, false
	for text, want := range map[string]Definition{
		"just a prompt\n": {Prompt: "just a prompt"},
		"---\ndescription: d\nmodel: p/m:high\nthinking: low\ntools: [read, grep]\ninherit_context: false\n---\nbody\n": {Description: "d", Model: "p/m:high", Thinking: "low", Tools: []string{"read", "grep"}, Inherit: &no, Prompt: "body"},
		"---\r\nprompt: |\r\n  two\r\n  lines\r\ninherit_context: true\r\n---\r\nnot this\r\n":                          {Inherit: &yes, Prompt: "two\nlines"},
		"---\ntools: read, grep bash\n---\n": {Tools: []string{"read", "grep", "bash"}},
		"---\ntools: []\n---\n":              {Tools: []string{}},
		"---\n---\nbody":                     {Prompt: "body"},
		"---\nno end":                        {Prompt: "---\nno end"},
	} {
		var d Definition
		if err := d.read([]byte(text)); err != nil || fmt.Sprintf("%+v %v", d, d.Inherit != nil && *d.Inherit) != fmt.Sprintf("%+v %v", with(want, d.Inherit), want.Inherit != nil && *want.Inherit) {
			t.Errorf("%q: %+v %v", text, d, err)
		}
	}
	for _, text := range []string{"---\ntools: [read\n---\n", "---\ntools: {a: b}\n---\n", "---\nthinking: hard\n---\n"} {
		if err := new(Definition).read([]byte(text)); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
}

// with compares pointers by what they point to.
func with(d Definition, inherit *bool) Definition { d.Inherit = inherit; return d }

// TestTools: a subagent has what its definition names and its parent has.
func TestTools(t *testing.T) {
	dir := t.TempDir()
	lay(t, filepath.Join(dir, "Narrow.md"), "---\ntools: [read, write, nosuch, Agent]\n---\n")
	for kind, want := range map[string]string{"any": "read bash mine", "Narrow": "read"} {
		run, _ := plan(t, Request{Type: kind, Prompt: "p"}, Sources{Bundled: dir}, defaults, nil)
		if got := strings.Join(run.tools([]string{"read", "bash", "Agent", "mine"}), " "); got != want {
			t.Errorf("%s: %s", kind, got)
		}
	}
	if argv := (Pi{Exec: "/bin/pi"}).argv(Job{}); !slices.Contains(argv, "--no-tools") {
		t.Error(argv)
	}
}

// TestModels is the table of references.
func TestModels(t *testing.T) {
	known := []string{"a/m1", "b/m1", "b/m2:free", "or/x/m3"}
	for _, c := range []struct {
		ref   string
		probe Probe
		want  Model
		err   string
	}{
		{ref: "b/m1", want: Model{Name: "b/m1"}},
		{ref: "b/m1:high", want: Model{"b/m1", "high"}},
		{ref: "m1", want: Model{Name: "a/m1"}},
		{ref: "m1:max", want: Model{"a/m1", "max"}},
		{ref: "m2:free", want: Model{Name: "b/m2:free"}},
		{ref: "x/m3:off", want: Model{"or/x/m3", "off"}},
		{ref: "m1:hard", err: `model "m1:hard" (here) is unknown to pi` + "\nModels: a/m1, b/m1"},
		{ref: "@fast", err: "is a role, and no extension that knows roles is loaded"},
		{ref: "@fast", probe: Probe{Model: "c/m9", Thinking: "low"}, want: Model{"c/m9", "low"}},
		{ref: "m1", probe: Probe{Error: "no such role", Roles: map[string]string{"slow": "x"}, Available: []string{"y"}}, err: "was not resolved: no such role\nRoles: slow\nModels: y"},
	} {
		got, err := findModel(c.ref, "here", c.probe, known)
		if got != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %+v %v", c.ref, got, err)
		}
	}
}

// TestInherits: argument over definition over settings, the argument only where it is exposed.
func TestInherits(t *testing.T) {
	dir := t.TempDir()
	lay(t, filepath.Join(dir, "Alone.md"), "---\ninherit_context: false\n---\n")
	yes, no := true, false
	for _, c := range []struct {
		kind            string
		isolated        *bool
		inherit, expose bool
		want            bool
	}{
		{"any", nil, true, false, true}, {"any", nil, false, false, false}, {"any", &yes, true, false, true}, {"any", &yes, true, true, false},
		{"any", &no, false, true, true}, {"Alone", nil, true, true, false}, {"Alone", &no, true, true, true},
	} {
		s := defaults
		s.Inherit, s.Expose = c.inherit, c.expose
		run, _ := plan(t, Request{Type: c.kind, Prompt: "do it", Isolated: c.isolated}, Sources{Bundled: dir}, s, nil)
		prompt := run.prompt([]inherit.Message{{Role: "user", Text: "before"}})
		if run.Inherits() != c.want || strings.HasPrefix(prompt, "<parent-context>") != c.want || !strings.HasSuffix(prompt, "<task>\ndo it\n</task>") {
			t.Errorf("%+v: %q", c, prompt)
		}
	}
}

func TestSettings(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "extensions", "pi-dashboard-subagents", "config.json")
	for text, want := range map[string]Settings{
		`{}`: {true, false, inherit.Config{}, 4, Process},
		`{"inheritContext":false,"exposeInheritanceInTool":true,"inheritance":{"recentTurns":3,"toolOutputWindow":1,"maxChars":900},"maxConcurrent":0,"runner":"in-process"}`: {false, true, inherit.Config{Turns: 3, Outputs: 1, MaxChars: 900}, 0, InProcess},
	} {
		lay(t, file, text)
		if got, note := ReadSettings(dir); got != want || note != "" {
			t.Errorf("%s: %+v %s", text, got, note)
		}
	}
	for _, text := range []string{`{"maxConcurrent":`, `{"maxConcurrent":-1}`, `{"runner":"magic"}`} {
		lay(t, file, text)
		if got, note := ReadSettings(dir); got != defaults || !strings.Contains(note, "config.json was passed over") {
			t.Errorf("%s: %+v %s", text, got, note)
		}
	}
}

// TestQueue: first come, first served; one that leaves keeps no other waiting.
func TestQueue(t *testing.T) {
	q := new(Queue)
	first, err := q.Wait(t.Context(), 2)
	second, secondErr := q.Wait(t.Context(), 2)
	if err != nil || secondErr != nil {
		t.Fatal(err, secondErr)
	}
	order := make(chan int, 3)
	wait := func(ctx context.Context, n int) chan func() {
		got := make(chan func(), 1)
		before := q.length()
		go func() {
			release, err := q.Wait(ctx, 2)
			if err == nil {
				order <- n
			}
			got <- release
		}()
		for q.length() == before { // it is in the queue
			time.Sleep(time.Millisecond)
		}
		return got
	}
	ctx, cancel := context.WithCancel(t.Context())
	third, fourth, fifth := wait(t.Context(), 3), wait(ctx, 4), wait(t.Context(), 5)
	cancel()
	if release := <-fourth; release != nil {
		t.Error("one that left got a turn")
	}
	first()
	first() // once
	release := <-third
	second()
	(<-fifth)()
	release()
	if a, b := <-order, <-order; a != 3 || b != 5 || q.running != 0 {
		t.Errorf("%d, %d, %d running", a, b, q.running)
	}
	for range 10 { // no limit
		if _, err := q.Wait(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
	}
}

func (q *Queue) length() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting)
}

// TestOptions: what a subagent has of its parent's command line.
func TestOptions(t *testing.T) {
	p := Pi{Args: []string{"--model", "m", "-e", "x.ts", "--approve", "-p", "say", "--no-extensions", "--", "-e", "y.ts"}}
	if got := strings.Join(p.options(), " "); got != "-e x.ts --approve --no-extensions" {
		t.Error(got)
	}
	script := filepath.Join(t.TempDir(), "cli.js")
	lay(t, script, "")
	for _, c := range []struct {
		pi   Pi
		want string
	}{
		{Pi{Exec: "/usr/bin/node", Script: script}, "/usr/bin/node " + script}, {Pi{Exec: "/usr/bin/node", Script: "/gone.js"}, "pi"},
		{Pi{Exec: "/opt/pi", Script: "/$bunfs/root/pi"}, "/opt/pi"}, {Pi{}, "pi"},
	} {
		if got := strings.Join(c.pi.program(), " "); got != c.want {
			t.Errorf("%+v: %s", c.pi, got)
		}
	}
}
