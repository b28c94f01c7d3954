package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"filippo.io/age"

	"cairn/internal/remotes"
	"cairn/remote"
	"cairn/remote/file"
	"cairn/remote/lfs"
	"cairn/remote/oci"
	"cairn/remote/s3"
)

// dir returns the directory with local data about a remote.
func (j *job) dir(name string) string { return filepath.Join(j.site.Dir, "remotes", name) }

// openers returns the backends by scheme, for a remote of this name.
func (j *job) openers(name string) map[string]remote.Opener {
	return map[string]remote.Opener{"file": file.Open, "s3": s3.Open, "oci": oci.Open, "git+lfs": lfs.Open(j.site.Home, j.dir(name), j.Terminal)}
}

// add writes the settings of a new remote, after it has been contacted.
func (j *job) add(ctx context.Context) error {
	if !remotes.IsName(j.Name) {
		return fmt.Errorf("a remote cannot be called %q: letters, digits, - and _", j.Name)
	}
	names, err := j.site.Home.LocalConfig(ctx, remotes.Names)
	if err != nil {
		return err
	}
	if slices.Contains(names, j.Name) {
		return fmt.Errorf("there is a remote %s already; more readers are lines of .cairn/recipients, for anything else remove it first: cairn remote remove %s", j.Name, j.Name)
	}
	backend, err := remote.OpenBackend(j.URL, j.openers(j.Name))
	if err != nil {
		return err
	}
	if err := j.recipients(); err != nil {
		return err
	}
	for _, err := range backend.List(ctx, "packs/") {
		if err != nil {
			return fmt.Errorf("remote %s cannot be listed, so it was not added: %w", j.Name, err)
		}
		break
	}
	for _, s := range j.settings() {
		if err := j.site.Home.AddConfig(ctx, s[0], s[1]); err != nil {
			return err
		}
	}
	fmt.Printf("added %s: %s, %s\n", j.Name, j.URL, j.privacy(j.Settings))
	return nil
}

// recipients checks the recipients given, or else adds this user's own key.
func (j *job) recipients() error {
	for _, line := range j.Recipients {
		if _, err := remote.ParseRecipient(line); err != nil {
			return err
		}
	}
	if j.Clear {
		if len(j.Recipients) > 0 {
			return errors.New("--clear and --recipient contradict each other: give one of them")
		}
		return nil
	}
	project, err := remote.ProjectRecipients(j.site.Workspace.Root)
	if err != nil || len(j.Recipients)+len(project) > 0 {
		return err
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return err
	}
	line, made, err := remote.OwnRecipient(home, identityFile())
	if err != nil {
		return fmt.Errorf("finding a key to encrypt for: %w", err)
	}
	if made {
		fmt.Printf("made a key in %s: keep a copy of it, since nothing else reads what is pushed\n", identityFile())
	}
	fmt.Printf("encrypted for %s; more readers: --recipient KEY, or lines of %s\n", line, remote.RecipientsFile)
	j.Recipients = []string{line}
	return nil
}

// settings returns the configuration of the new remote; the line with its name is last.
func (j *job) settings() (all [][2]string) {
	set := func(setting, value string) { all = append(all, [2]string{remotes.Key(j.Name, setting), value}) }
	set("url", j.URL)
	if j.Clear {
		set("clear", "true")
	}
	for _, line := range j.Recipients {
		set("recipient", line)
	}
	if j.Failed {
		set("keep", "failed")
	}
	for _, name := range j.Tools {
		set("tool", name)
	}
	if j.MaxSize > 0 {
		set("maxsize", strconv.FormatInt(j.MaxSize, 10))
	}
	if j.MaxAge > 0 {
		set("maxage", j.MaxAge.String())
	}
	return append(all, [2]string{remotes.Names, j.Name})
}

// settingNames are the settings of a remote.
var settingNames = []string{"url", "clear", "recipient", "keep", "tool", "maxsize", "maxage"}

