package lfs

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"cairn/internal/gitrepo"
	"cairn/remote"
)

// server is a git LFS server for one of the two operations, "upload" and "download".
type server struct {
	client http.Client
	queue  gather[*object]
	access
}

func newServer(operation string, n *names) *server {
	return &server{client: http.Client{Transport: remote.Transport(remote.Stall)}, access: access{names: n, operation: operation}}
}

// object is an object in a request or an answer of the batch API.
type object struct {
	OID     string            `json:"oid"`
	Size    int64             `json:"size"`
	Signed  bool              `json:"authenticated,omitempty"` // the actions need no credentials from us
	Actions map[string]action `json:"actions,omitempty"`
	Error   *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// action is a request that the server asks for.
type action struct {
	Href   string            `json:"href"`
	Header map[string]string `json:"header"`
}

// mediaType is the media type of the API's requests and answers.
const mediaType = "application/vnd.git-lfs+json"

// maxAnswer bounds an answer of the API, in bytes.
const maxAnswer = 4 << 20

// ask asks the server what to do with an object. Objects asked for at the same time share one request.
func (s *server) ask(ctx context.Context, p pointer) (object, error) {
	o := &object{OID: p.oid, Size: p.size}
	err := s.queue.wait(s.queue.add(o), func(all []*object) error { return s.batch(ctx, all) })
	if err == nil && o.Error != nil {
		err = explain(&refusal{status: o.Error.Code, says: o.Error.Message, about: "the body " + p.oid})
	}
	return *o, err
}

func (s *server) batch(ctx context.Context, all []*object) error {
	request := struct {
		Operation string    `json:"operation"`
		Transfers []string  `json:"transfers"`
		Objects   []*object `json:"objects"`
		Hash      string    `json:"hash_algo"`
	}{s.operation, []string{"basic"}, all, "sha256"}
	at, err := s.endpoint(ctx)
	if err != nil {
		return err
	}
	var response struct {
		Objects []object `json:"objects"`
	}
	if err := s.api(ctx, action{Href: at + "/objects/batch"}, true, request, &response); err != nil {
		return err
	}
	byOID := map[string]object{}
	for _, o := range response.Objects {
		byOID[o.OID] = o
	}
	for _, o := range all {
		answer, there := byOID[o.OID]
		if !there {
			return fmt.Errorf("the LFS server %s says nothing of the body %s", at, o.OID)
		}
		answer.Size = o.Size
		*o = answer
	}
	return nil
}

// api sends a request of the API and reads the answer.
func (s *server) api(ctx context.Context, a action, own bool, request, response any) error {
	text, err := json.Marshal(request)
	if err != nil {
		return err
	}
	answer, err := s.send(ctx, http.MethodPost, a, own, bytes.NewReader(text), int64(len(text)), http.Header{"Accept": {mediaType}, "Content-Type": {mediaType}})
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if response != nil {
		err = json.NewDecoder(io.LimitReader(answer.Body, maxAnswer)).Decode(response)
	}
	return err
}

// put sends a body, unless the server has it.
func (s *server) put(ctx context.Context, p pointer, body io.ReaderAt) error {
	return again(ctx, func() error {
		o, err := s.ask(ctx, p)
		up, wanted := o.Actions["upload"]
		if err != nil || !wanted {
			return err
		}
		answer, err := s.send(ctx, http.MethodPut, up, !o.Signed, body, p.size, http.Header{"Content-Type": {"application/octet-stream"}})
		if err != nil {
			return err
		}
		answer.Body.Close()
		if check, wanted := o.Actions["verify"]; wanted {
			return s.api(ctx, check, !o.Signed, object{OID: p.oid, Size: p.size}, nil)
		}
		return nil
	})
}

// get opens a body at the offset from, in bytes. The caller checks the bytes: its objects have digests of their own.
func (s *server) get(ctx context.Context, p pointer, from int64) (body io.ReadCloser, err error) {
	return body, again(ctx, func() error {
		o, err := s.ask(ctx, p)
		if err != nil {
			return err
		}
		header := http.Header{}
		if from > 0 {
			header.Set("Range", fmt.Sprintf("bytes=%d-%d", from, p.size-1))
		}
		answer, err := s.send(ctx, http.MethodGet, o.Actions["download"], !o.Signed, nil, 0, header)
		if err != nil {
			return err
		}
		body = answer.Body
		if from > 0 && answer.StatusCode != http.StatusPartialContent {
			_, err = io.CopyN(io.Discard, body, from)
		}
		if err != nil {
			answer.Body.Close()
		}
		return err
	})
}

// send sends a request. If own is set and the host is the server's, credentials are added; if the server wants a
// credential that is not known yet, git is asked for one.
func (s *server) send(ctx context.Context, method string, a action, own bool, body io.ReaderAt, size int64, header http.Header) (*http.Response, error) {
	for {
		request, err := http.NewRequestWithContext(ctx, method, a.Href, nil)
		if err != nil {
			return nil, fmt.Errorf("the LFS server wants a request that is none: %w", err)
		}
		if body != nil {
			request.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(io.NewSectionReader(body, 0, size)), nil }
			request.Body, _ = request.GetBody()
			request.ContentLength = size
		}
		request.Header = header.Clone()
		for key, value := range a.Header {
			request.Header.Set(key, value)
		}
		used, ours := "", false
		if own {
			used, ours = s.open(request)
		}
		answer, err := s.client.Do(request)
		if err != nil {
			return nil, err
		}
		if answer.StatusCode/100 == 2 {
			return answer, s.judge(ctx, "approve", used)
		}
		no := refusalOf(answer)
		if no.status == http.StatusUnauthorized && ours {
			if used == "" {
				err = s.login(ctx)
			} else {
				err = s.judge(ctx, "reject", used)
			}
			if err == nil && used == "" {
				continue
			}
		}
		return nil, errors.Join(explain(no), err)
	}
}

