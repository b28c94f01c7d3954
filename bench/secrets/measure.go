package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"

	"cairn/redact"
)

const (
	leastOfShapes = 97.0 // percent
	drawnOfShape  = 20   // examples
)

// tryShapes redacts examples of the shapes, either the held-out ones or the others, and returns those of which hide
// left a piece.
func tryShapes(out bool, hide func(string) string) (total int, missed []example) {
	for i, s := range shapes {
		if heldOut(i) != out {
			continue
		}
		for _, e := range s.drawn(i, drawnOfShape) {
			if total++; !isHidden(e, hide(e.Text)) {
				missed = append(missed, e)
			}
		}
	}
	return total, missed
}

// isHidden says whether a redacted text contains no piece of its secret.
func isHidden(e example, text string) bool {
	if e.folded {
		text = strings.ReplaceAll(text, "\n", "")
	}
	n := longest(e.Secret, text)
	return n < longPiece && 2*n <= len(e.Secret)
}

func percentOf(n, total int) float64 { return 100 * float64(n) / float64(max(total, 1)) }

// reportShapes prints how many shapes are caught by the redactor, and by gitleaks' own rules.
func reportShapes(out io.Writer, beside func([]string) ([]string, error), verbose bool) (ok bool, err error) {
	ok = true
	for _, held := range []bool{false, true} {
		name := "shapes caught"
		if held {
			name = "  held out"
		}
		total, missed := tryShapes(held, redact.Text)
		share := percentOf(total-len(missed), total)
		fmt.Fprintf(out, "%-17s %6d of %6d   %7.3f %%   (target: at least %g %%)\n", name, total-len(missed), total, share, leastOfShapes)
		ok = ok && share >= leastOfShapes
		for _, e := range missed {
			if verbose {
				fmt.Fprintf(out, "missed %s: %q in %q\n", e.Rule, e.Secret, e.Text)
			}
		}
		if beside == nil {
			continue
		}
		_, all := tryShapes(held, func(s string) string { return s })
		texts := make([]string, len(all))
		for i, e := range all {
			texts[i] = e.Text
		}
		left, err := beside(texts)
		if err != nil {
			return false, err
		}
		caught := 0
		for i, e := range all {
			if isHidden(e, left[i]) {
				caught++
			}
		}
		fmt.Fprintf(out, "  gitleaks' rules %6d of %6d   %7.3f %%\n", caught, len(all), percentOf(caught, len(all)))
	}
	return ok, nil
}

// besideGitleaks returns the texts without what gitleaks finds. Gitleaks is in a module of its own, so that cairn does
// not depend on it.
func besideGitleaks(texts []string) ([]string, error) {
	in, err := json.Marshal(texts)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("go", "run", "./beside")
	var out, problem bytes.Buffer
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = filepath.FromSlash(generator), bytes.NewReader(in), &out, &problem
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("running gitleaks' rules: %w\n%s", err, problem.Bytes())
	}
	var left []string
	if err := json.Unmarshal(out.Bytes(), &left); err != nil || len(left) != len(texts) {
		return nil, fmt.Errorf("gitleaks' rules answered %d of %d texts: %w", len(left), len(texts), err)
	}
	return left, nil
}

