package web

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"cairn/agents/timeline"
	"cairn/agents/timeline/kept"
	"cairn/internal/place"
	"cairn/manifest"
)

// scene is a server over two timelines: one on the record, with an output of 5 MB and 1,000 steps,
// and one that it started and that still runs.
func scene(t *testing.T) (s *Server, url string) {
	t.Helper()
	dir := t.TempDir()
	for _, key := range []string{"HOME", "XDG_STATE_HOME"} {
		t.Setenv(key, t.TempDir())
	}
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	if out, err := exec.CommandContext(t.Context(), "git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	site, err := place.Open(t.Context(), dir, place.FromEnviron(os.Environ()), func(w manifest.Warning) { t.Error(w) })
	if err != nil {
		t.Fatal(err)
	}
	put := func(text string) (string, error) {
		info, err := site.Objects.Put(strings.NewReader(text))
		return info.ID.String(), err
	}
	begin := func(meta timeline.Meta, ts int64) (*timeline.Timeline, *kept.Run) {
		r, err := kept.Begin(t.Context(), site, meta.AgentID)
		if err != nil {
			t.Fatal(err)
		}
		return timeline.New(meta, put, ts), r
	}
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC).UnixMilli()
	first, r := begin(timeline.Meta{AgentID: "01FIRST", Session: "0199-session", DisplayName: "Explore (read-only)", Type: "Explore", Description: "Find where sessions are refreshed",
		Model: "anthropic/claude-haiku-4-5", Thinking: "low", MDPath: "agents/Explore.md", MDSource: "bundled"}, now)
	say := func(tl *timeline.Timeline, n int64, format string, args ...any) {
		if err := tl.Add(json.RawMessage(fmt.Sprintf(format, args...)), n); err != nil {
			t.Fatal(err)
		}
	}
	say(first, now+400, `{"type":"message_end","message":{"role":"assistant","content":[{"type":"thinking","thinking":"The refresh is likely near the token store; search first."}],"usage":{"input":2100,"output":80}}}`)
	use := func(tl *timeline.Timeline, n int64, call, tool, args, output string, failed bool) {
		out, _ := json.Marshal(output)
		say(tl, n, `{"type":"tool_execution_start","toolCallId":%q,"toolName":%q,"args":%s}`, call, tool, args)
		say(tl, n+240, `{"type":"tool_execution_end","toolCallId":%q,"toolName":%q,"isError":%v,"result":{"content":[{"type":"text","text":%s}]}}`, call, tool, failed, out)
	}
	use(first, now+500, "a", "grep", `{"pattern":"refresh"}`, "src/auth/session.ts:88: await refresh(token)\nsrc/auth/store.ts:12: export async function refresh(\n", false)
	use(first, now+900, "b", "read", `{"path":"src/auth/gone.ts"}`, "ENOENT: no such file <script>document.title = 'taken over'</script>", true)
	use(first, now+1300, "c", "bash", `{"command":"npm test --silent"}`, strings.Repeat("ok 1 - refreshes the token before it expires\n", 5<<20/45), false)
	for i := range 996 {
		use(first, now+2000+int64(i), fmt.Sprint("r", i), "read", fmt.Sprintf(`{"path":"src/file%d.ts"}`, i), "export {}\n", false)
	}
	say(first, now+9000, `{"type":"message_end","message":{"role":"assistant","content":"## Answer\nSessions are refreshed in src/auth/session.ts:88.","stopReason":"stop","usage":{"input":9200,"output":640}}}`)
	first.End(timeline.Completed, "", now+9100)
	if _, err := r.End(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	second, run := begin(timeline.Meta{AgentID: "01SECOND", Parent: "01FIRST", Session: "0199-session", DisplayName: "Explore", Description: "Look at the store alone"}, time.Now().UnixMilli()-4000)
	say(second, time.Now().UnixMilli(), `{"type":"tool_execution_start","toolCallId":"x","toolName":"bash","args":{"command":"sleep 60"}}`)
	if err := run.Write(second, second.Changed()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { runtime.KeepAlive(run) }) // a file that no one knows any more is closed
	s = New(site)
	web := httptest.NewServer(s)
	t.Cleanup(web.Close)
	return s, web.URL
}

func get(t *testing.T, url string) (status int, body string, header http.Header) {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	data, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(data), r.Header
}

func TestAnswers(t *testing.T) {
	s, url := scene(t)
	base := url + s.Path()
	status, body, header := get(t, base)
	if status != 200 || !strings.Contains(body, "cairn timelines") || !strings.Contains(header.Get("Content-Security-Policy"), "default-src 'none'") || strings.Contains(body, "NONCE") {
		t.Errorf("%d %v", status, header)
	}
	var all []shown
	if _, body, _ = get(t, base+"api/timelines"); json.Unmarshal([]byte(body), &all) != nil || len(all) != 2 || !all[0].Running || all[1].Running || len(body) > 4000 {
		t.Errorf("%s", body)
	}
	var one shown
	if _, body, _ = get(t, base+"api/timelines/01FIRST?from=3"); json.Unmarshal([]byte(body), &one) != nil || one.From != 3 || len(one.Steps) != 998 || len(body) > 300_000 {
		t.Errorf("%d bytes, %d steps: %.300s", len(body), len(one.Steps), body)
	}
	if _, body, header = get(t, base+"api/objects/"+one.Steps[0].Output.OID); len(body) != 5<<20/45*45 || !strings.HasPrefix(header.Get("Content-Type"), "text/plain") {
		t.Errorf("%d bytes as %v", len(body), header)
	}
}

// TestStrangers: no one without the secret, no other name of this machine, and nothing but reading.
func TestStrangers(t *testing.T) {
	s, url := scene(t)
	for _, path := range []string{"/", "/api/timelines", "/" + strings.Repeat("A", 26) + "/", s.Path() + "nosuch", s.Path() + "api/timelines/nosuch",
		s.Path() + "api/objects/../../config", s.Path() + "api/objects/sha256:" + strings.Repeat("0", 64)} {
		if status, _, _ := get(t, url+path); status < 400 {
			t.Errorf("%s: %d", path, status)
		}
	}
	for _, c := range []struct {
		method, host string
		want         int
	}{{"GET", "evil.example", 404}, {"GET", "evil.example:80", 404}, {"POST", "127.0.0.1", 405}, {"DELETE", "localhost:1", 405}, {"GET", "[::1]:80", 200}} {
		r := httptest.NewRequest(c.method, s.Path(), nil)
		r.Host = c.host
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("%s at %s: %d", c.method, c.host, w.Code)
		}
	}
}