// load reads the settings of a remote.
func (j *job) load(ctx context.Context, name string) (s remotes.Settings, err error) {
	get := func(setting string) []string {
		values, getErr := j.site.Home.LocalConfig(ctx, remotes.Key(name, setting))
		err = errors.Join(err, getErr)
		return values
	}
	last := func(setting string) string {
		if values := get(setting); len(values) > 0 {
			return values[len(values)-1]
		}
		return ""
	}
	s = remotes.Settings{URL: last("url"), Clear: last("clear") == "true", Recipients: get("recipient"), Failed: last("keep") == "failed", Tools: get("tool")}
	if text := last("maxsize"); text != "" {
		var bad error
		s.MaxSize, bad = strconv.ParseInt(text, 10, 64)
		err = errors.Join(err, bad)
	}
	if text := last("maxage"); text != "" {
		var bad error
		s.MaxAge, bad = time.ParseDuration(text)
		err = errors.Join(err, bad)
	}
	if err == nil && s.URL == "" {
		err = fmt.Errorf("there is no address: git config %s URL", remotes.Key(name, "url"))
	}
	if err != nil {
		return s, fmt.Errorf("remote %s: %w", name, err)
	}
	return s, nil
}

// names returns the remotes to use: the one in the request, or all.
func (j *job) names(ctx context.Context) ([]string, error) {
	names, err := j.site.Home.LocalConfig(ctx, remotes.Names)
	switch {
	case err != nil:
		return nil, err
	case len(names) == 0:
		return nil, errors.New("there is no remote for objects: cairn remote add NAME URL")
	case j.Name == "":
		return names, nil
	case !slices.Contains(names, j.Name):
		return nil, fmt.Errorf("there is no remote %q; there is: %s", j.Name, strings.Join(names, ", "))
	}
	return []string{j.Name}, nil
}

// open opens a remote.
func (j *job) open(ctx context.Context, name string) (*remote.Remote, remotes.Settings, error) {
	s, err := j.load(ctx, name)
	if err != nil {
		return nil, s, err
	}
	backend, err := remote.OpenBackend(s.URL, j.openers(name))
	if err != nil {
		return nil, s, fmt.Errorf("remote %s: %w", name, err)
	}
	r := &remote.Remote{Name: name, Backend: backend, Dir: j.dir(name), Identities: func() ([]age.Identity, error) { return j.identities(ctx) }, Loose: !j.site.Packs(ctx)}
	if s.Clear {
		return r, s, nil
	}
	project, err := remote.ProjectRecipients(j.site.Workspace.Root)
	if err != nil {
		return nil, s, err
	}
	for _, line := range append(project, s.Recipients...) {
		to, err := remote.ParseRecipient(line)
		if err != nil {
			return nil, s, fmt.Errorf("remote %s: %w", name, err)
		}
		r.Recipients, r.Readers = append(r.Recipients, to), append(r.Readers, line)
	}
	return r, s, nil
}

func (j *job) identities(ctx context.Context) ([]age.Identity, error) {
	files, err := j.site.Home.LocalConfig(ctx, remotes.Identity)
	if err != nil {
		return nil, err
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, err
	}
	return remote.LoadIdentities(files, home, identityFile())
}

func (j *job) privacy(s remotes.Settings) string {
	if s.Clear {
		return "not encrypted"
	}
	return "encrypted"
}

func (j *job) list(ctx context.Context) error {
	names, err := j.names(ctx)
	if err != nil {
		return err
	}
	for _, name := range names {
		s, err := j.load(ctx, name)
		if err != nil {
			return err
		}
		if !j.JSON {
			fmt.Printf("%s\t%s\t%s\n", name, s.URL, j.privacy(s))
			continue
		}
		line, err := json.Marshal(struct {
			Name string `json:"name"`
			remotes.Settings
		}{name, s})
		if err != nil {
			return err
		}
		fmt.Printf("%s\n", line)
	}
	return nil
}

// remove removes the settings; objects that were pushed stay where they are.
func (j *job) remove(ctx context.Context) error {
	names, err := j.names(ctx)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := j.site.Home.RemoveConfig(ctx, remotes.Names, name); err != nil {
			return err
		}
		for _, setting := range settingNames {
			values, err := j.site.Home.LocalConfig(ctx, remotes.Key(name, setting))
			if err != nil {
				return err
			}
			for _, value := range values {
				if err := j.site.Home.RemoveConfig(ctx, remotes.Key(name, setting), value); err != nil {
					return err
				}
			}
		}
		if err := os.RemoveAll(j.dir(name)); err != nil {
			return err
		}
		fmt.Printf("removed %s; what was pushed to it is still there\n", name)
	}
	return nil
}

// hostOf returns an address without its query, for messages.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	u.RawQuery = ""
	return u.String()
}
