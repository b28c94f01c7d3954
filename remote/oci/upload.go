package oci

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/opencontainers/go-digest"
	"github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2/content"
	"oras.land/oras-go/v2/errdef"
	"oras.land/oras-go/v2/registry/remote"
	"oras.land/oras-go/v2/registry/remote/auth"
	"oras.land/oras-go/v2/registry/remote/errcode"

	ours "cairn/remote"
)

// chunkBytes is how many bytes of a body are sent per request.
const chunkBytes = ours.LargeBytes

// PutAgain writes a body in chunks, after the part that the registry has from an earlier try. note stores where the
// registry accepts the rest, without the host. A registry that does not accept chunks gets the body in one piece.
//
// The requests are made here: oras-go sends bodies whole, and regclient, which sends chunks, cannot resume those of
// another process.
func (r repository) PutAgain(ctx context.Context, key string, body ours.Body, size int64, begun string, note func(string) error) error {
	if size <= chunkBytes || r.whole.Load() {
		return r.Put(ctx, key, body, size)
	}
	sum, err := digest.FromReader(body)
	if err != nil {
		return err
	}
	u := &upload{r: r, body: body, layer: ocispec.Descriptor{MediaType: bodyType, Digest: sum, Size: size}, place: begun, note: note}
	there := false
	err = again(ctx, func() (err error) { there, err = r.Blobs().Exists(ctx, u.layer); return err })
	if err == nil && !there {
		err = u.send(ctx)
	}
	if errors.Is(err, errWhole) {
		r.whole.Store(true)
		return r.Put(ctx, key, io.NewSectionReader(body, 0, size), size)
	}
	if err != nil {
		return explain(err)
	}
	return r.tag(ctx, key, u.layer)
}

// Abandoned returns nothing: a registry does not list unfinished uploads, and removes them by itself after some days.
func (r repository) Abandoned(context.Context, time.Time, bool) ([]ours.Entry, error) {
	return nil, nil
}

// errWhole means that the registry does not accept chunks.
var errWhole = errors.New("the registry takes bodies in one piece only")

// upload is a body that is sent in chunks.
type upload struct {
	r     repository
	body  io.ReaderAt
	layer ocispec.Descriptor
	place string // path and query of where the registry accepts the rest; "" before it was asked
	note  func(string) error
	at    int64 // bytes that the registry has
	broke bool  // a request failed: before the next chunk, the registry is asked how much it has
	chunk int64
}

// send sends until the registry has the whole body. After an error that may pass, the registry is asked how much
// arrived.
func (u *upload) send(ctx context.Context) error {
	anew, misses := false, 0
	for n := 0; ; n++ {
		was := u.at
		err := u.begin(ctx)
		if err == nil {
			err = u.rest(ctx)
		}
		outOfStep := isAnswer(err, http.StatusRequestedRangeNotSatisfiable) // also temporarily, until the registry has noticed that the connection is gone
		if misses++; !outOfStep {
			misses = 0
		}
		switch {
		case err == nil || errors.Is(err, errWhole) || ctx.Err() != nil:
			return err
		case !anew && (misses == 3 || isAnswer(err, http.StatusNotFound, http.StatusBadRequest)):
			anew, u.place, u.at = true, "", 0 // the registry has other bytes, or has forgotten the upload
			continue
		case !passes(err) && !outOfStep:
			return err
		case u.at > was:
			n = 0
		}
		u.broke = true
		if n == tries-1 || !wait(ctx, n) {
			return err
		}
	}
}

// begin asks the registry where to send the body, and how much of it has arrived.
func (u *upload) begin(ctx context.Context) error {
	fresh := u.place == ""
	if fresh {
		answer, err := u.do(ctx, http.MethodPost, u.r.below("blobs/uploads/"), nil, http.StatusAccepted)
		if err != nil {
			return err
		}
		if err := u.moved(answer); err != nil {
			return err
		}
		least, _ := strconv.ParseInt(answer.Header.Get("OCI-Chunk-Min-Length"), 10, 64)
		u.chunk = max(chunkBytes, least)
	}
	answer, err := u.do(ctx, http.MethodGet, u.place, nil, http.StatusNoContent)
	switch {
	case err == nil:
		if err = u.moved(answer); err != nil || fresh || u.at > 0 {
			return err
		}
	case !isAnswer(err) || passes(err):
		return err
	case fresh:
		return errWhole
	}
	u.place, u.at = "", 0 // the registry has nothing, or one byte, which its answer cannot distinguish
	return u.begin(ctx)
}

