package redact

import (
	"slices"
	"strings"
	"testing"
)

// harmless is text as tools print it, with the words that rules look for in it. A rule that fires here makes a test result
// unreadable, which is a bug. The random-looking values are what output really holds: digests, ids, paths, versions.
var harmless = []string{
	// Python
	"E       KeyError: 'password'",
	"E       AssertionError: assert 'token' == 'Token'",
	"tests/test_auth.py::test_token_refresh[expired-token-401] FAILED",
	"tests/test_auth.py:42: in test_login\n    user = authenticate(username=username, password=password)",
	"    password = get_password(user)",
	"    token = self.tokens.next_token2",
	"    secret = os.environ['APP_SECRET']",
	"    api_key = settings.api_key_v2",
	"    self.password = raw_password",
	"    def login(self, password: str, token: Optional[str] = None) -> Session2:",
	"E   django.core.exceptions.ValidationError: {'password': ['This field is required.']}",
	"E   assert {'password': 'required'} == {}",
	"E   assert form.errors == {'password': 'too_short'}",
	"pydantic: password: field required (type=value_error.missing)",
	"password: ********",
	"password=<redacted> token=${TOKEN} secret=$SECRET key=%s",
	"password=None, token='', secret=\"\"",
	"E   jinja2.exceptions.TemplateSyntaxError: expected token 'end of print statement', got 'string'",
	"SyntaxError: Unexpected token: name2 in JSON at position 17",
	"usage: tool [--password PASSWORD] [--token TOKEN] [--api-key KEY]",
	"  --password TEXT      the password (required)",
	"Enter password: ",
	"<Token: type=STRING value='x' line=12>",
	"token=Token(type='IDENT', line=3)",
	"    session = connect(host, password=secret, token=token)",
	"    client = Client(user=name, password=pw_from_vault)",
	"    parser.add_argument('--password', help='the password of the user')",
	"{\"password\": \"must be at least 8 characters\", \"token\": \"is not valid\"}",
	"password: \"This field may not be blank\"",
	"Unexpected token: 'end of file'",
	"{\"type\": \"token\", \"token\": \"identifier\", \"secret\": \"production\"}",
	"secret: my-app-config, token: StringLiteral, secret=configmap",
	"password: string; passwordConfirmation: string",
	"Password: invalid, password: incorrect, passwd: unchanged",
	"TokenType.StringLiteralToken: token = NumericLiteral",
	"{'token': 'ParenthesizedExpression'}",
	"api_key: required, api-key=missing",
	"--password=PASSWORD --token=TOKEN",
	"test_sk_test_connection PASSED, risk_live_environment_check",
	"orig=sig=abc design=fine",
	// commands that are named
	"usage: mysql -u USER -pPASSWORD [DATABASE]",
	"try mysql -p or mysql -u root -p<password>",
	"docker login --help: -p, --password string   Password or personal access token",
	"Usage: docker login -u USER -p PASSWORD",
	"curl -u user:password https://example.org",
	"docker run -p 8080:80 nginx && docker ps",
	"set it with `npm config set registry https://registry.example.org/`",
	"npm config set save-exact true",
	"curl: option -u: requires parameter",
	"redis-cli -a <password> PING",
	// what is hidden or written out
	"C:\\users\\xavier\\secret\\token.txt",
	"{\"html\":\"\\u003cb\\u003etoken\\u003c/b\\u003e\", \"key\": \"caf\\u00e9\"}",
	"\x1b[1mtoken\x1b[0m \x1b[32mpassed\x1b[0m \x1b]8;;https://example.org/access\x1b\\key\x1b]8;;\x1b\\",
	"emoji 👩\u200d🔬 in a token, a soft\u00adhyphen in a key",
	// Go
	"--- FAIL: TestAccessKey/rotates_key_2024 (0.00s)",
	"    auth_test.go:17: token = tok42, want tok43",
	"ok  \tgithub.com/example/auth/token\t0.004s",
	"github.com/example/access v1.2.3 h1:Kq1GzGQ7wO0Rk3mC7j9v2tF5ZQ8xY4nB6pL0sD1eA3c=",
	"verifying module: checksum mismatch\n\tdownloaded: h1:9fpfTbG2LVkrC0zUn3rQZ4vWJmY0s1oD7eX5tB8aK6M=\n\tgo.sum:     h1:Kq1GzGQ7wO0Rk3mC7j9v2tF5ZQ8xY4nB6pL0sD1eA3c=",
	"panic: runtime error: invalid memory address or nil pointer dereference\n[signal SIGSEGV: segmentation violation code=0x1 addr=0x18 pc=0x4a3b2c]\n\ngoroutine 7 [running]:\nmain.(*Auth).Token(0xc000012345, {0x5f3a2b, 0x10})",
	"map[key:value1 access:true token:<nil>]",
	// JavaScript, TypeScript
	"src/auth.ts(17,5): error TS2339: Property 'password' does not exist on type 'User2'.",
	"error TS2322: Type '{ token: string; password: number; }' is not assignable to type 'Credentials1'.",
	"    at AuthService.token (/home/ci/app/src/auth/token.service.ts:42:13)",
	"Expected: {\"token\": Any<String>, \"password\": undefined}",
	"  - password: expected string, received undefined",
	"import { authToken, accessKey } from './api-key-utils2'",
	"sha512-Vw3sZ8lM1a0Kq9R5xY7nB2pL4sD6eA8cFgHiJkLmNoPqRsTuVwXyZ0123456789AbCdEfGhIjKlMnOpQrStUvWx==",
	"    integrity: sha512-Vw3sZ8lM1a0Kq9R5xY7nB2pL4sD6eA8cFgHiJkLmNoPqRsTuVwXyZ0123456789AbCdEfGhIjKlMnOpQrStUvWx==",
	// code in tracebacks and diffs
	"+\tcase ssa.OpAMD64VPSLLKeyed, ssa.OpAMD64VROUNDPS128,",
	"    key, ed25519.Ed25519PrivateKey,",
	"    \"ML-KEM-768/keyGen\": cmdMlKem768KeyGenAft(),",
	"    if !s.ReadUint16LengthPrefixed(&x) {",
	"    tokens = 2*maxCompilerConcurrency1 + n",
	"proxy must be socks5h://<username>:<password>@proxy-host1",
	// digests, ids, paths
	"commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
	"cache key: node-modules-linux-x64-9fceb02d0ae598e95dc970b74767f19372d61af8",
	"key = 4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945",
	"cache-key=550e8400-e29b-41d4-a716-446655440000",
	"request id 550e8400-e29b-41d4-a716-446655440000 access granted",
	"access: 2024-01-02T03:04:05.678901Z",
	"sha256:4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945",
	"sentry-cli-linux-x64: 4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945",
	"codecov.yml: 9e107d9d372bb6826bd81d3542a419d6",
	"/tmp/pytest-of-ci/pytest-12/test_token0/access_key/private_key.pem",
	"access_log=/var/log/nginx/access-2024.01.02.log",
	"keyfile: /etc/ssl/private/server-2024.key",
	"object token: refs/heads/feature/access-key-2",
	"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
	"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGA\nWjR9awAAAABJRU5ErkJggg==",
	// URLs
	"GET https://example.org:8443/@scope/pkg 404",
	"fetching http://localhost:3000/api/token?user=bob@example.org",
	"git@github.com:example/auth.git",
	"https://${USER}:${TOKEN}@git.example.org/x.git",
	"postgres://app:***@db:5432/app",
	"see https://example.org/a:b and mail bob@example.org",
	"ssh://git@example.org:22/x.git",
	// headers, cookies, PEM, AWS
	"Authorization: Bearer <token>",
	"AssertionError: missing header 'Authorization: Bearer'",
	"authorization: required",
	"the bearer of this message",
	"Cookie: theme=dark; lang=en-GB",
	"cookies: accepted=true",
	"-----BEGIN CERTIFICATE-----",
	"expected \"-----BEGIN PRIV" + "ATE KEY-----\" at the start of the file",
	"AKIAIOSFODNN7EXAMPLE",
	"machine learning login page password reset",
	"curl: (7) Failed to connect to localhost port 8080",
	"+ curl -sSfL https://example.org/install.sh -o /tmp/x",
	// counts and reports
	"pass: 12, fail: 3, key: 4",
	"passwords: 12345 checked, tokens: 67890 issued",
	"# pass 17\n# fail 2",
	"auth ............ 3 passed",
	"| api_key_rotation | 12.5% | 0.42s |",
	"Scanned 1024 keys; access=0x7ffd1234abcd key=0xdeadbeefcafe1234",
	"warning: unused variable: `token1`",
	"error[E0425]: cannot find value `password2` in this scope",
	"Key (user_id)=(1234567890) already exists.",
	"DETAIL:  Key (email)=(bob1234567890@example.org) already exists.",
	"primary_key=users_2024_01_02_pkey",
	"keyboard: us-intl-2024, monkey=capuchin12345",
	"apiVersion: apps/v1beta2\nkind: Secret\nmetadata:\n  name: my-secret-2024",
	"npm warn deprecated access-token-utils@1.2.3: use auth-token-utils2",
	"api: 127.0.0.1:8080 token_type=bearer expires_in=3600",
}

