package s3

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"io"
	"path"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"golang.org/x/sync/errgroup"

	"cairn/remote"
)

// partsAtOnce is how many parts of one body are sent at the same time.
const partsAtOnce = 4

// PutAgain writes a body in parts, except those that the server has from an earlier try. note stores the server's id of
// the upload. A part counts as the same if its length and MD5 are; a server whose ETags are no MD5 gets every part.
func (b bucket) PutAgain(ctx context.Context, key string, body remote.Body, size int64, begun string, note func(string) error) error {
	if size <= partBytes {
		return b.Put(ctx, key, body, size)
	}
	core := minio.Core{Client: b.client}
	there, err := b.parts(ctx, key, begun)
	if err != nil {
		if begun, err = core.NewMultipartUpload(ctx, b.name, b.at(key), minio.PutObjectOptions{ContentType: bodyType}); err != nil {
			return b.explain(err)
		}
		if err := note(begun); err != nil {
			return err
		}
	}
	parts := make([]minio.CompletePart, (size+partBytes-1)/partBytes)
	g, inner := errgroup.WithContext(ctx)
	g.SetLimit(partsAtOnce)
	for i := range parts {
		g.Go(func() error {
			from := int64(i) * partBytes
			length := min(partBytes, size-from)
			parts[i].PartNumber = i + 1
			if has := there[i+1]; has.Size == length {
				sum := md5.New()
				if _, err := io.Copy(sum, io.NewSectionReader(body, from, length)); err != nil {
					return err
				}
				parts[i].ETag = hex.EncodeToString(sum.Sum(nil))
				if strings.EqualFold(strings.Trim(has.ETag, `"`), parts[i].ETag) {
					return nil
				}
			}
			sent, err := core.PutObjectPart(inner, b.name, b.at(key), begun, i+1, io.NewSectionReader(body, from, length), length, minio.PutObjectPartOptions{})
			parts[i].ETag = sent.ETag
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return b.explain(err)
	}
	_, err = core.CompleteMultipartUpload(ctx, b.name, b.at(key), begun, parts, minio.PutObjectOptions{ContentType: bodyType})
	return b.explain(err)
}

// parts returns the parts of the upload begun that the server has, by number. It fails if there is no such upload.
func (b bucket) parts(ctx context.Context, key, begun string) (map[int]minio.ObjectPart, error) {
	if begun == "" {
		return nil, errNotBegun
	}
	core, all := minio.Core{Client: b.client}, map[int]minio.ObjectPart{}
	for after := 0; ; {
		page, err := core.ListObjectParts(ctx, b.name, b.at(key), begun, after, 1000)
		if err != nil {
			return nil, err
		}
		for _, p := range page.ObjectParts {
			all[p.PartNumber] = p
		}
		if !page.IsTruncated || page.NextPartNumberMarker <= after {
			return all, nil
		}
		after = page.NextPartNumberMarker
	}
}

var errNotBegun = errors.New("nothing was begun")

// Abandoned returns unfinished multipart uploads: the server stores their bytes, but lists no body.
func (b bucket) Abandoned(ctx context.Context, before time.Time, dryRun bool) (all []remote.Entry, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	core := minio.Core{Client: b.client}
	for u := range b.client.ListIncompleteUploads(ctx, b.name, path.Join(b.prefix, "objects")+"/", true) {
		if u.Err != nil {
			return all, b.explain(u.Err)
		}
		if !u.Initiated.Before(before) {
			continue
		}
		if !dryRun {
			if err := core.AbortMultipartUpload(ctx, b.name, u.Key, u.UploadID); err != nil {
				return all, b.explain(err)
			}
		}
		all = append(all, remote.Entry{Key: strings.TrimPrefix(strings.TrimPrefix(u.Key, b.prefix), "/"), Size: u.Size, Time: u.Initiated})
	}
	return all, nil
}
