//go:build unix

package stage

import (
	"cmp"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"cairn/capture/stage/wire"
)

// Server answers the cairn-stage processes of one line.
type Server struct {
	o      Options
	number uint64
	fd     int
	stop   *os.File // closed to make all waiting goroutines return
	stopR  int
	served sync.WaitGroup

	mu   sync.Mutex
	runs []*Run
}

// Listen starts a server.
func Listen(o Options) (*Server, error) {
	var random [8]byte
	rand.Read(random[:])
	s := &Server{o: o, number: binary.LittleEndian.Uint64(random[:]) >> (64 - wire.Bits)}
	fd, err := socket(wire.Address(s.number, os.Getuid()))
	if err != nil {
		return nil, fmt.Errorf("listening for the stages of a line: %w", err)
	}
	var ends [2]int
	if err := pipe(&ends); err != nil {
		unix.Close(fd)
		return nil, fmt.Errorf("listening for the stages of a line: %w", err)
	}
	s.fd, s.stopR, s.stop = fd, ends[0], os.NewFile(uintptr(ends[1]), "stop")
	s.served.Go(s.accept)
	return s, nil
}

// Line is the line as the shell is to run it.
func (s *Server) Line(line string) string {
	return s.o.Plan.Rewrite(line, wire.Path(s.o.Program, s.number))
}

// Unsaid is the text that was put in front of a command named by a path, as the shell
// prints it with that command; nil if the shell cannot print it.
func (s *Server) Unsaid() []byte {
	if s.o.Plan.shell == Dash { // dash prints no text of commands
		return nil
	}
	for _, site := range s.o.Plan.Sites {
		if site.named {
			return []byte(quote(wire.Path(s.o.Program, s.number)) + " ")
		}
	}
	return nil
}

// Finish is called when the line has ended and its output has been read. It waits a
// moment for the output of stages that is still held open, and returns the commands in
// order of their start.
func (s *Server) Finish() []*Run {
	s.mu.Lock()
	runs := s.runs
	s.mu.Unlock()
	late := make(chan struct{}) // closed, so that it ends every wait
	defer time.AfterFunc(patience, func() { close(late) }).Stop()
	for _, r := range runs {
		tap, tapped := s.tapOf(r)
		if tap != nil {
			select {
			case <-tap.done:
			case <-late:
			}
		}
		if r.Site.Role != Watched || tapped {
			select {
			case <-r.ended:
			case <-late:
			}
		}
	}
	s.stop.Close() // goroutines that follow a command look once more: the kernel knows by then what the shell has waited for
	s.served.Wait()
	unix.Close(s.stopR)
	unix.Close(s.fd)
	if address := wire.Address(s.number, os.Getuid()); address[0] == '/' {
		os.Remove(address)
	}
	return runs
}

// tapOf is the tap that serve made for a run.
func (s *Server) tapOf(r *Run) (*tap, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return r.tap, r.Tapped
}

// accept serves connections until the end.
func (s *Server) accept() {
	for {
		if ready, stopped := wait(s.fd, unix.POLLIN, s.stopR); stopped || !ready {
			return
		}
		conn, err := acceptOn(s.fd)
		if err == nil {
			s.served.Go(func() { s.serve(conn) })
		}
	}
}

// serve answers one command. If anything fails, it closes the connection, and the
// command runs as if there were no server.
func (s *Server) serve(conn int) {
	defer unix.Close(conn)
	peer, ok := peerOf(conn)
	if !ok {
		return
	}
	req, out, ok := receive(conn, s.stopR)
	var r *Run
	if ok {
		r = s.begin(req, out, dirOf(peer))
	}
	if r == nil {
		closeIf(out)
		unix.Write(conn, []byte{wire.Go})
		return
	}
	exit, knows := watch(peer)
	w := -1
	if r.Tapped {
		tap, fd, ok := newTap(r, out, s.stopR)
		s.mu.Lock()
		r.tap, r.Tapped, w = tap, ok, fd
		s.mu.Unlock()
	}
	if !r.Tapped {
		closeIf(out)
	}
	mode := r.mode(knows)
	err := unix.Sendmsg(conn, append([]byte{mode}, s.o.Shell...), rights(w, req.Same), nil, 0)
	closeIf(w)
	if r.tap != nil {
		s.served.Go(r.tap.run)
	}
	s.follow(conn, r, exit, mode, err)
}

