// Package web shows timelines and the record in a browser: a page for each, and what they read.
//
// # What it promises
//
//   - It changes nothing, and answers GET and HEAD only.
//   - It is for the one who started it: every path begins with a secret of the server's, and a request that names
//     another host than this machine is refused, so that no other user and no web site can read it.
//   - What agents and tools printed is text, and never part of the page: the page makes text nodes of it, the bytes of
//     an object are plain text, and no script but its own may run.
//   - A poll costs what is new: steps are asked for from a number on, outputs by id when somebody looks.
//
// Paths below the secret: "" is the page of timelines, record that of all runs (package report), api/timelines the heads, api/timelines/ID?from=N one with its steps from N
// on, api/objects/OID the bytes of an output.
//
// It is in a program of its own, cairn-timeline, which "cairn timeline serve" and "cairn serve" become: net/http and what it needs
// are a quarter of a program, and a tenth of a millisecond of each start.
//
// What may go in: the page and what it reads. There is no build step and no framework.
package web

import (
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"cairn/agents/timeline"
	"cairn/agents/timeline/kept"
	"cairn/internal/place"
	"cairn/objects"
	"cairn/recall"
	"cairn/report"
)

//go:embed page.html
var html string

// Server shows the timelines of one place.
type Server struct {
	site   *place.Site
	secret string
}

// New makes a server with a secret of its own.
func New(site *place.Site) *Server { return &Server{site, rand.Text()} }

// Path is where the page is, beginning and ending with a slash.
func (s *Server) Path() string { return "/" + s.secret + "/" }

// Serve answers until ctx ends.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second, BaseContext: func(net.Listener) context.Context { return ctx }}
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for key, value := range map[string]string{
		"Content-Security-Policy": "default-src 'none'; connect-src 'self'; img-src data:; style-src 'unsafe-inline'; script-src 'nonce-" + s.secret + "'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'",
		"X-Content-Type-Options":  "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
	} {
		w.Header().Set(key, value)
	}
	path, ours := strings.CutPrefix(r.URL.Path, s.Path())
	switch {
	case !ours || !here(r.Host):
		http.Error(w, "not found: open the address that cairn printed", http.StatusNotFound)
		return
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		http.Error(w, "only GET", http.StatusMethodNotAllowed)
		return
	}
	if err := s.answer(w, r, path); err != nil {
		status := http.StatusInternalServerError
		if errors.Is(err, fs.ErrNotExist) {
			status = http.StatusNotFound
		}
		http.Error(w, err.Error(), status)
	}
}

// here says that a Host header names this machine by a name that no other can have.
func here(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request, path string) error {
	if path == "" {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, err := io.WriteString(w, strings.ReplaceAll(html, "NONCE", s.secret))
		return err
	}
	if path == record {
		return s.record(w, r)
	}
	if path == "api/timelines" {
		return s.list(w, r)
	}
	if id, ok := strings.CutPrefix(path, "api/timelines/"); ok {
		return s.show(w, r, id)
	}
	if oid, ok := strings.CutPrefix(path, "api/objects/"); ok {
		return s.object(w, oid)
	}
	return fs.ErrNotExist
}

// record is where the page of all runs is, as "cairn report --format html" writes it; its outputs come from
// api/objects, which its relative addresses reach.
const record = "record"

func (s *Server) record(w http.ResponseWriter, r *http.Request) error {
	h, err := report.GatherHistory(r.Context(), s.site, recall.Filters{}, true)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	return h.Page(w, s.secret)
}

// shown is a timeline as the page reads it.
type shown struct {
	timeline.Details
	Running bool             `json:"running"`
	OID     string           `json:"oid,omitempty"`
	Away    string           `json:"away,omitempty"`
	From    int              `json:"from"`
	Steps   []timeline.Entry `json:"steps,omitempty"`
}

// most bounds the list.
const most = 200

func (s *Server) list(w http.ResponseWriter, r *http.Request) error {
	all, err := kept.List(r.Context(), s.site, most)
	if err != nil {
		return err
	}
	heads := []shown{}
	for _, t := range all {
		heads = append(heads, shown{Details: t.Head, Running: t.Running(), OID: t.OID, Away: t.Away})
	}
	return writeJSON(w, heads)
}

func (s *Server) show(w http.ResponseWriter, r *http.Request, id string) error {
	t, err := kept.Open(r.Context(), s.site, id)
	if err != nil {
		return err
	}
	from, err := strconv.Atoi(r.FormValue("from"))
	if err != nil || from < 0 {
		from = 0
	}
	from = min(from, len(t.Steps))
	return writeJSON(w, shown{t.Head, t.Running(), t.OID, t.Away, from, t.Steps[from:]})
}

func (s *Server) object(w http.ResponseWriter, oid string) error {
	id, err := objects.ParseID(oid)
	if err != nil {
		return errors.Join(fs.ErrNotExist, err)
	}
	obj, err := s.site.Objects.OpenObject(id)
	if err != nil {
		return err
	}
	defer obj.Close()
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, err = io.Copy(w, obj)
	if err != nil { // part of it is sent: the end of the connection tells that it is not all
		panic(http.ErrAbortHandler)
	}
	return nil
}

func writeJSON(w http.ResponseWriter, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	_, err = w.Write(data)
	return err
}
