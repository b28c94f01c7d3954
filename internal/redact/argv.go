package redact

import "strings"

const argvSecret = "argv-secret"

// Argv returns argv with its secrets replaced, as String would, and with those that only their place gives away: the value of
// --password or --token, of a -p that means a password to the program called, of NAME_SECRET=. A command line in one
// argument (sh -c, --shell) is looked at word by word. argv itself is left alone.
func (r *Redactor) Argv(argv []string) []string {
	out := make([]string, len(argv))
	c := command{}
	for i, arg := range argv {
		out[i] = r.argument(&c, arg)
	}
	return out
}

// A command is what was seen of a command line so far.
type command struct {
	flags   string // of the program last named: its password flags
	login   bool   // it is to log in
	pending argKind
}

// argKind says what the next argument is.
type argKind uint8

const (
	plain argKind = iota
	secretArg
	userArg   // user:password
	headerArg // Name: value
	sourceArg // pass:password, as openssl has it
)

func (r *Redactor) argument(c *command, arg string) string {
	if strings.ContainsAny(arg, " \t\n") && c.pending == plain {
		return r.String(r.commandLine(arg))
	}
	pending := c.pending
	c.pending = plain
	if pending != plain && !(strings.HasPrefix(arg, "-") && pending == secretArg && isFlag(arg)) {
		return r.String(r.placed(pending, arg))
	}
	if strings.HasPrefix(arg, "-") && len(arg) > 1 {
		return r.String(r.flag(c, arg))
	}
	if flags, ok := passwordFlags(programName(arg)); ok {
		c.flags, c.login = flags, false
	}
	c.login = c.login || arg == "login"
	if name, value, ok := strings.Cut(arg, "="); ok && isIdentifier(name) && namesSecret(name) {
		return r.String(name + "=" + r.secret(value))
	}
	return r.String(arg)
}

// commandLine applies the rules for arguments to the words of a command line, keeping all that is between them.
func (r *Redactor) commandLine(line string) string {
	var out strings.Builder
	c := command{}
	for i := 0; i < len(line); {
		if isSpace(line[i]) || strings.IndexByte("|;&()", line[i]) >= 0 {
			out.WriteByte(line[i])
			i++
			continue
		}
		start, end, next := shellWord(line, i)
		out.WriteString(line[i:start])
		out.WriteString(r.shellArgument(&c, line[start:end]))
		out.WriteString(line[end:next])
		i = next
	}
	return out.String()
}

// shellArgument is argument for a word out of quotes, which may hold blanks and is no command line of its own.
func (r *Redactor) shellArgument(c *command, word string) string {
	if c.pending == plain && strings.ContainsAny(word, " \t\n") {
		return word
	}
	return r.argument(c, word)
}

// shellWord returns the word at line[i] without quotes that enclose it, and where it ends with them.
func shellWord(line string, i int) (start, end, next int) {
	if q := line[i]; q == '\'' || q == '"' {
		if n := strings.IndexByte(line[i+1:], q); n >= 0 {
			return i + 1, i + 1 + n, i + 2 + n
		}
	}
	var quote byte
	for next = i; next < len(line); next++ {
		switch c := line[next]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case isSpace(c) || strings.IndexByte("|;()", c) >= 0:
			return i, next, next
		}
	}
	return i, next, next
}

// flag handles an argument that begins with a dash.
func (r *Redactor) flag(c *command, arg string) string {
	name, value, assigned := strings.Cut(arg, "=")
	long := strings.TrimLeft(name, "-")
	if namesSecret(long) && len(long) > 1 {
		if assigned {
			return name + "=" + r.secret(value)
		}
		c.pending = secretArg
		return arg
	}
	switch name {
	case "-H", "--header", "--proxy-header":
		if assigned {
			return name + "=" + r.placed(headerArg, value)
		}
		c.pending = headerArg
		return arg
	}
	return r.programFlag(c, arg, name, value, assigned)
}