// mode is the kind of answer for a command. If this system does not show how another's
// child ended, cairn-stage has to stay to report it.
func (r *Run) mode(knows bool) byte {
	switch {
	case !knows, r.Tapped && r.Site.Role == Held:
		return wire.Hold
	case r.Tapped:
		return wire.Tap
	}
	return wire.Go
}

// rights are the descriptors that replace the command's output.
func rights(w int, both bool) []byte {
	switch {
	case w < 0:
		return nil
	case both:
		return unix.UnixRights(w, w)
	}
	return unix.UnixRights(w)
}

// follow waits for the end of a command that was answered.
func (s *Server) follow(conn int, r *Run, exit process, mode byte, err error) {
	defer exit.close()
	if err != nil {
		return
	}
	if mode != wire.Hold {
		if end, ok := exit.wait(s.stopR); ok {
			r.hasEnded(end)
		}
		return
	}
	status := make([]byte, 4)
	if ready, stopped := wait(conn, unix.POLLIN, s.stopR); stopped || !ready {
		return
	}
	if n, err := unix.Read(conn, status); n != len(status) || err != nil {
		return // cairn-stage was killed
	}
	r.hasEnded(endOf(unix.WaitStatus(binary.BigEndian.Uint32(status))))
	if r.tap != nil {
		r.tap.flush()
	}
	unix.Write(conn, []byte{wire.Done})
}

// endOf reads a wait status.
func endOf(ws unix.WaitStatus) End {
	if !ws.Signaled() {
		return End{Known: true, Code: ws.ExitStatus()}
	}
	name := unix.SignalName(ws.Signal())
	name = cmp.Or(name, fmt.Sprintf("SIG%d", ws.Signal()))
	return End{Known: true, Code: -1, Signal: name}
}

// begin notes that a command is about to run; nil if it is not observed.
func (s *Server) begin(req wire.Request, out int, dir string) *Run {
	s.mu.Lock()
	defer s.mu.Unlock()
	site := s.o.Plan.Find(req.Argv)
	if site == nil || len(s.runs) == maxRuns {
		return nil
	}
	r := &Run{Site: site, Argv: req.Argv, Cut: req.Cut, Dir: dir, Started: time.Now(), ended: make(chan struct{})}
	r.Tapped = site.Role != Watched && out >= 0
	if r.Sink = s.o.Begin(r); r.Sink == nil {
		r.Tapped = false
	}
	s.runs = append(s.runs, r)
	return r
}

// receive reads a request and the output that comes with it; out is -1 if the output is not a pipe.
func receive(conn, stop int) (req wire.Request, out int, ok bool) {
	out = -1
	buf, oob := make([]byte, 0, 4096), make([]byte, unix.CmsgSpace(4*4))
	for want := wire.Length(buf); want == 0 || len(buf) < want; want = wire.Length(buf) {
		if ready, stopped := wait(conn, unix.POLLIN, stop); stopped || !ready {
			return req, out, false
		}
		if len(buf) == cap(buf) {
			buf = append(buf, make([]byte, 4*len(buf))...)[:len(buf)]
		}
		n, oobn, _, _, err := unix.Recvmsg(conn, buf[len(buf):cap(buf)], oob, cloexec)
		if err != nil || n == 0 {
			return req, out, false
		}
		buf = buf[:len(buf)+n]
		for i, fd := range descriptors(oob[:oobn]) {
			if unix.CloseOnExec(fd); i == 0 && out < 0 {
				out = fd
			} else {
				unix.Close(fd)
			}
		}
	}
	req, ok = wire.Decode(buf)
	return req, out, ok
}

func descriptors(oob []byte) (all []int) {
	messages, err := unix.ParseSocketControlMessage(oob)
	if err != nil {
		return nil
	}
	for _, m := range messages {
		if fds, err := unix.ParseUnixRights(&m); err == nil {
			all = append(all, fds...)
		}
	}
	return all
}

// wait waits until a descriptor is ready or stop is closed. If both results are false, the wait failed.
func wait(fd int, events int16, stop int) (ready, stopped bool) {
	fds := []unix.PollFd{{Fd: int32(fd), Events: events}, {Fd: int32(stop), Events: unix.POLLIN}}
	for {
		n, err := unix.Poll(fds, -1)
		switch {
		case err == unix.EINTR:
		case err != nil || n == 0:
			return false, false
		case fds[0].Revents != 0:
			return true, false
		default:
			return false, true
		}
	}
}

func closeIf(fd int) {
	if fd >= 0 {
		unix.Close(fd)
	}
}
