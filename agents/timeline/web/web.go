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
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"cairn/agents/timeline"
	"cairn/agents/timeline/kept"
	"cairn/internal/build"
	"cairn/internal/place"
	"cairn/manifest"
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

// errAddress is the error for an address that cannot be parsed, or that other machines can reach.
var errAddress = errors.New("not an address of this machine alone")

// usage is for people who start the program themselves.
const usage = `cairn-timeline shows timelines of subagents, and the record, in a browser. It is started by "cairn timeline serve"
and "cairn serve":
  cairn-timeline ADDRESS [record]    serve on an address of this machine, such as 127.0.0.1:0
  cairn-timeline --version`

// Run is the program cairn-timeline. Its arguments are the address to listen on, and which page's address to print. It
// serves until it is interrupted, and returns the exit status that "cairn timeline serve" documents.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	switch {
	case len(args) == 1 && args[0] == "--version":
		fmt.Fprintln(stdout, "cairn-timeline", build.Version())
		return 0
	case len(args) == 1 && (args[0] == "--help" || args[0] == "-h"):
		fmt.Fprintln(stdout, usage)
		return 0
	case len(args) == 0 || len(args) > 2 || strings.HasPrefix(args[0], "-") || len(args) == 2 && args[1] != record:
		fmt.Fprintln(stderr, usage)
		return 2
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, args[0], strings.Join(args[1:], ""), stdout)
	if err == nil {
		return 0
	}
	fmt.Fprintf(stderr, "cairn: %v\n", err)
	if errors.Is(err, errAddress) {
		fmt.Fprintf(stderr, "see: cairn %s --help\n", map[bool]string{true: "serve", false: "timeline serve"}[len(args) == 2])
		return 2
	}
	return 1
}

func run(ctx context.Context, address, page string, stdout io.Writer) error {
	l, err := listen(ctx, address)
	if err != nil {
		return err
	}
	defer l.Close()
	dir, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("finding the working directory: %w", err)
	}
	site, err := place.OpenToRead(ctx, dir, place.FromEnviron(os.Environ()), func(manifest.Warning) {}) // cairn has printed the warnings
	if err != nil {
		return err
	}
	defer site.Close()
	server := New(site)
	fmt.Fprintf(stdout, "http://%s%s%s\n", l.Addr(), server.Path(), page)
	return server.Serve(ctx, l)
}

// listen opens a listener for browsers on this machine only.
func listen(ctx context.Context, address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("--listen %s: %w: %w", address, errAddress, err)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("--listen %s: %w; what agents saw is shown to nobody else: use 127.0.0.1, and a tunnel from elsewhere", address, errAddress)
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listening for a browser: %w", err)
	}
	return l, nil
}