// rest sends the missing chunks, and the digest of the whole.
func (u *upload) rest(ctx context.Context) error {
	for u.at < u.layer.Size {
		chunk := io.NewSectionReader(u.body, u.at, min(max(u.chunk, chunkBytes), u.layer.Size-u.at))
		answer, err := u.do(ctx, http.MethodPatch, u.place, chunk, http.StatusAccepted)
		if isAnswer(err, http.StatusOK, http.StatusCreated, http.StatusNoContent, http.StatusBadRequest, http.StatusMethodNotAllowed, http.StatusLengthRequired, http.StatusRequestEntityTooLarge, http.StatusNotImplemented) {
			return errWhole
		}
		if err != nil {
			return err
		}
		was := u.at
		if err := u.moved(answer); err != nil {
			return err
		}
		if u.at <= was {
			return errWhole
		}
	}
	at, err := url.Parse(u.place)
	if err != nil {
		return err
	}
	query := at.Query()
	query.Set("digest", u.layer.Digest.String())
	at.RawQuery = query.Encode()
	_, err = u.do(ctx, http.MethodPut, at.String(), nil, http.StatusCreated)
	return err
}

// moved reads from an answer how much the registry has, and where it accepts the rest.
func (u *upload) moved(answer *http.Response) error {
	at, err := answer.Location()
	switch {
	case errors.Is(err, http.ErrNoLocation) && u.place != "": // the place stays the same
	case err != nil || at.Hostname() != answer.Request.URL.Hostname(): // credentials go to the registry only
		return errWhole
	default:
		u.place = at.RequestURI()
	}
	u.at = 0
	if _, end, ranged := strings.Cut(answer.Header.Get("Range"), "-"); ranged && end != "0" { // a registry that has no bytes also says so
		if u.at, err = strconv.ParseInt(end, 10, 64); err != nil {
			return errWhole
		}
		u.at++
	}
	return u.note(u.place)
}

// do sends a request and expects an answer with status want.
func (u *upload) do(ctx context.Context, method, at string, chunk *io.SectionReader, want int) (*http.Response, error) {
	request, err := u.r.request(ctx, method, at)
	if err != nil {
		return nil, err
	}
	if chunk != nil {
		request.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(io.NewSectionReader(chunk, 0, chunk.Size())), nil }
		request.Body, _ = request.GetBody()
		request.ContentLength = chunk.Size()
		request.Header.Set("Content-Type", "application/octet-stream")
		if u.broke {
			request.Header.Set("Expect", "100-continue")
		}
		request.Header.Set("Content-Range", fmt.Sprintf("%d-%d", u.at, u.at+chunk.Size()-1))
	}
	answer, err := u.r.Client.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != want {
		err = refused(answer)
	}
	return answer, err
}

// request makes a request to the registry; at is its path and query.
func (r repository) request(ctx context.Context, method, at string) (*http.Request, error) {
	scheme, actions := "https", []string{auth.ActionPull}
	if r.PlainHTTP {
		scheme = "http"
	}
	switch method {
	case http.MethodDelete:
		actions = []string{auth.ActionDelete}
	case http.MethodGet:
	default:
		actions = append(actions, auth.ActionPush)
	}
	ctx = auth.AppendRepositoryScope(ctx, r.Reference, actions...)
	return http.NewRequestWithContext(ctx, method, scheme+"://"+r.Reference.Host()+at, nil)
}

// below returns a path below the repository's.
func (r repository) below(rest string) string { return "/v2/" + r.Reference.Repository + "/" + rest }

// refused returns an answer as an error.
func refused(answer *http.Response) error {
	failed := &errcode.ErrorResponse{Method: answer.Request.Method, URL: answer.Request.URL, StatusCode: answer.StatusCode}
	json.NewDecoder(io.LimitReader(answer.Body, maxManifest)).Decode(failed) // the message, if there is one in JSON
	return failed
}

// isAnswer says whether an error is an answer of the registry, with one of these statuses if any are given.
func isAnswer(err error, statuses ...int) bool {
	var answer *errcode.ErrorResponse
	return errors.As(err, &answer) && (len(statuses) == 0 || slices.Contains(statuses, answer.StatusCode))
}

// Types of the manifests that mark bodies as belonging to a commit.
const (
	commitType = "application/vnd.cairn.commit.v1"
	runsType   = "application/vnd.cairn.runs.v1"
)

