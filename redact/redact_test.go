package redact

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

func TestSecretsAreRedacted(t *testing.T) {
	for _, p := range secretFamilies() {
		t.Run(p.name, func(t *testing.T) {
			var r Redactor
			got := r.String(p.text)
			if strings.Contains(got, p.secret) {
				t.Fatalf("the secret survived in %q", got)
			}
			rule, _, _ := strings.Cut(p.name, "/")
			fired := r.Fired()
			if len(fired) == 0 || rule != "any" && !slices.ContainsFunc(fired, func(f Fired) bool { return f.Rule == rule }) {
				t.Errorf("fired %v, want %s, in %q", fired, rule, got)
			}
			if len(fired) > 1 {
				t.Errorf("more than one rule for one secret: %v in %q", fired, got)
			}
			if again := (&Redactor{}).String(got); again != got {
				t.Errorf("redacted again:\n once %q\ntwice %q", got, again)
			}
			before, after, _ := strings.Cut(p.text, p.secret)
			if rule != "private-key" && (!strings.HasPrefix(got, before) || !strings.HasSuffix(got, after)) {
				t.Errorf("more than the secret is gone:\n text %q\n  got %q", p.text, got)
			}
		})
	}
}

// logLine generates the text around a secret in output.
func logLine() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{
		"", " ", "\n", "2025-01-02T03:04:05.678Z INFO  request done ", "E   AssertionError: assert 'x' == ", "tests/test_auth.py:42: ", "(", "[", "\"", "'",
		"`", "ok  \texample.org/x\t0.12s\n", "\x1b[31m", "\x1b[0m", "\x1b[1;31m", "$ ", "> ", "| ", "value=", "got: ", "user=bob, ", "<", "--- FAIL: TestX (0.00s)\n    x_test.go:7: got ",
		"https://example.org/a/b?c=d ", "sha256:4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945 ", "\x00", "\xff\xfe", "日本語 ", "\t", ", ", "; ", "{", "# ",
		"[redacted:jwt] ", "key: value\n", "token expired\n", "password required\n", "auth ok\n", "-----BEGIN CERTIFICATE-----\n", "curl: (6) could not resolve host\n", "machine is up\n",
	})
}

// around draws text that can stand before a secret and after it. What follows must not continue the secret, or it would be
// another one.
func surroundings(t *rapid.T) (before, after string) {
	before = strings.Join(rapid.SliceOfN(logLine(), 0, 5).Draw(t, "before"), "")
	after = strings.Join(rapid.SliceOfN(logLine(), 0, 5).Draw(t, "after"), "")
	if before != "" && isWord(before[len(before)-1]) && !startsWord(before+"x", len(before)) {
		before += " "
	}
	if after != "" && (isToken(after[0]) || strings.IndexByte(".:%!*@#&~?$([{", after[0]) >= 0) {
		after = " " + after
	}
	return before, after
}

// A secret alone on its line is recognised by being alone.
func needsItsLine(p planted) bool {
	return strings.HasPrefix(p.name, "private-key/alone") || strings.HasPrefix(p.name, "private-key/no begin")
}

func TestSecretsSurviveNowhere(t *testing.T) {
	secrets := slices.DeleteFunc(secretFamilies(), needsItsLine)
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(secrets).Draw(t, "secret")
		before, after := surroundings(t)
		text := before + p.text + after
		if rapid.Bool().Draw(t, "json") {
			quoted, _ := json.Marshal(text)
			text = string(quoted)
			escaped, _ := json.Marshal(p.secret)
			p.secret = strings.Trim(string(escaped), `"`)
		}
		got := (&Redactor{}).String(text)
		if strings.Contains(got, p.secret) {
			t.Fatalf("%s survived:\ntext %q\n got %q", p.name, text, got)
		}
		if again := (&Redactor{}).String(got); again != got {
			t.Fatalf("redacted again:\n once %q\ntwice %q", got, again)
		}
	})
}

// Colours and quotes right before and after the secret itself, inside its assignment.
func TestSecretsInColoursAndQuotes(t *testing.T) {
	wraps := [][2]string{{"\x1b[32m", "\x1b[0m"}, {"\x1b[1;32m", "\x1b[m"}, {`"`, `"`}, {"'", "'"}, {`\"`, `\"`}, {"`", "`"}}
	for _, p := range secretFamilies() {
		if needsItsLine(p) || strings.HasPrefix(p.name, "private-key") || strings.HasPrefix(p.name, "url-") || strings.HasPrefix(p.name, "dsn-") ||
			strings.HasPrefix(p.name, "cookie") || strings.Contains(p.name, "account key") || strings.HasSuffix(p.name, "/xml") || strings.HasPrefix(p.name, "slack-webhook") || strings.HasPrefix(p.name, "netrc") || strings.HasPrefix(p.name, "curl") {
			continue // there the syntax around the secret is fixed
		}
		quoted := strings.ContainsAny(p.text[max(0, strings.Index(p.text, p.secret)-1):][:1], "'\"")
		for _, w := range wraps {
			if quoted && w[0][0] != '\x1b' {
				continue
			}
			text := strings.Replace(p.text, p.secret, w[0]+p.secret+w[1], 1)
			if got := (&Redactor{}).String(text); strings.Contains(got, p.secret) {
				t.Errorf("%s survived in %q", p.name, got)
			}
		}
	}
}

