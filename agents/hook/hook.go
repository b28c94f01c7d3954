package hook

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"cairn/capture"
	"cairn/internal/guard"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/recall"
	"cairn/render"
	"cairn/result"
)

// Options are the input and the environment of a hook.
type Options struct {
	Host    string // claude, codex, gemini, copilot, qwen
	Dir     string
	Env     place.Env
	Now     func() time.Time
	Rewrite bool
	Prefix  string // what Rewrite puts before a command
	// Prove is Warn or Block for a hook that only checks, when an agent stops, whether the checks
	// are proven: Warn shows the user a warning, Block sends the agent back; see stop.
	Prove string
}

// Hosts are the agents whose hooks are supported.
var Hosts = []string{"claude", "codex", "gemini", "copilot", "qwen"}

// ProveHosts are the agents with a hook for when they stop.
var ProveHosts = []string{"claude", "codex", "gemini", "opencode", "pi"}

// input is an event as a host sends it. Most hosts use the same field names; Copilot has its own.
type input struct {
	Event     string         `json:"hook_event_name"`
	CWD       string         `json:"cwd"`
	Session   string         `json:"session_id"`
	Continues bool           `json:"stop_hook_active"`
	Tool      string         `json:"tool_name"`
	ToolInput map[string]any `json:"tool_input"`

	CopilotTool string          `json:"toolName"`
	CopilotArgs json.RawMessage `json:"toolArgs"`
	Result      json.RawMessage `json:"toolResult"`
}

// maxInput bounds an event, in bytes: it contains the output of a tool.
const maxInput = 64 << 20

// Answer reads an event and returns the text to print, or "". After an error the host continues as
// without a hook.
func Answer(ctx context.Context, o Options, from io.Reader) (text string, err error) {
	if broken := guard.Do("answering the event", func() { text, err = answer(ctx, o, from) }); broken != nil {
		return "", broken
	}
	return text, err
}

func answer(ctx context.Context, o Options, from io.Reader) (string, error) {
	raw, err := io.ReadAll(io.LimitReader(from, maxInput))
	if err != nil {
		return "", fmt.Errorf("reading the event: %w", err)
	}
	var in input
	if err := json.Unmarshal(raw, &in); err != nil {
		return "", fmt.Errorf("reading the event: %w", err)
	}
	if o.Host == "copilot" {
		in.fromCopilot()
	}
	o.Dir = cmp.Or(in.CWD, o.Dir)
	if o.Prove != "" {
		switch in.Event {
		case "SessionStart":
			return "", begin(ctx, o, in.Session)
		case "Stop", "AfterAgent":
			return stop(ctx, o, in.Session, in.Continues)
		}
		return "", nil
	}
	switch in.Event {
	case "SessionStart":
		text, err := sessionStart(ctx, o)
		return withContext(in.Event, text), err
	case "PostToolUse", "PostToolUseFailure", "AfterTool":
		text, err := afterTool(ctx, o, in.command())
		return withContext(in.Event, text), err
	case "PreToolUse", "BeforeTool":
		if o.Rewrite {
			return rewritten(o, in), nil
		}
	}
	return "", nil
}

// fromCopilot copies Copilot's fields to those of the other hosts.
func (in *input) fromCopilot() {
	in.Tool = in.CopilotTool
	var text string
	args := in.CopilotArgs
	if json.Unmarshal(args, &text) == nil {
		args = json.RawMessage(text)
	}
	if json.Unmarshal(args, &in.ToolInput) != nil {
		in.ToolInput = nil
	}
	switch {
	case in.Event != "":
	case in.Tool == "":
		in.Event = "SessionStart"
	case in.Result != nil:
		in.Event = "PostToolUse"
	default:
		in.Event = "PreToolUse"
	}
}

// shellTools are the tools that run a command line.
var shellTools = []string{"Bash", "bash", "run_shell_command", "shell", "exec_command"}

// command is the command line of a shell tool; "" for other tools.
func (in *input) command() string {
	if !slices.Contains(shellTools, in.Tool) {
		return ""
	}
	for _, key := range []string{"command", "cmd"} {
		if line, ok := in.ToolInput[key].(string); ok {
			return line
		}
	}
	return ""
}

// withContext is the answer that adds text to the model's context. It never contains a decision.
func withContext(event, text string) string {
	if text == "" {
		return ""
	}
	return encoded(map[string]any{"hookSpecificOutput": map[string]any{"hookEventName": event, "additionalContext": text}})
}

func encoded(v any) string {
	b, err := result.Marshal(v)
	if err != nil {
		return ""
	}
	return string(b) + "\n"
}

// rewritten is the answer that replaces the event's command, in the host's format.
func rewritten(o Options, in input) string {
	line, ok := Rewrite(in.command(), o.Prefix)
	if !ok {
		return ""
	}
	for _, key := range []string{"command", "cmd"} {
		if _, there := in.ToolInput[key]; there {
			in.ToolInput[key] = line
		}
	}
	switch o.Host {
	case "copilot":
		return encoded(map[string]any{"modifiedArgs": in.ToolInput})
	case "gemini", "qwen":
		return encoded(map[string]any{"hookSpecificOutput": map[string]any{"hookEventName": in.Event, "tool_input": in.ToolInput}})
	}
	return encoded(map[string]any{"hookSpecificOutput": map[string]any{"hookEventName": in.Event, "updatedInput": in.ToolInput}})
}

