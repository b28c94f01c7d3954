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
	{id: basicAuth, kind: anchored, anchors: []string{"auth=(", "auth = (", "auth: [", "auth: (", `auth": [`, "basicauth("}, pattern: `(?i)auth"?(?: ?[=:] ?)?[(\[]\\?["'][^"'\s]{1,64}["'],\s*\\?["']([^"'\s\\]{5,128})\\?["']`, reach: 256, allow: `^[a-z_]+$`},
	{id: urlPassword, kind: anchored, anchors: []string{"sqlplus "}, pattern: `sqlplus (?:-\S+ )*[^/\s]+/([^@\s"']{4,})@`, word: true, reach: 160},
	{id: urlPassword, kind: anchored, anchors: []string{"conda.anaconda.org/t/"}, pattern: `conda\.anaconda\.org/t/([^/\s]{8,})/`, reach: 160},
	{id: stackArgument, kind: anchored, anchors: []string{"pdo->__construct(", "mysqli->__construct(", "mysqli_connect(", "mysqli_real_connect("}, pattern: `\w+(?:->__construct)?\(\\?'[^']*', ?\\?'[^']*', ?\\?'([^'\\]{4,})\\?'`, reach: 512},
	{id: urlPassword, kind: anchored, anchors: []string{"jdbc:oracle:"}, pattern: `jdbc:oracle:[a-z]+:[^/\s:]+/([^@\s]+)@`, reach: 160},
	{id: sqlPassword, kind: detected, anchors: []string{"identified"}, detect: detectSQL},
	{id: pipedSecret, kind: detected, anchors: []string{"--password-stdin", "--with-token", "--passphrase-fd", "sudo -s", "chpasswd", "passwd --stdin"}, detect: detectPiped},
	{id: kubeSecret, kind: detected, anchors: []string{"kind"}, detect: detectKube},
	{id: assignedPassword, kind: detected, anchors: passwordNames[:], detect: detectPassword},
	{id: assignedSecret, kind: detected, anchors: secretNames[:], detect: detectSecret},
	{id: genericKey, kind: detected, anchors: genericNames[:], detect: detectGeneric},
	{id: encodedToken, kind: detected, anchors: codedAnchors[:], word: true, detect: detectCoded},
	{id: encodedToken, kind: detected, anchors: []string{"eyj"}, word: true, detect: detectCoded},
	{id: assignedSecret, kind: detected, anchors: []string{`form-data; name="`}, detect: detectForm},
}

// commandNames begin the names of programs that take passwords in flags and whose command lines are often printed.
var commandNames = [...]string{"mysql", "mariadb", "sshpass", "docker", "podman", "redis-cli", "mongo", "sqlcmd", "ldapsearch", "ldapadd", "ldapmodify", "curl", "unzip", "openssl", "skopeo", "helm",
	"keytool", "jarsigner", "htpasswd", "rabbitmqctl", "smbclient", "twine", "kubectl", "unrar", "oc login", "az login", "7z a", "7z x", "zip -p", "bcp ", "mosquitto_", "beeline", "security unlock",
	"wandb login", "snmp", "mc alias", "codecov -t", "vercel -t", "http -a", "https -a", "cypress run", "dotnet user-secrets"}

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