func TestOnlyTheSecretIsReplaced(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"password", "login failed for bob, password=" + "hun" + "ter2 (try 3)", "login failed for bob, password=[redacted:assigned-password] (try 3)"},
		{"url", "dial postgres://app:" + "hun" + "ter2@db:5432/app: refused", "dial postgres://app:[redacted:url-password]@db:5432/app: refused"},
		{"bearer", `"Authorization": "Bearer ` + random(1, word, 30) + `", "Accept": "*/*"`, `"Authorization": "Bearer [redacted:authorization-header]", "Accept": "*/*"`},
		{"cookie", "Cookie: theme=dark; sessionid=" + random(2, word, 32) + "; lang=en", "Cookie: theme=dark; sessionid=[redacted:cookie]; lang=en"},
		{"most specific rule names it", "GITHUB_TOKEN=" + "gh" + "p_" + random(3, word, 36), "GITHUB_TOKEN=[redacted:github-pat]"},
		{"key block", pemLines("PRIV"+"ATE KEY", "\n"+strings.Join(keyBody(4, 64, 3), "\n")+"\n") + "\nnext", pemLines("PRIV"+"ATE KEY", "\n[redacted:private-key]\n") + "\nnext"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := (&Redactor{}).String(c.in); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// TestNumberedPlaceholders: what has a number stays as it is; what only looks so is no placeholder.
func TestNumberedPlaceholders(t *testing.T) {
	for _, s := range []string{"http://u:[redacted:url-password#2]@h/", "password=[redacted:assigned-password#12] x", "keys/[redacted:aws-access-token#3]_old"} {
		if got := Text(s); got != s {
			t.Errorf("%q became %q", s, got)
		}
		if placeholderEnd(s, strings.Index(s, "[")) != strings.Index(s, "]")+1 {
			t.Errorf("%q holds no placeholder", s)
		}
	}
	for _, s := range []string{"[redacted:#2]", "[redacted:x#]", "[redacted:x#2y]", "[redacted:x#2", "[redacted:x#123456789012]"} {
		if end := placeholderEnd(s, 0); end >= 0 {
			t.Errorf("%q is a placeholder", s)
		}
	}
}

func TestFired(t *testing.T) {
	var r Redactor
	if got := r.Fired(); len(got) != 0 {
		t.Errorf("a new redactor fired %v", got)
	}
	r.String("nothing here")
	r.String("password=" + "hun" + "ter2")
	r.String("passwd=" + "hun" + "ter3 and redis://:" + "swor" + "dfish@h")
	want := []Fired{{assignedPassword, 2}, {urlPassword, 1}}
	if got := r.Fired(); !slices.Equal(got, want) {
		t.Errorf("fired %v, want %v", got, want)
	}
}

func TestUntouchedTextIsTheSameString(t *testing.T) {
	s := strings.Repeat("ok  example.org/pkg 0.1s\n", 10)
	if n := testing.AllocsPerRun(10, func() { (&Redactor{}).String(s) }); n > 0 {
		t.Errorf("%v allocations for a text without keywords", n)
	}
}

// Every anchor must reach the text as the matcher compares it, and every pattern must compile.
func TestRulesAreSound(t *testing.T) {
	e := theEngine()
	for i, r := range e.rules {
		for _, a := range r.anchors {
			if len(a) < 3 || a != strings.ToLower(a) {
				t.Errorf("%s: anchor %q", r.id, a)
			}
		}
		if len(r.anchors) == 0 || len(r.id) > maxRuleName {
			t.Errorf("%s: no anchors, or too long a name", r.id)
		}
		if r.kind != detected {
			e.compiled(i)
		}
		if placeholderEnd(placeholderStart+r.id+"]", 0) < 0 {
			t.Errorf("%s: its placeholder is not recognised", r.id)
		}
	}
}

// TestLongSecrets: however long a secret is, no part of it is left.
func TestLongSecrets(t *testing.T) {
	for _, size := range []int{200, 255, 256, 257, 1000, 3000, 70_000} {
		secret := random(7, word, size)
		for _, before := range []string{"error: password=", "password: \"", "API_TOKEN=", "client_secret: '", "Authorization: Bearer ", "X-Api-Key: ", "Cookie: session=", "--password "} {
			for _, after := range []string{"", " and more", "\" more", "\nmore"} {
				got := (&Redactor{}).String("log: " + before + secret + after)
				if strings.Contains(got, secret[len(secret)-8:]) || strings.Contains(got, secret[:8]) {
					t.Errorf("%d bytes behind %q, before %q: %.40q…%q", size, before, after, got, got[max(0, len(got)-20):])
				}
			}
		}
	}
}

// Hostile lines: what matters is that this ends at all, and soon; a quadratic step would take minutes. Lines on which rules
// work at every few bytes are shorter, for the race detector's sake.
func TestLongLines(t *testing.T) {
	for _, unit := range []string{"a", "=", "a=", "key=", "password=", "token: ", "://", "http://a:", "eyJ", "eyJ.", "glpat-", " glpat-x", "curl ", "-----BEGIN PRIVATE KEY-----",
		"-----END PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\nabcdefghijklmnopqrstu", "facebook", "cookie: a=b;", "authorization: bearer ", "machine a login b ", "@tcp(", "a:@tcp(",
		"[redacted:", "[redacted:x]", "\\n", "\x1b[", "\x1b[31m", "password\x1b[31m", "https://a:b@", "x@", "akia", "secret_access_key=", "sk-", "Q~a", "_mmk", "s.a",
		"password is ", "password \n", "password\\n", "| password | ", "password -> ", "kind: Secret\n", "kind: Secret\ndata:\n  a: longvalue1\n", `{"kind":"Secret","data":{"a":"longvalue1"}}`,
		"identified by '", "create user identified by a ", "echo x | sudo -S ", "--password-stdin|", "pass=", "1/12", "re_", "%41", "&quot;", "&#65;", "<password a=", "\"kty\":\"RSA\"",
		"vault login ", "kubectl --from-literal ", "password Some(", "\"password\", \"", "string(1) ", "token,", "a,token\n", "token,password\nx,y\n", "Z2hwX-", "form-data; name=\"token\"\n\n", strings.Repeat("a", 79) + "\n"} {
		size := 1 << 20
		if len(unit) > 1 {
			size = 1 << 16
		}
		s := strings.Repeat(unit, size/len(unit))
		got := (&Redactor{}).String(s)
		if len(got) > 10*len(s) {
			t.Errorf("%q grew %d times", unit, len(got)/len(s))
		}
	}
}

func FuzzString(f *testing.F) {
	for _, p := range secretFamilies() {
		f.Add(p.text, uint8(0))
	}
	f.Add("[redacted:x]password=[redacted:y]\xff\x00", uint8(1))
	secrets := slices.DeleteFunc(secretFamilies(), needsItsLine)
	f.Fuzz(func(t *testing.T, s string, pick uint8) {
		got := (&Redactor{}).String(s)
		if again := (&Redactor{}).String(got); again != got {
			t.Errorf("redacted again:\n once %q\ntwice %q", got, again)
		}
		if len(got) > 64+12*len(s) {
			t.Errorf("%d bytes became %d", len(s), len(got))
		}
		p := secrets[int(pick)%len(secrets)]
		if got := (&Redactor{}).String(s + "\n" + p.text + "\n" + s); strings.Contains(got, p.secret) && !strings.Contains(s, p.secret) {
			t.Errorf("%s survived:\n%q", p.name, got)
		}
	})
}

// plainLog is output without any keyword.
func plainLog(size int) string {
	line := "ok  \texample.org/shop/checkout\t0.412s\n--- FAIL: TestRounding (0.00s)\n    round_test.go:17: got 3, want 4\n"
	return strings.Repeat(line, size/len(line)+1)[:size]
}

// busyLog is manifest text in which many keywords occur and two secrets.
func busyLog(size int) string {
	line := `{"message":"KeyError: 'token' in access_log","id":"tests/test_auth.py::test_api_key","path":"src/auth/token.py"}` + "\n"
	return strings.Repeat(line, size/len(line)+1)[:size] + "\nGITHUB_TOKEN=" + "gh" + "p_" + random(1, word, 36) + "\npassword=" + "hun" + "ter2\n"
}

func BenchmarkString(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"plain 4KB", plainLog(4 << 10)},
		{"plain 1MB", plainLog(1 << 20)},
		{"keywords 4KB", busyLog(4 << 10)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			for b.Loop() {
				(&Redactor{}).String(c.text)
			}
		})
	}
}

// BenchmarkCold is the first call of a process: the matcher is built, and what is needed is compiled.
func BenchmarkCold(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"plain 4KB", plainLog(4 << 10)},
		{"keywords 4KB", busyLog(4 << 10)},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				resetForTest()
				(&Redactor{}).String(c.text)
			}
		})
	}
}

// resetForTest forgets everything that was built or compiled, as at the start of a process.
func resetForTest() {
	theEngine = sync.OnceValue(newEngine)
	stopMatcher = sync.OnceValue(newStopMatcher)
	allowedSecret, allowedName = lazy{}, lazy{}
}

// TestSecretBesideOtherBytes: what no letter is beside a secret does not keep it.
func TestSecretBesideOtherBytes(t *testing.T) {
	for _, after := range []string{"\xff\xfe", "\xffE x", "\x80 x", "日本語"} {
		for _, secret := range []string{"password=DsUwswzHJMyP", "token=PlbtRAfgmLZMRMdmgqFcFJAW"} {
			if got := (&Redactor{}).String(secret + after); strings.Contains(got, secret[len("password="):]) {
				t.Errorf("%q survived", got)
			}
		}
	}
}