func TestHarmlessTextStays(t *testing.T) {
	for _, s := range harmless {
		t.Run("", func(t *testing.T) {
			if got := (&Redactor{}).String(s); got != s {
				t.Errorf("redacted harmless text:\n text %q\n  got %q", s, got)
			}
		})
	}
	all := strings.Join(harmless, "\n")
	var r Redactor
	if r.String(all); len(r.Fired()) > 0 {
		t.Errorf("fired on all of it together: %v", r.Fired())
	}
}

// An argv that holds no secret stays as it is, whatever its flags look like.
func TestHarmlessArgvStays(t *testing.T) {
	for _, argv := range [][]string{
		{"go", "test", "-run", "TestToken", "-p", "4", "./..."},
		{"pytest", "-k", "password or token", "-p", "no:cacheprovider"},
		{"docker", "run", "-p", "8080:80", "nginx"},
		{"ssh", "-p", "2222", "git@example.org"},
		{"make", "-j4", "KEY_FILE=x.pem", "TOKEN="},
		{"curl", "-u", "bob", "https://example.org"},
		{"tool", "--password-stdin", "--token", "$TOKEN", "--secret", "${SECRET}"},
		{"tool", "--token", "--verbose"},
		{"tool", "--api-key-file", "key.txt", "--token-type", "bearer"},
		{"psql", "-p", "5432", "-U", "app"},
		{"grep", "-rn", "password", "src"},
		{"npm", "config", "set", "registry", "https://registry.example.org/"},
		{"npm", "config", "get", "//registry.example.org/:_authToken", "--json"},
		{"git", "config", "--get", "github.token"},
		{"git", "config", "user.name", "bob"},
		{"aws", "configure", "set", "region", "eu-central-1"},
		{"git", "add", "secret", "token", "x"},
		{"docker", "run", "-p8080:80", "nginx"},
		{"grep", "config", "password", "file"},
		{"sh", "-c", "pytest -k token | tee out.log"},
		{"", "-", "--", "="},
	} {
		if got := (&Redactor{}).Argv(argv); !slices.Equal(got, argv) {
			t.Errorf("argv %q became %q", argv, got)
		}
	}
}
