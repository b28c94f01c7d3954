package result

import (
	"os"
	"strings"
	"testing"
)

var here = Workspace{
	Root:    "/home/ann/My Code/proj",
	Dir:     "/home/ann/My Code/proj/sub",
	Home:    "/home/ann",
	Tmp:     "/scratch",
	Aliases: []string{"/mnt/proj", `C:\Users\Ann Lee\proj`},
}

func TestMessage(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"numbers stay", "Line too long (124 > 88)", "Line too long (124 > 88)"},
		{"case stays", "Undefined Name", "Undefined Name"},
		{"escapes", "\x1b[31massert\x1b[0m x\x07", "assert x"},
		{"composition", "cafe\u0301", "café"},
		{"accent behind a backtick", "e`\u0301", "é"},
		{"an accent that is a backtick", "a\u1fefb", "ab"},
		{"backticks", "use `let` here", "use let here"},
		{"single quotes", "‘x’ and ‚y’", "'x' and 'y'"},
		{"double quotes", "“x” and „y”", `"x" and "y"`},
		{"white space", "  a \t b\u00a0c\n", "a b c"},
		{"end", "missing semicolon. :", "missing semicolon"},

		{"root", "cannot read /home/ann/My Code/proj/a/b.go: no", "cannot read a/b.go: no"},
		{"root itself", "in /home/ann/My Code/proj", "in <root>"},
		{"root and a full stop", "in /home/ann/My Code/proj. Stop", "in <root>. Stop"},
		{"not the root", "in /mnt/project/x", "in /mnt/project/x"},
		{"alias", "open /mnt/proj/a.go", "open a.go"},
		{"quoted", "'/mnt/proj/a.go'", "'a.go'"},
		{"assigned", "--out=/mnt/proj/a.go", "--out=a.go"},
		{"drive", `open c:\users`, `open c:\users`},
		{"drive of the root", `open C:\Users\Ann Lee\proj\a\b.go now`, "open a/b.go now"},
		{"drive, escaped twice", `open c:\\Users\\Ann Lee\\proj\\a\\b.go`, "open a/b.go"},
		{"file URL", "at file:///mnt/proj/a.mjs:3:4", "at a.mjs:#"},
		{"file URL with an escape", "at file:///home/ann/My%20Code/proj/a.mjs", "at a.mjs"},
		{"file URL of a drive", "file:///C:/Users/Ann Lee/proj/a.ts", "a.ts"},
		{"file URL elsewhere", "file:///etc/x", "/etc/x"},
		{"home", "open /home/ann/.config/x", "open ~/.config/x"},
		{"temp", "open /tmp/pytest-of-ann/pytest-3/out.txt", "open <tmp>/out.txt"},
		{"own temp", "open /scratch/x1/out.txt", "open <tmp>/out.txt"},
		{"random name", "open /tmp/tmpab12cd34", "open <tmp>/tmp#"},
		{"object of gcc", "/tmp/ccVgQuzw.o: in function 'f'", "<tmp>/cc#.o: in function 'f'"},
		{"no random name", "open /tmp/tmpl.html", "open <tmp>/tmpl.html"},
		{"go build directory", "/tmp/go-build123456789/b001/a.test", "<tmp>/a.test"},
		{"library", "/usr/lib/python3/site-packages/a/b.py", "site-packages/a/b.py"},
		{"other path", "open /etc/passwd: denied", "open /etc/passwd: denied"},
		{"URL", "GET http://example.com/mnt/proj/a", "GET http://example.com/mnt/proj/a"},
		{"comment", "use // or /* */", "use // or /* */"},
		{"division", "a/b/c", "a/b/c"},

		{"address", "<A object at 0x7f3A>", "<A object at 0x#>"},
		{"not an address", "foo0x12 0xzz", "foo0x12 0xzz"},
		{"uuid", "id 550E8400-e29b-41d4-a716-446655440000!", "id <uuid>!"},
		{"hex", "sha 0123456789abcdef0", "sha <hex>"},
		{"short hex", "deadbeef", "deadbeef"},
		{"iso time", "at 2024-01-02T03:04:05.678Z", "at <time>"},
		{"iso time, comma and zone", "2024-01-02 03:04:05,678 +01:00 x", "<time> x"},
		{"go log time", "2024/01/02 03:04:05 x", "<time> x"},
		{"rfc time", "Mon, 02 Jan 2006 15:04:05 GMT", "<time>"},
		{"date stays", "2024-01-02", "2024-01-02"},
		{"durations", "took 5ms, 1.5 s, 1m30.25s, 3 seconds, 7µs, 2 min", "took <dur>, <dur>, <dur>, <dur>, <dur>, <dur>"},
		{"not durations", "5 sheep, 3 members, v1.2.3s, 10x, x5s", "5 sheep, 3 members, v1.2.3s, 10x, x5s"},
		{"port", "http://localhost:43121/x 127.0.0.1:8080 [::1]:54321 0.0.0.0:1024", "http://localhost:<port>/x 127.0.0.1:<port> [::1]:<port> 0.0.0.0:<port>"},
		{"known port", "localhost:80 10.0.0.1:8080 127.0.0.1:1023", "localhost:80 10.0.0.1:8080 127.0.0.1:1023"},
		{"pid", "pid 12, pid=13, PID: 14", "pid #, pid=#, PID: #"},
		{"goroutine", "goroutine 17 [running]", "goroutine # [running]"},
		{"thread", "thread 'main' (4711) panicked", "thread 'main' (#) panicked"},
		{"no thread", "f 'main' (4711) x", "f 'main' (4711) x"},
		{"worker", "[gw3] node down", "[gw#] node down"},
		{"positions", "line 12, column 7; Lines 3-9, col 4 (line 8) at 12:7, x.go:12:7", "line #, column #; Lines #, col # (line #) at #, x.go:#"},
		{"not positions", "inline 5, line five, ratio 1:2, line 5a", "inline 5, line five, ratio 1:2, line 5a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := here.Message(tt.in); got != tt.want {
				t.Errorf("Message(%q)\n got %q\nwant %q", tt.in, got, tt.want)
			}
			if got := here.Message(tt.want); got != tt.want {
				t.Errorf("again: Message(%q) = %q", tt.want, got)
			}
		})
	}
}