// commitManifest represents a commit. Everybody who pushes it pushes the same bytes.
func commitManifest(commit string) (ocispec.Descriptor, []byte, error) {
	return manifestOf(ocispec.Manifest{
		ArtifactType: commitType, Layers: []ocispec.Descriptor{ocispec.DescriptorEmptyJSON},
		Annotations: map[string]string{ocispec.AnnotationRevision: commit},
	})
}

func manifestOf(m ocispec.Manifest) (ocispec.Descriptor, []byte, error) {
	m.Versioned, m.MediaType, m.Config = specs.Versioned{SchemaVersion: 2}, ocispec.MediaTypeImageManifest, ocispec.DescriptorEmptyJSON
	text, err := json.Marshal(m)
	return content.NewDescriptorFromBytes(ocispec.MediaTypeImageManifest, text), text, err
}

// Refer writes the manifest of a commit, and one with the bodies as layers that refers to it.
func (r repository) Refer(ctx context.Context, commit string, keys []string) error {
	subject, text, err := commitManifest(commit)
	if err != nil {
		return err
	}
	var layers []ocispec.Descriptor
	for _, key := range keys {
		layer, known := r.layers.Load(key)
		if !known {
			_, m, err := r.manifest(ctx, key)
			if errors.Is(err, ours.ErrMissing) {
				continue // the body has just been collected
			}
			if err != nil {
				return err
			}
			layer = m.Layers[0]
		}
		titled := layer.(ocispec.Descriptor)
		titled.Annotations = map[string]string{ocispec.AnnotationTitle: key}
		layers = append(layers, titled)
	}
	if err := r.pushConfig(ctx); err != nil {
		return explain(err)
	}
	err = again(ctx, func() error {
		return r.Manifests().PushReference(ctx, subject, bytes.NewReader(text), tagOf(ours.CommitKey(commit)))
	})
	if err != nil {
		return explain(err)
	}
	return r.pushRuns(ctx, subject, commit, layers)
}

func (r repository) pushRuns(ctx context.Context, subject ocispec.Descriptor, commit string, layers []ocispec.Descriptor) error {
	about, text, err := manifestOf(ocispec.Manifest{
		ArtifactType: runsType, Layers: layers, Subject: &subject,
		Annotations: map[string]string{ocispec.AnnotationCreated: time.Now().UTC().Format(time.RFC3339), ocispec.AnnotationRevision: commit},
	})
	if err != nil {
		return err
	}
	return explain(again(ctx, func() error { return listed(r.Manifests().Push(ctx, about, bytes.NewReader(text))) }))
}

// listed ignores an error of a registry without a list of referrers: it did not delete the old version of the tag that
// oras-go maintains instead.
func listed(err error) error {
	var index *remote.ReferrersError
	if errors.As(err, &index) && index.IsReferrersIndexDelete() {
		return nil
	}
	return err
}

// Forget rewrites the manifests that refer to a commit without the bodies that are gone, and removes manifests that
// have no other bodies.
func (r repository) Forget(ctx context.Context, commit string, gone func(key string) bool, dryRun bool) (all bool, err error) {
	subject, _, err := commitManifest(commit)
	if err != nil {
		return false, err
	}
	var referrers []ocispec.Descriptor
	err = r.Referrers(ctx, subject, runsType, func(page []ocispec.Descriptor) error {
		referrers = append(referrers, page...)
		return nil
	})
	if err != nil {
		return false, explain(err)
	}
	all = true
	for _, d := range referrers {
		text, err := content.FetchAll(ctx, r.Manifests(), d)
		if errors.Is(err, errdef.ErrNotFound) {
			continue
		}
		m := ocispec.Manifest{}
		if err == nil {
			err = json.Unmarshal(text, &m)
		}
		if err != nil {
			return false, explain(err)
		}
		left := slices.DeleteFunc(slices.Clone(m.Layers), func(l ocispec.Descriptor) bool { return gone(l.Annotations[ocispec.AnnotationTitle]) })
		all = all && len(left) == 0
		if dryRun || len(left) == len(m.Layers) {
			continue
		}
		if len(left) > 0 {
			err = r.pushRuns(ctx, subject, commit, left)
		}
		if err == nil {
			err = explain(listed(r.Manifests().Delete(ctx, d)))
		}
		if err != nil && !errors.Is(err, ours.ErrMissing) {
			return false, err
		}
	}
	if all && !dryRun {
		err = r.Delete(ctx, ours.CommitKey(commit))
	}
	return all, err
}
