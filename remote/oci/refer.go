package oci

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2/content"
	"oras.land/oras-go/v2/errdef"
	"oras.land/oras-go/v2/registry/remote"

	ours "cairn/remote"
)

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