// refusal is an error in an answer.
type refusal struct {
	status int
	says   string
	about  string
	after  time.Duration // how long to wait before the request is repeated
}

func refusalOf(answer *http.Response) *refusal {
	defer answer.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(answer.Body, 4<<10))
	var said struct {
		Message string `json:"message"`
	}
	json.Unmarshal(text, &said)
	seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After"))
	u := *answer.Request.URL
	u.RawQuery = "" // the query may have a signature
	return &refusal{answer.StatusCode, said.Message, answer.Request.Method + " " + u.Redacted(), min(time.Duration(seconds)*time.Second, remote.Stall)}
}

func (r *refusal) Error() string {
	return fmt.Sprintf("%s: %d %s", r.about, r.status, cmp.Or(r.says, http.StatusText(r.status)))
}

// tries is how often a request is sent, within sixteen seconds.
const tries = 7

// again calls do until it succeeds, or fails for a reason that will not pass, unlike a busy server or a cut connection.
func again(ctx context.Context, do func() error) (err error) {
	for try := range tries {
		err = do()
		var no *refusal
		var network *net.OpError
		after := time.Duration(0)
		switch {
		case errors.Is(err, gitrepo.ErrBusy), errors.Is(err, errExpired) && try == 0:
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &network) && network.Op != "dial":
		case errors.As(err, &no) && no.passes():
			after = no.after
		default:
			return err
		}
		if try == tries-1 || wait(ctx, try, after) != nil {
			break
		}
	}
	return err
}

// wait pauses before a retry, longer each time.
func wait(ctx context.Context, try int, least time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(max(least, time.Second/4<<try)):
		return nil
	}
}

// bandwidth is git LFS's status for a project whose traffic quota is used up.
const bandwidth = 509

func (r *refusal) passes() bool {
	switch r.status {
	case http.StatusNotImplemented, http.StatusInsufficientStorage, bandwidth:
		return false
	}
	return r.status == http.StatusTooManyRequests || r.status >= http.StatusInternalServerError
}

// explain adds to a refusal what the user can do.
func explain(no *refusal) error {
	switch no.status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return fmt.Errorf("the LFS server does not accept the credentials, which are those of git (git help credentials): %w", no)
	case http.StatusNotFound:
		if strings.HasPrefix(no.about, "the body") {
			return fmt.Errorf("the LFS server does not have what %s names; push it again from a clone that has it, by cairn objects push --again: %w", ref, no)
		}
		return fmt.Errorf("there is no LFS server; switch git LFS on for the project, or say where it is: git config lfs.url URL: %w", no)
	case http.StatusInsufficientStorage, bandwidth, http.StatusPaymentRequired, http.StatusRequestEntityTooLarge:
		return fmt.Errorf("the LFS server is full, or the project is over its quota; make room and do the same again: %w", no)
	}
	return no
}
