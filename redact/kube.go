package redact

import "strings"

const kubeSecret = "kubernetes-secret"

// maxManifest bounds the search for the data around `kind: Secret`, in bytes.
const maxManifest = 16 << 10

// detectKube finds the values of a Kubernetes secret in YAML or JSON: those below `data:` and `stringData:` in the
// document with `kind: Secret`.
func detectKube(sc *scan, at, end int) {
	s := sc.s
	i := skipAround(s, end, maxBefore, "'\"\\")
	if i >= len(s) || s[i] != ':' {
		return
	}
	i = skipAround(s, i+1, maxAfter, " \t'\"\\")
	if !hasPrefixFold(s[i:], "secret") || i+len("secret") < len(s) && isAlnum(s[i+len("secret")]) {
		return
	}
	if at < sc.manifest {
		return // the data around it has been searched for another secret
	}
	from, to := max(0, at-maxManifest), min(len(s), i+maxManifest)
	if n := strings.LastIndex(s[from:at], "\n---"); n >= 0 {
		from += n
	}
	if n := strings.Index(s[i:to], "\n---"); n >= 0 {
		to = i + n
	}
	sc.manifest = to
	for _, key := range [...]string{"data", "stringData"} {
		for j := from; ; {
			n := strings.Index(s[j:to], key)
			if n < 0 {
				break
			}
			start := j + n
			j = start + len(key)
			if start > 0 && isAlnum(s[start-1]) {
				continue
			}
			k := skipAround(s, j, maxBefore, "'\"\\")
			if k >= to || s[k] != ':' {
				continue
			}
			k = skipAround(s, k+1, maxAfter, " \t")
			if k < to && s[k] == '{' {
				sc.kubeObject(k+1, to)
			} else if k < to && (s[k] == '\n' || s[k] == '\r') {
				sc.kubeLines(k, to, indentation(s, start))
			}
		}
	}
}

// kubeObject reports the texts among the values of a JSON object that continues at s[i].
func (sc *scan) kubeObject(i, to int) {
	s := sc.s
	for i < to && s[i] != '}' {
		if !isQuote(s[i]) {
			i++
			continue
		}
		_, stop, _ := valueAt(s, i) // the key
		colon := skipAround(s, stop, maxBefore, "'\"\\ ")
		if colon >= to || s[colon] != ':' {
			return
		}
		value := skipAround(s, colon+1, maxAfter, " \t\r\n")
		start, end, quoted := valueAt(s, value)
		if !quoted {
			return
		}
		sc.kubeValue(start, end)
		i = skipAround(s, end, maxBefore, "'\"\\")
	}
}

// kubeLines reports the values on lines that are indented deeper than the key above them.
func (sc *scan) kubeLines(i, to, depth int) {
	s := sc.s
	for i < to {
		i++ // the line break
		stop := to
		if n := strings.IndexByte(s[i:to], '\n'); n >= 0 {
			stop = i + n
		}
		text := strings.TrimSpace(s[i:stop])
		start := i + strings.Index(s[i:stop], text)
		if text != "" {
			if start-i <= depth {
				return
			}
			if key, value, ok := strings.Cut(text, ": "); ok && !strings.ContainsAny(key, " \t") {
				value = strings.Trim(strings.TrimSpace(value), `'"`)
				at := start + len(key) + 2
				at += strings.Index(s[at:stop], value)
				sc.kubeValue(at, at+len(value))
			} else if !strings.HasSuffix(text, ":") && !strings.ContainsAny(text, " \t") {
				sc.kubeValue(start, start+len(text))
			}
		}
		i = stop
	}
}

func (sc *scan) kubeValue(start, end int) {
	if v := sc.s[start:end]; len(v) >= minPassword && !isFiller(v) && !strings.HasPrefix(v, "|") && !strings.HasPrefix(v, ">") && !strings.HasPrefix(v, "LS0tLS1CRUdJTiBDRVJU") {
		sc.add(kubeSecret, named, start, end)
	}
}

// indentation is how many bytes precede s[i] on its line.
func indentation(s string, i int) int { return i - (strings.LastIndexByte(s[:i], '\n') + 1) }
