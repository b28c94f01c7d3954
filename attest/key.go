package attest

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/asn1"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"

	"cairn/internal/gitrepo"
	"cairn/result"
)

// ErrNoKey means that git is not configured to sign with an SSH key.
var ErrNoKey = errors.New("git has no SSH key to sign with: set gpg.format to ssh and user.signingkey to a key, or write a bundle for another signer with --bundle")

// signer is a key that signs in the form that DSSE requires.
type signer interface {
	id() string
	sign(message []byte) ([]byte, error)
}

// sshSigner signs with an SSH key in a file or in an agent.
type sshSigner struct{ ssh.Signer }

func (s sshSigner) id() string { return ssh.FingerprintSHA256(s.PublicKey()) }

// sign returns a plain signature, without SSH's framing.
func (s sshSigner) sign(message []byte) ([]byte, error) {
	sig, err := s.Sign(rand.Reader, message)
	if err != nil {
		return nil, fmt.Errorf("signing with %s: %w", s.id(), err)
	}
	if sig.Format == ssh.KeyAlgoED25519 {
		return sig.Blob, nil
	}
	var parts struct{ R, S *big.Int }
	if err := ssh.Unmarshal(sig.Blob, &parts); err != nil {
		return nil, fmt.Errorf("signing with %s: %w", s.id(), err)
	}
	return asn1.Marshal(parts)
}

// usable refuses key types whose signatures ordinary verifiers do not accept.
func usable(key ssh.PublicKey) error {
	switch key.Type() {
	case ssh.KeyAlgoED25519, ssh.KeyAlgoECDSA256, ssh.KeyAlgoECDSA384, ssh.KeyAlgoECDSA521:
		return nil
	}
	return fmt.Errorf("keys of the type %s are not used: take Ed25519 or ECDSA", key.Type())
}

// gitKey is the key with which git signs: in the agent if it has the key, else in the file.
func gitKey(ctx context.Context, repo *gitrepo.Repo, home, agentSocket string) (signer, error) {
	if repo == nil {
		return nil, ErrNoKey
	}
	format, err := repo.Config(ctx, "gpg.format")
	if err != nil {
		return nil, err
	}
	name, err := repo.Config(ctx, "user.signingkey")
	switch {
	case err != nil:
		return nil, err
	case format != "ssh" || name == "":
		return nil, ErrNoKey
	}
	var file string
	text := []byte(strings.TrimPrefix(name, "key::"))
	if !strings.HasPrefix(name, "key::") && !strings.HasPrefix(name, "ssh-") && !strings.HasPrefix(name, "ecdsa-") {
		if file = name; strings.HasPrefix(name, "~/") {
			file = filepath.Join(home, name[2:])
		} else if !filepath.IsAbs(file) {
			file = filepath.Join(repo.TopLevel, file)
		}
		if text, err = os.ReadFile(publicFile(file)); err != nil {
			return nil, fmt.Errorf("reading the public half of user.signingkey: %w", err)
		}
	}
	public, _, _, _, err := ssh.ParseAuthorizedKey(text)
	if err != nil {
		return nil, fmt.Errorf("user.signingkey %s is no public key of SSH: %w", name, err)
	}
	if err := usable(public); err != nil {
		return nil, fmt.Errorf("user.signingkey: %w", err)
	}
	if s := fromAgent(public, agentSocket); s != nil {
		return s, nil
	}
	return fromFile(public, file)
}

func publicFile(file string) string {
	if strings.HasSuffix(file, ".pub") {
		return file
	}
	return file + ".pub"
}

// fromAgent is the key in the SSH agent; nil if the agent does not have it.
func fromAgent(public ssh.PublicKey, socket string) signer {
	if socket == "" {
		return nil
	}
	conn, err := net.Dial("unix", socket)
	if err != nil {
		return nil
	}
	all, err := agent.NewClient(conn).Signers() // the connection is closed when the program ends
	if err != nil {
		return nil
	}
	for _, s := range all {
		if string(s.PublicKey().Marshal()) == string(public.Marshal()) {
			return sshSigner{s}
		}
	}
	return nil
}

func fromFile(public ssh.PublicKey, file string) (signer, error) {
	if file == "" {
		return nil, fmt.Errorf("the SSH agent has not the key of user.signingkey, %s", ssh.FingerprintSHA256(public))
	}
	text, err := os.ReadFile(strings.TrimSuffix(file, ".pub"))
	if err != nil {
		return nil, fmt.Errorf("the SSH agent has not the key of user.signingkey, and its file cannot be read: %w", err)
	}
	s, err := ssh.ParsePrivateKey(text)
	if locked := new(ssh.PassphraseMissingError); errors.As(err, &locked) {
		return nil, fmt.Errorf("the key %s has a passphrase: give it to the SSH agent with ssh-add", strings.TrimSuffix(file, ".pub"))
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading the key %s: %w", strings.TrimSuffix(file, ".pub"), err)
	case string(s.PublicKey().Marshal()) != string(public.Marshal()):
		return nil, fmt.Errorf("%s and %s are not of one key", strings.TrimSuffix(file, ".pub"), publicFile(file))
	}
	return sshSigner{s}, nil
}

