package kept

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cairn/agents/timeline"
	"cairn/internal/ambiguous"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/objects"
)

func open(t *testing.T) *place.Site {
	t.Helper()
	dir := t.TempDir()
	for _, key := range []string{"HOME", "XDG_STATE_HOME"} {
		t.Setenv(key, t.TempDir())
	}
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	if out, err := exec.CommandContext(t.Context(), "git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	s, err := place.Open(t.Context(), dir, place.FromEnviron(os.Environ()), func(w manifest.Warning) { t.Error(w) })
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func begin(t *testing.T, s *place.Site, id string) (*Run, *timeline.Timeline) {
	t.Helper()
	r, err := Begin(t.Context(), s, id)
	if err != nil {
		t.Fatal(err)
	}
	tl := timeline.New(timeline.Meta{AgentID: id, Session: "s1", DisplayName: "Explore", Description: "look"}, func(text string) (string, error) {
		info, err := s.Objects.Put(strings.NewReader(text))
		return info.ID.String(), err
	}, time.Now().UnixMilli())
	return r, tl
}

// use is a tool that has begun, and then its output.
func use(t *testing.T, r *Run, tl *timeline.Timeline, call, output string) {
	t.Helper()
	for _, e := range []string{
		fmt.Sprintf(`{"type":"tool_execution_start","toolCallId":%q,"toolName":"bash","args":{"command":"x"}}`, call),
		fmt.Sprintf(`{"type":"tool_execution_end","toolCallId":%q,"toolName":"bash","result":{"content":[{"type":"text","text":%q}]}}`, call, output),
	} {
		if err := errors.Join(tl.Add(json.RawMessage(e), time.Now().UnixMilli()), r.Write(tl, tl.Changed())); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLife is a timeline from its beginning, which others can read as it goes, to
// the record.
func TestLife(t *testing.T) {
	s := open(t)
	r, tl := begin(t, s, "01AAA")
	use(t, r, tl, "1", "one")
	use(t, r, tl, "2", "two")
	w, err := Open(t.Context(), s, "01aaa")
	if err != nil || !w.Running() || len(w.Steps) != 2 || w.Steps[1].Output.Preview != "two" || w.OID != "" || w.Head.Status != timeline.Running {
		t.Fatalf("%+v %v", w, err)
	}
	tl.End(timeline.Completed, "", time.Now().UnixMilli())
	oid, err := r.End(t.Context(), tl)
	if err != nil {
		t.Fatal(err)
	}
	w, err = Open(t.Context(), s, "AAA")
	if err != nil || w.Running() || len(w.Steps) != 2 || w.OID != oid || w.Says != "Explore completed: look (2 steps, 0 tokens)" || w.Head.Session != "s1" {
		t.Errorf("%+v %v", w, err)
	}
	if left, err := filepath.Glob(filepath.Join(dirOf(s), "*")); len(left) != 0 || err != nil {
		t.Error(left, err)
	}
	all, err := List(t.Context(), s, 0)
	if err != nil || len(all) != 1 || all[0].Steps != nil {
		t.Errorf("%+v %v", all, err)
	}
	if _, err := Open(t.Context(), s, "nosuch"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// TestRecordHoldsNoSecret: not in the name of its directory, and not where a long line is cut.
func TestRecordHoldsNoSecret(t *testing.T) {
	secret := "gh" + "p_aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1cD3eT8"
	above := open(t)
	dir := filepath.Join(above.Repo.TopLevel, "d-"+secret+"_old")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	s, err := place.Open(t.Context(), dir, place.FromEnviron(os.Environ()), func(w manifest.Warning) { t.Error(w) })
	if err != nil {
		t.Fatal(err)
	}
	for cut := range len(secret) {
		head := timeline.Details{Meta: timeline.Meta{AgentID: "01AAA", DisplayName: "Explore", Description: strings.Repeat("x", maxSays-len("Explore : ")-cut-1) + " " + secret}, Began: 1}
		if _, err := record(t.Context(), s, head, "doc"); err != nil {
			t.Fatal(err)
		}
	}
	err = filepath.WalkDir(filepath.Join(s.Dir, "manifest"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if i := strings.Index(string(data), secret[:8]); i >= 0 {
			t.Errorf("leaked: …%s", data[max(0, i-200):min(len(data), i+60)])
		}
		if !strings.Contains(string(data), "[redacted:github-pat]_old") {
			t.Errorf("no directory: %.300s", data)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestStopped: a process that is gone is shown as such, and the next timeline puts what it
// did on the record.
func TestStopped(t *testing.T) {
	s := open(t)
	r, tl := begin(t, s, "01AAA")
	use(t, r, tl, "1", "one")
	if _, err := io.WriteString(r.file, `{"n":1,"step":{"kind":"to`); err != nil { // torn
		t.Fatal(err)
	}
	if err := r.file.Close(); err != nil {
		t.Fatal(err)
	}
	w, err := Open(t.Context(), s, "01AAA")
	if err != nil || w.Running() || w.Head.Status != timeline.Stopped || len(w.Steps) != 1 || !strings.Contains(w.Head.Error, "gone") {
		t.Fatalf("%+v %v", w, err)
	}
	second, other := begin(t, s, "01BBB")
	use(t, second, other, "1", "one")
	if w, err = Open(t.Context(), s, "01AAA"); err != nil || w.OID == "" || w.Head.Status != timeline.Stopped || len(w.Steps) != 1 {
		t.Errorf("%+v %v", w, err)
	}
	all, err := List(t.Context(), s, 0)
	if err != nil || len(all) != 2 {
		t.Errorf("%+v %v", all, err)
	}
	var several *ambiguous.Error
	if _, err := Open(t.Context(), s, "01"); !errors.As(err, &several) || several.Total != 2 {
		t.Error(err)
	}
}

// TestAway: where the document is not in this clone, the record still says how it ended.
func TestAway(t *testing.T) {
	s := open(t)
	r, tl := begin(t, s, "01AAA")
	tl.End(timeline.Failed, "the key AKIA"+"Q7RX5LNKT3WZP2MB"+" was refused", time.Now().UnixMilli())
	oid, err := r.End(t.Context(), tl)
	if err != nil {
		t.Fatal(err)
	}
	id, err := objects.ParseID(oid)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(s.Dir, "objects")); err != nil {
		t.Fatal(err)
	}
	w, err := Open(t.Context(), s, "01AAA")
	if err != nil || w.Away == "" || !strings.Contains(w.Says, "Explore error: look") || strings.Contains(w.Says, "AKIAQ7RX") || w.OID != id.String() {
		t.Errorf("%+v %v", w, err)
	}
}

func TestNames(t *testing.T) {
	s := open(t)
	for _, id := range []string{"", "../x", "a/b", ".x", strings.Repeat("a", 65)} {
		if _, err := Begin(t.Context(), s, id); err == nil {
			t.Errorf("%q was taken", id)
		}
	}
}
