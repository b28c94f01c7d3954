package shell

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sync"

	"cairn/agents"
)

// runIDs are what differs between two notices of one trouble.
var runIDs = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[0-9A-HJKMNP-TV-Z]{26}`) })

// notice says something about the record once in a session: what is wrong with a store
// is so for every command, and an agent reads each of them. It returns whether it was said
// now. A session is the host's own id of it, else the process that started the shell.
func (o Options) notice(text string) bool {
	session := fmt.Sprint("process ", os.Getppid())
	if by := agents.By(o.Environ, "", ""); by != nil {
		session = cmp.Or(by.Session, session)
	}
	digest := sha256.Sum256([]byte(session + "\x00" + runIDs().ReplaceAllString(text, "")))
	mark := filepath.Join(o.Env.Tmp, fmt.Sprintf("cairn-said-%d-%s", os.Getuid(), hex.EncodeToString(digest[:8])))
	f, err := os.OpenFile(mark, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return false
	}
	if err == nil {
		f.Close() // that it is there is all
	}
	fmt.Fprintf(o.Err, "cairn: %s\n", text) // also where it cannot be noted that it was said
	return true
}
