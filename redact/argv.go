package redact

import (
	"slices"
	"strings"
)

const argvSecret = "argv-secret"

// Argv returns argv with its secrets replaced, as by String. It also replaces secrets that only their place reveals:
// the value of --password or --token, of -p for a program in which -p means a password, of NAME_SECRET=, of `npm config
// set` and similar. A command line in one argument (sh -c, --shell) is read word by word. argv itself is not changed.
func (r *Redactor) Argv(argv []string) []string {
	out := make([]string, len(argv))
	c := command{}
	for i, arg := range argv {
		out[i] = r.String(r.replace(arg, c.argument(arg)))
	}
	return out
}

// A command is the state of reading a command line, up to the next word.
type command struct {
	program  string   // the program named last, if it is in programs
	flags    string   // flags by which it takes a password
	words    []string // the words after the program, without its flags
	settings bool     // it stores settings, which `set NAME VALUE` changes
	login    bool     // its command logs in
	set      bool     // its command changes a setting
	printed  bool     // the line is printed in a text, which may be prose
	pending  argKind
}

// argKind says what the next argument is, by its place.
type argKind uint8

const (
	plain argKind = iota
	secretArg
	userArg    // user:password
	headerArg  // Name: value
	sourceArg  // pass:password, openssl's form
	pairArg    // name=secret, for any name
	percentArg // user%password
	optionsArg // a=b,password=secret
	eitherArg  // pass:password or a password
)

// argument returns the secrets in the next argument that its place reveals.
func (c *command) argument(arg string) (found []span) {
	if c.pending == plain && strings.ContainsAny(arg, " \t\n") {
		inner := command{}
		inner.walk(arg, 0, len(arg), func(start, end int) { found = append(found, span{start, end, argvSecret, named}) })
		return found
	}
	if start, end := c.word(arg); start < end {
		found = append(found, span{start, end, argvSecret, named})
	}
	return found
}

// walk reads the words of s[i:stop], a command line, and reports each secret to found.
func (c *command) walk(s string, i, stop int, found func(start, end int)) {
	for i < stop {
		switch {
		case s[i] == '\\' && i+1 < stop && s[i+1] == '\n':
			i += 2
			continue
		case c.printed && strings.IndexByte("\n|;&", s[i]) >= 0:
			return
		case isSpace(s[i]) || strings.IndexByte("|;&()", s[i]) >= 0:
			i++
			continue
		}
		start, end, next := shellWord(s[:stop], i)
		if word := s[start:end]; c.pending != plain || s[i] == '-' || !strings.ContainsAny(word, " \t\n") { // a quoted word with blanks is a text
			if from, to := c.word(word); from < to {
				found(start+from, start+to)
			}
		}
		i = next
	}
}

// word returns where the secret in the next word is; start equals end if there is no secret.
func (c *command) word(arg string) (start, end int) {
	pending := c.pending
	c.pending = plain
	if pending != plain && !(strings.HasPrefix(arg, "-") && pending == secretArg && isFlag(arg)) {
		return c.secretByPlace(pending, arg, 0)
	}
	if strings.HasPrefix(arg, "-") && len(arg) > 1 {
		return c.flag(arg)
	}
	if kind := c.see(arg); kind == secretArg && !(c.printed && looksLikeText(arg)) || kind == pairArg {
		return c.secretByPlace(kind, arg, 0)
	}
	if c.set && namesSecret(arg) {
		c.pending = secretArg
		return 0, 0
	}
	name, _, ok := strings.Cut(arg, "=")
	if ok && !c.printed && namesSecret(name) && (c.set || isIdentifier(name)) {
		return c.secretByPlace(secretArg, arg, len(name)+1)
	}
	return 0, 0
}

// see takes a word that is neither a flag nor the value of one, and returns its kind by its place.
func (c *command) see(arg string) argKind {
	if kind := placeOf(c.program, c.words, arg); kind != plain {
		return kind
	}
	if p := programByName()[programName(arg)]; p != nil && !isUpper(arg) { // AWS is a user of docker
		*c = command{program: programName(arg), flags: p.flags, settings: p.settings, printed: c.printed}
		return plain
	}
	if c.program != "" && len(c.words) < maxWords {
		c.words = append(c.words, arg)
	}
	switch arg {
	case "login":
		c.login = true
	case "set", "config", "configure":
		c.set = c.set || c.settings
	case "get", "unset", "list", "delete", "rm":
		c.set = false
	}
	return plain
}