// programFlag handles the flags that mean a password to the program called only.
func (r *Redactor) programFlag(c *command, arg, name, value string, assigned bool) string {
	for spec := range strings.FieldsSeq(c.flags) {
		flag, form, _ := strings.Cut(spec, ":")
		kind := argKindOf(form)
		switch {
		case form == "login" && !c.login:
		case form == "glued" && strings.HasPrefix(arg, flag) && len(arg) > len(flag):
			return flag + r.secret(arg[len(flag):])
		case form != "glued" && arg == flag:
			c.pending = kind
			return arg
		case form != "glued" && assigned && name == flag:
			return name + "=" + r.placed(kind, value)
		}
	}
	return arg
}

// argKindOf reads the form in a flag's specification.
func argKindOf(form string) argKind {
	switch form {
	case "user":
		return userArg
	case "source":
		return sourceArg
	}
	return secretArg
}

// passwordFlags lists the flags by which a program takes a password and that mean something else elsewhere (-p is a port to
// ssh): the secret as the next argument, glued to the flag, as user:password, as openssl's pass:password, or
// only when the program is to log in.
func passwordFlags(program string) (flags string, known bool) {
	switch program {
	case "mysql", "mysqldump", "mysqladmin", "mysqlimport", "mariadb", "mariadb-dump", "7z", "7za", "rar":
		return "-p:glued", true
	case "sshpass":
		return "-p -p:glued", true
	case "docker", "podman", "nerdctl", "helm", "skopeo", "oras", "buildah", "az", "oc":
		return "-p:login", true
	case "mongo", "mongosh", "mongodump", "mongorestore":
		return "-p", true
	case "redis-cli":
		return "-a", true
	case "sqlcmd", "bcp", "zip", "unzip":
		return "-P", true
	case "ldapsearch", "ldapadd", "ldapmodify":
		return "-w", true
	case "curl":
		return "-u:user --user:user -U:user --proxy-user:user", true
	case "http", "https":
		return "-a:user --auth:user", true
	case "openssl":
		return "-passin:source -passout:source -pass:source -k -K", true
	}
	return "", false
}

func programName(arg string) string {
	if i := strings.LastIndexAny(arg, `/\`); i >= 0 {
		arg = arg[i+1:]
	}
	return strings.TrimSuffix(strings.ToLower(arg), ".exe")
}

// placed redacts an argument whose place says what it is.
func (r *Redactor) placed(kind argKind, arg string) string {
	switch kind {
	case secretArg:
		return r.secret(arg)
	case userArg:
		if user, password, ok := strings.Cut(arg, ":"); ok {
			return user + ":" + r.secret(password)
		}
	case sourceArg:
		if password, ok := strings.CutPrefix(arg, "pass:"); ok {
			return "pass:" + r.secret(password)
		}
	case headerArg:
		name, value, ok := strings.Cut(arg, ":")
		if ok && namesSecret(name) {
			blank := len(value) - len(strings.TrimLeft(value, " "))
			return name + ":" + value[:blank] + r.secret(value[blank:])
		}
	}
	return arg
}

// secret replaces a value that is one by its place, unless it obviously stands for another: a variable, a switch, a file.
func (r *Redactor) secret(v string) string {
	if len(v) < 2 || isPlaceholder(v) || strings.HasPrefix(v, "@") || isSwitch(v) {
		return v
	}
	if i := strings.Index(v, placeholderStart); i >= 0 {
		return v
	}
	return r.placeholder(argvSecret)
}

func isSwitch(v string) bool {
	switch strings.ToLower(v) {
	case "true", "false", "yes", "no", "none", "null", "auto", "always", "never", "stdin", "prompt":
		return true
	}
	return false
}

// secretEndings end the name of a flag or variable whose value is a secret, without case, dashes and underscores.
var secretEndings = [...]string{"password", "passwd", "passphrase", "pwd", "secret", "token", "apikey", "accesskey", "secretkey",
	"accountkey", "authkey", "signingkey", "encryptionkey", "masterkey", "credential", "credentials", "mysqlpwd", "pgpass"}

// namesSecret says whether a flag, variable or header of this name holds a secret.
func namesSecret(name string) bool {
	name = strings.ToLower(strings.NewReplacer("-", "", "_", "", ".", "").Replace(name))
	for _, e := range secretEndings {
		if strings.HasSuffix(name, e) {
			return true
		}
	}
	return false
}

// isFlag says whether an argument in a secret's place is more likely the next flag.
func isFlag(arg string) bool {
	return strings.HasPrefix(arg, "--") || len(arg) == 2
}
