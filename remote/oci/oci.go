// Package oci stores bodies in a repository of any container registry (OCI distribution 1.1).
//
// The address is oci://HOST/REPOSITORY. Credentials are those of "docker login" or "podman login". Connections use TLS,
// except to this machine or if the address ends in ?plain=1.
//
// Each body is the only layer of a manifest of type application/vnd.cairn.body.v1, whose tag is the body's key with "_"
// for "/". A registry does not say when a tag was written, so the manifest has the time:
// org.opencontainers.image.created.
//
// The tag commit-<id> is a manifest of type application/vnd.cairn.commit.v1 that represents a commit, with the commit's
// id as org.opencontainers.image.revision. Manifests of type application/vnd.cairn.runs.v1 refer to it as their
// subject; their layers are the bodies with output of the commit's runs, with the key as title. They are in the
// registry's list of referrers, or under the tag that the specification defines instead.
package oci

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2/content"
	"oras.land/oras-go/v2/errdef"
	"oras.land/oras-go/v2/registry/remote"
	"oras.land/oras-go/v2/registry/remote/auth"
	"oras.land/oras-go/v2/registry/remote/credentials"
	"oras.land/oras-go/v2/registry/remote/errcode"
	"oras.land/oras-go/v2/registry/remote/retry"

	ours "cairn/remote"
)

// bodyType is the type of the bodies' manifests and layers.
const bodyType = "application/vnd.cairn.body.v1"

// maxManifest bounds a manifest, in bytes.
const maxManifest = 1 << 20

type repository struct {
	*remote.Repository
	config *config
	// whole says that the registry accepts a body only in one piece, which the first large body shows.
	whole *atomic.Bool
	// layers are the layers of bodies written so far, by key.
	layers *sync.Map
}

// config says whether the repository has the empty config that all manifests name. It is pushed only once and first: a
// registry to which it is written again may not find it for a moment.
type config struct {
	sync.Mutex
	there bool
}

// Open opens oci://HOST/REPOSITORY.
func Open(u *url.URL) (ours.Backend, error) {
	repo, err := remote.NewRepository(u.Host + u.Path)
	if err != nil {
		return nil, fmt.Errorf("%s: give oci://HOST/REPOSITORY: %w", u, err)
	}
	repo.PlainHTTP = isLoopback(u.Hostname()) || u.Query().Get("plain") == "1"
	client := &auth.Client{Client: &http.Client{Transport: retry.NewTransport(ours.Transport(ours.Stall))}, Cache: auth.NewCache()}
	if store, err := credentials.NewStoreFromDocker(credentials.StoreOptions{}); err == nil {
		client.Credential = credentials.Credential(store)
	}
	repo.Client = client
	return repository{repo, &config{}, &atomic.Bool{}, &sync.Map{}}, nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func tagOf(key string) string { return strings.ReplaceAll(key, "/", "_") }

func keyOf(tag string) string { return strings.ReplaceAll(tag, "_", "/") }

// Put writes the layer, then the manifest under its tag: the body exists once the tag does.
func (r repository) Put(ctx context.Context, key string, body ours.Body, size int64) error {
	sum, err := digest.FromReader(body)
	if err != nil {
		return err
	}
	layer := ocispec.Descriptor{MediaType: bodyType, Digest: sum, Size: size}
	err = again(ctx, func() error { return r.pushOnce(ctx, layer, io.NewSectionReader(body, 0, size)) })
	if err != nil {
		return explain(err)
	}
	return r.tag(ctx, key, layer)
}

// tag writes the manifest of an existing layer under a key's tag.
func (r repository) tag(ctx context.Context, key string, layer ocispec.Descriptor) error {
	if err := r.pushConfig(ctx); err != nil {
		return explain(err)
	}
	about, manifest, err := manifestOf(ocispec.Manifest{
		ArtifactType: bodyType, Layers: []ocispec.Descriptor{layer},
		Annotations: map[string]string{ocispec.AnnotationCreated: time.Now().UTC().Format(time.RFC3339)},
	})
	if err != nil {
		return err
	}
	r.layers.Store(key, layer)
	return explain(again(ctx, func() error { return r.Manifests().PushReference(ctx, about, bytes.NewReader(manifest), tagOf(key)) }))
}

func (r repository) pushConfig(ctx context.Context) error {
	r.config.Lock()
	defer r.config.Unlock()
	if r.config.there {
		return nil
	}
	err := again(ctx, func() error {
		return r.pushOnce(ctx, ocispec.DescriptorEmptyJSON, bytes.NewReader(ocispec.DescriptorEmptyJSON.Data))
	})
	r.config.there = err == nil
	return err
}

// tries is how often a request is sent, within sixteen seconds. The library repeats none with a body, nor after a cut
// connection.
const tries = 7

// again calls do until it succeeds, or fails for a reason that will not pass.
func again(ctx context.Context, do func() error) (err error) {
	for n := range tries {
		if err = do(); err == nil || !passes(err) || n == tries-1 {
			break
		}
		if !wait(ctx, n) {
			return err
		}
	}
	return err
}

// wait pauses before the next try. It returns false if the context has ended.
func wait(ctx context.Context, n int) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(time.Second / 4 << n):
		return true
	}
}

// passes says whether an error may go away soon: the registry is busy or was restarted, a connection was cut, or what
// was just pushed is not yet known everywhere.
func passes(err error) bool {
	var answer *errcode.ErrorResponse
	if errors.As(err, &answer) {
		if slices.ContainsFunc(answer.Errors, func(e errcode.Error) bool { return e.Code == errcode.ErrorCodeManifestBlobUnknown }) {
			return true
		}
		return answer.StatusCode == http.StatusTooManyRequests || answer.StatusCode >= http.StatusInternalServerError && answer.StatusCode != http.StatusInsufficientStorage
	}
	var network *net.OpError
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &network) && network.Op != "dial"
}

