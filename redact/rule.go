package redact

import (
	"regexp"
	"strings"
	"sync"
)

// kind says how a rule checks the text once one of its anchors was found. See the package comment.
type kind uint8

const (
	anchored kind = iota
	assigned
	searched
	detected
)

// A rule is only data: nothing is compiled before an anchor occurs.
type rule struct {
	id      string
	kind    kind
	anchors []string // lower case, at least three bytes each
	pattern string   // its first non-empty group is the secret, or else the whole match
	word    bool     // the anchor must begin a word
	ends    bool     // the value must end where the match ends (see valueEnds and tokenEnds)
	entropy float64  // bits per byte the secret must exceed
	reach   int      // how many bytes the pattern is tried on
	allow   string   // matches values that are no secrets
	detect  func(sc *scan, at, end int)
}

// valueEnds matches after a complete value: the next byte could not continue the value. The full stop of a sentence
// also ends a value.
const valueEnds = `(?:[^0-9A-Za-z_+/=.-]|\.(?:[^0-9A-Za-z]|\z)|\z)`

// tokenEnds matches after a token with a prefix of its own: no letter or digit follows. Other bytes may belong to a
// path, a test's name or an identifier that contains the token.
const tokenEnds = `(?:[^0-9A-Za-z]|\z)`

// ownRules are the hand-written detectors.
var ownRules = [...]rule{
	{id: privateKey, kind: detected, anchors: []string{"-----begin", "-----end"}, detect: detectPEM},
	{id: urlPassword, kind: detected, anchors: []string{"://", `:\/\/`, `:\\/\\/`}, detect: detectURL},
	{id: dsnPassword, kind: detected, anchors: []string{"@tcp(", "@unix("}, detect: detectDSN},
	{id: authHeader, kind: detected, anchors: []string{"authorization", "bearer "}, detect: detectAuthorization},
	{id: tokenHeader, kind: detected, anchors: []string{"x-api-key", "x-auth-token", "private-token", "x-access-token", "x-vault-token", "x-csrf-token",
		"-application-key", "subscription-key", "x-honeycomb-team", "-crumb", "x-jfrog-art-api", "x-auth-key", "fastly-key", "-insert-key", "-mbx-apikey", "-access-sign", "-access-passphrase",
		"x-functions-key", "xi-api-key"}, detect: detectTokenHeader},
	{id: cookie, kind: detected, anchors: []string{"cookie"}, detect: detectCookie},
	{id: netrcPassword, kind: detected, anchors: []string{"machine", "login "}, detect: detectNetrc},
	{id: argvSecret, kind: detected, anchors: commandNames[:], detect: detectCommand},
	{id: argvSecret, kind: detected, anchors: []string{"config set ", "configure set "}, detect: detectSetting},
	{id: telegramToken, kind: detected, anchors: []string{":aa"}, detect: detectTelegram},
	{id: awsSecret, kind: detected, anchors: []string{"akia", "asia", "secret_access_key", "secretaccesskey", "secret-access-key", "secret_key"}, detect: detectAWSSecret},
	{id: toldPassword, kind: detected, anchors: []string{"password", "passphrase", "passwd"}, detect: detectPhrase},
	{id: assignedPassword, kind: detected, anchors: []string{"pass", "psk"}, detect: detectPass},
	{id: basicAuth, kind: anchored, anchors: []string{"auth=(", "auth = (", "auth: [", "auth: (", `auth": [`, "basicauth(", "userpassword(", "credentials("}, pattern: `(?i)(?:auth"?(?: ?[=:] ?)?|userpassword|credentials)[(\[]\\?["'][^"'\s]{1,64}["'],\s*(?:\w+\()?\\?["']([^"'\s\\]{5,128})\\?["']`, reach: 256, allow: `^[a-z_]+$`},
	{id: urlPassword, kind: anchored, anchors: []string{"sqlplus "}, pattern: `sqlplus (?:-\S+ )*[^/\s]+/([^@\s"']{4,})@`, word: true, reach: 160},
	{id: urlPassword, kind: anchored, anchors: []string{"conda.anaconda.org/t/"}, pattern: `conda\.anaconda\.org/t/([^/\s]{8,})/`, reach: 160},
	{id: stackArgument, kind: anchored, anchors: []string{"dbi->connect(", "pdo->__construct(", "mysqli->__construct(", "mysqli_connect(", "mysqli_real_connect("}, pattern: `\w+(?:->\w+)?\(\\?'[^']*', ?\\?'[^']*', ?\\?'([^'\\]{4,})\\?'`, reach: 512},
	{id: urlPassword, kind: anchored, anchors: []string{"jdbc:oracle:"}, pattern: `jdbc:oracle:[a-z]+:[^/\s:]+/([^@\s]+)@`, reach: 160},
	{id: sqlPassword, kind: detected, anchors: []string{"identified"}, detect: detectSQL},
	{id: pipedSecret, kind: detected, anchors: []string{"--password-stdin", "--with-token", "--passphrase-fd", "sudo -s", "chpasswd", "passwd --stdin", "docker secret create"}, detect: detectPiped},
	{id: kubeSecret, kind: detected, anchors: []string{"kind"}, detect: detectKube},
	{id: assignedPassword, kind: detected, anchors: passwordNames[:], detect: detectPassword},
	{id: assignedSecret, kind: detected, anchors: secretNames[:], detect: detectSecret},
	{id: genericKey, kind: detected, anchors: genericNames[:], detect: detectGeneric},
	{id: assignedSecret, kind: detected, anchors: []string{`form-data; name="`}, detect: detectForm},
}

