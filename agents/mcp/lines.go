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

// maxLine bounds a request, in bytes: the longest that a host sends is a command line.
const maxLine = 16 << 20

// lines is a transport over two streams. The SDK's own ends the connection at the first line that is no message. This
// one answers such a line with an error and continues, as JSON-RPC requires.
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

// closes reads from a pipe. Close also closes the stream that feeds the pipe.
type closes struct {
	*io.PipeReader
	behind io.Closer
}

func (c closes) Close() error { return errors.Join(c.PipeReader.Close(), c.behind.Close()) }

// check passes on lines with JSON and refuses others, until the input ends.
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
		if err != nil { // the end of the stream, for whatever reason
			to.Close()
			return
		}
	}
}

// readLine reads a line of at most maxLine bytes. A longer line is skipped, and tooLong is true.
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

// refuse sends an error for a request whose id could not be read.
func refuse(out io.Writer, code int64, message string) {
	line, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": jsonrpc.Error{Code: code, Message: message}})
	_, _ = out.Write(append(line, '\n')) // if the host is gone, its input ends too
}

// connection refuses JSON that is no message, and gives every error a code. Questions sent before the input ended are
// answered, as for requests that come through a pipe; a running command is not waited for, since
// its host is gone.
type connection struct {
	sdk.Connection
	out io.Writer

	mu   sync.Mutex
	open map[jsonrpc.ID]chan struct{} // questions that have not been answered yet
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

// Write sets an error code: the SDK leaves it 0 for a request that comes before initialize.
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
