//go:build unix

//go:debug containermaxprocs=0
//go:debug updatemaxprocs=0

// Command cairn-stage runs for a moment in place of a command of a line that cairn records: it hands
// the command's output to cairn, and becomes the command. The shell, the command and the sender of a
// signal see one process, the command's own. Package wire says how it is found, and has its messages.
//
// It starts once for each stage of a pipeline, so it has few dependencies, and does not ask how many
// processors it may use.
package main

import (
	"os"
	"runtime"
	"strings"
	"syscall"

	"cairn/capture/stage/wire"
)

func main() {
	runtime.LockOSThread() // a held command ends together with the thread that started it
	words := os.Args
	if len(words) > 2 && words[1] == wire.Carry {
		os.Exit(carry(words[2:]))
	}
	env := syscall.Environ()
	number, ok := wire.Number(value(env, "_"))
	if n, explicit := wire.Number(words[0]); explicit && len(words) > 1 { // the command's words follow
		number, ok, words = n, true, words[1:]
	}
	c := command{words: words, env: env, shell: "/bin/sh"}
	if !ok {
		os.Stderr.WriteString(wire.Program + " is started by cairn, within a shell line that it records\n")
		os.Exit(2)
	}
	c.find()
	restoreIgnored()
	answer, files, conn := ask(number, words)
	if len(answer) > 1 {
		c.shell = string(answer[1:])
	}
	switch {
	case len(files) == 0:
	case answer[0] == wire.Hold:
		c.hold(conn, files)
	case answer[0] == wire.Tap:
		for to, from := range files {
			dup2(from, to+1)
		}
	}
	c.become()
}

// ask sends the command's words and its output to cairn. If there is no answer, files is empty.
func ask(number uint64, words []string) (answer []byte, files []int, conn int) {
	conn, err := socket()
	if err != nil {
		return nil, nil, -1
	}
	patience := syscall.Timeval{Sec: 2}
	syscall.SetsockoptTimeval(conn, syscall.SOL_SOCKET, syscall.SO_RCVTIMEO, &patience)
	syscall.SetsockoptTimeval(conn, syscall.SOL_SOCKET, syscall.SO_SNDTIMEO, &patience)
	if syscall.Connect(conn, &syscall.SockaddrUnix{Name: wire.Address(number, os.Getuid())}) != nil {
		return nil, nil, conn
	}
	request := wire.Request{Same: same(1, 2), Argv: words}.Encode()
	var rights []byte
	if isPipe(1) {
		rights = syscall.UnixRights(1)
	}
	n, err := syscall.SendmsgN(conn, request, rights, nil, 0)
	for err == nil && n < len(request) {
		var more int
		more, err = syscall.Write(conn, request[n:])
		n += more
	}
	if err != nil {
		return nil, nil, conn
	}
	answer, oob := make([]byte, 4096), make([]byte, 128)
	n, oobn, _, _, err := syscall.Recvmsg(conn, answer, oob, 0)
	if err != nil || n == 0 {
		return nil, nil, conn
	}
	return answer[:n], received(oob[:oobn]), conn
}

// received are the descriptors that came with an answer; they are closed when a command
// is executed.
func received(oob []byte) (files []int) {
	messages, err := syscall.ParseSocketControlMessage(oob)
	if err != nil {
		return nil
	}
	for _, m := range messages {
		if fds, err := syscall.ParseUnixRights(&m); err == nil {
			files = append(files, fds...)
		}
	}
	for _, fd := range files {
		syscall.CloseOnExec(fd)
	}
	return files
}

// socket makes a socket that the command does not inherit.
func socket() (int, error) {
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err == nil {
		syscall.CloseOnExec(fd)
	}
	return fd, err
}

func isPipe(fd int) bool {
	var st syscall.Stat_t
	return syscall.Fstat(fd, &st) == nil && st.Mode&syscall.S_IFMT == syscall.S_IFIFO
}

// same says whether two descriptors are of the same pipe.
func same(a, b int) bool {
	var x, y syscall.Stat_t
	return isPipe(a) && syscall.Fstat(a, &x) == nil && syscall.Fstat(b, &y) == nil && x.Dev == y.Dev && x.Ino == y.Ino
}

// command is the command to run.
type command struct {
	words []string
	env   []string
	path  string // path of its file
	shell string // runs a script that has no first line "#!"
}

// find sets the path of the command as the shell would find it, and puts it into the
// variable "_", in which bash names the file that it runs.
func (c *command) find() {
	c.path = c.words[0]
	if !strings.Contains(c.path, "/") {
		c.path = lookup(c.path, value(c.env, "PATH"))
	}
	for i, kv := range c.env {
		if old, is := strings.CutPrefix(kv, "_="); is {
			if _, set := wire.Number(old); set { // dash sets no such variable
				c.env[i] = "_=" + c.path
			}
		}
	}
}

// lookup is the first file of a name on PATH that can be executed.
func lookup(name, path string) string {
	for dir := range strings.SplitSeq(path, ":") {
		file := dir + "/" + name
		if dir == "" {
			file = "./" + name
		}
		var st syscall.Stat_t
		if syscall.Stat(file, &st) == nil && st.Mode&syscall.S_IFMT == syscall.S_IFREG && syscall.Access(file, 1) == nil {
			return file
		}
	}
	return name
}

// become executes the command in this process.
func (c *command) become() {
	err := syscall.Exec(c.path, c.words, c.env)
	if err == syscall.ENOEXEC {
		err = syscall.Exec(c.shell, append([]string{c.shell, c.path}, c.words[1:]...), c.env)
	}
	os.Exit(c.failed(err))
}

// failed reports why the command cannot run, in the words of a shell, and returns the exit status.
func (c *command) failed(err error) int {
	text, status := err.Error(), 126
	if err == syscall.ENOENT {
		if status = 127; !strings.Contains(c.words[0], "/") {
			text = "command not found"
		} else {
			text = "No such file or directory"
		}
	}
	if err == syscall.EACCES {
		text = "Permission denied"
	}
	said := "bash: line 1: " + c.words[0] + ": " + text
	if name := c.shell[strings.LastIndexByte(c.shell, '/')+1:]; name != "bash" {
		if status == 127 {
			text = "not found"
		}
		said = name + ": 1: " + c.words[0] + ": " + text
	}
	os.Stderr.WriteString(said + "\n")
	return status
}

func value(env []string, key string) (v string) {
	for _, kv := range env {
		if len(kv) > len(key) && kv[len(key)] == '=' && kv[:len(key)] == key {
			v = kv[len(key)+1:]
		}
	}
	return v
}
