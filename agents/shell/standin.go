package shell

import "strings"

// StandIn is the script that a host starts as its shell. It runs cairn, whose absolute path is program, or if cairn was
// uninstalled bash, as the host meant it.
//
// It is written for /bin/sh and starts no process of its own.
func StandIn(program string) string {
	return `#!/bin/sh
` + standInMark + ` that a coding agent starts (see: cairn shell --help)
cairn=` + quote(program) + `
if [ -z "$` + Inside + `" ] && [ -x "$cairn" ]; then exec "$cairn" shell --as "$0" "$@"; fi
real=bash
case "$1" in *'/shell-snapshots/snapshot-zsh'*) real=zsh ;; esac
case "$0" in
bash | */bash) ;;
zsh | */zsh) real=zsh ;;
*) case "$#/$1" in 1/-*) ;; 1/*) set -- -c "$1" ;; esac ;;
esac
for dir in /bin /usr/bin /usr/local/bin /opt/homebrew/bin; do
	if [ -x "$dir/$real" ]; then exec "$dir/$real" "$@"; fi
done
exec /bin/sh "$@"
`
}

// quote is s as one word of a shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
