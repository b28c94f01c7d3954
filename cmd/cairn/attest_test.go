package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
)

// tampering is what somebody did to what was attested, and what cairn verify says then.
type tampering struct {
	name string
	line string                                   // for sh, in the repository; $run is the attested run
	edit func(envelope, statement map[string]any) // of the envelope in the file envelope.json, which keeps its signature
	ask  string                                   // what is verified; "" is the run
	exit int
	says string
}

// The words of sessions, and how a branch is rewritten: the shard as it is now takes the place of
// the one in the last commit.
const tamperWords = sessionWords + `
rewrite() { s=$(shard); p=${s#.git/cairn/}; blob=$(git hash-object -w "$s"); export GIT_INDEX_FILE=.git/other
  git read-tree cairn; git update-index --cacheinfo "100644,$blob,$p"; c=$(git commit-tree $(git write-tree) $1 -m x </dev/null); unset GIT_INDEX_FILE; git update-ref refs/heads/cairn $c; }
change() { s=$(shard); sed "/$run/s/$1/$2/" "$s" >../x; cp ../x "$s"; }
object() { o=$(cairn recall object $run --record --format json | sed 's/.*"raw":{"oid":"sha256:\([0-9a-f]*\)".*/\1/'); echo .git/cairn/objects/$(echo $o | cut -c1-2)/$(echo $o | cut -c3-); }
`

