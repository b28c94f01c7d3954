// Package s3 stores bodies in a bucket of any server with the S3 protocol.
//
// The address is s3://BUCKET/PREFIX, with ?endpoint=https://HOST for a server that is not
// Amazon's and ?region=NAME if the server needs one. Credentials come from the
// environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN), from
// ~/.aws/credentials (AWS_PROFILE), or from the machine's role.
package s3

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"golang.org/x/sync/errgroup"

	"cairn/remote"
)

type bucket struct {
	client       *minio.Client
	name, prefix string
}

const amazon = "s3.amazonaws.com"

// Open opens s3://BUCKET/PREFIX?endpoint=URL&region=NAME.
func Open(u *url.URL) (remote.Backend, error) {
	if u.Host == "" {
		return nil, fmt.Errorf("%s names no bucket: give s3://BUCKET/PREFIX", u)
	}
	host, secure := amazon, true
	if at := u.Query().Get("endpoint"); at != "" {
		server, err := url.Parse(at)
		if err != nil || server.Host == "" || server.Scheme != "http" && server.Scheme != "https" {
			return nil, fmt.Errorf("endpoint %q: give a URL such as https://s3.example.com", at)
		}
		host, secure = server.Host, server.Scheme == "https"
	}
	client, err := minio.New(host, &minio.Options{
		Transport: remote.Transport(remote.Stall), Secure: secure, Region: u.Query().Get("region"), MaxRetries: 5,
		Creds: credentials.NewChainCredentials([]credentials.Provider{
			&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}, &credentials.IAM{},
		}),
	})
	if err != nil {
		return nil, err
	}
	return bucket{client, u.Host, strings.Trim(u.Path, "/")}, nil
}

func (b bucket) at(key string) string { return path.Join(b.prefix, key) }

// Put writes in one request, or in parts that take effect only when all have arrived.
func (b bucket) Put(ctx context.Context, key string, body remote.Body, size int64) error {
	_, err := b.client.PutObject(ctx, b.name, b.at(key), body, size, minio.PutObjectOptions{ContentType: bodyType, PartSize: partBytes})
	return b.explain(err)
}

const (
	bodyType  = "application/octet-stream"
	partBytes = remote.LargeBytes
)

func (b bucket) Get(ctx context.Context, key string, from int64) (io.ReadCloser, error) {
	core, options := minio.Core{Client: b.client}, minio.GetObjectOptions{}
	if from > 0 {
		if err := options.SetRange(from, 0); err != nil {
			return nil, err
		}
	}
	body, _, _, err := core.GetObject(ctx, b.name, b.at(key), options)
	if err != nil {
		return nil, b.explain(err)
	}
	return body, nil
}

func (b bucket) List(ctx context.Context, prefix string) iter.Seq2[remote.Entry, error] {
	return func(yield func(remote.Entry, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		top := b.at(prefix) + "/"
		for o := range b.client.ListObjects(ctx, b.name, minio.ListObjectsOptions{Prefix: top, Recursive: true}) {
			key := strings.TrimPrefix(strings.TrimPrefix(o.Key, b.prefix), "/")
			if !yield(remote.Entry{Key: key, Size: o.Size, Time: o.LastModified}, b.explain(o.Err)) || o.Err != nil {
				return
			}
		}
	}
}

func (b bucket) Delete(ctx context.Context, key string) error {
	return b.explain(b.client.RemoveObject(ctx, b.name, b.at(key), minio.RemoveObjectOptions{}))
}

// explain adds to an error what the user can do.
func (b bucket) explain(err error) error {
	if err == nil {
		return nil
	}
	switch code := minio.ToErrorResponse(err).Code; code {
	case "InvalidRange": // the offset is at the body's end
		return io.EOF
	case "NoSuchKey", "NotFound":
		return remote.ErrMissing
	case "NoSuchBucket":
		return fmt.Errorf("there is no bucket %s; make it first: %w", b.name, err)
	case "AccessDenied", "InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken":
		return fmt.Errorf("the server does not accept the credentials (AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or ~/.aws/credentials): %w", err)
	case "XMinioStorageFull", "InsufficientStorage", "QuotaExceeded":
		return fmt.Errorf("the bucket %s or its server is full; make room and do the same again: %w", b.name, err)
	case "RequestTimeTooSkewed":
		return fmt.Errorf("the clock of this machine is wrong; set it: %w", err)
	}
	return err
}

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
