package redact

import (
	"strings"
	"sync"
)

// argKindOf reads the form in a flag's specification.
func argKindOf(form string) argKind {
	switch form {
	case "user":
		return userArg
	case "header":
		return headerArg
	case "source":
		return sourceArg
	case "pair":
		return pairArg
	case "percent":
		return percentArg
	case "options":
		return optionsArg
	case "either":
		return eitherArg
	}
	return secretArg
}

// program describes programs whose command lines may contain a secret.
type program struct {
	names string
	// flags are the program's own flags for a password (-p is a port for ssh), each with a form after ":": as the next
	// argument or glued to the flag, only glued, as user:password, in a header, as openssl's pass:password, only when
	// the program logs in, or only after a word ("word!").
	flags string
	// settings says that the program has a command `set NAME VALUE`.
	settings bool
}

var programs = [...]program{
	{"mysql mysqldump mysqladmin mysqlimport mysqlshow mariadb mariadb-dump 7z 7za rar unrar", "-p:glued", false},
	{"docker podman nerdctl oras buildah oc crane", "-p:login", false},
	{"helm", "-p:login --set:pair --set-string:pair", false},
	{"skopeo", "-p:login --creds:user --src-creds:user --dest-creds:user", false},
	{"az", "-p:login --value", false},
	{"sshpass mongo mongosh mongodump mongorestore twine useradd usermod beeline ncftpput ncftpget cypher-shell", "-p", false},
	{"redis-cli", "-a", false},
	{"sqlcmd bcp zip unzip mosquitto_pub mosquitto_sub mosquitto_rr ipmitool", "-P", false},
	{"snmpwalk snmpget snmpset snmpbulkwalk", "-A -X", false},
	{"security", "-p:unlock-keychain! -p:create-keychain! -P:import! -k:set-key-partition-list!", false},
	{"keytool jarsigner", "-storepass -keypass -srcstorepass -deststorepass -srckeypass -destkeypass -new", false},
	{"smbclient rpcclient smbget", "-U:percent --user:percent", false},
	{"mount mount.cifs", "-o:options", false},
	{"rclone", "--sftp-pass --webdav-pass --ftp-pass --http-pass --smb-pass", false},
	{"kubectl", "--from-literal:pair", false},
	{"k6 influx codecov vercel", "-t", false},
	{"cypress", "--key", false},
	{"netlify", "--auth", false},
	{"snyk fly flyctl heroku htpasswd rabbitmqctl mc nmcli op pulumi wandb", "", false},
	{"ldapsearch ldapadd ldapmodify", "-w", false},
	{"curl", "-u:user --user:user -U:user --proxy-user:user -H:header --header:header --proxy-header:header -b:pair --cookie:pair --oauth2-bearer --pass --key-pass", false},
	{"http https", "-a:user --auth:user", false},
	{"openssl", "-passin:source -passout:source -pass:source -k:either -K -password:source", false},
	{"aws", "--secret-string --secret-access-key --value:put-parameter!", true},
	{"gh", "--body:secret! -b:secret!", true},
	{"dotnet nuget", "-k:push! --api-key", true},
	{"poetry", "-p:publish!", true},
	{"npm pnpm yarn git pip composer bundle gcloud conda cargo vault", "", true},
}

var programByName = sync.OnceValue(func() map[string]*program {
	byName := map[string]*program{}
	for i := range programs {
		for name := range strings.FieldsSeq(programs[i].names) {
			byName[name] = &programs[i]
		}
	}
	return byName
})

// maxWords is how many words of a command are read to find the place of a secret.
const maxWords = 6

// places are the commands in which a word by itself is the secret, marked by "*". "_" stands for any word, and a word
// that ends with "." for any that begins so. "=*" stands for all words NAME=VALUE from there on.
var places = map[string][]string{
	"vault":       {"login *", "kv put _ =*", "write _ =*"},
	"cargo":       {"login *"},
	"dotnet":      {"user-secrets set _ *"},
	"snyk":        {"auth *"},
	"wandb":       {"login *"},
	"fly":         {"secrets set =*"},
	"flyctl":      {"secrets set =*"},
	"heroku":      {"config:set =*"},
	"htpasswd":    {"_ _ *"},
	"htpasswd -n": {"_ *"},
	"rabbitmqctl": {"add_user _ *", "change_password _ *"},
	"mc":          {"alias set _ _ _ *"},
	"nmcli":       {"_ _ connect _ password *", "_ wifi connect _ password *"},
	"poetry":      {"config pypi-token. *", "config http-basic. _ *"},
	"composer":    {"config http-basic. _ *"},
	"op":          {"item create =*"},
}