// commandNames begin the names of programs that take passwords in flags and whose command lines are often printed.
var commandNames = [...]string{"mysql", "mariadb", "sshpass", "docker", "podman", "redis-cli", "mongo", "sqlcmd", "ldapsearch", "ldapadd", "ldapmodify", "curl", "unzip", "openssl", "skopeo", "helm",
	"keytool", "jarsigner", "htpasswd", "rabbitmqctl", "smbclient", "twine", "kubectl", "unrar", "oc login", "az login", "7z a", "7z x", "zip -p", "bcp ", "mosquitto_", "beeline", "security unlock",
	"ipmitool", "cypher-shell", "gh secret", "aws ssm", "aws secretsmanager", "wandb login", "snmp", "mc alias", "codecov -t", "vercel -t", "http -a", "https -a", "cypress run", "dotnet user-secrets", "poetry config", "composer config", "nmcli dev"}

// An engine has the rules, the matcher that finds their anchors, and the patterns compiled so far.
type engine struct {
	rules    []*rule
	words    *matcher
	owner    []uint16 // by word: the index of its rule; len(rules) for the beginning of a placeholder
	patterns []lazy
	allows   []lazy
}

// theEngine is built when the first text is redacted.
var theEngine = sync.OnceValue(newEngine)

// manyAnchors is more than the number of anchors; growing slices would take half of the time to build an engine.
const manyAnchors = 1000

func newEngine() *engine {
	e := &engine{
		rules: make([]*rule, 0, len(leakRules)+len(vendorRules)+len(ownRules)),
		owner: make([]uint16, 0, manyAnchors),
	}
	words := make([]string, 0, manyAnchors)
	for i := range leakRules {
		e.rules = append(e.rules, &leakRules[i])
	}
	for i := range vendorRules {
		e.rules = append(e.rules, &vendorRules[i])
	}
	for i := range ownRules {
		e.rules = append(e.rules, &ownRules[i])
	}
	for i, r := range e.rules {
		words = append(words, r.anchors...)
		for range r.anchors {
			e.owner = append(e.owner, uint16(i))
		}
	}
	words = append(words, placeholderStart)
	e.owner = append(e.owner, uint16(len(e.rules)))
	e.words = newMatcher(words)
	e.patterns = make([]lazy, len(e.rules))
	e.allows = make([]lazy, len(e.rules))
	return e
}

// lazy is a pattern that is compiled when first needed.
type lazy struct {
	once sync.Once
	re   *regexp.Regexp
}

func (l *lazy) get(pattern func() string) *regexp.Regexp {
	l.once.Do(func() { l.re = regexp.MustCompile(pattern()) })
	return l.re
}

// compiled returns the pattern of rule i, anchored at the beginning of the text unless the rule's kind is searched.
func (e *engine) compiled(i int) *regexp.Regexp {
	return e.patterns[i].get(func() string {
		r := e.rules[i]
		p := "(?:" + r.pattern + ")"
		if r.kind != searched {
			p = "^" + p
		}
		switch {
		case r.ends && r.kind != assigned:
			p = strings.Replace(p, "(?:", "(", 1) + tokenEnds // the text after the token is no part of the secret
		case r.ends:
			p += valueEnds
		}
		return p
	})
}

// isSecret applies the rule's conditions for the secret itself.
func (e *engine) isSecret(i int, secret string) bool {
	r := e.rules[i]
	if r.entropy > 0 && entropy(secret) <= r.entropy || isAllowed(secret) {
		return false
	}
	return r.allow == "" || !e.allows[i].get(func() string { return r.allow }).MatchString(secret)
}

var allowedSecret lazy

// isAllowed says whether the value is a variable, a placeholder or a path by gitleaks' global allow-list. The check of
// the first byte avoids compiling that list for nearly every value.
func isAllowed(v string) bool {
	if v == "" || isRepeated(v) {
		return true
	}
	if len(v) > len("false") && strings.IndexByte("$%{@/", v[0]) < 0 {
		return false
	}
	return allowedSecret.get(func() string { return allowedSecrets }).MatchString(v)
}

