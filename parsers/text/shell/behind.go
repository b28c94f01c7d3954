package shell

import (
	"slices"
	"strings"
	"sync"

	"cairn/parsers/text/lex"
)

// mostWords bounds the words among which the command behind a starter is looked for.
const mostWords = 24

// behind returns the command that a program of the table starters runs: from the first word on that is a known tool, a
// wrapper of one, or a line for a shell:
//
//	docker compose exec -T app pytest -q
//	kubectl exec -it deploy/app -c web -- python -m pytest
//	ssh ci@host 'cd app && ruff check'
//	nix develop -c cargo test
//	docker run --rm -i hadolint/hadolint:latest -
//
// A program that starts no other one is left as it is.
func (t Tools) behind(w wrapper, args []string) (rest []string, ok bool) {
	at := 0
	if w.words != "" {
		at = 1 + slices.IndexFunc(args, func(a string) bool { return lex.IsOneOf(a, w.words) })
		if at == 0 {
			return nil, false
		}
	}
	named := at == 0 || args[at-1] != "exec" // the first word of "exec" names the container
	for i := at; i < min(len(args), at+mostWords); i++ {
		switch a := args[i]; {
		case a == "--":
			named = true
		case strings.HasPrefix(a, "-"):
			if lex.IsOneOf(a, w.values) {
				i++
			}
		case !named:
			named = true
		case strings.Contains(a, " "):
			line := []string{"sh", "-c", a}
			return line, t.leadsTo(line)
		default:
			name, _, _ := strings.Cut(a, ":") // the tag of an image
			if rest := append([]string{name}, args[i+1:]...); t.leadsTo(rest) {
				return rest, true
			}
		}
	}
	return nil, false
}

// leadsTo reports whether a command is a known tool, in plain wrappers or in a line for a shell.
func (t Tools) leadsTo(argv []string) bool {
	argv = Named(argv)
	for n := range maxWrappers {
		if len(argv) == 0 || wrappers()[argv[0]].starts {
			return t.known(argv)
		}
		if line, ok := ShellLine(argv); ok {
			c := t.UnwrapShell(line, "sh")
			return t.known(c.Argv) || slices.ContainsFunc(c.Listed, func(l Command) bool { return t.known(l.Argv) })
		}
		if t.known(argv) && (n > 0 || !lex.IsOneOf(argv[0], "build task")) || RunsOthers(argv[0]) && !lex.IsOneOf(argv[0], "sh bash dash zsh ksh") || lex.IsOneOf(argv[0], "tox nox") {
			return true
		}
		rest, _, ok := t.unwrapOne(argv)
		if !ok {
			return false
		}
		argv = Named(rest)
	}
	return false
}

// ofScript returns the known tool behind the "--" of a program that is not known: "./wait-for-it.sh db:5432 -- pytest".
func (t Tools) ofScript(argv []string) (rest []string, ok bool) {
	at := slices.Index(argv[:min(len(argv), mostWords)], "--")
	if at < 1 || t.known(argv) || lex.IsOneOf(argv[0], searchers+" "+passing+" ls cp mv rm kill touch echo printf test git") {
		return nil, false
	}
	return argv[at+1:], t.leadsTo(argv[at+1:])
}

// dockerValues are the flags of docker's and podman's run and exec, and of compose, that take a value.
const dockerValues = "-v --volume -w --workdir -e --env --env-file -u --user --name --network --net -p --publish --entrypoint --platform --mount -m --memory" +
	" --cpus --pull -h --hostname --add-host -l --label --tmpfs --ulimit --shm-size --gpus --security-opt --cap-add --ipc --pid --device --dns --index" +
	" -f --file --profile --project-name --project-directory --context -n --namespace -c --container"

// starters are programs that run a command in another place, by another user or under watch. Their own words are many; the
// command is found as a known tool.
var starters = sync.OnceValue(func() map[string]wrapper {
	return map[string]wrapper{
		"docker podman nerdctl docker-compose podman-compose": {words: "exec run", values: dockerValues},
		"kubectl oc":          {words: "exec", values: dockerValues},
		"lxc incus":           {words: "exec"},
		"vagrant":             {words: "ssh"},
		"toolbox distrobox":   {words: "run enter", values: "-c --container -n --name"},
		"ssh":                 {values: "-p -i -o -l -F -J -L -R -D -E -b -c"},
		"nix":                 {words: "develop shell"},
		"nix-shell guix":      {values: "-p -m"},
		"devbox devenv lerna": {words: "run shell exec"},
		"gosu su-exec setpriv tini dumb-init unshare bwrap firejail pkgx proto rtx teller eval": {},
		"strace ltrace perf":      {values: "-o -e -p -s"},
		"systemd-run":             {values: "-p --property --unit -M"},
		"sops":                    {words: "exec-env"},
		"watchexec nodemon retry": {values: "-w -e --exts --watch --ext -n -t -d --times --delay"},
	}
})