func FuzzMessage(f *testing.F) {
	for _, s := range []string{
		"file:///C:/Users/Ann Lee/proj/a.ts:3:4 `x` ‘y’ 5ms",
		"/mnt/proj./ /mnt/proj/../x /tmp/tmpab12cd34/ ~/x",
		"thread 'line 5' (3) pid: 5 localhost:8080:5:6 [::1]:9999",
		"2024-01-02T03:04:05.5+00:00.5s 0x12.5s line 5:10:20.7 lines 1-2-3",
		"550e8400-e29b-41d4-a716-446655440000\u0338 1s\u0338 <\u0338 e`\u0301 \u1fef",
		"C:\\x/root/node_modules/y //a ///b file:////c",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := here.Message(s)
		if again := here.Message(once); again != once {
			t.Fatalf("%q\n once %q\nagain %q", s, once, again)
		}
		p := newPaths(here)
		id := p.id(s)
		_ = maskID(id)
		if name, _ := here.Path(s); CleanLine(name) != name {
			t.Fatalf("path %q is not clean", name)
		}
	})
}

// TestRecordedMessages takes lines of real output, of some seventy tools.
func TestRecordedMessages(t *testing.T) {
	data, err := os.ReadFile("testdata/messages.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	w := Workspace{Root: "/home/dev/webapp", Home: "/home/dev"}
	moved := Workspace{Root: "/builds/9 x/web", Home: "/root"}
	move := strings.NewReplacer("/home/dev/webapp", "/builds/9 x/web", "/home/dev", "/root")

	seen := map[string]bool{}     // messages
	prints := map[string]string{} // fingerprint to message
	for _, line := range lines {
		got := w.Message(line)
		if again := w.Message(got); again != got {
			t.Errorf("%q\n once %q\nagain %q", line, got, again)
		}
		if other := moved.Message(move.Replace(line)); other != got {
			t.Errorf("in another place\n got %q\nwant %q", other, got)
		}
		coloured := "\x1b[1m" + strings.ReplaceAll(line, " ", "\x1b[0m \x1b[31m") + "\x1b[K\r\n"
		if other := w.Message(coloured); other != got {
			t.Errorf("in colour\n got %q\nwant %q", other, got)
		}
		seen[got] = true
		fp := Fingerprint("tool", "", "", got)
		if old, ok := prints[fp]; ok && old != got {
			t.Errorf("%s stands for %q and %q", fp, old, got)
		}
		prints[fp] = got
	}
	// 37 lines are another one in colour, at another position or with another
	// duration. More would mean that the masks swallow what tells findings apart.
	if len(lines) < 500 || len(seen) < len(lines)-40 {
		t.Errorf("%d lines became %d messages", len(lines), len(seen))
	}
}

// TestLongMessages gives every scanner a text made of nothing but its own start.
// A scanner that looks ahead without a bound would take minutes here.
func TestLongMessages(t *testing.T) {
	w := Workspace{Root: "/a b/c", Home: "/h", Tmp: "/scratch"}
	for _, unit := range []string{"/", ":", " /", " c:/", " file:///", "0123456789abcdef", "thread 'a", "at 1:", "\x1b]", "\x1b[", "\u009d",
		"1", "1m", " > ", " /a b/c", " 2024-01-02T03:04:05.", "é", "e\u0301", "`", "%41", " /a b/c/..", "/src/", "/go/src/", "("} {
		s := strings.Repeat(unit, 100_000/len(unit))
		once := w.Message(s)
		if w.Message(once) != once {
			t.Errorf("%q, many times: the message changes when it is normalised again", unit)
		}
		p := newPaths(w)
		if name, _ := p.path(s); CleanLine(name) != name || CleanLine(p.id(s)) == "" && unit != "\x1b]" && CleanLine(s) != "" {
			t.Errorf("%q, many times: the path or the id is lost", unit)
		}
	}
}