// isRepeated says whether v repeats one byte: xxxxx, ****, 00000.
func isRepeated(v string) bool { return strings.Trim(v, v[:1]) == "" }

// vendorRules find tokens with a vendor's prefix for which gitleaks has no rule or a narrower one. All have a prefix of
// their own, and most a fixed length: the shorter the prefix, the stricter the rest.
var vendorRules = [...]rule{
	{id: "stripe-webhook-secret", kind: anchored, anchors: []string{"whsec_"}, pattern: `whsec_[A-Za-z0-9+/_-]{24,100}={0,2}`, word: true, entropy: 3, reach: 112},
	{id: "google-oauth-token", kind: anchored, anchors: []string{"ya29."}, pattern: `ya29\.[A-Za-z0-9_.-]{20,}`, word: true, entropy: 3, reach: 2048},
	{id: "google-refresh-token", kind: anchored, anchors: []string{"1//0"}, pattern: `1//0[A-Za-z0-9_-]{40,}`, word: true, entropy: 3.5, reach: 512},
	{id: "google-client-secret", kind: anchored, anchors: []string{"gocspx-"}, pattern: `GOCSPX-[A-Za-z0-9_-]{28}`, word: true, entropy: 3, reach: 40},
	{id: "azure-sas-signature", kind: anchored, anchors: []string{"sig="}, pattern: `sig=[\\'"\x60]{0,4}((?:[A-Za-z0-9+/]|%[0-9A-Fa-f]{2}){43}(?:=|%3[Dd]))`, word: true, entropy: 3, reach: 160},
	{id: "azure-devops-token", kind: searched, anchors: []string{"jqqj99"}, pattern: `(?:\b|_)([A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{18,32})`, ends: true, entropy: 3, reach: 96},
	{id: "presigned-url-signature", kind: anchored, anchors: []string{"x-amz-signature=", "x-goog-signature="}, pattern: `(?i)x-[a-z]{3,4}-signature=[\\'"\x60]{0,4}([0-9a-f]{64,512})`, word: true, entropy: 2, reach: 544},
	{id: "vendor-token", kind: anchored, anchors: vendorPrefixes[:], pattern: `[A-Za-z0-9]{2,6}[_-](?:[A-Za-z0-9]{2,6}[_-]){0,3}[A-Za-z0-9_-]{20,200}`, word: true, ends: true, entropy: 3.5, reach: 256, allow: `^[A-Za-z_-]*$`},
	{id: "vendor-token", kind: anchored, anchors: plainPrefixes[:], pattern: `[A-Za-z0-9]{2,6}[_-](?:01|[A-Za-z0-9]{4,6}_)?[A-Za-z0-9]{20,200}`, word: true, ends: true, entropy: 3.5, reach: 256, allow: `^(?:[A-Za-z_-]*|[^0-9]*[0-9]{1,4})$`},
	{id: "vendor-token", kind: anchored, anchors: hexPrefixes[:], pattern: `[A-Za-z0-9]{2,7}(?:_[A-Z]{2,5})?[._-](?:[0-9a-f]{64}|[0-9a-f]{48}|[0-9a-f]{40}|[0-9a-f]{32})`, word: true, ends: true, entropy: 3, reach: 96},
	{id: "vendor-token", kind: anchored, anchors: uuidPrefixes[:], pattern: `[a-z]{2,6}-(?:[a-z][a-z0-9]{1,10}-)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`, word: true, ends: true, entropy: 3, reach: 64},
	{id: "vendor-token", kind: anchored, anchors: []string{"cio"}, pattern: `cio[A-Za-z0-9]{32}`, word: true, ends: true, entropy: 4, reach: 40, allow: `^(?:[A-Za-z]*|[a-z0-9]*)$`},
	{id: "vendor-token", kind: anchored, anchors: []string{"oy2"}, pattern: `oy2[a-z0-9]{43}`, word: true, ends: true, entropy: 3.5, reach: 52},
	{id: "vendor-token", kind: anchored, anchors: []string{"re_"}, pattern: `re_[A-Za-z0-9]{8}_[A-Za-z0-9]{22,26}`, word: true, ends: true, entropy: 3.5, reach: 44, allow: `^(?:[A-Za-z_]*|[a-z0-9_]*)$`},
	{id: "vendor-token", kind: anchored, anchors: []string{"dose"}, pattern: `dose[0-9a-f]{32}`, word: true, ends: true, entropy: 3, reach: 40},
	{id: "anthropic-token", kind: anchored, anchors: []string{"sk-ant-"}, pattern: `sk-ant-[a-z]{2,6}\d\d-[A-Za-z0-9_-]{40,200}`, word: true, entropy: 3.5, reach: 224},
	{id: "adyen-key", kind: anchored, anchors: []string{"aqe"}, pattern: `AQE[A-Za-z0-9+/]{20,200}-[A-Za-z0-9+/=]{20,200}-\S{10,40}`, word: true, entropy: 4, reach: 480},
	{id: "asana-token", kind: anchored, anchors: []string{"0/12", "1/12", "2/12"}, pattern: `[012]/12[0-9]{12,15}(?:/12[0-9]{12,15})?:[0-9a-f]{32}`, word: true, ends: true, reach: 72},
	{id: "gitlab-token", kind: anchored, anchors: []string{"glpat-", "glptt-", "glrt-", "glrtr-", "glcbt-", "glft-", "glimt-", "glagent-", "gloas-", "glsoat-", "glffct-", "gldt-", "glwt-"},
		pattern: `gl[a-z]{2,5}-(?:t\d_|\d\d_)?[A-Za-z0-9_-]{20,300}(?:\.[0-9a-z]{2}\.[0-9a-z]{7,9})?`, word: true, entropy: 3, reach: 340},
	{id: "slack-session-token", kind: anchored, anchors: []string{"xoxc-", "xoxd-"}, pattern: `xox[cd]-[A-Za-z0-9%+/=_-]{40,}`, word: true, entropy: 3, reach: 512},
	{id: "vault-token", kind: anchored, anchors: []string{"hvs.", "hvb.", "hvr."}, pattern: `hv[sbr]\.[A-Za-z0-9_-]{20,300}`, word: true, ends: true, entropy: 3.5, reach: 320},
	{id: "huggingface-token", kind: anchored, anchors: []string{"hf_"}, pattern: `hf_[A-Za-z0-9]{34,40}`, word: true, ends: true, entropy: 3.5, reach: 48},
	{id: "doppler-token", kind: anchored, anchors: []string{"dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."}, pattern: `dp\.[a-z]{2,5}\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}`, word: true, ends: true, entropy: 3, reach: 96},
	{id: "infisical-token", kind: anchored, anchors: []string{"st."}, pattern: `st\.[0-9a-f]{24}\.[0-9a-f]{32}\.[0-9a-f]{32}`, word: true, ends: true, entropy: 3, reach: 100},
	{id: "sentry-token", kind: anchored, anchors: []string{"sntrys_"}, pattern: `sntrys_[A-Za-z0-9+/=_-]{60,400}`, word: true, entropy: 3.5, reach: 420},
	{id: "newrelic-key", kind: anchored, anchors: []string{"nrak-"}, pattern: `NRAK-[A-Z0-9]{27}`, word: true, ends: true, entropy: 3, reach: 40},
	{id: "newrelic-key", kind: searched, anchors: []string{"fnral"}, pattern: `(?:\b|_)([0-9a-f]{32,40}FFFFNRAL)`, ends: true, entropy: 3, reach: 16},
	{id: "yandex-token", kind: anchored, anchors: []string{"t1."}, pattern: `t1\.[A-Za-z0-9_-]{10,}={0,2}\.[A-Za-z0-9_-]{86}`, word: true, entropy: 4, reach: 512},
	{id: "amazon-client-secret", kind: anchored, anchors: []string{"amzn1.oa2-cs."}, pattern: `amzn1\.oa2-cs\.v1\.[0-9a-f]{64}`, ends: true, reach: 96},
	{id: "backblaze-key", kind: anchored, anchors: []string{"k00"}, pattern: `K00[0-9][A-Za-z0-9+/]{27}`, word: true, ends: true, entropy: 4, reach: 40},
	{id: "tencent-key", kind: anchored, anchors: []string{"akid"}, pattern: `AKID[A-Za-z0-9]{28,34}["']?, ?(?:\w+ ?[=:] ?)?["']([A-Za-z0-9]{32})`, word: true, entropy: 4, reach: 128},
	{id: "ably-key", kind: searched, anchors: []string{"ably"}, pattern: `\b[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{6}:([A-Za-z0-9_-]{43})`, ends: true, entropy: 4, reach: 128},
	{id: "webhook-key", kind: anchored, anchors: []string{"/hook/", "/hooks/", "/with/key/"}, pattern: `(?:/hooks?/|/with/key/)([A-Za-z0-9_-]{20,64})`, ends: true, entropy: 3, reach: 96, allow: `^(?:[A-Za-z_-]*|[A-Za-z_-]*[0-9]{1,4}[A-Za-z_-]*)$`},
	{id: "ci-masked-value", kind: anchored, anchors: []string{"issecret=true]", "::add-mask::"}, pattern: `(?:issecret=true\]|::add-mask::)(\S+)`, reach: 512},
	{id: "config-password", kind: anchored, anchors: []string{"password 0 ", "password 7 ", "secret 0 ", "secret 5 ", "secret 8 ", "secret 9 "}, pattern: `(?:password|secret) \d (\S{6,})`, word: true, reach: 128},
	{id: "config-password", kind: anchored, anchors: []string{"acl setuser ", "setcookie "}, pattern: `(?i)(?:acl setuser \S+ [^\r\n]*?>|setcookie )(["'\x60]?[^\s"'\x60]{6,})`, word: true, reach: 160},
	{id: "vendor-token", kind: anchored, anchors: []string{"npg_"}, pattern: `npg_[A-Za-z0-9]{12}`, word: true, ends: true, entropy: 3, reach: 24},
	{id: "mailchimp-key", kind: searched, anchors: []string{"-us1", "-us2", "-us3", "-us4", "-us5", "-us6", "-us7", "-us8", "-us9"}, pattern: `(?:\b|_)([0-9a-f]{32}-us\d{1,2})`, ends: true, entropy: 3, reach: 8},
	{id: "mapbox-token", kind: anchored, anchors: []string{"sk.eyj"}, pattern: `sk\.eyJ[A-Za-z0-9_-]{40,}\.[A-Za-z0-9_-]{22}`, word: true, ends: true, entropy: 3.5, reach: 256},
	{id: "atlassian-token", kind: anchored, anchors: []string{"atatt3", "atctt3", "atbb"}, pattern: `(?:AT[AC]TT3[A-Za-z0-9_=-]{80,250}|ATBB[A-Za-z0-9]{28,36})`, word: true, ends: true, entropy: 3.5, reach: 272},
	{id: "square-token", kind: anchored, anchors: []string{"sq0"}, pattern: `sq0[a-z]{3}-[A-Za-z0-9_-]{22,43}`, word: true, ends: true, entropy: 3, reach: 60},
	{id: "braintree-token", kind: anchored, anchors: []string{"access_token$"}, pattern: `access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}`, word: true, entropy: 3, reach: 88},
	{id: "facebook-token", kind: anchored, anchors: []string{"eaa"}, pattern: `EAA[A-Za-z0-9]{100,300}`, word: true, ends: true, entropy: 4, reach: 320, allow: `(?i)AAAAAAAA`},
	{id: "twitter-bearer-token", kind: anchored, anchors: []string{"aaaaaaaaaaaaaaaaaaaa"}, pattern: `A{20,24}[A-Za-z0-9]{10,60}(?:%(?:2[BF]|3D)[A-Za-z0-9]{10,80}){1,3}`, word: true, entropy: 3, reach: 256},
	{id: "discord-webhook", kind: anchored, anchors: []string{"/webhooks/"}, pattern: `/webhooks/[0-9]{15,22}/([A-Za-z0-9_-]{60,80})`, entropy: 3, reach: 128},
	{id: "zapier-webhook", kind: anchored, anchors: []string{"hooks.zapier.com/hooks/catch/"}, pattern: `hooks\.zapier\.com/hooks/catch/(\d+/[A-Za-z0-9]+)`, reach: 80},
	{id: "django-secret-key", kind: anchored, anchors: []string{"django-insecure-"}, pattern: `django-insecure-[^\s'"\x60\\]{30,80}`, word: true, entropy: 3, reach: 100},
	{id: "laravel-key", kind: anchored, anchors: []string{"app_key=base64:"}, pattern: `(?i)app_key=base64:([A-Za-z0-9+/]{43}=)`, word: true, entropy: 3, reach: 64},
	{id: "plist-password", kind: anchored, anchors: []string{"password</key>", "token</key>", "secret</key>", "apikey</key>"}, pattern: `(?i)\w+</key>\s*<(?:string|value)[^>]*>([^<]{4,})<`, reach: 256},
	{id: "kaggle-key", kind: anchored, anchors: []string{`"username":`}, pattern: `"username": ?"[^"]*", ?"key": ?"([0-9a-f]{32})"`, entropy: 3, reach: 160},
	{id: "kubeadm-token", kind: anchored, anchors: []string{"--token"}, pattern: `--token[ =]([a-z0-9]{6}\.[a-z0-9]{16})`, ends: true, entropy: 3, reach: 40},
	{id: "discord-token", kind: searched, anchors: []string{"discord"}, pattern: `(?:\b|_)([MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40})`, entropy: 4, reach: 512},
	{id: "discord-token", kind: anchored, anchors: []string{".login(", ".run("}, pattern: `\.(?:login|run)\(\\?["']([MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40})`, entropy: 4, reach: 160},
	{id: "told-token", kind: anchored, anchors: []string{"api key ", "api key: ", "token '", "token \"", "token \\\"", "key '", "client secret ", "secret key ", "access token "}, pattern: `(?i)(?:api |client |secret |access )?(?:key|token|secret):? \\?["'\x60]?([a-z0-9_-]{24,100})`, word: true, ends: true, entropy: 4, reach: 128, allow: `^(?:[A-Za-z_-]*|[a-z0-9_-]*|[A-Z0-9_-]*)$`},
	{id: "ngrok-token", kind: anchored, anchors: []string{"authtoken"}, pattern: `(?i)authtoken["']?[ =:]{1,3}["']?([0-9a-z]{20,60}_[0-9a-z]{15,30})`, ends: true, entropy: 4, reach: 128},
	{id: "vault-unseal-key", kind: anchored, anchors: []string{"unseal key"}, pattern: `(?i)unseal key(?: \d+)?: ([A-Za-z0-9+/]{43,64}={0,2})`, word: true, entropy: 3.5, reach: 96},
	{id: "url-key", kind: anchored, anchors: []string{"alchemy.com/v2/", "infura.io/v3/", "/live2/"}, pattern: `[a-z0-9.]*/(?:v2|v3|live2)/([A-Za-z0-9_-]{20,64})`, ends: true, entropy: 3, reach: 128},
	{id: "url-key", kind: anchored, anchors: []string{"?code=", "&code=", "?appid=", "&appid="}, pattern: `(?i)[?&](?:code|appid)=((?:[A-Za-z0-9_.-]|%[0-9A-F]{2}|/){30,256}={0,2})`, entropy: 3, reach: 300, allow: `^[A-Za-z_.-]*$`},
	{id: "vendor-token", kind: anchored, anchors: []string{"live_"}, pattern: `live_[A-Za-z0-9]{30,40}`, word: true, ends: true, entropy: 4, reach: 64, allow: `^(?:[A-Za-z_]*|[a-z0-9_]*)$`},
	{id: "vendor-token", kind: anchored, anchors: []string{"pa-"}, pattern: `pa-[A-Za-z0-9_-]{43}`, word: true, ends: true, entropy: 4, reach: 56, allow: `^(?:[A-Za-z_-]*|[a-z0-9_-]*)$`},
	{id: "intercom-token", kind: anchored, anchors: []string{"dg9ro"}, pattern: `dG9rO[A-Za-z0-9+/]{50,60}={0,2}`, word: true, ends: true, entropy: 4, reach: 80},
	{id: "algolia-key", kind: anchored, anchors: []string{"algoliasearch("}, pattern: `(?i)algoliasearch\(\\?["'][A-Z0-9]{10}\\?["'], ?\\?["']([0-9a-f]{32})`, entropy: 3, reach: 80},
	{id: "dropbox-token", kind: anchored, anchors: []string{"sl."}, pattern: `sl\.(?:u\.)?[A-Za-z0-9_-]{130,}`, word: true, ends: true, entropy: 4, reach: 2048},
	{id: "salesforce-token", kind: searched, anchors: []string{"!aq"}, pattern: `(?:\b|_)(00D[A-Za-z0-9]{12,15}!AQ[A-Za-z0-9._]{80,120})`, entropy: 4, reach: 160},
	{id: "shell-variable", kind: anchored, anchors: []string{"set -", "setenv ", "setx ", "env "}, pattern: `(?:set(?: -[gUx]{1,3}|env|x)|ENV) [A-Z0-9_]*(?:TOKEN|SECRET|PASSWORD|PASSWD|_KEY|_AUTH) ["']?([^\s"'$]{8,})`, word: true, entropy: 3, reach: 256},
	{id: "app-password", kind: anchored, anchors: []string{"--password"}, pattern: `--password[ =]["']?([a-z]{4}(?:-[a-z]{4}){3})`, ends: true, entropy: 3, reach: 40},
	{id: "paseto", kind: anchored, anchors: []string{"v1.local.", "v2.local.", "v3.local.", "v4.local."}, pattern: `v\d\.local\.([A-Za-z0-9_-]{60,}(?:\.[A-Za-z0-9_-]+)?)`, entropy: 4, reach: 2048},
	{id: "crypt-hash", kind: anchored, anchors: []string{"$1$", "$5$", "$6$", "$7$", "$y$", "$gy$", "$2a$", "$2b$", "$2x$", "$2y$", "$apr1$", "$argon2", "$pbkdf2", "$scrypt$", "pbkdf2_sha", "pbkdf2:sha", "scrypt:", "scram-sha-", "{ssha", "{crypt}"},
		pattern: `(?i)(?:\$2[abxy]\$\d\d\$[./a-z0-9]{53}|\$(?:[15-7y]|gy|apr1)\$(?:[\w=,]+\$)?[./a-z0-9]{1,64}\$[./a-z0-9]{20,90}|\$?(?:argon2|pbkdf2|scrypt|scram-sha-)[\w:.-]*(?:\$[\w=,+/.:-]+){2,6}|\{(?:ssha\d*|crypt)\}[a-z0-9+/$.=]{20,})`, entropy: 3, reach: 512},
	{id: "crypto-key", kind: anchored, anchors: []string{"fernet(", "aes.new(", "hmac.new(", "createhmac(", "createcipheriv(", "secretkeyspec("}, pattern: `(?i)[\w.]+\((?:\\?["'][\w-]+\\?["'], ?)?b?\\?["']([^"'\s\\]{16,})`, entropy: 3, reach: 256, allow: `^[a-z0-9-]+$`},
	{id: "signed-url", kind: anchored, anchors: []string{"?sig=", "&sig=", "?signature=", "&signature="}, pattern: `(?i)[?&]sig(?:nature)?=((?:[a-z0-9+/_~-]|%[0-9a-f]{2}){32,}={0,2})`, entropy: 3.5, reach: 1100},
	{id: "signature-header", kind: anchored, anchors: []string{"-signature: ", "-signature-256: "}, pattern: `(?i)-signature(?:-256)?: (?:\w+=)?([a-z0-9+/_-]{32,}={0,2})`, entropy: 3, reach: 256},
	{id: "user-pair", kind: anchored, anchors: []string{"user = \"", "user: \"", "user=\"", "authident", "userpwd", "userpass"}, pattern: `(?i)(?:user|authident|userpwd|userpass)["']?\s*[=:]\s*\\?["'][^"':\s]{1,64}:([^"':\s\\]{5,128})\\?["']`, entropy: 2, reach: 256, allow: `^(?:[a-z_/-]+|[0-9]+)$`},
	{id: "host-token", kind: anchored, anchors: []string{`"bearer"`, "-oauth\"", "-token\""}, pattern: `"?[\w-]+"\s*:\s*\{\s*"[\w-]+\.[\w.:-]+"\s*:\s*"([^"\s]{16,})"`, entropy: 3, reach: 512},
	{id: "shown-secret", kind: anchored, anchors: []string{"get secret", "pass show ", "op read ", "versions access ", "get-secret-value", "kv get -field", "dumpprivkey "}, pattern: `(?i)[^\n]*\n(\S{8,128})(?:\r?\n|$)`, word: true, entropy: 3, reach: 512, allow: `^(?:[\w./:=-]*[/:=.][\w./:=-]*|[A-Za-z_-]+|[a-z0-9-]+|[{[<("'].*)$`},
	{id: "shown-secret", kind: anchored, anchors: []string{"secret key\n", "private key\n", "secret key:\n", "private key:\n"}, pattern: `(?i)\w+ key:?\n\s*([A-Za-z0-9+/_-]{40,}={0,2})`, word: true, entropy: 4, reach: 2048},
	{id: argvSecret, kind: anchored, anchors: []string{" -u ", "--user"}, pattern: ` ?(?:-u|--user(?:name)?)[= ]["']?[^\s"']+["']? (?:-[\w-]+(?:=\S+)? )?(?:-[pPw]|--pass(?:word)?)[= ]["']?([^\s"'|;&<>]{6,})`, entropy: 2.5, reach: 256, allow: `^(?:[0-9-]+|[A-Za-z_-]+\d{0,2}|-.*|.*[:/.].*)$`},
	{id: argvSecret, kind: anchored, anchors: []string{"net use ", "net user ", "signtool sign ", "cmdkey /", "schtasks /"}, pattern: `(?i)(?:net use (?:\w: )?\\\\\S+ |net user \w+ |[^\n]*? /(?:p|rp|pass:?|p:) ?)([^\s/*"'][^\s"']{5,})`, word: true, entropy: 2.5, reach: 256},
	{id: "encrypted-token", kind: anchored, anchors: []string{"eyjhbgci"}, pattern: `eyJhbGci[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]{10,}){3}`, word: true, entropy: 4, reach: 4096},
	{id: "recovery-code", kind: anchored, anchors: []string{"recovery code", "backup code"}, pattern: `(?i)\w+ codes?:?\s+((?:[a-z0-9]{4,6}-[a-z0-9]{4,6}[\s,]*){2,}[a-z0-9])`, word: true, entropy: 3, reach: 512, allow: `^[A-Za-z\s,-]*$`},
	{id: "google-hmac-key", kind: anchored, anchors: []string{"goog1"}, pattern: `GOOG1[A-Z0-9]{19,60}[^A-Za-z0-9+/][^\n]{0,40}?\b([A-Za-z0-9+/]{40})`, word: true, ends: true, entropy: 4, reach: 200},
	{id: "macaroon", kind: anchored, anchors: []string{"mda"}, pattern: `MDA[a-z0-9][A-Za-z0-9_-]{100,}`, word: true, entropy: 4, reach: 2048},
	{id: "slack-webhook", kind: anchored, anchors: []string{"/services/t"}, pattern: `/services/(T[A-Z0-9]{8,12}/B[A-Z0-9]{8,12}/[A-Za-z0-9]{20,32})`, reach: 80},
	{id: "session-key", kind: anchored, anchors: []string{"_session=", "--session"}, pattern: `(?i)(?:_session|--session)[= ]["']?([A-Za-z0-9+/]{43,}={1,2})`, entropy: 4, reach: 2048},
	{id: "access-token", kind: anchored, anchors: []string{"_pat=", "_pat:", `_pat"`}, pattern: `(?i)_pat["']?[=:] ?["']?([a-z0-9]{20,100})`, ends: true, entropy: 3.5, reach: 128, allow: `^[A-Za-z]*$`},
	{id: "smtp-password", kind: anchored, anchors: []string{"auth plain ", "auth login ", `"auth `}, pattern: `"?AUTH (?:PLAIN |LOGIN )?([^\s"\\]{8,})`, word: true, entropy: 3, reach: 512},
	{id: "imap-password", kind: anchored, anchors: []string{" login "}, pattern: ` LOGIN "?[^\s"]+"? "?([^\s"]{6,})`, entropy: 2.5, reach: 160, allow: `^(?:[A-Za-z]*|[0-9.:/-]*)$`},
	{id: "pgpass-password", kind: anchored, anchors: []string{":5432:"}, pattern: `:5432:[^:\s]+:[^:\s]+:([^:\s]{4,})`, reach: 200},
	{id: "powershell-password", kind: anchored, anchors: []string{"convertto-securestring"}, pattern: `(?i)convertto-securestring\s+(?:-string\s+)?(?:'([^'\s]{4,})'|"([^"\s]{4,})")`, word: true, reach: 200},
	{id: "docker-config", kind: anchored, anchors: []string{".dockerconfigjson", ".dockercfg"}, pattern: `(?i)\.docker(?:configjson|cfg)["']?\s*:\s*["']?([A-Za-z0-9+/]{20,}={0,2})`, entropy: 3, reach: 2048},
	{id: "json-web-key", kind: anchored, anchors: []string{`"kty"`}, pattern: `"kty"\s*:\s*"[A-Za-z]+"[^}]*?"[dk]"\s*:\s*"([A-Za-z0-9_-]{40,})"`, reach: 2048},
	{id: "putty-private-key", kind: anchored, anchors: []string{"private-lines:"}, pattern: `(?i)private-lines: \d+\r?\n((?:[A-Za-z0-9+/=]{16,}(?:\r?\n|$))+)`, reach: 2048},
	{id: "encoded-private-key", kind: anchored, anchors: []string{"ls0tls1crudjtib"}, pattern: `LS0tLS1CRUdJTiB(?:SU0EgUFJJ|QUklWQVRF|FQyBQUkl|PUEVOU1NI|FTkNSWVBU|QR1AgUFJJ|EU0EgUFJJ)[A-Za-z0-9+/]+={0,2}`, reach: 2048},
	{id: "encoded-private-key", kind: anchored, anchors: []string{"client-key-data"}, pattern: `client-key-data["']?:\s*["']?([A-Za-z0-9+/]{40,}={0,2})`, word: true, entropy: 3, reach: 2048},
}

