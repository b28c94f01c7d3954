package gitrepo

import (
	"context"
	"path/filepath"
)

// InfoAttributes is the file of attributes that is this clone's own.
func (r *Repo) InfoAttributes() string { return filepath.Join(r.CommonDir, "info", "attributes") }

// LocalConfig gives every value of a key in this clone's own configuration.
func (r *Repo) LocalConfig(ctx context.Context, key string) ([]string, error) {
	out, err := r.storeGit().run(ctx, "read the clone's configuration", nil, "config", "--local", "--get-all", key)
	if exitCode(err) == 1 {
		return nil, nil // the key is not set
	}
	return lines(string(out)), err
}

// AddConfig adds a value to a key of this clone's own configuration, unless it
// is there.
func (r *Repo) AddConfig(ctx context.Context, key, value string) error {
	return r.changeConfig(ctx, key, value, true)
}

// RemoveConfig takes one value of a key out of this clone's own configuration.
func (r *Repo) RemoveConfig(ctx context.Context, key, value string) error {
	return r.changeConfig(ctx, key, value, false)
}

func (r *Repo) changeConfig(ctx context.Context, key, value string, want bool) error {
	all, err := r.LocalConfig(ctx, key)
	if err != nil || contains(all, value) == want {
		return err
	}
	args := []string{"config", "--local", "--add", key, value}
	if !want {
		args = []string{"config", "--local", "--fixed-value", "--unset-all", key, value}
	}
	_, err = r.storeGit().run(ctx, "change the clone's configuration", nil, args...)
	r.mu.Lock()
	r.config = nil
	r.mu.Unlock()
	return err
}
