// Command bench measures how fast objects are pushed and pulled, compared with the usual clients: oras-go's copy for a
// registry, minio-go's PutObject and FGetObject for S3, cp and sync for a directory; each transfers 16 objects at once.
// Both sides transfer the same objects, in turns; figures are bytes of objects per second, however many bytes are
// stored. "and age, sync" is the client with files that age encrypts and decrypts, and that are synced to the disk as
// cairn's are. cairn compresses, hashes, packs small objects and, unless disabled, encrypts them.
//
//	go -C remote run ./bench
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"syscall"
	"time"

	"filippo.io/age"

	"cairn/objects"
	"cairn/remote"
	"cairn/remote/file"
	"cairn/remote/oci"
	"cairn/remote/s3"
)

func main() {
	small := flag.Int("small", 2_000, "how many small objects, of 8 KB")
	large := flag.Int("large", 3, "how many large objects, of 64 MB")
	rounds := flag.Int("rounds", 2, "how often each side takes its turn; the fastest counts")
	only := flag.String("only", "", "file, s3 or oci, and not the others")
	profile := flag.String("cpuprofile", "", "write a profile of cairn's turns to this file")
	flag.Parse()
	if err := run(context.Background(), *small, *large, *rounds, *only, *profile); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// set has objects of one kind: as files for the clients, and in a store for cairn.
type set struct {
	name  string
	files []string
	store *objects.Store
	ids   []objects.ID
	bytes int64
}

// kind is one kind of remote.
type kind struct {
	name  string
	serve string // the server of bench/servers; "" for none
	at    func(port int, name string) string
	open  remote.Opener
	other func(port int) (client, error)
}

// client is another program that could be used instead of cairn.
type client interface {
	push(ctx context.Context, name string, files []string) error
	pull(ctx context.Context, name string, files []string, dir string) error
}

func run(ctx context.Context, small, large, rounds int, only, profile string) error {
	os.Setenv("AWS_ACCESS_KEY_ID", "cairn")
	os.Setenv("AWS_SECRET_ACCESS_KEY", "cairn-secret")
	tmp, err := os.MkdirTemp("", "cairn-remote-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	var sets []*set
	for _, of := range []struct {
		name    string
		n, size int
		random  bool
	}{{fmt.Sprintf("%d of 8 KB, text", small), small, 8 << 10, false}, {fmt.Sprintf("%d of 64 MB, text", large), large, 64 << 20, false}, {fmt.Sprintf("%d of 64 MB, random", large), large, 64 << 20, true}} {
		s, err := makeSet(filepath.Join(tmp, fmt.Sprint("set", len(sets))), of.name, of.n, of.size, of.random)
		if err != nil {
			return err
		}
		sets = append(sets, s)
	}
	if profile != "" {
		f, err := os.Create(profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	fmt.Printf("%-5s %-22s %4s %14s %14s %22s %29s\n", "place", "objects", "", "its client", "and age, sync", "cairn --clear", "encrypted (of client; and age)")
	for _, k := range []kind{
		{"file", "", func(_ int, name string) string { return "file://" + filepath.Join(tmp, "place", name) }, file.Open, func(int) (client, error) { return copier{filepath.Join(tmp, "copies")}, nil }},
		{"s3", "versitygw", func(port int, name string) string {
			return fmt.Sprintf("s3://cairn/%s?endpoint=http://127.0.0.1:%d&region=us-east-1", name, port)
		}, s3.Open, newBucket},
		{"oci", "registry", func(port int, name string) string { return fmt.Sprintf("oci://127.0.0.1:%d/bench/%s", port, name) }, oci.Open, newRegistry},
	} {
		if only != "" && only != k.name {
			continue
		}
		if err := k.measure(ctx, sets, rounds, tmp); err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
	}
	return nil
}

// makeSet makes objects: lines of a log, or random bytes that cannot be compressed.
func makeSet(dir, name string, n, size int, random bool) (*set, error) {
	s := &set{name: name, store: objects.Open(filepath.Join(dir, "cairn"))}
	if err := os.MkdirAll(filepath.Join(dir, "files"), 0o700); err != nil {
		return nil, err
	}
	r := rand.NewChaCha8([32]byte{byte(size), byte(size >> 20)})
	for i := range n {
		text := make([]byte, 0, size+200)
		if random {
			text = text[:size]
			r.Read(text)
		}
		for len(text) < size {
			text = fmt.Appendf(text, "2026-11-26T%02d:%02d:%02d.%06d worker-%d INFO tests/unit/test_module_%d.py::test_case_%d passed in %d ms, id=%x\n",
				r.Uint64()%24, r.Uint64()%60, r.Uint64()%60, r.Uint64()%1_000_000, r.Uint64()%16, r.Uint64()%400, r.Uint64()%5000, r.Uint64()%900, r.Uint64())
		}
		path := filepath.Join(dir, "files", fmt.Sprintf("%05d", i))
		if err := os.WriteFile(path, text, 0o600); err != nil {
			return nil, err
		}
		info, err := s.store.PutBytes(text)
		if err != nil {
			return nil, err
		}
		s.files, s.ids, s.bytes = append(s.files, path), append(s.ids, info.ID), s.bytes+int64(len(text))
	}
	return s, nil
}

// sides are the programs that take turns.
var sides = [...]string{"client", "aged", "clear", "sealed"}

// measure has each side push and pull each set, in turns.
func (k kind) measure(ctx context.Context, sets []*set, rounds int, tmp string) error {
	key, err := age.GenerateX25519Identity()
	if err != nil {
		return err
	}
	for n, s := range sets {
		var best [2][len(sides)]float64
		for round := range rounds {
			for i, side := range sides {
				name := fmt.Sprintf("%s%d-%d", side, n, round)
				pace, err := k.turn(ctx, s, side, name, filepath.Join(tmp, "here", k.name+name), key)
				if err != nil {
					return fmt.Errorf("%s: %w", side, err)
				}
				for d := range pace {
					best[d][i] = max(best[d][i], pace[d])
				}
			}
		}
		for d, way := range []string{"push", "pull"} {
			b := best[d]
			fmt.Printf("%-5s %-22s %4s %9.1f MB/s %9.1f MB/s %9.1f MB/s (%3.0f %%) %9.1f MB/s (%3.0f %%; %3.0f %%)\n",
				k.name, s.name, way, b[0], b[1], b[2], 100*b[2]/b[0], b[3], 100*b[3]/b[0], 100*b[3]/b[1])
		}
	}
	return nil
}

// turn has one side push and pull one set, with an empty server: a registry that already has a body does not accept it
// again. pace is in MB per second.
func (k kind) turn(ctx context.Context, s *set, side, name, to string, key *age.X25519Identity) (pace [2]float64, err error) {
	port := 0
	if k.serve != "" {
		var stop func()
		if port, stop, err = serve(k.serve); err != nil {
			return pace, err
		}
		defer stop()
	}
	defer os.RemoveAll(to)
	defer os.RemoveAll(to + "-sealed")
	other, err := k.other(port)
	if err != nil {
		return pace, err
	}
	push := func() error { return other.push(ctx, name, s.files) }
	pull := func() error { return other.pull(ctx, name, s.files, to) }
	switch side {
	case "client":
	case "aged":
		a := aged{other, key, to + "-sealed"}
		push, pull = func() error { return a.push(ctx, name, s.files) }, func() error { return a.pull(ctx, name, s.files, to) }
	default:
		if push, pull, err = k.cairn(ctx, s, port, name, to, key, side == "sealed"); err != nil {
			return pace, err
		}
	}
	for d, do := range []func() error{push, pull} {
		begun := time.Now()
		if err := do(); err != nil {
			return pace, err
		}
		pace[d] = float64(s.bytes) / 1e6 / time.Since(begun).Seconds()
	}
	return pace, nil
}

// cairn returns the functions by which cairn pushes and pulls.
func (k kind) cairn(ctx context.Context, s *set, port int, name, to string, key *age.X25519Identity, sealed bool) (push, pull func() error, err error) {
	backend, err := remote.OpenBackend(k.at(port, name), map[string]remote.Opener{k.name: k.open})
	if err != nil {
		return nil, nil, err
	}
	r := &remote.Remote{Name: name, Backend: backend, Dir: to + "-own", Identities: func() ([]age.Identity, error) { return []age.Identity{key}, nil }}
	if sealed {
		r.Recipients, r.Readers = []age.Recipient{key.Recipient()}, []string{key.Recipient().String()}
	}
	r.Commits = []remote.Commit{{Name: fmt.Sprintf("%040x", len(s.ids)), IDs: s.ids}}
	var wanted []remote.Wanted
	for _, id := range s.ids {
		wanted = append(wanted, remote.Wanted{ID: id, Size: s.bytes / int64(len(s.ids))})
	}
	for i := range wanted { // the sizes differ by up to a line
		if info, err := s.store.Stat(wanted[i].ID); err == nil {
			wanted[i].Size = info.Size
		}
	}
	push = func() error {
		p, err := r.Push(ctx, s.store, s.ids)
		if err == nil && p.Objects != len(s.ids) {
			err = fmt.Errorf("%d of %d objects were pushed", p.Objects, len(s.ids))
		}
		return err
	}
	pull = func() error {
		p, err := r.Pull(ctx, objects.Open(to), wanted)
		if err == nil && p.Objects != len(s.ids) {
			err = fmt.Errorf("%d of %d objects were pulled", p.Objects, len(s.ids))
		}
		return err
	}
	return push, pull, nil
}

// serve starts bench/servers/NAME on a free port of loopback.
func serve(name string) (port int, stop func(), err error) {
	script, err := filepath.Abs("../bench/servers/" + name)
	if err != nil {
		return 0, nil, err
	}
	if out, err := exec.Command(script).CombinedOutput(); err != nil {
		return 0, nil, fmt.Errorf("installing %s: %w: %s", name, err, strings.TrimSpace(string(out)))
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, nil, err
	}
	port = l.Addr().(*net.TCPAddr).Port
	l.Close()
	server := exec.Command(script, fmt.Sprint(port))
	if err := server.Start(); err != nil {
		return 0, nil, err
	}
	stop = func() {
		server.Process.Signal(syscall.SIGTERM)
		server.Wait()
	}
	for range 600 {
		if c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			c.Close()
			return port, stop, nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	stop()
	return 0, nil, fmt.Errorf("%s does not listen", name)
}
