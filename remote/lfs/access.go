package lfs

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
)

// access has the address of a server for one operation, and the credentials for it.
type access struct {
	names     *names
	operation string

	mu     sync.Mutex
	at     string      // the server's address, "" if not known yet
	host   string      // the address's host
	header http.Header // headers for the server: from http.extraHeader, or from git-lfs-authenticate
	basic  string      // the value of Authorization, once git returned a credential
	filled string      // that credential in git's format, until the server has accepted it
}

// endpoint finds the server by the rules of git-lfs.
func (a *access) endpoint(ctx context.Context) (string, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.at != "" {
		return a.at, nil
	}
	at, err := a.find(ctx)
	if err != nil {
		return "", err
	}
	u, err := url.Parse(at)
	if m := ofSSH.FindStringSubmatch(at); m != nil {
		if at, a.header, err = a.overSSH(ctx, cmp.Or(m[1], m[4]), m[2], cmp.Or(m[3], m[5])); err == nil {
			u, err = url.Parse(at)
		}
	}
	switch {
	case err != nil:
		return "", err
	case u.Scheme != "http" && u.Scheme != "https":
		return "", fmt.Errorf("the remote %s is at %s, where no LFS server can be; say where it is: git config lfs.url URL", a.names.ref.Remote, at)
	case u.User != nil:
		password, _ := u.User.Password()
		a.basic, u.User = basic(u.User.Username(), password), nil
	}
	extra, err := a.names.ref.Repo.ConfigFor(ctx, "http.extraHeader", u.String())
	if name, value, is := strings.Cut(extra, ":"); is && a.header == nil {
		a.header = http.Header{}
		a.header.Set(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	a.at, a.host = strings.TrimSuffix(u.String(), "/"), u.Host
	return a.at, err
}

// find returns the server's address in the configuration, or else the default one, next to the repository.
func (a *access) find(ctx context.Context) (string, error) {
	repo, at := a.names.ref.Repo, a.names.ref.Remote
	if !strings.Contains(at, "://") {
		keys := []string{"lfs.url", "remote." + at + ".lfsurl"}
		if a.operation == "upload" {
			keys = []string{"lfs.pushurl", "lfs.url", "remote." + at + ".lfspushurl", "remote." + at + ".lfsurl"}
		}
		for _, key := range keys {
			if value, err := repo.ConfigOrFile(ctx, key, ".lfsconfig"); err != nil || value != "" {
				return value, err
			}
		}
		var err error
		if at, err = repo.RemoteURL(ctx, at, a.operation == "upload"); err != nil {
			return "", err
		}
	}
	if at = strings.TrimSuffix(at, "/"); strings.HasPrefix(at, "http") {
		at = strings.TrimSuffix(at, ".git") + ".git/info/lfs"
	}
	return at, nil
}

// ofSSH matches a repository's address for SSH: user@host:path or ssh://user@host:port/path.
var ofSSH = regexp.MustCompile(`^(?:(?:git\+)?ssh(?:\+git)?://([^/:]+)(?::(\d+))?(/.*)|([^/:]+):(/?[^/].*))$`)

// overSSH asks the repository's host for the address of its LFS server, and for a header that the server accepts for a
// while.
func (a *access) overSSH(ctx context.Context, host, port, path string) (string, http.Header, error) {
	args := []string{host, "git-lfs-authenticate '" + strings.ReplaceAll(path, "'", `'\''`) + "' " + a.operation}
	if port != "" {
		args = append([]string{"-p", port}, args...)
	}
	configured, err := a.names.ref.Repo.Config(ctx, "core.sshcommand")
	if err != nil || strings.HasPrefix(host, "-") {
		return "", nil, errors.Join(err, fmt.Errorf("the host %s", host))
	}
	cmd := exec.CommandContext(ctx, cmp.Or(os.Getenv("GIT_SSH"), "ssh"), args...)
	if line := cmp.Or(os.Getenv("GIT_SSH_COMMAND"), configured); line != "" { // a line for the shell, as for git
		cmd = exec.CommandContext(ctx, "sh", append([]string{"-c", line + ` "$@"`, line}, args...)...)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var given struct {
		Href   string
		Header map[string]string
	}
	if err == nil {
		err = json.Unmarshal(out, &given)
	}
	if err == nil && given.Href == "" {
		err = errors.New("it names none")
	}
	if err != nil {
		return "", nil, fmt.Errorf("asking %s for its LFS server, by ssh and git-lfs-authenticate: %w %s", host, err, bytes.TrimSpace(stderr.Bytes()))
	}
	header := http.Header{}
	for key, value := range given.Header {
		header.Set(key, value)
	}
	return given.Href, header, nil
}

// open adds the credentials to a request to the server, and returns the Authorization that it added. ours says that the
// request goes to the server.
func (a *access) open(request *http.Request) (used string, ours bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if request.URL.Host != a.host || request.Header.Get("Authorization") != "" {
		return "", false
	}
	maps.Copy(request.Header, a.header)
	if a.basic != "" && request.Header.Get("Authorization") == "" {
		request.Header.Set("Authorization", a.basic)
		used = a.basic
	}
	return used, true
}

// errExpired means that the credentials for the server have expired.
var errExpired = errors.New("what opened the server has expired")

// login gets a credential from git, unless another request has done so meanwhile.
func (a *access) login(ctx context.Context) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	u, err := url.Parse(a.at)
	switch {
	case err != nil:
		return err
	case a.basic != "":
		return nil
	case a.header.Get("Authorization") != "": // git-lfs-authenticate is asked for a new header
		a.at, a.header = "", nil
		return errExpired
	}
	path := strings.TrimSuffix(strings.TrimPrefix(u.Path, "/"), "/info/lfs") // the repository's path, so that git's own credential is found
	filled, err := a.names.ref.Repo.Credential(ctx, "fill", fmt.Sprintf("protocol=%s\nhost=%s\npath=%s\n\n", u.Scheme, u.Host, path), a.names.ref.Ask)
	if err != nil {
		return err
	}
	given := map[string]string{}
	for line := range strings.Lines(filled) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		given[key] = value
	}
	a.basic, a.filled = basic(given["username"], given["password"]), filled
	return nil
}

// judge tells git's helpers once that a credential is good ("approve") or bad ("reject": the next command asks for
// another).
func (a *access) judge(ctx context.Context, verb, used string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if used == "" || used != a.basic || a.filled == "" {
		return nil
	}
	_, err := a.names.ref.Repo.Credential(ctx, verb, a.filled, false)
	a.filled = ""
	return err
}

func basic(user, password string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
}