func (r repository) pushOnce(ctx context.Context, d ocispec.Descriptor, from io.Reader) error {
	if there, err := r.Blobs().Exists(ctx, d); err != nil || there {
		return err
	}
	err := r.Blobs().Push(ctx, d, from)
	if errors.Is(err, errdef.ErrAlreadyExists) {
		return nil
	}
	return err
}

func (r repository) Get(ctx context.Context, key string, from int64) (io.ReadCloser, error) {
	var body io.ReadCloser
	err := again(ctx, func() error {
		_, m, err := r.manifest(ctx, key)
		switch {
		case err != nil:
		case from >= m.Layers[0].Size:
			body = http.NoBody
		case from > 0:
			body, err = r.behind(ctx, m.Layers[0], from)
		default:
			body, err = r.Blobs().Fetch(ctx, m.Layers[0])
		}
		return err
	})
	if err != nil {
		return nil, explain(err)
	}
	return body, nil
}

// behind opens a layer after its first n bytes. oras-go would request the whole layer first, and then the rest again.
func (r repository) behind(ctx context.Context, layer ocispec.Descriptor, n int64) (io.ReadCloser, error) {
	request, err := r.request(ctx, http.MethodGet, r.below("blobs/"+layer.Digest.String()))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", n, layer.Size-1))
	answer, err := r.Client.Do(request)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode == http.StatusOK { // the registry ignores ranges
		_, err = io.CopyN(io.Discard, answer.Body, n)
	} else if answer.StatusCode != http.StatusPartialContent {
		err = refused(answer)
	}
	if err != nil {
		answer.Body.Close()
	}
	return answer.Body, err
}

// manifest reads the manifest of a body.
func (r repository) manifest(ctx context.Context, key string) (ocispec.Descriptor, *ocispec.Manifest, error) {
	about, from, err := r.Manifests().FetchReference(ctx, tagOf(key))
	if err != nil {
		return about, nil, explain(err)
	}
	defer from.Close()
	if about.Size > maxManifest {
		return about, nil, fmt.Errorf("the manifest of %s has %d bytes", key, about.Size)
	}
	text, err := content.ReadAll(from, about)
	if err != nil {
		return about, nil, err
	}
	m := &ocispec.Manifest{}
	if err := json.Unmarshal(text, m); err != nil || len(m.Layers) != 1 || m.ArtifactType != bodyType {
		return about, nil, fmt.Errorf("the tag %s is no body of cairn's", tagOf(key))
	}
	return about, m, nil
}

// List returns the bodies without sizes and times, since a registry has to be asked for each of them.
func (r repository) List(ctx context.Context, prefix string) iter.Seq2[ours.Entry, error] {
	return func(yield func(ours.Entry, error) bool) {
		stop := errors.New("enough")
		err := r.Tags(ctx, "", func(tags []string) error {
			for _, tag := range tags {
				if !strings.HasPrefix(tag, tagOf(prefix)) {
					continue
				}
				if !yield(ours.Entry{Key: keyOf(tag), Size: -1}, nil) {
					return stop
				}
			}
			return nil
		})
		if err = explain(err); err != nil && !errors.Is(err, stop) && !errors.Is(err, ours.ErrMissing) {
			yield(ours.Entry{}, err)
		}
	}
}

// Written returns the time when a body was written, according to its manifest, and the body's size in bytes.
func (r repository) Written(ctx context.Context, key string) (time.Time, int64, error) {
	_, m, err := r.manifest(ctx, key)
	if err != nil {
		return time.Time{}, -1, err
	}
	at, err := time.Parse(time.RFC3339, m.Annotations[ocispec.AnnotationCreated])
	return at, m.Layers[0].Size, err
}

// Delete removes the manifest, then the tag, which some registries keep. The registry's garbage collection removes the
// layer.
func (r repository) Delete(ctx context.Context, key string) error {
	about, err := r.Resolve(ctx, tagOf(key))
	if err == nil {
		err = r.Manifests().Delete(ctx, about)
	}
	if err = explain(err); err != nil && !errors.Is(err, ours.ErrMissing) {
		return err
	}
	return r.untag(ctx, tagOf(key))
}

// untag removes a tag that still exists. Errors are ignored, since many registries have no tags without a manifest.
func (r repository) untag(ctx context.Context, tag string) error {
	if _, err := r.Resolve(ctx, tag); err != nil {
		return nil
	}
	request, err := r.request(ctx, http.MethodDelete, r.below("manifests/"+tag))
	if err != nil {
		return err
	}
	answer, err := r.Client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := r.Resolve(ctx, tag); err == nil {
		return fmt.Errorf("the registry keeps the tag %s: %s", tag, answer.Status)
	}
	return nil
}

// explain adds to an error what the user can do.
func explain(err error) error {
	var answer *errcode.ErrorResponse
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errdef.ErrNotFound):
		return ours.ErrMissing
	case errors.As(err, &answer) && (answer.StatusCode == http.StatusUnauthorized || answer.StatusCode == http.StatusForbidden):
		return fmt.Errorf("the registry does not accept the credentials; log in with docker login or podman login: %w", err)
	case errors.As(err, &answer) && answer.StatusCode == http.StatusInsufficientStorage:
		return fmt.Errorf("the registry is full; make room and do the same again: %w", err)
	case errors.As(err, &answer) && answer.StatusCode == http.StatusNotFound:
		return ours.ErrMissing
	case errors.As(err, &answer) && answer.StatusCode == http.StatusMethodNotAllowed:
		return fmt.Errorf("the registry does not allow that anything is removed: %w", err)
	}
	return err
}
