package remote_test

import (
	"fmt"
	"testing"

	"cairn/remote"
	"cairn/remote/backendtest"
	"cairn/remote/file"
	"cairn/remote/oci"
	"cairn/remote/s3"
)

// TestBackends: each place does what is promised, against the real server.
func TestBackends(t *testing.T) {
	openers := map[string]remote.Opener{"file": file.Open, "s3": s3.Open, "oci": oci.Open, "git+lfs": openLFS(t)}
	t.Setenv("AWS_ACCESS_KEY_ID", "cairn")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "cairn-secret")
	for name, address := range map[string]func(t *testing.T) string{
		"file": func(t *testing.T) string { return "file://" + t.TempDir() },
		"s3": func(t *testing.T) string {
			return backendtest.S3(backendtest.Serve(t, "..", "versitygw"), "some/prefix")
		},
		"s3/minio": func(t *testing.T) string { return backendtest.S3(backendtest.Serve(t, "..", "minio"), "some/prefix") },
		"oci": func(t *testing.T) string {
			return fmt.Sprintf("oci://127.0.0.1:%d/team/app", backendtest.Serve(t, "..", "registry"))
		},
		"git+lfs": func(t *testing.T) string {
			return fmt.Sprintf("git+lfs://127.0.0.1:%d/app.git", backendtest.Serve(t, "..", "gitlfs"))
		},
		"oci/distribution": func(t *testing.T) string {
			return fmt.Sprintf("oci://127.0.0.1:%d/team/app", backendtest.Serve(t, "..", "distribution"))
		},
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
