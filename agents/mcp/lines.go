package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxLine bounds a request: the longest that a host sends is a shell line.
const maxLine = 16 << 20

// lines is the SDK's transport over two streams, which ends the connection at the first
// line that is no message. This one answers such a line with an error and goes on, as
// JSON-RPC asks for.
type lines struct {
	in  io.ReadCloser
	out io.WriteCloser
}

func (l lines) Connect(ctx context.Context) (sdk.Connection, error) {
	valid, to := io.Pipe()
	go l.check(to)
	inner, err := (&sdk.IOTransport{Reader: closes{valid, l.in}, Writer: l.out, MaxLineLength: -1}).Connect(ctx)
	return &connection{Connection: inner, out: l.out, open: map[jsonrpc.ID]chan struct{}{}}, err
}

// closes reads from one stream, and closes the one behind it, too.
type closes struct {
	*io.PipeReader
	behind io.Closer
}

func (c closes) Close() error { return errors.Join(c.PipeReader.Close(), c.behind.Close()) }

// check passes on the lines that hold JSON, and refuses the others, until the input ends.
func (l lines) check(to *io.PipeWriter) {
	in := bufio.NewReader(l.in)
	for {
		line, tooLong, err := readLine(in)
		switch line = bytes.TrimSpace(line); {
		case tooLong:
			refuse(l.out, jsonrpc.CodeParseError, "the line is too long")
		case len(line) == 0:
		case !json.Valid(line):
			refuse(l.out, jsonrpc.CodeParseError, "the line is not JSON")
		default:
			if _, err := to.Write(append(line, '\n')); err != nil {
				return // the session is over
			}
		}
		if err != nil { // of a stream: its end, whatever the reason
			to.Close()
			return
		}
	}
}

// readLine reads a line of at most maxLine bytes, and passes over one that is longer.
func readLine(in *bufio.Reader) (line []byte, tooLong bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(part) > maxLine; !tooLong {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, tooLong, err
		}
	}
}

// refuse answers what has no id that could be read.
func refuse(out io.Writer, code int64, message string) {
	line, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": jsonrpc.Error{Code: code, Message: message}})
	_, _ = out.Write(append(line, '\n')) // a host that is gone is seen at the end of its input
}

// connection refuses JSON that is no message, and gives every error a code. What was asked
// before the input ended is answered, as where a request comes out of a pipe; a command
// that runs is not waited for, since its host is gone.
type connection struct {
	sdk.Connection
	out io.Writer

	mu   sync.Mutex
	open map[jsonrpc.ID]chan struct{} // questions without an answer so far
}

func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		m, err := c.Connection.Read(ctx)
		switch {
		case err == nil:
			c.asked(m)
			return m, nil
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrClosedPipe) || ctx.Err() != nil:
			c.answerAll(ctx)
			return nil, err
		}
		refuse(c.out, jsonrpc.CodeInvalidRequest, err.Error())
	}
}

func (c *connection) asked(m jsonrpc.Message) {
	r, ok := m.(*jsonrpc.Request)
	if !ok || !r.IsCall() {
		return
	}
	var tool struct {
		Name string `json:"name"`
	}
	if r.Method == "tools/call" && (json.Unmarshal(r.Params, &tool) != nil || tool.Name == runTool) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open[r.ID] = make(chan struct{})
}

func (c *connection) answerAll(ctx context.Context) {
	c.mu.Lock()
	open := slices.Collect(maps.Values(c.open))
	c.mu.Unlock()
	for _, answered := range open {
		select {
		case <-answered:
		case <-ctx.Done():
			return
		}
	}
}

// Write: the SDK leaves the code of a request that came before initialize at 0.
func (c *connection) Write(ctx context.Context, m jsonrpc.Message) error {
	r, ok := m.(*jsonrpc.Response)
	if !ok {
		return c.Connection.Write(ctx, m)
	}
	if e := new(jsonrpc.Error); r.Error != nil && (!errors.As(r.Error, &e) || e.Code == 0) {
		r.Error = &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: r.Error.Error()}
	}
	err := c.Connection.Write(ctx, r)
	c.mu.Lock()
	defer c.mu.Unlock()
	if answered := c.open[r.ID]; answered != nil {
		close(answered)
		delete(c.open, r.ID)
	}
	return err
}