var tamperings = []tampering{
	{"nothing", ``, nil, "", 0, "holds     signature signed by me@here"},
	{"nothing, as an envelope", ``, nil, "envelope.json", 0, "holds     statement"},
	{"nothing, with the PEM of the key", `git config --unset gpg.ssh.allowedSignersFile`, nil, "--key ../key.pem envelope.json", 0, "holds     signature signed by ../key.pem"},
	{"nothing, and no key to check with", `git config --unset gpg.ssh.allowedSignersFile`, nil, "", 5, "unchecked signature no keys are trusted here"},
	{"nothing, of a failed run", `break_it; run; run=$(last); cairn attest $run`, nil, "$run", 0, "holds     verdict   derived again by pytest"},
	{"nothing, of a killed run", `touch kill; run; run=$(last); cairn attest $run`, nil, "$run", 0, "holds     statement"},
	{"nothing, of a run that timed out", `echo 5 >slow; cap --timeout 600ms -- pytest -q; run=$(last); cairn attest $run`, nil, "$run", 0, "holds     statement"},
	{"nothing, of all the runs of a range", `git commit -q --allow-empty -m two; run; run=$(last); cairn attest $run`, nil, "HEAD~1..HEAD", 0, "holds     verdict"},
	{"nothing, and a bundle for another signer, without a key", `git config --unset user.signingkey; cairn attest --bundle out $run; cat out/$run/predicate-type out/$run/subject-digest; grep -c '"result":"PASSED"' out/$run/predicate.json`, nil, "", 0, "/test-result/v0.1\nsha256:"},
	{"never attested", `edit; run; run=$(last)`, nil, "$run", 5, "unchecked signature the run was never attested"},
	{"the result in the envelope", "", func(_, s map[string]any) { s["predicate"].(map[string]any)["result"] = "WARNED" }, "envelope.json", 4, "false     signature"},
	{"the tree in the envelope", "", func(_, s map[string]any) {
		s["subject"] = []any{map[string]any{"digest": map[string]any{"gitTree": strings.Repeat("1", 40)}}}
	}, "envelope.json", 4, "says otherwise than the record: subject"},
	{"the run in the envelope", "", func(_, s map[string]any) {
		s["predicate"].(map[string]any)["cairn"].(map[string]any)["run"] = "01M8AJMDKXQPDR8NA73QPKH137"
	}, "envelope.json", 4, "the record has no run 01M8AJMDKXQPDR8NA73QPKH137"},
	{"the predicate in the envelope", "", func(_, s map[string]any) { s["predicateType"] = "https://slsa.dev/provenance/v1" }, "envelope.json", 1, "slsa.dev/provenance/v1\" is not known"},
	{"a bit of the signature", "", func(e, _ map[string]any) {
		sig := e["signatures"].([]any)[0].(map[string]any)
		text, _ := base64.StdEncoding.DecodeString(sig["sig"].(string))
		text[5] ^= 1
		sig["sig"] = base64.StdEncoding.EncodeToString(text)
	}, "envelope.json", 4, "false     signature"},
	{"the id of the key, which is a hint", "", func(e, _ map[string]any) { e["signatures"].([]any)[0].(map[string]any)["keyid"] = "SHA256:other" }, "envelope.json", 0, "holds     signature"},
	{"the signatures taken off", "", func(e, _ map[string]any) { e["signatures"] = []any{} }, "envelope.json", 1, "is not signed"},
	{"the type of the payload", "", func(e, _ map[string]any) { e["payloadType"] = "text/plain" }, "envelope.json", 1, "text/plain"},
	{"signed again with another key", `git config user.signingkey ../other.pub; cairn attest --format json $run >envelope.json`, nil, "envelope.json", 4, "no key that is trusted here signed it (the key that it names: SHA256:"},
	{"attested by a key that is not trusted, too", `git config user.signingkey ../other.pub; cairn attest $run`, nil, "", 0, "not counted: envelopes of keys that are not trusted here: 1"},
	{"attested by a key that is not trusted only", `edit; run; run=$(last); git config user.signingkey ../other.pub; cairn attest $run`, nil, "$run", 4, "false     signature no key that is trusted here signed it"},
	{"attested twice", `cairn attest $run; echo "signatures: $(cairn verify $run | grep -c signature)"`, nil, "", 0, "signatures: 1"},
	{"a file that is not there", ``, nil, "there.json", 3, "there is no file there.json: "},
	{"the key had expired", `sed 's/me@here/me@here valid-before="20250101"/' ../allowed >../x; mv ../x ../allowed`, nil, "", 4, "was not valid at the time of the run"},
	{"the key is for another use", `sed 's/me@here/me@here namespaces="file"/' ../allowed >../x; mv ../x ../allowed`, nil, "", 5, "no keys are trusted here"},
	{"an envelope of another run", `edit; break_it; run; other=$(last); s=$(shard); grep attestation "$s" | sed "s/\"target\":\"$run\"/\"target\":\"$other\"/; s/\"id\":\"01/\"id\":\"02/" >../x; cat ../x >>"$s"; run=$other`, nil, "$run", 4, "says otherwise than the record: cairn.counts, cairn.exit"},
	{"a count of the record, here", `change '"passed":3' '"passed":4'`, nil, "", 4, "false     history   the branch cairn has said something else"},
	{"a count of the record, here and on the branch", `change '"passed":3' '"passed":4'; rewrite '-p cairn'`, nil, "", 4, "false     statement it says otherwise than the record: cairn.counts"},
	{"a count of the record, and all history with it", `change '"passed":3' '"passed":4'; rewrite ''`, nil, "", 4, "false     verdict   derived again by pytest"},
	{"a count of the record, which the answer names", `change '"passed":3' '"passed":4'; rewrite ''`, nil, "", 4, "it differs: passed 4, now 3"},
	{"a verdict of an older parser", `break_it; run; run=$(last); change '"parser":[0-9]*' '"parser":1'; change '"fingerprint":"....' '"fingerprint":"0000'; rewrite ''`, nil, "$run", 4, "(the record is of pytest/1), it differs: 1 finding of the record that the bytes do not give; 1 finding that the record does not have"},
	{"what the record says of a test", `break_it; run; run=$(last); change '"fingerprint":"....' '"fingerprint":"0000'; rewrite ''`, nil, "--format json $run", 4, `"differs":{"recorded_by":"pytest/`},
	{"the tree of the record", `change '"worktree":"....' '"worktree":"0000'; rewrite ''`, nil, "", 4, "says otherwise than the record: cairn.record, subject"},
	{"the record taken off the branch, which takes it from the shard again", `s=$(shard); grep -v "\"id\":\"$run" "$s" >../x; cp "$s" ../y; cp ../x "$s"; rewrite '-p cairn'; cp ../y "$s"; git update-ref refs/remotes/x/cairn $(git rev-parse cairn)`, nil, "", 0, "has never said anything else"},
	{"the record taken off the branch and the shard", `s=$(shard); grep -v "\"id\":\"$run" "$s" >../x; cp ../x "$s"; rewrite ''`, nil, "envelope.json", 5, "the record has no run"},
	{"a byte of the output", `o=$(object); chmod u+w $o; printf X | dd of=$o bs=1 seek=20 conv=notrunc 2>/dev/null`, nil, "", 4, "false     bytes"},
	{"the output of another run in its place", `edit; break_it; a=$(object); run2=$run; run; run=$(last); b=$(object); run=$run2; chmod u+w $a; cp -f $b $a`, nil, "", 4, "false     bytes"},
	{"the output removed", `rm -f $(object)`, nil, "", 5, "unchecked bytes     the bytes are not here"},
	{"a verdict that the bytes do not give, attested", `edit; break_it; run; run=$(last); change '"status":"failed","exit":1' '"status":"passed","exit":0'; rewrite ''; cairn attest $run`, nil, "$run", 4, "false     verdict"},
}

