package main

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// alphabets are the classes of random bytes, by their letter in a shape.
var alphabets = map[byte]string{
	'w': lowers + uppers + digits,
	'l': lowers + digits,
	'u': uppers + digits,
	'a': lowers,
	'd': digits,
	'h': digits + "abcdef",
	'H': digits + "ABCDEF",
	'A': uppers + "234567",
	'B': "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", // bech32, as age writes it
	'b': lowers + uppers + digits + "+/",
	's': lowers + uppers + digits + "-_",
	'p': lowers + uppers + digits + "!#*+-.?@^_~",
}

const (
	lowers = "abcdefghijklmnopqrstuvwxyz"
	uppers = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits = "0123456789"
	hexes  = "0123456789abcdef"
)

// drawn makes n examples of one shape, the same each time.
func (s shape) drawn(index, n int) []example {
	var list []example
	for i := range n {
		r := rand.New(rand.NewPCG(uint64(index), uint64(i)))
		list = append(list, s.example(r))
	}
	return list
}

// example fills a shape with random bytes. This repository contains no text that looks like a live secret: examples are
// only made here.
func (s shape) example(r *rand.Rand) example {
	text, fold := strings.CutPrefix(s.text, "{fold}")
	before, rest, _ := strings.Cut(text, "«")
	secret, after, _ := strings.Cut(rest, "»")
	before, after = fill(r, before), fill(r, after)
	coding, plain, coded := strings.Cut(secret, ":")
	if code := codings[coding]; coded && code != nil {
		secret = code(fill(r, plain))
	} else {
		secret = fill(r, secret)
	}
	if fold {
		text = folded(before + secret + after)
		return example{Rule: s.provider + " " + s.where, Text: text, Secret: secret, folded: true}
	}
	return example{Rule: s.provider + " " + s.where, Text: before + secret + after, Secret: secret}
}

// codings are the ways in which a whole secret can be encoded.
var codings = map[string]func(string) string{
	"base64":   func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
	"percent":  func(s string) string { return percent(s, "%") },
	"percent2": func(s string) string { return percent(s, "%25") },
}

func percent(s, mark string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if strings.IndexByte(alphabets['w'], c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%s%02X", mark, c)
		}
	}
	return b.String()
}

// width is the width at which output is folded, in columns.
const width = 80

// folded breaks a text into lines of width columns, as fold(1) does.
func folded(s string) string {
	var b strings.Builder
	for len(s) > width {
		b.WriteString(s[:width] + "\n")
		s = s[width:]
	}
	return b.String() + s
}

// fill replaces {w36} by 36 random bytes of class w, {uuid} by a UUID and {jwt} by a JSON Web Token. Random text of at
// least six bytes has a letter and a digit if its class has both, as nearly all random text has.
func fill(r *rand.Rand, text string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "{")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		class, after, closed := strings.Cut(rest, "}")
		value := ""
		if closed {
			value = stretch(r, class)
		}
		if value == "" { // the brace is part of the text
			b.WriteByte('{')
			text = rest
			continue
		}
		b.WriteString(value)
		text = after
	}
}

func stretch(r *rand.Rand, class string) string {
	switch class {
	case "uuid":
		return strings.Join([]string{stretch(r, "h8"), stretch(r, "h4"), "4" + stretch(r, "h3"), "a" + stretch(r, "h3"), stretch(r, "h12")}, "-")
	case "jwt":
		head := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`))
		body := base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"` + stretch(r, "d10") + `","name":"A B","iat":1516239022}`))
		return head + "." + body + "." + stretch(r, "s43")
	}
	if class == "" || alphabets[class[0]] == "" {
		return ""
	}
	n, err := strconv.Atoi(class[1:])
	if err != nil {
		return ""
	}
	alphabet := alphabets[class[0]]
	out := make([]byte, n)
	for i := range out {
		out[i] = alphabet[r.IntN(len(alphabet))]
	}
	if letters := strings.Trim(alphabet, digits+"!#*+-./?@^_~"); n >= 6 && letters != "" && strings.ContainsAny(alphabet, digits) {
		out[n/2], out[n/3] = '7', letters[r.IntN(len(letters))]
	}
	return string(out)
}
