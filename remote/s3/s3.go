// Package s3 stores bodies in a bucket of any server with the S3 protocol.
//
// The address is s3://BUCKET/PREFIX, with ?endpoint=https://HOST for a server that is not
// Amazon's and ?region=NAME if the server needs one. Credentials come from the
// environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN), from
// ~/.aws/credentials (AWS_PROFILE), or from the machine's role.
package s3

import (
	"context"
	"fmt"
	"io"
	"iter"
	"net/url"
	"path"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

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