// vendorPrefixes begin tokens of at least twenty further random bytes; plainPrefixes begin those without underscores
// and dashes in the rest, since many identifiers begin in the same way.
var (
	vendorPrefixes = [...]string{"gsk_", "xai-", "tvly-", "pcsk_", "lsv2_pt_", "lsv2_sk_", "nvapi-", "sbp_", "sb_secret_", "dckr_pat_", "dckr_oat_", "figd_", "tskey-", "sk-or-v1-",
		"sk-proj-", "sk-svcacct-", "sk-admin-", "nfp_", "phx_", "tgp_v1_", "csk-", "ccipat_", "cciprj_", "tfp_", "cfpat-", "pscale_tkn_", "pscale_pw_", "glsa_"}
	plainPrefixes = [...]string{"r8_", "jina_", "napi_", "hcaik_", "hcbik_", "hcxik_", "ddapp_", "secret_", "rnd_", "bkua_", "rpa_", "syt_", "lip_"}
)

// hexPrefixes begin tokens that continue with 32, 40 or 48 hexadecimal digits, uuidPrefixes those that continue with a
// UUID.
var (
	hexPrefixes  = [...]string{"sk_", "sk-", "fc-", "key-", "sqp_", "sqa_", "squ_", "ck_", "cs_", "cu_", "e2b_", "mlsn.", "flwseck"}
	uuidPrefixes = [...]string{"xaat-", "xapt-", "sk-lf-", "pk-lf-", "sdk-", "api-", "mob-", "pat-na1-", "pat-eu1-", "access-sandbox-", "access-development-", "access-production-"}
)
