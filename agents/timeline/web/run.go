package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"cairn/internal/build"
	"cairn/internal/place"
	"cairn/manifest"
)

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
