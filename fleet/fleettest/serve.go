package fleettest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// Postgres starts bench/servers/postgres on a free port of loopback until the test ends, and returns its database's
// address. root is the repository's folder. If the server cannot be installed the test is skipped, which CI does not
// allow.
func Postgres(t testing.TB, root string) (address string) {
	t.Helper()
	script := filepath.Join(root, "bench", "servers", "postgres")
	if out, err := exec.Command(script).CombinedOutput(); err != nil {
		if os.Getenv("CAIRN_TEST_TOOLS") == "required" {
			t.Fatalf("PostgreSQL cannot be installed: %v\n%s", err, out)
		}
		t.Skipf("PostgreSQL is not to be had here: %v", err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
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
	address = fmt.Sprintf("postgres://cairn@127.0.0.1:%d/cairn", port)
	for range 600 {
		if exec.Command("psql", address, "-c", "select 1").Run() == nil {
			return address
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("PostgreSQL does not answer")
	return ""
}