// madeForms are lines of ordinary output whose random parts are identities, digests and data, not secrets. A line of
// only 64 base64 digits is not among them: it looks like one of a private key, and is redacted on purpose.
var madeForms = [...]string{
	`      "integrity": "sha512-{b86}==",`,
	"golang.org/x/tools v0.1.2 h1:{b43}=",
	"golang.org/x/tools v0.1.2/go.mod h1:{b43}=",
	"commit {h40}",
	"index {h7}..{h7} 100644",
	"   {h7}..{h7}  main -> origin/main",
	"Digest: sha256:{h64}",
	"docker.io/library/alpine@sha256:{h64}",
	"{h12}: Pull complete",
	"request_id={uuid} status=200",
	`{"id":"{uuid}","trace_id":"{h32}","span_id":"{h16}"}`,
	"tests/test_x.py::test_hash[{h40}] PASSED",
	"tests/test_x.py::test_id[{uuid}-3] PASSED",
	"--- PASS: TestKey/{w12}#01 (0.00s)",
	`checksum = "{h64}"`,
	"    --hash=sha256:{h64} \\",
	"resolved https://registry.example.org/x/-/x-1.2.3.tgz#{h40}",
	"dist/assets/index-{w8}.js   143.20 kB │ gzip: 46.11 kB",
	"e.exports=function({a2}){return {a2}.map((function({a1}){return {a1}.{a4}({d3})}))};var {a2}={l6};",
	"//# sourceMappingURL=data:application/json;base64,{b60}",
	"background:url(data:image/png;base64,{b80}==)",
	"md5 {h32}  dist.tar.gz",
	"0x{h12} in main () at x.c:{d3}",
	"object {h40} is a blob of {d5} bytes",
	"<testcase classname=\"pkg.{a8}\" name=\"test_{a9}_{d3}\" time=\"0.{d3}\"/>",
	"ETag: \"{h32}\"",
	"cache key: linux-go-{h64}",
	"Cache restored from key: node-{h40}",
	"{uuid} | running | 10.0.{d2}.{d2}",
	"-----BEGIN CERTIFICATE-----",
	"got {h64}, want {h64}",
	"expected token: {a6}, got {a5}",
	"--fingerprint {h12} first seen in {h7}",
	"  checksum: 10c0/{h128}", `    {file = "x-1.0-py3-none-any.whl", hash = "sha256:{h64}"},`, "  rack (3.1.7) sha256={h64}", `  "narHash": "sha256-{b43}=",`,
	`    "react": ["react@18.3.1", "", {}, "sha512-{b86}=="],`, "    resolution: {integrity: sha512-{b86}==}", `"reference": "{h40}",`, `"content-hash": "{h32}",`,
	`"shasum": "{h40}",`, "integrity sha512-{b86}==", "Change-Id: I{h40}", "gpg: Good signature, key {H16}", "SHA256:{b43} user@host (ED25519)", "256 SHA256:{b43} bob@host (ED25519)",
	"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{b43} bob@host", "github.com ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAB{b350}", "v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCB{b180}IDAQAB",
	`{"keys":[{"kty":"RSA","kid":"{s43}","use":"sig","alg":"RS256","n":"{s342}","e":"AQAB"}]}`, `{"kty":"EC","crv":"P-256","x":"{s43}","y":"{s43}"}`,
	"pod/api-6d4cf56db6-{l5} created", "deployment.apps/web-{l10}-{l5} scaled", "sh.helm.release.v1.app.v3", "configmap/app-config-{l10} unchanged", "  uid: {uuid}", "  resourceVersion: \"{d9}\"",
	"arn:aws:iam::{d12}:role/ci-{w12}", "i-0{h16} running", "x-amz-request-id: {u16}", "x-amz-id-2: {b76}", "X-Amz-Cf-Id: {s54}==", "cf-ray: {h16}-FRA", "traceparent: 00-{h32}-{h16}-01",
	"etag: W/\"{h8}-{b27}\"", "Content-Security-Policy: script-src 'nonce-{b22}==' 'sha256-{b43}='", "Sec-WebSocket-Accept: {b27}=", "x-ms-request-id: {uuid}", "X-Fastly-Request-ID: {h40}",
	"/var/lib/docker/overlay2/{h64}/merged", "/nix/store/{l32}-glibc-2.39/lib", "bazel-out/k8-fastbuild/bin/x/{h64}.o", "target/debug/deps/libserde-{h16}.rlib", "_ZN4core3ptr45drop_in_place$LT$alloc..string..String$GT$17h{h16}E",
	"_ZNSt6vectorIiSaIiEE17_M_realloc_insertIJRKiEEEvN9__gnu_cxx17__normal_iteratorIPiS1_EEDpOT_", "$s10Foundation4DataV15_RepresentationO22withUnsafeMutableBytesyxxSwKXEKlF + 420", "com.example.App$$Lambda$14/0x{h16}@{h8}",
	"01{A24} started", "event 2{w26} stored", "session started cus_{w14}", "pi_3{w23} succeeded", "evt_1{w23} delivered", "req_{w14} 200", `"id": "msg_01{w22}",`, `"tool_use_id": "toolu_01{w22}"`, `"request_id": "req_011C{w20}"`,
	`"id":"chatcmpl-{w29}","object":"chat.completion"`, `"tool_call_id": "call_{w24}"`, `"id": "resp_{h48}"`, `"id":"file-{w22}","object":"file"`, `"system_fingerprint":"fp_{h10}"`, "thread_{w24} run_{w24} completed",
	`"node_id":"PR_kwDO{w12}"`, "MDExOlB1bGxSZXF1ZXN0{d9}", "https://youtu.be/{s11}", "https://docs.google.com/spreadsheets/d/{s44}/edit#gid=0", "userPoolId eu-west-1_{w9}", "x-amz-version-id: {s32}",
	"added Qm{w44} file.txt", "bafybei{l52} pinned", "0x{h40} balance 0", "tx 0x{h64} mined", "bc1q{l38}", "node_modules/.vite/deps/chunk-{u8}.js?v={h8}", "dist/main-{u8}.js", "/_next/static/{s21}/_buildManifest.js",
	".Button_root__{w5}:hover{color:red}", "@reproduce_failure('6.112.1', b'AXicY2Bg{b24}==')", "testdata/fuzz/FuzzParse/{h16}", "cc {h64} # shrinks to x = 3", "    --seed {d10}", "cluster id {s22}", "green open logs {s22} 1 1",
	`  + source_code_hash = "{b43}="`, "  ~ etag = \"{h32}\" -> \"{h32}\"", "kms_key_id = \"arn:aws:kms:eu-west-1:{d12}:key/{uuid}\"", "key_name = deploy-key-2024", "token_type=Bearer expires_in=3600 scope=read", "Set-Cookie: theme=dark; Path=/",
	"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA{b120}=", "H4sIAAAAAAAA{b80}=", "JVBERi0xLjcK{b60}", "AGFzbQEAAAAB{b60}", "\"mappings\":\"AAAA,SAASA,{a4}CAAC,IAAIC,{u4}EAAE,CAAC\"", "!function(e,t){var n={w6};return n({w4},{d3})}();",
	"sentry event {h32} captured", "Container {h64} Started", "#12 sha256:{h64} 3.4MB / 28.2MB", "Removing intermediate container {h12}", "cache-hit: linux-pnpm-{h64}", "::set-output name=hash::{h40}", "Restored cache v1-deps-{h64}",
	"app-{uuid}.log", "PKCE code_challenge_method=S256", "kid=\"{s27}\"", "Subject Public Key Info: pin-sha256=\"{b43}=\"", "X509v3 Subject Key Identifier: {H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}", "    Modulus: 00:{h2}:{h2}:{h2}:{h2}:{h2}:{h2}:{h2}",
	"primary key (id), foreign key (user_id) references users", "Build-Id: {h40}", "[BuildID[sha1]={h40}, stripped", "Layer already exists {h12}", "tests/test_blob.py::test_round[{b40}] PASSED", "--- PASS: TestEncode/{s32} (0.00s)",
	"snapshot `{h64}` written", "webpack://app/./src/x.ts?{h4}", "  uv-{w22} running", "job-{h8}-{l4}-{d6} done in 3 s", "spark-application-{d13}", "projects/p/locations/l/operations/operation-{d13}-{h13}-{h8}-{h8}", "corr={uuid};span={h16}",
}

// changedOfMade returns the generated lines that the redactor changes.
func changedOfMade() (changed []string) {
	for _, line := range madeLines() {
		if got := redact.Text(line); got != line {
			changed = append(changed, fmt.Sprintf("made: %q", got))
		}
	}
	return changed
}

// madeLines returns lines generated from madeForms, the same each time.
func madeLines() []string {
	var lines []string
	r := rand.New(rand.NewPCG(20, 26))
	for range 200 {
		for _, form := range madeForms {
			lines = append(lines, fill(r, form))
		}
	}
	return lines
}
