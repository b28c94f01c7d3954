package redact

import (
	b64 "encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// The kinds and places that a second attack got through: tokens of vendors, syntaxes that hold a value, sentences, and
// commands in which a secret's place says what it is.

// vendorTokens has one token for each rule of vendorRules and for each of its forms.
func vendorTokens() []planted {
	var out []planted
	add := func(rule, token string) { out = append(out, planted{rule, token, token}) }
	seed := uint64(500)
	tok := func(rule, prefix, alphabet string, n int) {
		seed++
		add(rule, prefix+random(seed, alphabet, n))
	}
	url := word + "-_"
	for prefix, n := range map[string]int{"r" + "8_": 37, "ji" + "na_": 60, "na" + "pi_": 64, "hcaik" + "_01": 56, "dda" + "pp_": 34, "rn" + "d_": 32, "sec" + "ret_": 43} {
		tok("vendor-token", prefix, word, n)
	}
	for prefix, n := range map[string]int{"tgp" + "_v1_": 43, "cs" + "k-": 48, "CFP" + "AT-": 43, "sb_sec" + "ret_": 31, "tf" + "p_": 59} {
		tok("vendor-token", prefix, word, n)
	}
	tok("vendor-token", "sk"+"_", hexes, 48)
	tok("vendor-token", "sk"+"-", hexes, 32)
	tok("vendor-token", "fc"+"-", hexes, 32)
	tok("any", "ke"+"y-", hexes, 32)
	tok("vendor-token", "sq"+"p_", hexes, 40)
	tok("vendor-token", "bk"+"ua_", hexes, 40)
	tok("vendor-token", "do"+"se", hexes, 32)
	tok("vendor-token", "oy"+"2", lowers+digits, 43)
	tok("vendor-token", "ci"+"o", word, 32)
	tok("vendor-token", "CCI"+"PAT_"+random(490, word, 22)+"_", hexes, 40)
	tok("vendor-token", "re"+"_"+random(491, word, 8)+"_", word, 24)
	add("vendor-token", "sd"+"k-"+uuid(492))
	add("vendor-token", "sk"+"-lf-"+uuid(493))
	add("vendor-token", "access"+"-sandbox-"+uuid(494))
	tok("anthropic-token", "sk-ant"+"-oat01-", url, 93)
	tok("anthropic-token", "sk-ant"+"-sid01-", url, 86)
	tok("gitlab-token", "gl"+"pat-"+random(495, url, 27)+".01.", lowers+digits, 9)
	tok("gitlab-token", "gl"+"rt-t1_", word, 20)
	tok("slack-session-token", "xo"+"xc-123456789012-123456789012-1234567890123-", hexes, 64)
	tok("slack-session-token", "xo"+"xd-", word, 120)
	tok("vault-token", "hv"+"s.", word, 24)
	tok("huggingface-token", "h"+"f_", word, 34)
	tok("doppler-token", "dp"+".st.prd.", word, 43)
	tok("infisical-token", "s"+"t."+random(496, hexes, 24)+"."+random(497, hexes, 32)+".", hexes, 32)
	tok("sentry-token", "sntr"+"ys_eyJ", word, 130)
	tok("newrelic-key", "NR"+"AK-", uppers+digits, 27)
	add("newrelic-key", random(498, hexes, 36)+"FFFF"+"NRAL")
	add("mailchimp-key", random(499, hexes, 32)+"-us"+"14")
	tok("mapbox-token", "sk"+".eyJ"+random(489, word, 80)+".", word, 22)
	tok("atlassian-token", "ATA"+"TT3xFfGF0", url, 120)
	tok("atlassian-token", "AT"+"BB", word, 32)
	tok("square-token", "sq"+"0csp-", url, 43)
	add("braintree-token", "access_"+"token$production$"+random(488, lowers+digits, 16)+"$"+random(487, hexes, 32))
	tok("facebook-token", "E"+"AA", word, 180)
	tok("google-client-secret", "GOC"+"SPX-", url, 28)
	tok("google-refresh-token", "1/"+"/0g", url, 60)
	add("azure-devops-token", random(486, word, 52)+"JQ"+"QJ99"+random(485, word, 20)+"AZDO"+random(484, word, 4))
	tok("asana-token", "2/"+"1203456789012345/1205678901234567:", hexes, 32)
	tok("adyen-key", "A"+"QE"+random(483, word, 80)+"-"+random(482, word, 40)+"=-", word, 16)
	tok("django-secret-key", "django-"+"insecure-", lowers+digits+"!@#$%^&*(-_=+)", 50)
	tok("encoded-private-key", "LS0tLS1CRUdJTiB"+"QUklWQVRFIEtFWS0tLS0t", base64, 200)
	tok("yandex-token", "t"+"1."+random(470, url, 80)+".", word, 86)
	tok("amazon-client-secret", "amzn1"+".oa2-cs.v1.", hexes, 64)
	return out
}

// TestPlaces: a value that its place says to be a password or a key.
func TestPlaces(t *testing.T) {
	const key, pw = "%[1]s", "%[2]s"
	for _, text := range []string{
		`{"db_password": {"sensitive": true, "type": "string", "value": "` + pw + `"}}`, "env[0].name=DB_PASSWORD,env[0].value=" + pw, `<entry key="db.password">` + pw + "</entry>",
		"dataSource.password................" + pw, "db_password = <<EOT\n" + pw + "\nEOT", "##vso[task.setvariable variable=X;issecret=true]" + pw, "username admin password 0 " + pw,
		"ACL SETUSER app on >" + pw + " ~* +@all", "erl -name a@h -setcookie " + pw, "https://mm.example.org/hooks/" + key, "setenv API_TOKEN " + key, "ipmitool -U admin -P " + pw + " power status",
		"gh secret set X --body \"" + key + "\"", "aws ssm put-parameter --name /x --value " + pw, "printf '" + pw + "' | docker secret create db -", "curl -u " + key + ":X https://x.example.org",
		"<Key>Password</Key><Value ProtectInMemory=\"True\">" + pw + "</Value>", "DBI->connect('dbi:Pg:dbname=x', 'app', '" + pw + "')", `write(3, "AUTH ` + key + `\r\n", 27) = 27`,
		"cf login -u bob -p " + pw, `net use Z: \\srv\share ` + pw + " /user:bob", "signtool sign /f a.pfx /p " + pw + " a.exe", "MONGO_PASS    " + pw + "\nPORT          80", "https://" + key + "Q7:x-oauth-basic@h/o/r.git",
		"-[ RECORD 1 ]---\nid       | 7\napi_key  | " + key, "+----+--------+\n| id | secret |\n+----+--------+\n|  7 | " + pw + " |\n+----+--------+", "$ pass show db/prod\n" + pw + "\n", `npmAuthIdent: "ci:` + pw + `"`,
		`{"bearer":{"r.example.org":"` + key + `"}}`, "Fernet(b'" + key + "=')", "https://d1.example.org/k?Expires=17&Signature=" + key + pw + "&x=1", "<password>{" + pw + "=}</password>", "<key>APIToken</key>\n\t<string>" + key + "</string>",
		"bob:$apr1$a.B/c1d2$" + key, "$2b$12$" + key + pw + "abcdefgh9", "$argon2id$v=19$m=65536,t=3,p=4$" + pw + "$" + key, `Authorization\x3a Bearer\x20` + key, "rejected waka_" + "1b4e28ba-2fa1-41d2-883f-" + "%[3]s" + ": 401",
		`url.UserPassword("app", "` + pw + `")`, "Pwd={" + pw + "};Server=db", "composer config http-basic.r.example.org ci " + pw, "recovery codes: a1b2c-d3e4f g5h6i-" + "j7k8l", "Step 4/9 : ENV GH_AUTH " + key,
	} {
		for i := range uint64(8) {
			key, pw := random(600+i, lowers+digits, 30), random(700+i, word, 12)+"7x"
			text := strings.NewReplacer("%[1]s", key, "%[2]s", pw, "%[3]s", random(750+i, hexes, 12)).Replace(text)
			got := Text(text)
			if strings.Contains(got, key) || strings.Contains(got, pw) || !strings.Contains(got, "[redacted:") || Text(got) != got {
				t.Errorf("%q: %q", text, got)
			}
		}
	}
}

// TestBrands: tokens that no rule knows, and what only looks like one.
func TestBrands(t *testing.T) {
	for i := range uint64(20) {
		for _, token := range []string{"acme" + "_" + random(900+i, word, 40), "acme" + "_prod_" + random(920+i, word, 30), "acme" + "-api-v1_" + random(940+i, word+"-_", 43), "acme" + "_at_" + random(960+i, word, 43) + "." + random(980+i, word, 43),
			"AC" + "ME-" + random(1000+i, word+"+/", 44), "sk" + "_acme_" + random(1020+i, lowers+digits, 40), "ac" + random(1040+i, word, 178)} {
			if got := Text("'" + token + "' is wrong"); got != "'[redacted:branded-token]' is wrong" {
				t.Errorf("%q", got)
			}
		}
		text := "data: " + b64.StdEncoding.EncodeToString([]byte("acme"+"_live_"+random(800+i, word, 32))) + "\n"
		if got := Text(text); got != "data: [redacted:encoded-token]\n" {
			t.Errorf("%q", got)
		}
		id := random(820+i, word, 29)
		for _, text := range []string{"chatcmpl-" + id, "pi_3" + id[:23], "sha512-" + random(840+i, word, 86) + "==", "dist/main-" + random(860+i, uppers+digits, 8) + ".js", b64.StdEncoding.EncodeToString([]byte("ordinary text of a fixture, no more"))} {
			if got := Text(text); got != text {
				t.Errorf("%q: %q", text, got)
			}
		}
	}
}

func TestVendorTokens(t *testing.T) {
	for _, p := range vendorTokens() {
		for _, around := range []string{"%s", "got %s here", "('%s')", `{\"x\":\"%s\"}`, "\x1b[32m%s\x1b[0m", "GET /keys/%s/use", "`%s`.", "<%s>", "a,%s,b", "%s;"} {
			text := fmt.Sprintf(around, p.secret)
			var r Redactor
			got := r.String(text)
			if n := leftOf(p.secret, got); n > 0 && !strings.HasPrefix(p.name, "braintree") || strings.Contains(got, p.secret) {
				t.Errorf("%s: %d bytes of %q survived in %q", p.name, n, p.secret, got)
			}
			if fired := r.Fired(); around == "%s" && p.name != "any" && (len(fired) != 1 || fired[0].Rule != p.name) {
				t.Errorf("%s: fired %v for %q", p.name, fired, p.secret)
			}
			if again := (&Redactor{}).String(got); again != got {
				t.Errorf("redacted again: %q and %q", got, again)
			}
		}
	}
}

// TestTokensInNames: a token is found also where a name goes on behind it, in a test's id, a path or an identifier.
func TestTokensInNames(t *testing.T) {
	tokens := slices.DeleteFunc(append(vendorTokens(), secretFamilies()...), func(p planted) bool { return p.text != p.secret })
	if len(tokens) < 50 {
		t.Fatalf("%d tokens", len(tokens))
	}
	for _, p := range tokens {
		for _, form := range []string{"test_p[%s-1]", "keys/%s_old/a.go", "a+%s+b", "%s=x", "%s.json", "fix/%s-2", "x_%s_y"} {
			text := fmt.Sprintf(form, p.secret)
			got := (&Redactor{}).String(text)
			if n := leftOf(p.secret, got); n > 0 {
				t.Errorf("%s: %d bytes are left of %q: %q", p.name, n, text, got)
			}
			if again := (&Redactor{}).String(got); again != got {
				t.Errorf("%s: redacted again:\n once %q\ntwice %q", p.name, got, again)
			}
		}
	}
}

// TestTables: every column whose name says so, up to where the table ends.
func TestTables(t *testing.T) {
	a, b, c := "k9Qm"+"ZqP2xW7c", "tr0ub"+"4dor&3", random(5, word, 32)
	in := "id,password,api_key\n1," + a + "," + c + "\n2,\"" + b + "\"," + c + "\n\nuser,role\nbob," + a + "1\n"
	want := "id,password,api_key\n1,[redacted:assigned-secret],[redacted:assigned-secret]\n2,\"[redacted:assigned-secret]\",[redacted:assigned-secret]\n\nuser,role\nbob," + a + "1\n"
	if got := Text(in); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for in, want := range map[string]string{
		"user;password\r\nbob;" + a + "\r\n":             "user;password\r\nbob;[redacted:assigned-secret]\r\n",
		"\"user\",\"password\"\n\"b, jr\",\"" + a + "\"": "\"user\",\"password\"\n\"b, jr\",\"[redacted:assigned-secret]\"",
		"user|password|role\nbob|" + a + "|x\n":          "user|password|role\nbob|[redacted:assigned-secret]|x\n",
	} {
		if got := Text(in); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
	for _, s := range []string{"name,token\nx,identifier\n", "tests,passed,token count\n12,11,3\n", "f(a, password)\ng(b, c1d2e3f4)\n", "a,password\nb,tests/a_1.py\n"} {
		if got := Text(s); got != s {
			t.Errorf("%q became %q", s, got)
		}
	}
}

// leftOf is how many of the last twelve bytes of a secret are left in a text, from the end.
func leftOf(secret, text string) int {
	tail := secret[len(secret)-12:]
	for n := 12; n > 5; n-- {
		if strings.Contains(text, tail[12-n:]) {
			return n
		}
	}
	return 0
}

// placedSecrets stand where a syntax, a sentence or a command says that they are secrets.
func placedSecrets() []planted {
	pw := "k9Qm" + "ZqP2xW7c"
	var out []planted
	for _, c := range []struct{ rule, format string }{
		// A value of its name, whatever the language.
		{assignedPassword, `Config { password: Some("%s") }`},
		{assignedPassword, "Config {\n    password: Some(\n        \"%s\",\n    ),\n}"},
		{assignedPassword, `password: Optional("%s")`},
		{assignedPassword, "[\"password\"]=>\n  string(12) \"%s\"\n"},
		{assignedPassword, "password = b'%s'"},
		{assignedPassword, "ALTER LOGIN bob WITH PASSWORD = N'%s';"},
		{assignedPassword, "password = [[%s]]"},
		{toldPassword, `{:user "bob", :db-password "%s"}`},
		{assignedPassword, `<add key="DbPassword" value="%s" />`},
		{assignedPassword, `{"name":"DB_PASSWORD","value":"%s"}`},
		{assignedPassword, `{\"name\": \"DB_PASSWORD\", \"value\": \"%s\"}`},
		{assignedPassword, "- name: DB_PASSWORD\n  value: %s\n"},
		{assignedPassword, "variable \"db_password\" {\n  default = \"%s\"\n}"},
		{assignedPassword, "define( 'DB_PASSWORD', '%s' );"},
		{assignedPassword, "| password | %s |"},
		{assignedPassword, "Key         Value\npassword    %s\n"},
		{assignedPassword, "Map(password -> %s)"},
		{assignedPassword, "FTP_PW=%s"},
		{assignedPassword, "ansible_ssh_pass: %s"},
		{assignedPassword, `auth: { user: 'bob', pass: '%s' }`},
		{assignedPassword, "&quot;password&quot;:&quot;%s&quot;"},
		{assignedPassword, `\u0022password\u0022:\u0022%s\u0022`},
		{assignedPassword, "q=%%7B%%22password%%22%%3A%%22%s%%22%%7D"},
		{assignedPassword, `<wsse:Password Type="x">%s</wsse:Password>`},
		{assignedPassword, "<ns:password>%s</ns:password>"},
		{assignedPassword, ` Password: (string) (len=12) "%s"`},
		{assignedPassword, "SSHPASS=%s sshpass -e ssh h"},
		{assignedPassword, "hibernate.connection.password %s"},
		{assignedPassword, "requirepass %s"},
		{assignedPassword, "ParameterKey=DbPassword,ParameterValue=%s"},
		{assignedPassword, `{password,"%s"}`},
		{"plist-password", "<key>password</key>\n<string>%s</string>"},
		{stackArgument, "#0 db.php(3): PDO->__construct('mysql:host=h', 'root', '%s')"},
		{urlPassword, "+ sqlplus system/%s@//h/x"},
		{urlPassword, "https://conda.anaconda.org/t/%s/acme"},
		{argvSecret, "+ security unlock-keychain -p %s login.keychain"},
		{assignedSecret, "SECRET_KEY_BASE=%s"},
		{basicAuth, `auth=("bob", "%s")`},
		{urlPassword, "jdbc:oracle:thin:scott/%s@//h:1521/x"},
		// SQL and sentences.
		{sqlPassword, "CREATE USER 'bob'@'%%' IDENTIFIED BY '%s';"},
		{sqlPassword, "alter user bob identified with caching_sha2_password by '%s'"},
		{toldPassword, "ALTER ROLE bob WITH ENCRYPTED PASSWORD '%s'"},
		{toldPassword, "SET PASSWORD FOR bob = PASSWORD('%s')"},
		{toldPassword, `x_test.go:10: got password "%s", want ""`},
		{toldPassword, "The admin password is %s."},
		{toldPassword, "Your temporary password is: %s"},
		{toldPassword, "connecting with password %s failed"},
		{toldPassword, "A temporary password is generated for root@localhost: %s"},
		{toldPassword, "Use the following password to proceed:\n\n%s\n"},
		// What a program reads.
		{pipedSecret, "+ echo %s | docker login -u bob --password-stdin r.example.org"},
		{pipedSecret, "echo 'bob:%s' | chpasswd"},
		{"pgpass-password", "db.example.org:5432:app:bob:%s"},
		{"ci-masked-value", "::add-mask::%s"},
		{"powershell-password", "ConvertTo-SecureString '%s' -AsPlainText -Force"},
		{authHeader, `Authorization: Digest username="bob", response="` + "%s" + `"`},
		// Commands in a text.
		{argvSecret, "+ keytool -genkey -storepass %s -keystore k.jks"},
		{argvSecret, "+ rabbitmqctl add_user bob %s"},
		{argvSecret, "+ htpasswd -b .htpasswd bob %s"},
		{argvSecret, "+ az login --service-principal -u x -p %s --tenant t"},
		{argvSecret, "+ kubectl create secret generic x --from-literal=db=%s"},
		{argvSecret, "+ docker exec db mysql -uroot -p%s app"},
	} {
		out = append(out, planted{c.rule, fmt.Sprintf(c.format, pw), pw})
	}
	encoded := b64.StdEncoding.EncodeToString([]byte(pw + pw))
	for _, format := range []string{
		"apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\ndata:\n  DB_DSN: %s\ntype: Opaque\n",
		"data:\n  .extra: |\n    %s\nkind: Secret\n",
		"kind: Secret\nstringData:\n  config: '%s'\n",
		`{"apiVersion":"v1","data":{"config":"%s"},"kind":"Secret"}`,
	} {
		out = append(out, planted{kubeSecret, fmt.Sprintf(format, encoded), encoded})
	}
	return out
}

func TestPlacedSecrets(t *testing.T) {
	for _, p := range placedSecrets() {
		var r Redactor
		got := r.String(p.text)
		before, after, _ := strings.Cut(p.text, p.secret)
		if want := before + "[redacted:" + p.name + "]" + after; got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
		if again := (&Redactor{}).String(got); again != got {
			t.Errorf("redacted again: %q and %q", got, again)
		}
	}
}

func TestArgvPlaces(t *testing.T) {
	const s = "swordfish"
	for _, c := range []string{
		"curl|-sSu|bob:#|https://h", "curl|-b|session=#|h", "curl|--oauth2-bearer|#|h",
		"openssl|enc|-k|#", "openssl|enc|-aes-256-cbc|-K|#",
		"helm|upgrade|x|c|--set|db.x=#", "kubectl|create|secret|generic|x|--from-literal|k=#", "kubectl|create|secret|generic|x|--from-literal=k=#",
		"gh|secret|set|X|--body|#", "gh|secret|set|X|-b|#", "skopeo|copy|--dest-creds|bob:#|a|b", "skopeo|copy|--src-creds=bob:#|a|b",
		"keytool|-storepass|#|-list", "jarsigner|-keypass|#|a.jar", "vault|login|#", "vault|kv|put|secret/x|any=#", "cargo|login|#", "snyk|auth|#",
		"fly|secrets|set|ANY=#|OTHER=#", "heroku|config:set|ANY=#", "az|keyvault|secret|set|--name|x|--value|#", "aws|secretsmanager|create-secret|--secret-string|#",
		"aws|ssm|put-parameter|--name|x|--value|#", "twine|upload|-u|b|-p|#|dist/x", "poetry|publish|-u|b|-p|#", "poetry|config|pypi-token.pypi|#",
		"poetry|config|http-basic.x|bob|#", "dotnet|nuget|push|x.nupkg|-k|#|-s|u", "smbclient|-U|bob%#|//h/s", "mount|-t|cifs|-o|user=bob,pass=#,ro|//h/s|/m",
		"htpasswd|-b|f|bob|#", "htpasswd|-nb|bob|#", "rabbitmqctl|add_user|bob|#", "mc|alias|set|x|https://h|key|#", "nmcli|dev|wifi|connect|x|password|#",
		"rclone|--sftp-pass|#", "unrar|x|-p#|a.rar", "codecov|-t|#", "sonar-scanner|-Dsonar.login=#", "useradd|-p|#|bob", "docker|exec|db|mysql|-uroot|-p#",
	} {
		argv := strings.Split(strings.ReplaceAll(c, "#", s), "|")
		want := strings.Split(strings.ReplaceAll(c, "#", "[redacted:"+argvSecret+"]"), "|")
		if got := (&Redactor{}).Argv(argv); !slices.Equal(got, want) {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
	for _, argv := range [][]string{
		{"vault", "kv", "get", "secret/x"}, {"cargo", "build", "--release"}, {"kubectl", "get", "secret", "x"}, {"helm", "upgrade", "x", "c"}, {"az", "group", "list", "-p"},
		{"curl", "-sSfL", "https://h"}, {"dotnet", "test", "-k", "x"}, {"gh", "pr", "create", "-b", "text"}, {"poetry", "config", "virtualenvs.create", "false"},
		{"htpasswd", "-c", "file", "bob"}, {"mount", "-o", "ro", "/dev/sda1", "/m"}, {"poetry", "run", "x", "-p", "4"}, {"aws", "ssm", "get-parameter", "--value", "x"},
	} {
		if got := (&Redactor{}).Argv(argv); !slices.Equal(got, argv) {
			t.Errorf("%q became %q", argv, got)
		}
	}
}

// What looks like one of these and is not.
func TestHarmlessKinds(t *testing.T) {
	for _, s := range []string{
		"napi_get_value_bigint_int64 napi_create_external_arraybuffer2 secret_sharing_scheme_over_gf256",
		"sk_test_connection_pool_exhausted_4, re_compile_fast_map_2, st.abc.def, api-gateway-service-2024, sdk-manager-3",
		"[\"username\", \"password\", \"email\", \"address1\"], ('token', 'secret')",
		"{\"name\":\"password\",\"value\":\"string\"}, {\"name\": \"token\", \"default\": null}",
		"| password | string | yes |\n| token | v1.2.3 | no |\n| secret | required | 12 |",
		"type operation any // PeekKind | ReadToken | WriteToken | BufferWrite",
		"- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: db-secret-2\n",
		"The password is too short: 8 characters at least.",
		"password is required; password is SHA256; your password is base64-encoded",
		"password for user: bob1234x failed", "Invalid password: must match /^[a-z0-9]{8,}$/",
		"Enter the password:\n\n  2 tests passed", "password hash: sha256 of salt2salt",
		"works are identified as \"RSA Data Security, Inc.\"; rows are identified by 'user_id2'; users are identified by name",
		"Detected added column 'user.email'\nWill assume DDL.\nError: Can't locate revision identified by '1234abcd'",
		"pass: 12, pass: '3/4', pass: 123.45ms, Pass = true2",
		"vault login failed for bob", "cargo login --help", "echo done | sudo -S", "echo $TOKEN | docker login --password-stdin",
		"kubectl create secret generic x --from-literal=key=value", "kind: SecretStore\ndata:\n  key: longervalue123\n",
		"kind: ConfigMap\ndata:\n  key: longervalue123\n---\nkind: Secret\nmetadata:\n  name: longervalue123\n",
		"auth=(\"user\", \"password\")", "ConvertTo-SecureString $password -AsPlainText",
		"pip/version.py,sha256=qaN-fw_htIgKUVXoAuAEVgKxQu3tZ9qE2eiKkWIS7LA,160", "100%25 of 50%3A50 &amp; more &#39;x&#39;",
		"<password type=\"text\"/> <Password>", "password required\npassword reset\ntoken expired", "BYPASS=1 PASS=12 COMPASS=north", "type Public struct {\n\tName   string\n\tSecret Bug4Secret\n\tPassword  Type2Secret\n}",
		"RIO_PW: Device2x added\n", "| tiktoken    | 8795.2ns/op  | 70198 ns  |", "{\"go/token\", \"x7f0fu4x10x01x14x02\"},",
		"docker run --rm -u 1000:1000 -p 127.0.0.1:8080:80 img2, diff -u old.c -p new1.c, pytest -u x1 -p no:cacheprovider, pip install --user -p 3", "failed to get secret\nhandler2.go\n",
		"tests/test_auth.py::test_forbidden[case_1b4e28ba-2fa1-41d2-883f-0016d3cca427]", "job-1b4e28ba-2fa1-41d2-883f-0016d3cca427 was forbidden", "cache v1-deps-d41d8cd98f00b204e9800998ecf8427e expired",
		"createCipheriv('chacha20-poly1305', key)", "net user bob /add", "user: \"1000:10001\"", "| token | type |\n|-------|------|\n| x | string |", "DB_TESTS_PASS    12", "{{user.password1}} <Password>{props.password2}</Password>",
		"os.Setenv(\"PWD=\"+dir)", "Authorization: Digest realm=\"x\", nonce=\"y\"",
	} {
		if got := (&Redactor{}).String(s); got != s {
			t.Errorf("redacted harmless text:\n text %q\n  got %q", s, got)
		}
	}
}
