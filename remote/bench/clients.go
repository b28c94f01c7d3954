package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"filippo.io/age"
	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"golang.org/x/sync/errgroup"
	"oras.land/oras-go/v2"
	orasfile "oras.land/oras-go/v2/content/file"
	"oras.land/oras-go/v2/registry/remote"
)

// atOnce is how many bodies are transferred at the same time.
const atOnce = 16

// copier uses cp, to a directory and back, and sync, since cairn too reports only what is on the disk.
type copier struct{ root string }

func cp(from []string, to string) error {
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	for _, args := range [][]string{append([]string{"cp"}, append(from, to)...), {"sync", "-f", to}} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", args[0], err, out)
		}
	}
	return nil
}

func (c copier) push(_ context.Context, name string, files []string) error {
	return cp(append([]string{}, files...), filepath.Join(c.root, name))
}

func (c copier) pull(_ context.Context, name string, files []string, dir string) error {
	var from []string
	for _, f := range files {
		from = append(from, filepath.Join(c.root, name, filepath.Base(f)))
	}
	return cp(from, dir)
}

// bucket uses minio-go.
type bucket struct{ *minio.Client }

func newBucket(port int) (client, error) {
	c, err := minio.New(fmt.Sprintf("127.0.0.1:%d", port), &minio.Options{Region: "us-east-1", Creds: credentials.NewEnvAWS()})
	return bucket{c}, err
}

func (b bucket) each(ctx context.Context, files []string, do func(ctx context.Context, file string) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(atOnce)
	for _, f := range files {
		g.Go(func() error { return do(ctx, f) })
	}
	return g.Wait()
}

func (b bucket) push(ctx context.Context, name string, files []string) error {
	return b.each(ctx, files, func(ctx context.Context, file string) error {
		_, err := b.FPutObject(ctx, "cairn", name+"/"+filepath.Base(file), file, minio.PutObjectOptions{})
		return err
	})
}

func (b bucket) pull(ctx context.Context, name string, files []string, dir string) error {
	return b.each(ctx, files, func(ctx context.Context, file string) error {
		return b.FGetObject(ctx, "cairn", name+"/"+filepath.Base(file), filepath.Join(dir, filepath.Base(file)), minio.GetObjectOptions{})
	})
}

// registry uses oras-go: one manifest with one layer per file.
type registry struct{ port int }

func newRegistry(port int) (client, error) { return registry{port}, nil }

func (r registry) repository(name string) (*remote.Repository, error) {
	repo, err := remote.NewRepository(fmt.Sprintf("127.0.0.1:%d/oras/%s", r.port, name))
	if err == nil {
		repo.PlainHTTP = true
	}
	return repo, err
}

var copying = oras.CopyOptions{CopyGraphOptions: oras.CopyGraphOptions{Concurrency: atOnce}}

func (r registry) push(ctx context.Context, name string, files []string) error {
	dir, err := os.MkdirTemp("", "cairn-oras-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	from, err := orasfile.New(dir)
	if err != nil {
		return err
	}
	defer from.Close()
	layers := make([]ocispec.Descriptor, len(files))
	for i, f := range files {
		if layers[i], err = from.Add(ctx, filepath.Base(f), "", f); err != nil {
			return err
		}
	}
	manifest, err := oras.PackManifest(ctx, from, oras.PackManifestVersion1_1, "application/x-bench", oras.PackManifestOptions{Layers: layers})
	if err != nil {
		return err
	}
	if err := from.Tag(ctx, manifest, "bench"); err != nil {
		return err
	}
	repo, err := r.repository(name)
	if err != nil {
		return err
	}
	_, err = oras.Copy(ctx, from, "bench", repo, "bench", copying)
	return err
}

func (r registry) pull(ctx context.Context, name string, _ []string, dir string) error {
	repo, err := r.repository(name)
	if err != nil {
		return err
	}
	to, err := orasfile.New(dir)
	if err != nil {
		return err
	}
	defer to.Close()
	_, err = oras.Copy(ctx, repo, "bench", to, "bench", copying)
	return err
}

// aged is a client that also does what cairn does: files are encrypted before they are sent, and synced to the disk
// when they arrive.
type aged struct {
	client
	key *age.X25519Identity
	dir string // for the encrypted files
}

func (a aged) push(ctx context.Context, name string, files []string) error {
	sealed, err := a.each(files, func(from, to string) error {
		return convert(from, to, func(w *os.File, r io.Reader) error {
			s, err := age.Encrypt(w, a.key.Recipient())
			if err == nil {
				_, err = io.Copy(s, r)
			}
			if err == nil {
				err = s.Close()
			}
			return err
		})
	}, a.dir)
	if err != nil {
		return err
	}
	return a.client.push(ctx, name, sealed)
}

func (a aged) pull(ctx context.Context, name string, files []string, dir string) error {
	if err := a.client.pull(ctx, name, files, a.dir); err != nil {
		return err
	}
	var sealed []string
	for _, f := range files {
		sealed = append(sealed, filepath.Join(a.dir, filepath.Base(f)))
	}
	_, err := a.each(sealed, func(from, to string) error {
		return convert(from, to, func(w *os.File, r io.Reader) error {
			plain, err := age.Decrypt(r, a.key)
			if err == nil {
				_, err = io.Copy(w, plain)
			}
			if err == nil {
				err = w.Sync()
			}
			return err
		})
	}, dir)
	return err
}

// each calls do for every file, with a path of the same name in dir.
func (a aged) each(files []string, do func(from, to string) error, dir string) (made []string, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	var g errgroup.Group
	g.SetLimit(atOnce)
	for _, f := range files {
		to := filepath.Join(dir, filepath.Base(f))
		made = append(made, to)
		g.Go(func() error { return do(f, to) })
	}
	return made, g.Wait()
}

func convert(from, to string, do func(w *os.File, r io.Reader) error) error {
	r, err := os.Open(from)
	if err != nil {
		return err
	}
	defer r.Close()
	w, err := os.Create(to)
	if err != nil {
		return err
	}
	return errors.Join(do(w, r), w.Close())
}
