package attest

import (
	"crypto/ed25519"
	"crypto/rand"
	"testing"

	"golang.org/x/crypto/ssh"
)

// TestRevoked: a key that the revocation file lists is not trusted, and a file that is not understood trusts none.
func TestRevoked(t *testing.T) {
	line := func() string {
		public, _, err := ed25519.GenerateKey(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		key, err := ssh.NewPublicKey(public)
		if err != nil {
			t.Fatal(err)
		}
		return string(ssh.MarshalAuthorizedKey(key))
	}
	kept, gone := line(), line()
	signers := func() []trusted { return allowedSigners([]byte("a@b " + kept + "c@d " + gone)) }
	if n := len(signers()); n != 2 {
		t.Fatalf("%d signers", n)
	}
	left, err := withoutRevoked(signers(), "revoked", []byte("# of 2026\n\n"+gone))
	if err != nil || len(left) != 1 || left[0].who != "a@b" {
		t.Errorf("left are %v: %v", left, err)
	}
	if left, err := withoutRevoked(signers(), "revoked", []byte("SSHKRL\n\x00\x00\x00\x00\x01")); err == nil || len(left) > 0 {
		t.Errorf("of a KRL left are %v: %v", left, err)
	}
}
