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
	{"sshpass mongo mongosh mongodump mongorestore twine useradd usermod beeline ncftpput ncftpget", "-p", false},
	{"redis-cli", "-a", false},
	{"sqlcmd bcp zip unzip mosquitto_pub mosquitto_sub mosquitto_rr", "-P", false},
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
