// Package web shows timelines and the record in a browser: one page for each, and the data that they fetch.
//
// # What it promises
//
//   - It is read-only, and answers only GET and HEAD.
//   - Only the user who started it can use it: every path begins with a secret of the server, and a request whose Host
//     header names another machine is refused, so that no other user and no web site can read it.
//   - Output of agents and tools is text, and never part of the page: the page makes text nodes of it, the bytes of
//     an object are sent as plain text, and no script but the page's own may run.
//   - A poll fetches only what is new: steps from a number on, outputs by id when they are opened.
//
// Paths below the secret: "" is the page of timelines; record is the page of all runs (package report); api/timelines
// has the heads, api/timelines/ID?from=N one timeline with its steps from N on; api/objects/OID the bytes of an output.
//
// It is a program of its own, cairn-timeline, which "cairn timeline serve" and "cairn serve" execute: with net/http,
// cairn would be a quarter larger, and each start would take a tenth of a millisecond longer.
//
// What may go in: the pages and their data. There is no build step and no framework.
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

// Server shows the timelines of one store.
type Server struct {
	site   *place.Site
	secret string
}

// New returns a server with a new secret.
func New(site *place.Site) *Server { return &Server{site, rand.Text()} }

// Path is the path of the page, with a slash at both ends.
func (s *Server) Path() string { return "/" + s.secret + "/" }

// Serve answers requests until ctx ends.
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

// here says whether a Host header names this machine as localhost or by address, which no web site's name can be.
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

// record is the path of the page of all runs, as "cairn report --format html" writes it. The relative addresses of its
// outputs lead to api/objects.
const record = "record"

func (s *Server) record(w http.ResponseWriter, r *http.Request) error {
	h, err := report.GatherHistory(r.Context(), s.site, recall.Filters{}, true)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	return h.Page(w, s.secret)
}

// shown is a timeline in the format that the page reads.
type shown struct {
	timeline.Details
	Running bool             `json:"running"`
	OID     string           `json:"oid,omitempty"`
	Away    string           `json:"away,omitempty"`
	From    int              `json:"from"`
	Steps   []timeline.Entry `json:"steps,omitempty"`
}

// most bounds the list of timelines.
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
	if err != nil { // a part has been sent already: closing the connection shows that it is incomplete
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