// signed says whether a plain signature was made by a key.
func signed(key crypto.PublicKey, message, sig []byte) bool {
	switch key := key.(type) {
	case ed25519.PublicKey:
		return ed25519.Verify(key, message, sig)
	case *ecdsa.PublicKey:
		hash := map[elliptic.Curve]crypto.Hash{elliptic.P256(): crypto.SHA256, elliptic.P384(): crypto.SHA384, elliptic.P521(): crypto.SHA512}[key.Curve]
		if hash == 0 {
			return false
		}
		h := hash.New()
		h.Write(message)
		return ecdsa.VerifyASN1(key, h.Sum(nil), sig)
	}
	return false
}

// PayloadType is the payload type of a Statement.
const PayloadType = "application/vnd.in-toto+json"

// Bounds of an envelope, which may come from anyone.
const (
	maxEnvelope   = 1 << 20
	maxSignatures = 16
	maxDepth      = 64
	maxObjects    = 20_000 // JSON objects in a statement
)

// Envelope is a DSSE envelope.
type Envelope struct {
	PayloadType string      `json:"payloadType"`
	Payload     string      `json:"payload"`
	Signatures  []Signature `json:"signatures"`
}

// Signature is one signature over the pre-authentication encoding of the payload.
type Signature struct {
	KeyID string `json:"keyid,omitempty"`
	Sig   string `json:"sig"`
}

// ReadEnvelope reads an envelope within these bounds.
func ReadEnvelope(from io.Reader) (*Envelope, error) {
	text, err := io.ReadAll(io.LimitReader(from, maxEnvelope+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading an envelope: %w", err)
	case len(text) > maxEnvelope:
		return nil, fmt.Errorf("this is no envelope of cairn's: it has more than %d bytes", maxEnvelope)
	}
	return DecodeEnvelope(text)
}

// DecodeEnvelope is ReadEnvelope for bytes.
func DecodeEnvelope(text []byte) (*Envelope, error) {
	e := new(Envelope)
	if err := decode(text, e, 1+maxSignatures); err != nil {
		return nil, fmt.Errorf("this is no DSSE envelope: %w", err)
	}
	switch {
	case e.PayloadType != PayloadType:
		return nil, fmt.Errorf("the payload is of the type %.80q, and only %q is known", e.PayloadType, PayloadType)
	case len(e.Signatures) == 0:
		return nil, errors.New("the envelope is not signed")
	}
	return e, nil
}

// decode reads one JSON document with at most maxDepth levels and the given number of objects. Both are counted before,
// which takes a hundredth of the time of reading.
func decode(text []byte, into any, objects int) error {
	if len(text) > maxEnvelope {
		return fmt.Errorf("it has more than %d bytes", maxEnvelope)
	}
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return fmt.Errorf("it is deeper than %d levels", maxDepth)
			}
			if c == '{' {
				objects--
			}
			if objects < 0 {
				return errors.New("it has too many objects: one of cairn's has at most 16 signatures")
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return json.Unmarshal(text, into)
}

// payload is the signed text.
func (e *Envelope) payload() ([]byte, error) {
	text, err := decodeBase64(e.Payload)
	if err != nil {
		return nil, errors.New("the payload of the envelope is not base64")
	}
	return text, nil
}

// decodeBase64 accepts both alphabets that DSSE allows.
func decodeBase64(text string) ([]byte, error) {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		b, err = base64.URLEncoding.DecodeString(text)
	}
	return b, err
}

func base64Of(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

// encoded is the pre-authentication encoding of a payload.
func encoded(payload []byte) []byte {
	return fmt.Appendf(nil, "DSSEv1 %d %s %d %s", len(PayloadType), PayloadType, len(payload), payload)
}

// seal signs a statement.
func seal(s *Statement, key signer) (*Envelope, error) {
	payload, err := result.Marshal(s)
	if err != nil {
		return nil, err
	}
	sig, err := key.sign(encoded(payload))
	if err != nil {
		return nil, err
	}
	return &Envelope{PayloadType, base64Of(string(payload)), []Signature{{key.id(), base64Of(string(sig))}}}, nil
}
