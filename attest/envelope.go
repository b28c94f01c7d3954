package attest

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"cairn/result"
)

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
