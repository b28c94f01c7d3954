// Package model is a language model that follows a script: an HTTP server on loopback with the four wire formats of the
// coding agents (Anthropic Messages, OpenAI Responses, OpenAI chat completions, Gemini). It stores every request, which
// is exactly what a real model would have seen.
//
// It promises that turn n of the script answers the nth request that offers
// tools, that the last turn repeats, and that requests without tools (titles,
// summaries, probes) are answered with "ok". It is for tests and measurements;
// nothing of the program itself may depend on it.
package model

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
)

// Call is one tool call of an answer. Args may be any value with a JSON form; Namespace is the group of a tool in
// OpenAI's Responses.
type Call struct {
	Tool, Namespace string
	Args            any
}

// Reply is one answer: text, tool calls, or both.
type Reply struct {
	Text  string
	Calls []Call
	Fail  string // answer with an error of this text instead; chat completions only
}

// Turn makes an answer to a request.
type Turn func(r *Request) Reply

// Say returns a turn with only a text, which ends a conversation.
func Say(text string) Turn { return func(*Request) Reply { return Reply{Text: text} } }

// Use returns a turn that calls one tool.
func Use(tool string, args any) Turn {
	return func(*Request) Reply { return Reply{Calls: []Call{{Tool: tool, Args: args}}} }
}

// Request is a request from the agent.
type Request struct {
	Path string
	Raw  []byte
	Body map[string]any
	// Results are the texts of all tool results in the request, oldest first.
	Results []string
	// Tools are the names of the tools that were offered.
	Tools []string
}

// Last returns the newest tool result, or "".
func (r *Request) Last() string {
	if len(r.Results) == 0 {
		return ""
	}
	return r.Results[len(r.Results)-1]
}

// Server is a scripted model.
type Server struct {
	*httptest.Server
	mu       sync.Mutex
	turns    []Turn
	next     int
	requests []*Request
}

// Start starts a model that follows these turns. The caller must close it.
func Start(turns ...Turn) *Server {
	s := &Server{turns: turns}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	return s
}

// Requests returns the requests that offered tools, in order.
func (s *Server) Requests() []*Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*Request(nil), s.requests...)
}

// Over says whether the last turn has been used.
func (s *Server) Over() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.next >= len(s.turns)
}

// Last returns the newest request that offered tools, or an empty one.
func (s *Server) Last() *Request {
	if all := s.Requests(); len(all) > 0 {
		return all[len(all)-1]
	}
	return &Request{}
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	if err != nil || r.Method != http.MethodPost {
		writeJSON(w, map[string]any{"object": "list", "data": []any{map[string]any{"id": "m1", "object": "model"}}, "models": []any{}})
		return
	}
	for _, p := range protocols {
		if p.matches(r.URL.Path) {
			p.answer(w, r.URL.Path, raw, s)
			return
		}
	}
	http.Error(w, "{}", http.StatusNotFound)
}

// reply records a request and returns its answer.
func (s *Server) reply(path string, raw []byte, read func(*Request)) (Reply, *Request) {
	r := &Request{Path: path, Raw: raw}
	if err := json.Unmarshal(raw, &r.Body); err != nil {
		r.Body = map[string]any{}
	}
	read(r)
	if len(r.Tools) == 0 {
		return Reply{Text: "ok"}, r
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
	turn := s.turns[min(s.next, len(s.turns)-1)]
	s.next++
	return turn(r), r
}

// protocol is one wire format.
type protocol struct {
	matches func(path string) bool
	answer  func(w http.ResponseWriter, path string, raw []byte, s *Server)
}

var protocols = []protocol{
	{func(p string) bool { return strings.Contains(p, "/messages") }, anthropic},
	{func(p string) bool { return strings.HasSuffix(p, "/responses") }, responses},
	{func(p string) bool { return strings.HasSuffix(p, "/chat/completions") }, chat},
	{func(p string) bool { return strings.Contains(p, ":") && strings.Contains(p, "/models/") }, gemini},
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("content-type", "application/json")
	if err := json.NewEncoder(w).Encode(v); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

// stream writes server-sent events.
type stream struct{ w http.ResponseWriter }

func newStream(w http.ResponseWriter) stream {
	w.Header().Set("content-type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	return stream{w}
}

func (s stream) event(name string, v any) {
	if name != "" {
		fmt.Fprintf(s.w, "event: %s\n", name)
	}
	data, ok := v.(string)
	if !ok {
		line, _ := json.Marshal(v)
		data = string(line)
	}
	fmt.Fprintf(s.w, "data: %s\n\n", data)
	if f, ok := s.w.(http.Flusher); ok {
		f.Flush()
	}
}

// typed writes an event; its name is v["type"].
func (s stream) typed(v map[string]any) { s.event(v["type"].(string), v) }

// list, object and text convert JSON that may have another type, and then return a zero value.
func list(v any) []any {
	l, _ := v.([]any)
	return l
}

func object(v any) map[string]any {
	o, _ := v.(map[string]any)
	return o
}

func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		var b strings.Builder
		for _, part := range v {
			b.WriteString(text(object(part)["text"]))
		}
		return b.String()
	case nil:
		return ""
	}
	line, _ := json.Marshal(v)
	return string(line)
}

func argsJSON(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	line, _ := json.Marshal(v)
	return string(line)
}
