package redact

import (
	b64 "encoding/base64"
	"slices"
	"strings"
)

const encodedToken = "encoded-token"

// codedPrefixes begin texts that are secrets even when they are encoded in base64 as a whole: tokens with a prefix of
// their own, and URLs with passwords.
var codedPrefixes = [...]string{"ghp_", "gho_", "ghs_", "ghu_", "ghr_", "github_pat_", "glpat-", "gldt-", "glrt-", "npm_", "pypi-", "AKIA", "ASIA", "AIza", "ya29.", "GOCSPX-",
	"sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_", "xoxb-", "xoxp-", "xoxa-", "xoxe.", "xapp-", "SG.", "hf_", "sk-proj-", "sk-ant-", "sk-or-", "sk-svcacct-",
	"gsk_", "dop_v1_", "dckr_pat_", "shpat_", "shpss_", "dapi", "hvs.", "glsa_", "glc_", "lin_api_", "figd_", "ntn_", "rubygems_", "tskey-", "PMAK-", "NRAK-", "pul-",
	"postgres://", "postgresql://", "mysql://", "mongodb", "redis://", "rediss://", "amqp://", "amqps://"}

// codedAnchors are the beginnings of codedPrefixes in base64, in lower case, as far as the prefix alone determines
// them. They are written out so that nothing is computed at start-up.
var codedAnchors = [...]string{
	"z2hwx", "z2hvx", "z2hzx", "z2h1x", "z2hyx", "z2l0ahvi", "z2xwyxqt", "z2xkdc", "z2xydc", "bnbtx",
	"chlwas", "qutjq", "qvnjq", "qul6y", "eweyos", "r09du1by", "c2tfbgl2", "c2tfdgvz", "cmtfbgl2", "cmtfdgvz",
	"d2hzzwnf", "eg94yi", "eg94cc", "eg94ys", "eg94zs", "egfwcc", "u0cu", "agzf", "c2stchjv", "c2styw50",
	"c2stb3it", "c2stc3zj", "z3nrx", "zg9wx3yx", "zgnrcl9w", "c2hwyxrf", "c2hwc3nf", "zgfwa", "ahzzl", "z2xzyv",
	"z2xjx", "bglux2fw", "zmlnzf", "bnrux", "cnviewdl", "dhnrzxkt", "ue1bsy", "tljbsy", "chvsl", "cg9zdgdy",
	"cg9zdgdy", "bxlzcww6", "bw9uz29k", "cmvkaxm6", "cmvkaxnz", "yw1xcdov", "yw1xchm6",
}

// maxCodedAnchor is how many bytes of a beginning are searched, maxCoded the longest base64 that is decoded.
const (
	maxCodedAnchor = 8
	maxCoded       = 4 << 10
)

// detectCoded decodes the base64 at s[at], and redacts it if the result begins with a secret or a URL with one.
func detectCoded(sc *scan, at, _ int) {
	if at < sc.coded {
		return
	}
	stop := at
	for stop < len(sc.s) && stop-at < maxCoded && (isBase64Digit(sc.s[stop]) || sc.s[stop] == '-' || sc.s[stop] == '_') {
		stop++
	}
	if stop-at > maxQuoted/4 {
		sc.coded = stop // a text beyond maxCoded is decoded only once
	}
	v := strings.NewReplacer("-", "+", "_", "/").Replace(sc.s[at : at+(stop-at)/4*4])
	plain, err := b64.StdEncoding.DecodeString(v)
	if rest := sc.s[at+len(v) : stop]; err == nil && len(rest) > 1 {
		tail, _ := b64.RawStdEncoding.DecodeString(rest)
		plain = append(plain, tail...)
	}
	text := string(plain)
	if err != nil || len(text) < minSecret || !isCodedPrefix(text) || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && !isSpace(byte(r)) || r > '~' }) {
		return
	}
	sc.coded = stop
	finds, _ := sc.engine.scan(text, nil)
	if slices.ContainsFunc(finds, func(f span) bool { return f.rank >= named }) {
		for stop < len(sc.s) && sc.s[stop] == '=' {
			stop++
		}
		sc.add(encodedToken, specific, at, stop)
	}
}

func isCodedPrefix(text string) bool {
	if strings.HasPrefix(text, `{"`) {
		return true
	}
	for _, p := range codedPrefixes {
		if strings.HasPrefix(text, p) {
			return true
		}
	}
	return false
}