// shellWord returns the word at line[i] without enclosing quotes, and next, where it ends with them.
func shellWord(line string, i int) (start, end, next int) {
	if q := line[i]; q == '\'' || q == '"' {
		if n := strings.IndexByte(line[i+1:], q); n >= 0 && endsWord(line, i+2+n) {
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
		case endsWord(line, next):
			return i, next, next
		}
	}
	return i, next, next
}

func endsWord(line string, i int) bool {
	return i >= len(line) || isSpace(line[i]) || strings.IndexByte("|;()", line[i]) >= 0
}

// flag handles an argument that begins with a dash.
func (c *command) flag(arg string) (start, end int) {
	if c.program == "htpasswd" && arg[1] != '-' && strings.IndexByte(arg, 'n') > 0 {
		c.program = "htpasswd -n" // it takes no file
	}
	name, _, assigned := strings.Cut(arg, "=")
	long := strings.TrimLeft(name, "-")
	kind := plain
	switch {
	case c.printed: // other rules find --token in a text
	case namesSecret(long) && len(long) > 1:
		kind = secretArg
	case name == "-H" || name == "--header" || name == "--proxy-header":
		kind = headerArg
	}
	switch {
	case kind == plain:
		return c.programFlag(arg, name, assigned)
	case assigned:
		return c.secretByPlace(kind, arg, len(name)+1)
	}
	c.pending = kind
	return 0, 0
}

// programFlag handles the flags that mean a password only to the program being called.
func (c *command) programFlag(arg, name string, assigned bool) (start, end int) {
	for spec := range strings.FieldsSeq(c.flags) {
		flag, form, _ := strings.Cut(spec, ":")
		kind := argKindOf(form)
		switch {
		case form == "login" && !c.login:
		case strings.HasSuffix(form, "!") && !slices.Contains(c.words, strings.TrimSuffix(form, "!")):
		case form != "glued" && arg == flag:
			c.pending = kind
			return 0, 0
		case form != "glued" && assigned && name == flag:
			return c.secretByPlace(kind, arg, len(name)+1)
		case flag == "-u" && form == "user" && isCluster(arg):
			c.pending = kind
			return 0, 0
		case len(flag) == 2 && form != "source" && form != "either" && form != "pair" && form != "options" && len(arg) > 2 && strings.HasPrefix(arg, flag):
			return c.secretByPlace(kind, arg, len(flag))
		}
	}
	return 0, 0
}

// secretByPlace returns where the secret in arg[at:] is, whose place says that it has the given kind.
func (c *command) secretByPlace(kind argKind, arg string, at int) (start, end int) {
	stop := len(arg)
	if strings.HasPrefix(strings.TrimLeft(arg[at:], "\\"), `"`) && c.printed {
		at, stop = quotedWord(arg, at, stop)
	}
	value := arg[at:stop]
	switch kind {
	case secretArg:
		return c.secret(arg, at, stop)
	case userArg:
		colon := strings.IndexByte(value, ':')
		switch {
		case colon < 0 || strings.HasPrefix(value, placeholderStart) || strings.HasPrefix(value[colon+1:], placeholderStart):
		case strings.Trim(value[colon+1:], "'\"xX") != "":
			return c.secret(arg, at+colon+1, stop)
		case hasLetterAndDigit(value[:colon]): // a key in place of the user, with no password or with X
			return c.secret(arg, at, at+colon)
		}
	case pairArg:
		if i := strings.IndexByte(value, '='); i > 0 {
			return c.secret(arg, at+i+1, stop)
		}
	case percentArg:
		if i := strings.IndexByte(value, '%'); i > 0 {
			return c.secret(arg, at+i+1, stop)
		}
	case optionsArg:
		for _, name := range [...]string{"pass=", "password="} {
			if i := strings.Index(","+value, ","+name); i >= 0 {
				start := at + i + len(name)
				if n := strings.IndexByte(arg[start:stop], ','); n >= 0 {
					stop = start + n
				}
				return c.secret(arg, start, stop)
			}
		}
	case eitherArg:
		return c.secret(arg, at+len(value)-len(strings.TrimPrefix(value, "pass:")), stop)
	case sourceArg:
		if strings.HasPrefix(value, "pass:") {
			return c.secret(arg, at+len("pass:"), stop)
		}
	case headerArg:
		name, value, ok := strings.Cut(value, ":")
		if ok && namesSecret(name) {
			return c.secret(arg, stop-len(strings.TrimLeft(value, " ")), stop)
		}
	}
	return 0, 0
}

