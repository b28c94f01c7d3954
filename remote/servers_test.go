package remote_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"cairn/remote"
	"cairn/remote/backendtest"
	"cairn/remote/file"
	"cairn/remote/oci"
	"cairn/remote/s3"
)

// serve starts bench/servers/NAME on a free port of loopback until the test ends. Where
// the server cannot be had the test is skipped, which CI does not allow.
func serve(t *testing.T, name string) (port int) {
	t.Helper()
	if slices.Contains([]string{"minio", "distribution"}, name) && !strings.Contains(os.Getenv("CAIRN_TEST_SERVERS"), name) {
		t.Skipf("%s takes minutes to build: CAIRN_TEST_SERVERS does not name it", name)
	}
	script := "../bench/servers/" + name
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
	server := exec.Command(script, fmt.Sprint(port))
	server.Stderr = os.Stderr
	server.WaitDelay = 10 * time.Second
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		server.Process.Signal(syscall.SIGTERM)
		server.Wait()
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

func s3At(port int, prefix string) string {
	return fmt.Sprintf("s3://cairn/%s?endpoint=http://127.0.0.1:%d&region=us-east-1", prefix, port)
}

// TestBackends: each place does what is promised, against the real server.
func TestBackends(t *testing.T) {
	openers := map[string]remote.Opener{"file": file.Open, "s3": s3.Open, "oci": oci.Open}
	t.Setenv("AWS_ACCESS_KEY_ID", "cairn")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "cairn-secret")
	for name, address := range map[string]func(t *testing.T) string{
		"file":             func(t *testing.T) string { return "file://" + t.TempDir() },
		"s3":               func(t *testing.T) string { return s3At(serve(t, "versitygw"), "some/prefix") },
		"s3/minio":         func(t *testing.T) string { return s3At(serve(t, "minio"), "some/prefix") },
		"oci":              func(t *testing.T) string { return fmt.Sprintf("oci://127.0.0.1:%d/team/app", serve(t, "registry")) },
		"oci/distribution": func(t *testing.T) string { return fmt.Sprintf("oci://127.0.0.1:%d/team/app", serve(t, "distribution")) },
	} {
		t.Run(name, func(t *testing.T) {
			b, err := remote.OpenBackend(address(t), openers)
			if err != nil {
				t.Fatal(err)
			}
			backendtest.Run(t, b)
		})
	}
}
