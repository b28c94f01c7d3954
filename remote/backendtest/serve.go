package backendtest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Serve starts bench/servers/NAME on a free port of loopback until the test ends; root is the repository's folder. If
// the server cannot be installed the test is skipped, which CI does not allow.
func Serve(t *testing.T, root, name string) (port int) {
	t.Helper()
	if slices.Contains([]string{"minio", "distribution"}, name) && !strings.Contains(os.Getenv("CAIRN_TEST_SERVERS"), name) {
		t.Skipf("%s takes minutes to build: CAIRN_TEST_SERVERS does not name it", name)
	}
	script := filepath.Join(root, "bench", "servers", name)
	if out, err := exec.Command(script).CombinedOutput(); err != nil {
		if os.Getenv("CAIRN_TEST_TOOLS") == "required" {
			t.Fatalf("%s cannot be installed: %v\n%s", name, err, out)
		}
		t.Skipf("%s is not to be had here: %v", name, err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port = l.Addr().(*net.TCPAddr).Port
	l.Close()
	server, dir := exec.Command(script, fmt.Sprint(port)), t.TempDir()
	server.Env = append(os.Environ(), "TMPDIR="+dir)
	server.Stderr = os.Stderr
	server.WaitDelay = 10 * time.Second
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		server.Process.Signal(syscall.SIGTERM)
		server.Wait()
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%s leaves %v behind", name, left)
		}
	})
	for range 600 {
		c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil {
			c.Close()
			return port
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("%s does not listen", name)
	return 0
}

// S3 returns the address of a prefix in the bucket of an S3 server on a port of loopback.
func S3(port int, prefix string) string {
	return fmt.Sprintf("s3://cairn/%s?endpoint=http://127.0.0.1:%d&region=us-east-1", prefix, port)
}
