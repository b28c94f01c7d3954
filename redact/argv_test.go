package redact

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestArgv(t *testing.T) {
	const s = "swordfish" // stands where only the place says that it is a secret
	pat := "gh" + "p_" + random(1, word, 36)
	for _, c := range []struct{ name, argv, want string }{
		{"long flag", "tool|--password|" + s, "tool|--password|#"},
		{"long flag, value beginning with a dash", "tool|--password|-" + s, "tool|--password|#"},
		{"long flag assigned", "tool|--db-password=" + s + "|x", "tool|--db-password=#|x"},
		{"single dash", "tool|-password|" + s, "tool|-password|#"},
		{"token", "tool|--token|" + s + "|--verbose", "tool|--token|#|--verbose"},
		{"camel case", "tool|--accessToken=" + s, "tool|--accessToken=#"},
		{"api key", "tool|--api-key|" + s, "tool|--api-key|#"},
		{"variable", "env|DB_PASSWORD=" + s + "|pytest", "env|DB_PASSWORD=#|pytest"},
		{"variable with equal signs", "env|API_TOKEN=" + s + "==|pytest", "env|API_TOKEN=#|pytest"},
		{"mysql glued", "mysql|-uroot|-p" + s + "|app", "mysql|-uroot|-p#|app"},
		{"mysql by path", "/usr/bin/mysqldump|-p" + s, "/usr/bin/mysqldump|-p#"},
		{"behind a wrapper", "timeout|5|mysql|-p" + s, "timeout|5|mysql|-p#"},
		{"sshpass", "sshpass|-p|" + s + "|ssh|-p|22|h", "sshpass|-p|#|ssh|-p|22|h"},
		{"docker login", "docker|login|-u|bob|-p|" + s, "docker|login|-u|bob|-p|#"},
		{"curl user", "curl|-u|bob:" + s + "|https://example.org", "curl|-u|bob:#|https://example.org"},
		{"curl user assigned", "curl|--user=bob:" + s, "curl|--user=bob:#"},
		{"redis", "redis-cli|-a|" + s + "|PING", "redis-cli|-a|#|PING"},
		{"openssl", "openssl|rsa|-passin|pass:" + s, "openssl|rsa|-passin|pass:#"},
		{"header", "curl|-H|X-Auth-Token: " + s, "curl|-H|X-Auth-Token: #"},
		{"shell", "sh|-c|mysql -p" + s + " app < dump.sql && echo 'ok'", "sh|-c|mysql -p# app < dump.sql && echo 'ok'"},
		{"shell, quoted", "sh|-c|tool --password '" + s + "' --x \"a b\"", "sh|-c|tool --password '#' --x \"a b\""},
		{"shell, variable", "sh|-c|DB_PASSWORD=" + s + " pytest -q", "sh|-c|DB_PASSWORD=# pytest -q"},
		{"aws setting", "aws|configure|set|aws_secret_access_key|" + s, "aws|configure|set|aws_secret_access_key|#"},
		{"aws setting of a profile", "aws|--profile|ci|configure|set|profile.ci.aws_secret_access_key|" + s, "aws|--profile|ci|configure|set|profile.ci.aws_secret_access_key|#"},
		{"npm setting", "npm|config|set|//registry.example.org/:_authToken|" + s, "npm|config|set|//registry.example.org/:_authToken|#"},
		{"npm setting assigned", "npm|config|set|//registry.example.org/:_authToken=" + s, "npm|config|set|//registry.example.org/:_authToken=#"},
		{"npm setting, short", "sudo|npm|set|//registry.example.org/:_authToken|" + s, "sudo|npm|set|//registry.example.org/:_authToken|#"},
		{"git setting", "git|config|--global|github.token|" + s, "git|config|--global|github.token|#"},
		{"setting in a shell", "sh|-c|npm config set //r/:_authToken " + s + " && npm ci", "sh|-c|npm config set //r/:_authToken # && npm ci"},
		{"docker login, password first", "docker|login|-p|" + s + "|-u|bob|registry.example.org", "docker|login|-p|#|-u|bob|registry.example.org"},
		{"docker login, glued", "sudo|docker|--config|/x|login|-p" + s, "sudo|docker|--config|/x|login|-p#"},
		{"docker login, assigned", "docker|login|-p=" + s, "docker|login|-p=#"},
		{"docker login, long", "docker|login|--password|two words", "docker|login|--password|#"},
		{"curl user, glued", "curl|-ubob:" + s, "curl|-ubob:#"},
		{"curl user with blanks", "curl|-u|bob:two words", "curl|-u|bob:#"},
		{"curl key as user", "curl|-u|sk5f7Q2xT9:|https://example.org", "curl|-u|#:|https://example.org"},
		{"url", "git|clone|https://bob:" + s + "@git.example.org/x", "git|clone|https://bob:[redacted:url-password]@git.example.org/x"},
		{"authorization", "curl|-H|Authorization: Bearer " + random(2, word, 30), "curl|-H|Authorization: Bearer [redacted:authorization-header]"},
		{"token that says so", "tool|" + pat, "tool|[redacted:github-pat]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			argv := strings.Split(c.argv, "|")
			before := slices.Clone(argv)
			var r Redactor
			got := strings.Join(r.Argv(argv), "|")
			if want := strings.ReplaceAll(c.want, "#", "[redacted:"+argvSecret+"]"); got != want {
				t.Errorf("got  %q\nwant %q", got, want)
			}
			if !slices.Equal(argv, before) {
				t.Error("the argument was changed")
			}
			if len(r.Fired()) != 1 {
				t.Errorf("fired %v", r.Fired())
			}
			if again := strings.Join((&Redactor{}).Argv(strings.Split(got, "|")), "|"); again != got {
				t.Errorf("redacted again: %q", again)
			}
		})
	}
}

// Every secret of the table is gone from an argv too, whatever argument it is part of.
func TestSecretsSurviveInNoArgument(t *testing.T) {
	secrets := slices.DeleteFunc(secretFamilies(), func(p planted) bool { return strings.HasPrefix(p.name, "private-key") })
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(secrets).Draw(t, "secret")
		some := rapid.SliceOfN(rapid.SampledFrom([]string{"sh", "-c", "--flag", "-x", "mysql", "docker", "login", "curl", "-p", "x", "", "A=b", "--", "--token"}), 0, 6)
		argv := slices.Concat(some.Draw(t, "before"), []string{p.text}, some.Draw(t, "after"))
		got := (&Redactor{}).Argv(argv)
		if len(got) != len(argv) {
			t.Fatalf("%d arguments became %d", len(argv), len(got))
		}
		if strings.Contains(strings.Join(got, "\x00"), p.secret) {
			t.Fatalf("%s survived in %q", p.name, got)
		}
		if again := (&Redactor{}).Argv(got); !slices.Equal(again, got) {
			t.Fatalf("redacted again:\n once %q\ntwice %q", got, again)
		}
	})
}

func FuzzArgv(f *testing.F) {
	f.Add("tool\x00--password\x00x y\x00-p\x00mysql\x00-p'a\"b")
	f.Add("sh\x00-c\x00curl -u a:b'c d' -H \"X-Token: e")
	f.Fuzz(func(t *testing.T, s string) {
		argv := strings.Split(s, "\x00")
		got := (&Redactor{}).Argv(argv)
		if len(got) != len(argv) {
			t.Fatalf("%d arguments became %d", len(argv), len(got))
		}
		if again := (&Redactor{}).Argv(got); !slices.Equal(again, got) {
			t.Errorf("redacted again:\n once %q\ntwice %q", got, again)
		}
	})
}
