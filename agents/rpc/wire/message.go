package wire

import "encoding/json"

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