// sessionStart says what failed last, unless it has passed since, and how to ask for more.
func sessionStart(ctx context.Context, o Options) (string, error) {
	site, err := open(ctx, o)
	if err != nil {
		return "", err
	}
	defer site.Close()
	for hit, err := range recall.Objects(ctx, site, recall.Query{Filters: recall.Filters{Status: "failed,error", Limit: 1}}) {
		if err != nil {
			return "", err
		}
		text := fmt.Sprintf("cairn records what is run here. Last failure: %s: %s, run %s, %s ago",
			short(recall.CommandLine(hit.Record), 60), verdict(hit), hit.Record.ID, age(o.Now().Sub(hit.Record.Time)))
		if passed(ctx, site, hit.Record) {
			text += ", passed since"
		}
		return text + `. Before running something again for its output, ask: recall {"op":"output","id":ID} or cairn recall object ID.`, nil
	}
	return "", nil
}

// passed says whether the same command has run since without failing.
func passed(ctx context.Context, site *place.Site, failed *manifest.Record) bool {
	for rec, err := range site.Manifest.Records(ctx, manifest.Query{}) {
		if err != nil || rec.ID == failed.ID {
			return false
		}
		if rec.Key == failed.Key && rec.Exit != nil && *rec.Exit == 0 {
			return true
		}
	}
	return false
}

// recent is how old a record may be to count as that of the tool that has just ended.
const recent = 10 * time.Minute

// looked bounds the records searched for the previous run of a command.
const looked = 200

// afterTool returns the id of a failing command's run, and whether its failures are new.
func afterTool(ctx context.Context, o Options, line string) (string, error) {
	if line == "" {
		return "", nil
	}
	site, err := open(ctx, o)
	if err != nil {
		return "", err
	}
	defer site.Close()
	var run, before *recall.Hit
	n := 0
	for hit, err := range recall.Objects(ctx, site, recall.Query{Filters: recall.Filters{Limit: looked}}) {
		if err != nil {
			return "", err
		}
		switch n++; {
		case run == nil && o.Now().Sub(hit.Record.Time) > recent:
			return "", nil
		case run == nil && recall.Command(hit.Record) == line:
			run = hit
		case run != nil && hit.Record.Key == run.Record.Key && before == nil:
			before = hit
		}
	}
	if run == nil || run.Result == nil || !fails(run.Result) {
		return "", nil
	}
	return fmt.Sprintf("cairn run %s: %s; %s.", run.Record.ID, verdict(run), compared(run, before)), nil
}

func fails(r *result.ToolResult) bool { return r.Status == result.Failed || r.Status == result.Error }

// compared says what is new in a run compared with the one before.
func compared(run, before *recall.Hit) string {
	if before == nil || before.Result == nil {
		return "this command was not on record before"
	}
	if run.Unsure != "" || before.Unsure != "" || len(run.Result.Findings) == 0 {
		return fmt.Sprintf("the run before was %s: %s", before.Record.ID, verdict(before))
	}
	known := map[string]bool{}
	for _, f := range before.Result.Findings {
		known[f.Fingerprint] = true
	}
	fresh := 0
	for _, f := range run.Result.Findings {
		if !known[f.Fingerprint] {
			fresh++
		}
	}
	switch {
	case fresh == 0:
		return "all of it failed in " + before.Record.ID + " already"
	case fresh == len(run.Result.Findings):
		return "all of it is new since " + before.Record.ID
	}
	return fmt.Sprintf("%d of %d findings are new since %s", fresh, len(run.Result.Findings), before.Record.ID)
}

func open(ctx context.Context, o Options) (*place.Site, error) {
	if o.Dir == "" {
		return nil, errors.New("the event does not say where")
	}
	site, err := place.Open(ctx, o.Dir, o.Env, func(manifest.Warning) {})
	if err == nil {
		// Hooks run outside the sandbox of the commands. What cannot be swept
		// now is swept by the next question, which reports the reason.
		_, _ = capture.Sweep(ctx, site, o.Env)
	}
	return site, err
}

func verdict(hit *recall.Hit) string {
	if hit.Result == nil {
		return "no result"
	}
	return render.Verdict(hit.Result)
}

func short(s string, n int) string {
	s = result.CleanLine(strings.Join(strings.Fields(s), " "))
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

func age(d time.Duration) string {
	switch {
	case d >= 48*time.Hour:
		return fmt.Sprintf("%d days", d/(24*time.Hour))
	case d >= 2*time.Hour:
		return fmt.Sprintf("%d hours", d/time.Hour)
	case d >= 2*time.Minute:
		return fmt.Sprintf("%d minutes", d/time.Minute)
	}
	return "a moment"
}
