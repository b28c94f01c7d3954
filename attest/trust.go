package attest

import (
	"bytes"
	"cmp"
	"context"
	"crypto"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"cairn/internal/gitrepo"
)

// trusted is a key whose signatures count, perhaps only for a time.
type trusted struct {
	who         string // the name in the file of allowed signers
	id          string // fingerprint
	key         crypto.PublicKey
	after, till time.Time // zero: no limit
}

// maxTrusted bounds the file of keys, in bytes.
const maxTrusted = 4 << 20

// trustedKeys are the keys in file, PEM or a line of SSH; if file is "", those that git trusts
// (gpg.ssh.allowedSignersFile), which may be none.
func trustedKeys(ctx context.Context, repo *gitrepo.Repo, home, file string) ([]trusted, error) {
	if file != "" {
		text, err := readKeys(file)
		if err != nil {
			return nil, err
		}
		if block, _ := pem.Decode(text); block != nil {
			return pemKey(file, block)
		}
		return sshKeys(file, text)
	}
	if repo == nil {
		return nil, nil
	}
	name, err := repo.Config(ctx, "gpg.ssh.allowedsignersfile")
	if err != nil || name == "" {
		return nil, err
	}
	text, err := readKeys(configured(repo, home, name))
	if err != nil {
		return nil, err
	}
	all := allowedSigners(text)
	name, err = repo.Config(ctx, "gpg.ssh.revocationfile")
	if err != nil || name == "" {
		return all, err
	}
	if text, err = readKeys(configured(repo, home, name)); err != nil {
		return nil, err
	}
	return withoutRevoked(all, name, text)
}

// configured is a file that git's configuration names.
func configured(repo *gitrepo.Repo, home, name string) string {
	if strings.HasPrefix(name, "~/") {
		return filepath.Join(home, name[2:])
	}
	if !filepath.IsAbs(name) {
		return filepath.Join(repo.TopLevel, name)
	}
	return name
}

// withoutRevoked removes the keys that a revocation file lists. A file that cannot be parsed completely is an error,
// since it may revoke any key.
func withoutRevoked(all []trusted, file string, text []byte) ([]trusted, error) {
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		public, _, _, _, err := ssh.ParseAuthorizedKey([]byte(line))
		if err != nil {
			return nil, fmt.Errorf("gpg.ssh.revocationFile %s is no list of public keys (a KRL is not read), so no key is trusted; name one with --key: %w", file, err)
		}
		id := ssh.FingerprintSHA256(public)
		all = slices.DeleteFunc(all, func(t trusted) bool { return t.id == id })
	}
	return all, nil
}

func readKeys(file string) ([]byte, error) {
	st, err := os.Stat(file)
	if err == nil && st.Size() > maxTrusted {
		err = fmt.Errorf("%s has more than %d bytes", file, maxTrusted)
	}
	if err != nil {
		return nil, fmt.Errorf("reading keys: %w", err)
	}
	return os.ReadFile(file)
}

func pemKey(file string, block *pem.Block) ([]trusted, error) {
	key, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("%s is no public key in PEM: %w", file, err)
	}
	public, err := ssh.NewPublicKey(key)
	if err == nil {
		err = usable(public)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return []trusted{{who: file, id: ssh.FingerprintSHA256(public), key: key}}, nil
}

func sshKeys(file string, text []byte) (all []trusted, err error) {
	for len(bytes.TrimSpace(text)) > 0 {
		var public ssh.PublicKey
		if public, _, _, text, err = ssh.ParseAuthorizedKey(text); err != nil {
			return nil, fmt.Errorf("%s has neither PEM nor public keys of SSH: %w", file, err)
		}
		if err := usable(public); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, trustedKey(file, public))
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no key", file)
	}
	return all, nil
}

func trustedKey(who string, public ssh.PublicKey) trusted {
	t := trusted{who: who, id: ssh.FingerprintSHA256(public)}
	if k, ok := public.(ssh.CryptoPublicKey); ok {
		t.key = k.CryptoPublicKey()
	}
	return t
}

// allowedSigners reads the format of ssh-keygen(1). Lines that cannot be parsed, of authorities, of unusable key types,
// and for other namespaces than git's are skipped.
func allowedSigners(text []byte) (all []trusted) {
	for line := range strings.Lines(string(text)) {
		who, rest, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || strings.HasPrefix(who, "#") {
			continue
		}
		public, _, options, _, err := ssh.ParseAuthorizedKey([]byte(rest))
		if err != nil || usable(public) != nil {
			continue
		}
		t := trustedKey(who, public)
		if t.limit(options) {
			all = append(all, t)
		}
	}
	return all
}

// limit applies the options of a line; false means that the line is not for git.
func (t *trusted) limit(options []string) bool {
	for _, o := range options {
		name, value, _ := strings.Cut(o, "=")
		value = strings.Trim(value, `"`)
		var err error
		switch strings.ToLower(name) {
		case "cert-authority":
			return false
		case "namespaces":
			if !strings.Contains(","+value+",", ",git,") {
				return false
			}
		case "valid-after":
			t.after, err = sshTime(value)
		case "valid-before":
			t.till, err = sshTime(value)
		default:
			return false
		}
		if err != nil {
			return false
		}
	}
	return true
}

func sshTime(text string) (time.Time, error) {
	zone := time.Local
	if t, ok := strings.CutSuffix(text, "Z"); ok {
		text, zone = t, time.UTC
	}
	for _, layout := range []string{"20060102150405", "200601021504", "20060102"} {
		if t, err := time.ParseInLocation(layout, text, zone); err == nil {
			return t, nil
		}
	}
	return time.Time{}, errors.New("no time of ssh-keygen's")
}

// errStranger means that the envelope has no signature of a trusted key.
var errStranger = errors.New("no key that is trusted here signed it")

// signedBy is who signed an envelope, among the keys that were trusted at a time.
func (e *Envelope) signedBy(keys []trusted, at time.Time) (who string, err error) {
	payload, err := e.payload()
	if err != nil {
		return "", err
	}
	message, outdated := encoded(payload), ""
	for _, s := range e.Signatures {
		sig, err := decodeBase64(s.Sig)
		if err != nil {
			continue
		}
		for _, k := range keys {
			switch {
			case !signed(k.key, message, sig):
			case !k.after.IsZero() && at.Before(k.after), !k.till.IsZero() && !at.Before(k.till):
				outdated = k.who
			default:
				return k.who + " (" + k.id + ")", nil
			}
		}
	}
	if outdated != "" {
		return "", fmt.Errorf("the key of %s was not valid at the time of the run", outdated)
	}
	if !slices.ContainsFunc(e.Signatures, func(s Signature) bool {
		return slices.ContainsFunc(keys, func(k trusted) bool { return k.id == s.KeyID })
	}) {
		return "", fmt.Errorf("%w (the key that it names: %.80s)", errStranger, cmp.Or(e.Signatures[0].KeyID, "none"))
	}
	return "", fmt.Errorf("a key that is trusted here is named, and did not sign it: it was changed afterwards (%.80s)", e.Signatures[0].KeyID)
}
