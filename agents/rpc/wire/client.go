// Package wire has the messages of "cairn rpc", which both ends share, and a client
// for programs in Go. The protocol is described in package rpc.
package wire

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

// Decode refuses keys that to does not have, so that a misspelt one is not ignored, and says what one takes that has a value of
// another type.
func Decode(raw json.RawMessage, to any) error {
	if len(raw) == 0 {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	err := dec.Decode(to)
	if e := new(json.UnmarshalTypeError); errors.As(err, &e) && e.Field != "" {
		return fmt.Errorf("%q takes %s, and was given %s", e.Field[strings.LastIndexByte(e.Field, '.')+1:], e.Type, e.Value)
	}
	return err
}

// Client calls a server over a pair of streams. It is for programs in Go, such
// as the MCP server.
type Client struct {
	write sync.Mutex
	out   io.Writer

	mu      sync.Mutex
	last    int
	waiting map[string]*call
	closed  error // why no more answers come
}

// call is a request that waits for its answer.
type call struct {
	answers chan Message
	over    chan struct{} // closed when the answers are no longer read
}

// errGone is the error of every request once the server is gone.
var errGone = errors.New("cairn rpc ended")

// NewClient returns a client that reads answers until in ends.
func NewClient(in io.Reader, out io.Writer) *Client {
	c := &Client{out: out, waiting: map[string]*call{}}
	go c.read(in)
	return c
}

func (c *Client) read(in io.Reader) {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 64<<10), MaxLine)
	for lines.Scan() {
		var m Message
		if json.Unmarshal(lines.Bytes(), &m) != nil {
			continue
		}
		c.mu.Lock()
		to := c.waiting[m.ID]
		c.mu.Unlock()
		if to != nil {
			select {
			case to.answers <- m:
			case <-to.over:
			}
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = errors.Join(errGone, lines.Err())
	for id, to := range c.waiting {
		close(to.answers)
		delete(c.waiting, id)
	}
}

// Call sends a request and waits for the answer. event, if not nil, gets the events. When ctx ends, the request is
// cancelled but its answer still waited for: a run that was ended has a result.
func (c *Client) Call(ctx context.Context, method string, params, result any, event func(name string, data json.RawMessage)) error {
	raw, err := json.Marshal(params)
	if err != nil {
		return err
	}
	id, waits, err := c.begin()
	if err != nil {
		return err
	}
	defer c.end(id, waits)
	if err := c.send(Request{ID: id, Method: method, Params: raw}); err != nil {
		return err
	}
	done := ctx.Done()
	for {
		select {
		case <-done:
			done = nil
			cancel, _ := json.Marshal(map[string]string{"id": id})
			if err := c.send(Request{Method: "cancel", Params: cancel}); err != nil {
				return err
			}
		case m, ok := <-waits.answers:
			switch {
			case !ok:
				return errGone
			case m.Error != nil:
				return m.Error
			case m.Event == "":
				return json.Unmarshal(m.Result, result)
			case event != nil:
				event(m.Event, m.Data)
			}
		}
	}
}

func (c *Client) begin() (id string, waits *call, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed != nil {
		return "", nil, c.closed
	}
	c.last++
	id = strconv.Itoa(c.last)
	waits = &call{make(chan Message), make(chan struct{})}
	c.waiting[id] = waits
	return id, waits, nil
}

// end forgets a request; later messages for it are dropped.
func (c *Client) end(id string, waits *call) {
	close(waits.over)
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, id)
}

func (c *Client) send(r Request) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	c.write.Lock()
	defer c.write.Unlock()
	_, err = c.out.Write(append(line, '\n'))
	return err
}

// Version is the version of the protocol.
const Version = 1

// MaxLine bounds a line, in bytes: large enough for an agent's whole context, while a peer that never ends its line
// does not use up all memory.
const MaxLine = 256 << 20

// Request is a line from the caller.
type Request struct {
	ID         string          `json:"id,omitempty"`
	Method     string          `json:"method"`
	Params     json.RawMessage `json:"params,omitempty"`
	DeadlineMS int64           `json:"deadline_ms,omitempty"`
}

// Message is a line to the caller.
type Message struct {
	ID     string          `json:"id"`
	Event  string          `json:"event,omitempty"`
	Data   json.RawMessage `json:"data,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *Error          `json:"error,omitempty"`
}

// Error is why a request failed.
type Error struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

// The codes.
const (
	BadRequest = "bad_request"
	NotFound   = "not_found"
	Cancelled  = "cancelled"
	Deadline   = "deadline"
	Failed     = "failed"
)