// TestTampering: cairn verify says what was changed after it was signed, and what it cannot check.
func TestTampering(t *testing.T) {
	slots := make(chan struct{}, 6)
	answers := make([]chan string, len(tamperings))
	for i, c := range tamperings {
		sh := newSessionRepo(t)
		answers[i] = make(chan string, 1)
		go func() {
			slots <- struct{}{}
			answers[i] <- c.happen(sh)
			<-slots
		}()
	}
	for i, c := range tamperings {
		t.Run(c.name, func(t *testing.T) {
			out := <-answers[i]
			exit, text, _ := strings.Cut(out, "\n")
			if exit != "exit "+string(rune('0'+c.exit)) || !strings.Contains(text, c.says) {
				t.Errorf("%s, and should be exit %d, with %q:\n%s", exit, c.exit, c.says, text)
			}
		})
	}
}

// happen attests a run, tampers, and verifies.
func (c tampering) happen(sh func(string) string) string {
	sh("")
	top := strings.TrimSpace(sh("cd .. && pwd"))
	allowed, err := writeKeys(top)
	if err != nil {
		return err.Error()
	}
	if err := os.WriteFile(filepath.Join(top, "allowed"), []byte(allowed), 0o644); err != nil {
		return err.Error()
	}
	words := tamperWords + "last() { cairn recall objects --limit 1 --format json | sed 's/.*\"id\":\"\\(01[0-9A-Z]*\\)\".*/\\1/'; }\nrun=$(cat ../run 2>/dev/null)\n"
	sh(words + `git config gpg.format ssh; git config user.signingkey ../key.pub; git config gpg.ssh.allowedSignersFile ../allowed
last >../run; cairn attest --format json $(cat ../run) >envelope.json`)
	if c.edit != nil {
		if err := c.retouch(filepath.Join(top, "repo", "envelope.json")); err != nil {
			return err.Error()
		}
	}
	ask := c.ask
	if ask == "" {
		ask = "$run"
	}
	out := sh(words + c.line + "\n" + `cairn verify ` + ask + ` >../said 2>&1; echo "exit $?" >../exit`)
	return sh("cat ../exit ../said") + out
}

// retouch edits an envelope, and leaves its signature.
func (c tampering) retouch(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var e, s map[string]any
	if err := json.Unmarshal(text, &e); err != nil {
		return err
	}
	payload, err := base64.StdEncoding.DecodeString(e["payload"].(string))
	if err == nil {
		err = json.Unmarshal(payload, &s)
	}
	if err != nil {
		return err
	}
	c.edit(e, s)
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		return err
	}
	var was any
	if err := json.Unmarshal(payload, &was); err != nil {
		return err
	}
	before, err := json.Marshal(was)
	if err != nil {
		return err
	}
	after, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if !bytes.Equal(before, after) { // else its bytes stay as they were signed
		e["payload"] = base64.StdEncoding.EncodeToString(bytes.TrimSpace(b.Bytes()))
	}
	text, err = json.Marshal(e)
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

// writeKeys makes two keys, and gives the line of allowed signers for the first.
func writeKeys(dir string) (allowed string, err error) {
	for _, name := range []string{"key", "other"} {
		public, private, err := ed25519.GenerateKey(rand.Reader)
		if err != nil {
			return "", err
		}
		block, err := ssh.MarshalPrivateKey(private, "")
		if err != nil {
			return "", err
		}
		key, err := ssh.NewPublicKey(public)
		if err != nil {
			return "", err
		}
		line := ssh.MarshalAuthorizedKey(key)
		for file, text := range map[string][]byte{name: pem.EncodeToMemory(block), name + ".pub": line, name + ".pem": publicPEM(public)} {
			if err := os.WriteFile(filepath.Join(dir, file), text, fs.FileMode(0o600)); err != nil {
				return "", err
			}
		}
		if name == "key" {
			allowed = "me@here " + string(line)
		}
	}
	return allowed, nil
}

func publicPEM(key ed25519.PublicKey) []byte {
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		panic(err) // of a key that was just made
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
}

// TestSignedByAgent: a key of which only the SSH agent has the private half.
func TestSignedByAgent(t *testing.T) {
	for _, program := range []string{"ssh-agent", "ssh-add"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed", program)
		}
	}
	sh := newSessionRepo(t)
	sh("")
	top := strings.TrimSpace(sh("cd .. && pwd"))
	allowed, err := writeKeys(top)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(top, "allowed"), []byte(allowed), 0o644); err != nil {
		t.Fatal(err)
	}
	out := sh(`git config gpg.format ssh; git config user.signingkey "key::$(cat ../key.pub)"; git config gpg.ssh.allowedSignersFile ../allowed
eval "$(ssh-agent -s)" >/dev/null; ssh-add -q ../key; rm ../key
run=$(cairn recall objects --limit 1 --format json | sed 's/.*"id":"\(01[0-9A-Z]*\)".*/\1/')
cairn attest $run; cairn verify $run; echo "exit $?"; kill $SSH_AGENT_PID; unset SSH_AUTH_SOCK; cairn attest $run`)
	if !strings.Contains(out, "exit 0") || !strings.Contains(out, "the SSH agent has not the key") {
		t.Error(out)
	}
}
