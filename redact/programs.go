package redact

import "strings"

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

// passwordFlags lists the flags by which a program takes a password and that mean something else elsewhere (-p is a port to
// ssh): as the next argument or glued to the flag, glued only, as user:password, in a header, as openssl's
// pass:password, or only when the program is to log in, or behind a word ("word!"). Settings says that `set NAME VALUE` means something to it.
func passwordFlags(program string) (flags string, settings, known bool) {
	switch program {
	case "mysql", "mysqldump", "mysqladmin", "mysqlimport", "mysqlshow", "mariadb", "mariadb-dump", "7z", "7za", "rar", "unrar":
		return "-p:glued", false, true
	case "docker", "podman", "nerdctl", "oras", "buildah", "oc", "crane":
		return "-p:login", false, true
	case "helm":
		return "-p:login --set:pair --set-string:pair", false, true
	case "skopeo":
		return "-p:login --creds:user --src-creds:user --dest-creds:user", false, true
	case "az":
		return "-p:login --value", false, true
	case "sshpass", "mongo", "mongosh", "mongodump", "mongorestore", "twine", "useradd", "usermod", "beeline", "ncftpput", "ncftpget":
		return "-p", false, true
	case "redis-cli":
		return "-a", false, true
	case "sqlcmd", "bcp", "zip", "unzip", "mosquitto_pub", "mosquitto_sub", "mosquitto_rr":
		return "-P", false, true
	case "snmpwalk", "snmpget", "snmpset", "snmpbulkwalk":
		return "-A -X", false, true
	case "security":
		return "-p:unlock-keychain! -p:create-keychain! -P:import! -k:set-key-partition-list!", false, true
	case "keytool", "jarsigner":
		return "-storepass -keypass -srcstorepass -deststorepass -srckeypass -destkeypass -new", false, true
	case "smbclient", "rpcclient", "smbget":
		return "-U:percent --user:percent", false, true
	case "mount", "mount.cifs":
		return "-o:options", false, true
	case "rclone":
		return "--sftp-pass --webdav-pass --ftp-pass --http-pass --smb-pass", false, true
	case "kubectl":
		return "--from-literal:pair", false, true
	case "k6", "influx", "codecov", "vercel":
		return "-t", false, true
	case "cypress":
		return "--key", false, true
	case "netlify":
		return "--auth", false, true
	case "snyk", "fly", "flyctl", "heroku", "htpasswd", "rabbitmqctl", "mc", "nmcli", "op", "pulumi", "wandb":
		return "", false, true
	case "ldapsearch", "ldapadd", "ldapmodify":
		return "-w", false, true
	case "curl":
		return "-u:user --user:user -U:user --proxy-user:user -H:header --header:header --proxy-header:header -b:pair --cookie:pair --oauth2-bearer --pass --key-pass", false, true
	case "http", "https":
		return "-a:user --auth:user", false, true
	case "openssl":
		return "-passin:source -passout:source -pass:source -k:either -K -password:source", false, true
	case "aws":
		return "--secret-string --secret-access-key --value:put-parameter!", true, true
	case "gh":
		return "--body:secret! -b:secret!", true, true
	case "dotnet", "nuget":
		return "-k:push! --api-key", true, true
	case "poetry":
		return "-p:publish!", true, true
	case "npm", "pnpm", "yarn", "git", "pip", "composer", "bundle", "gcloud", "conda", "cargo", "vault":
		return "", true, true
	}
	return "", false, false
}

// maxWords is how many words of a command are looked at for the place of a secret.
const maxWords = 6

// places are the commands in which a word by itself is the secret: "*". A word "_" stands for any, and a word that ends with "." for
// any that begins so. "=*" are all the words NAME=VALUE from there on.
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

// placeOf says what the next word of a program's command is, behind those in words.
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

// isCluster says whether arg is curl's -u behind other flags that take no value: -sSfu.
func isCluster(arg string) bool {
	return len(arg) > 2 && len(arg) <= 8 && arg[len(arg)-1] == 'u' && strings.Trim(arg[1:len(arg)-1], "sSfLkvgiIjnNOqpJ") == ""
}

func programName(arg string) string {
	if i := strings.LastIndexAny(arg, `/\`); i >= 0 {
		arg = arg[i+1:]
	}
	return strings.TrimSuffix(strings.ToLower(arg), ".exe")
}