// TestBrowser looks at the page in a headless browser. With CAIRN_SCREENSHOT, a directory, it
// leaves a picture there.
func TestBrowser(t *testing.T) {
	browser := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil && browser == "" {
			browser = path
		}
	}
	if browser == "" {
		t.Skip("no chromium on PATH")
	}
	s, url := scene(t)
	args := []string{"--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1280,900", "--user-data-dir=" + t.TempDir(), "--virtual-time-budget=8000"}
	dom := func(path string) string {
		out, err := exec.CommandContext(t.Context(), browser, append(args, "--dump-dom", url+s.Path()+path)...).Output()
		if err != nil {
			t.Fatalf("%s: %v", browser, err)
		}
		return string(out)
	}
	page := dom("#01FIRST")
	for _, want := range []string{
		`data-shown="01FIRST 1001"`, "<h2>Explore (read-only)</h2>", "Find where sessions are refreshed", "anthropic/claude-haiku-4-5 · low", "11300", "npm test --silent",
		"all 5.0 MB", "&lt;script&gt;document.title", "session 0199-session", "Look at the store alone", "margin-left: 16px", "Sessions are refreshed in src/auth/session.ts:88.",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in the page", want)
		}
	}
	if strings.Contains(page, "<title>taken over") {
		t.Error("an output ran as a script")
	}
	if running := dom("#01SECOND"); !strings.Contains(running, "running bash") || !strings.Contains(running, `data-shown="01SECOND 1"`) {
		t.Errorf("what runs is not shown as running: %s", running[strings.Index(running, "</style>"):strings.Index(running, "<script")])
	}
	if dir := os.Getenv("CAIRN_SCREENSHOT"); dir != "" {
		if out, err := exec.CommandContext(t.Context(), browser, append(args, "--screenshot="+filepath.Join(dir, "timeline.png"), url+s.Path()+"#01FIRST")...).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	}
}