// secret returns arg[start:end] without its quotes. Its place in the command line says that the text is a secret; but
// if it obviously stands for another text (a variable, a switch, a file), nothing is returned.
func (c *command) secret(arg string, start, end int) (int, int) {
	if c.printed {
		start, end = quotedWord(arg, start, end)
	} else if q := arg[start:end]; len(q) > 2 && isQuote(q[0]) && strings.IndexByte(q[1:], q[0]) == len(q)-2 {
		start, end = start+1, end-1
	}
	v := arg[start:end]
	if len(v) < 2 || isPlaceholder(v) || v[0] == '@' || isSwitch(v) || strings.Contains(v, placeholderStart) || c.printed && isProse(v) {
		return 0, 0
	}
	return start, end
}

// quotedWord removes quotes, perhaps escaped, around the value that begins at s[start], or ends the value where the
// surrounding text continues.
func quotedWord(s string, start, end int) (int, int) {
	open := start
	for open < end && s[open] == '\\' {
		open++
	}
	ends := "\"'`\\<>,"
	if open < end && isQuote(s[open]) {
		start, ends = open+1, s[open:open+1]+"\\"
	}
	if n := strings.IndexAny(s[start:end], ends); n >= 0 {
		end = start + n
	}
	if n := strings.LastIndexByte(s[start:end], '\x1b'); n > 0 { // a change of colour behind it
		end = start + n
	}
	return start, end
}

// isProse says whether a value in a printed command is only an example, as in a text about the command.
func isProse(v string) bool {
	return len(v) < 3 || isFiller(v) || isMessageWord(v) || strings.HasPrefix(v, "assword") ||
		strings.Trim(v, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "" || strings.Trim(v, "-.") == ""
}

// maxEntry bounds one printed command and one entry of a .netrc, in bytes.
const maxEntry = 512

// detectCommand finds the secrets of a printed command, from the end of its program's name on.
func detectCommand(sc *scan, at, end int) {
	s := sc.s
	if n := strings.IndexByte(s[at:end], ' '); n >= 0 { // the anchor is the program and a further word
		end = at + n
	}
	for end < len(s) && (isWord(s[end]) || s[end] == '-') {
		end++
	}
	if end < len(s) && s[end] == ' ' && sc.startsWord(at) {
		c := command{printed: true}
		if c.see(s[at:end]); c.program != "" {
			sc.command(c, end)
		}
	}
}

// detectSetting finds the value in `config set NAME VALUE`, for any program.
func detectSetting(sc *scan, _, end int) {
	sc.command(command{printed: true, settings: true, set: true}, end)
}

// command reads the command line that continues at s[i].
func (sc *scan) command(c command, i int) {
	stop := min(len(sc.s), i+maxEntry)
	for stop < len(sc.s) && isToken(sc.s[stop]) { // a secret is not cut by our own bound
		stop++
	}
	c.walk(sc.s, i, stop, func(start, end int) { sc.add(argvSecret, named, start, end) })
}

func isSwitch(v string) bool {
	switch strings.ToLower(v) {
	case "true", "false", "yes", "no", "none", "null", "auto", "always", "never", "stdin", "prompt":
		return true
	}
	return false
}

// secretEndings end the name of a flag or variable with a secret value; case, dashes and underscores are ignored.
var secretEndings = [...]string{"password", "passwd", "passphrase", "pwd", "secret", "token", "apikey", "accesskey", "secretkey",
	"accountkey", "authkey", "signingkey", "encryptionkey", "masterkey", "credential", "credentials", "mysqlpwd", "pgpass", "sonarlogin"}

// namesSecret says whether a flag, variable or header of this name holds a secret.
func namesSecret(name string) bool {
	name = strings.ToLower(strings.NewReplacer("-", "", "_", "", ".", "").Replace(name))
	return slices.ContainsFunc(secretEndings[:], func(e string) bool { return strings.HasSuffix(name, e) })
}

// isFlag says whether an argument in a secret's place is rather the next flag.
func isFlag(arg string) bool { return strings.HasPrefix(arg, "--") || len(arg) == 2 }
