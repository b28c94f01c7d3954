package attest

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/secure-systems-lab/go-securesystemslib/dsse"
	"golang.org/x/crypto/ssh"

	"cairn/manifest"
	"cairn/result"
)

// keys are one of each type that is used.
func keys(t testing.TB) map[string]crypto.Signer {
	t.Helper()
	_, ed, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]crypto.Signer{"ed25519": ed}
	for name, curve := range map[string]elliptic.Curve{"p256": elliptic.P256(), "p384": elliptic.P384(), "p521": elliptic.P521()} {
		if all[name], err = ecdsa.GenerateKey(curve, rand.Reader); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func sshKey(t testing.TB, key crypto.Signer) sshSigner {
	t.Helper()
	s, err := ssh.NewSignerFromSigner(key)
	if err != nil {
		t.Fatal(err)
	}
	return sshSigner{s}
}

// record is one of a run that failed, with many failures.
func record(t testing.TB, failures int) *manifest.Record {
	t.Helper()
	exit := 1
	rec := &manifest.Record{
		V: manifest.Version, ID: "01M8AJMDKXQPDR8NA73QPKH137", Time: time.Date(2026, 11, 26, 0, 3, 37, 0, time.UTC), Exit: &exit, Argv: []string{"pytest", "-q"}, Dir: ".", Key: "1d48145b6471",
		Git: &manifest.Git{Commit: strings.Repeat("3f", 20), Worktree: strings.Repeat("56", 20), Branch: "main", Dirty: new(bool)},
		Raw: &manifest.Raw{OID: "sha256:" + strings.Repeat("fa", 32), Size: 1 << 30, Lines: 1e7},
	}
	r := &result.ToolResult{SchemaVersion: 1, Tool: "pytest", Kind: result.Test, Status: result.Failed, ExitCode: &exit, Counts: map[string]int{"failed": failures, "passed": 12000}, ParserConfidence: result.Parsed}
	for i := range failures {
		r.Findings = append(r.Findings, result.Finding{Kind: result.TestFailure, Severity: result.SevError, ID: "tests/test_a_file_with_a_long_name.py::test_" + strings.Repeat("x", 1+i%40)})
	}
	if err := rec.SetResult(r); err != nil {
		t.Fatal(err)
	}
	return rec
}

// independent is a verifier of another make's interface, with the standard library's own
// verification.
type independent struct {
	key crypto.PublicKey
	id  string
}

func (v independent) KeyID() (string, error)   { return v.id, nil }
func (v independent) Public() crypto.PublicKey { return v.key }
func (v independent) Verify(_ context.Context, data, sig []byte) error {
	if !signed(v.key, data, sig) {
		return dsse.ErrNoSignature
	}
	return nil
}

// TestOthersVerifyOurs and the other way round: an independent library of DSSE.
func TestOthersVerifyOurs(t *testing.T) {
	for name, key := range keys(t) {
		ours := sshKey(t, key)
		s, err := newStatement(record(t, 3), TestResult, strings.Repeat("56", 20))
		if err != nil {
			t.Fatal(err)
		}
		e, err := seal(s, ours)
		if err != nil {
			t.Fatal(err)
		}
		text, err := result.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		theirs := new(dsse.Envelope)
		if err := json.Unmarshal(text, theirs); err != nil {
			t.Fatal(err)
		}
		v, err := dsse.NewEnvelopeVerifier(independent{key.Public(), ours.id()})
		if err != nil {
			t.Fatal(err)
		}
		if who, err := v.Verify(context.Background(), theirs); err != nil || len(who) != 1 {
			t.Errorf("%s: %v", name, err)
		}
		theirs.Payload = strings.Replace(theirs.Payload, "A", "B", 1)
		if _, err := v.Verify(context.Background(), theirs); err == nil {
			t.Errorf("%s: a changed payload is verified", name)
		}
	}
}

// theirSigner signs for the independent library.
type theirSigner struct {
	independent
	sign func([]byte) ([]byte, error)
}

func (s theirSigner) Sign(_ context.Context, data []byte) ([]byte, error) { return s.sign(data) }

func TestOursVerifiesTheirs(t *testing.T) {
	for name, key := range keys(t) {
		ours := sshKey(t, key)
		signer, err := dsse.NewEnvelopeSigner(theirSigner{independent{key.Public(), "another id"}, ours.sign})
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := signer.SignPayload(context.Background(), PayloadType, []byte(`{"_type":"`+StatementType+`"}`))
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(theirs)
		if err != nil {
			t.Fatal(err)
		}
		e, err := ReadEnvelope(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if who, err := e.signedBy([]trusted{trustedKey("them", ours.PublicKey())}, time.Now()); err != nil || !strings.HasPrefix(who, "them") {
			t.Errorf("%s: %q %v", name, who, err)
		}
	}
}

// TestOpenSSLAndCosign: programs that have nothing of ours in them take an envelope with the PEM of its key, and none that
// was changed. bench/servers/cosign builds cosign.
func TestOpenSSLAndCosign(t *testing.T) {
	for _, name := range []string{"p256", "ed25519"} {
		key := keys(t)[name]
		s, err := newStatement(record(t, 3), TestResult, "")
		if err != nil {
			t.Fatal(err)
		}
		e, err := seal(s, sshKey(t, key))
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		write := func(name string, text []byte) string {
			if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
				t.Fatal(err)
			}
			return filepath.Join(dir, name)
		}
		der, err := x509.MarshalPKIXPublicKey(key.Public())
		if err != nil {
			t.Fatal(err)
		}
		public := write("key.pem", pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))
		text, _ := result.Marshal(e)
		payload, err := e.payload()
		if err != nil {
			t.Fatal(err)
		}
		t.Run("openssl/"+name, func(t *testing.T) {
			openssl := needs(t, "openssl")
			sig, err := decodeBase64(e.Signatures[0].Sig)
			if err != nil {
				t.Fatal(err)
			}
			args := []string{"dgst", "-sha256", "-verify", public, "-signature", write("sig", sig), write("message", encoded(payload))}
			if name == "ed25519" {
				args = []string{"pkeyutl", "-verify", "-pubin", "-inkey", public, "-rawin", "-in", write("message", encoded(payload)), "-sigfile", write("sig", sig)}
			}
			if out, err := exec.Command(openssl, args...).CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
		t.Run("cosign/"+name, func(t *testing.T) {
			cosign := needs(t, "cosign")
			verify := func(envelope string) ([]byte, error) {
				return exec.Command(cosign, "verify-blob-attestation", "--key", public, "--signature", envelope, "--insecure-ignore-tlog", "--check-claims=false", "--type", TestResult, envelope).CombinedOutput()
			}
			if out, err := verify(write("envelope.json", text)); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
			other := *e
			other.Payload = base64Of(strings.Replace(string(payload), `"FAILED"`, `"PASSED"`, 1))
			text, _ := result.Marshal(&other)
			if out, err := verify(write("changed.json", text)); err == nil || other.Payload == e.Payload {
				t.Errorf("it takes an envelope that was changed: %s", out)
			}
		})
	}
}

// needs finds a program, which may lie where bench/servers puts what it builds.
func needs(t *testing.T, program string) string {
	t.Helper()
	if built := filepath.Join(os.Getenv("CAIRN_SERVERS"), program); filepath.IsAbs(built) {
		if _, err := os.Stat(built); err == nil {
			return built
		}
	}
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skipf("%s is not installed", program)
	}
	return path
}

// TestSmall: an envelope has at most 2 KB, however large the run was and however much failed.
func TestSmall(t *testing.T) {
	for _, failures := range []int{0, 1, 10, 5000} {
		s, err := newStatement(record(t, failures), TestResult, strings.Repeat("56", 20))
		if err != nil {
			t.Fatal(err)
		}
		e, err := seal(s, sshKey(t, keys(t)["ed25519"]))
		if err != nil {
			t.Fatal(err)
		}
		if text, _ := result.Marshal(e); len(text) > 2048 {
			t.Errorf("%d failures: %d bytes", failures, len(text))
		}
	}
}

// TestHostile: what is no envelope of ours is refused with a reason, and before it costs anything.
func TestHostile(t *testing.T) {
	statement := func(text string) string {
		e, _ := result.Marshal(Envelope{PayloadType, base64Of(text), []Signature{{"", ""}}})
		return string(e)
	}
	for name, c := range map[string]struct{ text, want string }{
		"large":      {`{"payload":"` + strings.Repeat("A", 10<<20), "more than"},
		"deep":       {strings.Repeat("[", 500_000), "deeper"},
		"deep below": {`{"payloadType":"` + PayloadType + `","payload":"","signatures":[` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + "]}", "deeper"},
		"signatures": {`{"payloadType":"` + PayloadType + `","payload":"","signatures":[` + strings.Repeat(`{"sig":""},`, 20_000) + `{"sig":""}]}`, "too many objects"},
		"unsigned":   {`{"payloadType":"` + PayloadType + `","payload":""}`, "not signed"},
		"type":       {`{"payloadType":"text/plain","payload":"","signatures":[{}]}`, `"text/plain"`},
		"no JSON":    {`hello`, "no DSSE envelope"},
		"predicate":  {statement(`{"_type":"` + StatementType + `","predicateType":"https://slsa.dev/provenance/v1","predicate":{}}`), "slsa.dev"},
		"statement":  {statement(`{"_type":"https://in-toto.io/Statement/v0.1","predicateType":"` + TestResult + `","predicate":{}}`), "Statement/v0.1"},
		"of no run":  {statement(`{"_type":"` + StatementType + `","predicateType":"` + TestResult + `","predicate":{}}`), "names no run"},
	} {
		err := readWhole(c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 400 {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func readWhole(text string) error {
	e, err := ReadEnvelope(strings.NewReader(text))
	if err != nil {
		return err
	}
	payload, err := e.payload()
	if err == nil {
		_, _, err = readStatement(payload)
	}
	return err
}

// BenchmarkHostile: the budget of each is 50 ms.
func BenchmarkHostile(b *testing.B) {
	for name, text := range map[string]string{
		"10MB":       `{"payload":"` + strings.Repeat("A", 10<<20),
		"deep":       strings.Repeat("[", maxEnvelope),
		"signatures": `{"payloadType":"` + PayloadType + `","payload":"","signatures":[` + strings.Repeat(`{"sig":""},`, 90_000) + `{"sig":""}]}`,
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if readWhole(text) == nil {
					b.Fatal("it was taken")
				}
			}
		})
	}
}

// BenchmarkAttest is without the start of the program: the budget is 15 ms, for a run of any size.
func BenchmarkAttest(b *testing.B) {
	rec, key := record(b, 100), sshKey(b, keys(b)["ed25519"])
	for b.Loop() {
		s, err := newStatement(rec, TestResult, "")
		if err != nil {
			b.Fatal(err)
		}
		if _, err := seal(s, key); err != nil {
			b.Fatal(err)
		}
	}
}

func TestKeysAreNamed(t *testing.T) {
	rsa := "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAQQC7vbqajDw4o6gJy8UtmIbkcpnkO3Kwc4qsEnSZp/TR+fQi62F79RHWmwKOtFmwteURgLbj7D/WGuNLGOfa/2vt"
	if _, err := sshKeys("k", []byte(rsa)); err == nil || !strings.Contains(err.Error(), "ssh-rsa") {
		t.Errorf("%v", err)
	}
	line := strings.TrimSpace(string(ssh.MarshalAuthorizedKey(sshKey(t, keys(t)["ed25519"]).PublicKey())))
	all := allowedSigners([]byte("# a comment\nme " + line + "\nother namespaces=\"file\" " + line + "\nca cert-authority " + line + "\nold valid-before=\"20200101\" " + line + "\nbroken xyz\n"))
	if len(all) != 2 || all[0].who != "me" || all[1].who != "old" || all[1].till.Year() != 2020 && all[1].till.Year() != 2019 {
		t.Errorf("%+v", all)
	}
}