// placeOf returns the kind of the next word of a program's command, after those in words.
func placeOf(program string, words []string, next string) argKind {
	for _, place := range places[program] {
		want := strings.Fields(place)
		last := len(want) - 1
		if last > len(words) || last < len(words) && want[last] != "=*" {
			continue
		}
		same := true
		for i, w := range want[:last] {
			same = same && (w == "_" || w == words[i] || strings.HasSuffix(w, ".") && strings.HasPrefix(words[i], w))
		}
		switch {
		case !same:
		case want[last] == "*":
			return secretArg
		case strings.IndexByte(next, '=') > 0:
			return pairArg
		}
	}
	return plain
}

// isCluster says whether arg is curl's -u after other flags without a value: -sSfu.
func isCluster(arg string) bool {
	return len(arg) > 2 && len(arg) <= 8 && arg[len(arg)-1] == 'u' && strings.Trim(arg[1:len(arg)-1], "sSfLkvgiIjnNOqpJ") == ""
}

func programName(arg string) string {
	if i := strings.LastIndexAny(arg, `/\`); i >= 0 {
		arg = arg[i+1:]
	}
	return strings.TrimSuffix(strings.ToLower(arg), ".exe")
}

const kubeSecret = "kubernetes-secret"

// maxManifest bounds the search for the data around `kind: Secret`, in bytes.
const maxManifest = 16 << 10

// detectKube finds the values of a Kubernetes secret in YAML or JSON: those below `data:` and `stringData:` in the
// document with `kind: Secret`.
func detectKube(sc *scan, at, end int) {
	s := sc.s
	i := skipAround(s, end, maxBefore, "'\"\\")
	if i >= len(s) || s[i] != ':' {
		return
	}
	i = skipAround(s, i+1, maxAfter, " \t'\"\\")
	if !hasPrefixFold(s[i:], "secret") || i+len("secret") < len(s) && isAlnum(s[i+len("secret")]) {
		return
	}
	if at < sc.manifest {
		return // the data around it has been searched for another secret
	}
	from, to := max(0, at-maxManifest), min(len(s), i+maxManifest)
	if n := strings.LastIndex(s[from:at], "\n---"); n >= 0 {
		from += n
	}
	if n := strings.Index(s[i:to], "\n---"); n >= 0 {
		to = i + n
	}
	sc.manifest = to
	for _, key := range [...]string{"data", "stringData"} {
		for j := from; ; {
			n := strings.Index(s[j:to], key)
			if n < 0 {
				break
			}
			start := j + n
			j = start + len(key)
			if start > 0 && isAlnum(s[start-1]) {
				continue
			}
			k := skipAround(s, j, maxBefore, "'\"\\")
			if k >= to || s[k] != ':' {
				continue
			}
			k = skipAround(s, k+1, maxAfter, " \t")
			if k < to && s[k] == '{' {
				sc.kubeObject(k+1, to)
			} else if k < to && (s[k] == '\n' || s[k] == '\r') {
				sc.kubeLines(k, to, indentation(s, start))
			}
		}
	}
}

// kubeObject reports the texts among the values of a JSON object that continues at s[i].
func (sc *scan) kubeObject(i, to int) {
	s := sc.s
	for i < to && s[i] != '}' {
		if !isQuote(s[i]) {
			i++
			continue
		}
		_, stop, _ := valueAt(s, i) // the key
		colon := skipAround(s, stop, maxBefore, "'\"\\ ")
		if colon >= to || s[colon] != ':' {
			return
		}
		value := skipAround(s, colon+1, maxAfter, " \t\r\n")
		start, end, quoted := valueAt(s, value)
		if !quoted {
			return
		}
		sc.kubeValue(start, end)
		i = skipAround(s, end, maxBefore, "'\"\\")
	}
}

// kubeLines reports the values on lines that are indented deeper than the key above them.
func (sc *scan) kubeLines(i, to, depth int) {
	s := sc.s
	for i < to {
		i++ // the line break
		stop := to
		if n := strings.IndexByte(s[i:to], '\n'); n >= 0 {
			stop = i + n
		}
		text := strings.TrimSpace(s[i:stop])
		start := i + strings.Index(s[i:stop], text)
		if text != "" {
			if start-i <= depth {
				return
			}
			if key, value, ok := strings.Cut(text, ": "); ok && !strings.ContainsAny(key, " \t") {
				value = strings.Trim(strings.TrimSpace(value), `'"`)
				at := start + len(key) + 2
				at += strings.Index(s[at:stop], value)
				sc.kubeValue(at, at+len(value))
			} else if !strings.HasSuffix(text, ":") && !strings.ContainsAny(text, " \t") {
				sc.kubeValue(start, start+len(text))
			}
		}
		i = stop
	}
}

func (sc *scan) kubeValue(start, end int) {
	if v := sc.s[start:end]; len(v) >= minPassword && !isFiller(v) && !strings.HasPrefix(v, "|") && !strings.HasPrefix(v, ">") && !strings.HasPrefix(v, "LS0tLS1CRUdJTiBDRVJU") {
		sc.add(kubeSecret, named, start, end)
	}
}

// indentation is how many bytes precede s[i] on its line.
func indentation(s string, i int) int { return i - (strings.LastIndexByte(s[:i], '\n') + 1) }
