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

// runIDs matches the ids in which two notices of the same problem differ.
var runIDs = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[0-9A-HJKMNP-TV-Z]{26}`) })

// notice prints something about the record once per session: an error of the store concerns every command, and an agent
// reads each notice. It returns whether it was printed now. A session is the id that the host gives it, else the
// process that started the shell.
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
		f.Close() // only its existence matters
	}
	fmt.Fprintf(o.Err, "cairn: %s\n", text) // also if the mark could not be written
	return true
}
