package remote

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"filippo.io/age"
	"github.com/klauspost/compress/zstd"
)

// draft is a body to be sent. It is a file, since its length is known only once it is complete, and it may have to be
// sent again.
type draft struct {
	*os.File
	size int64
}

// newDraft makes a body of the zstd stream that write writes, encrypted if there are recipients.
func newDraft(dir string, to []age.Recipient, write func(io.Writer) error) (d *draft, err error) {
	f, err := os.CreateTemp(dir, "push-*")
	if err != nil {
		return nil, err
	}
	d = &draft{File: f}
	defer func() {
		if err != nil {
			d.discard()
		}
	}()
	buffered := bufio.NewWriterSize(f, 256<<10)
	if err := sealInto(buffered, to, write); err != nil {
		return nil, err
	}
	if err := buffered.Flush(); err != nil {
		return nil, err
	}
	if d.size, err = f.Seek(0, io.SeekCurrent); err != nil {
		return nil, err
	}
	_, err = f.Seek(0, io.SeekStart)
	return d, err
}

func sealInto(w io.Writer, to []age.Recipient, write func(io.Writer) error) error {
	var sealed io.WriteCloser
	if len(to) > 0 {
		var err error
		if sealed, err = age.Encrypt(w, to...); err != nil {
			return err
		}
		w = sealed
	}
	if err := write(w); err != nil || sealed == nil {
		return err
	}
	return sealed.Close()
}

// compressed writes the output of write as a zstd stream.
func compressed(w io.Writer, write func(io.Writer) error) error {
	z, err := zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20))
	if err != nil {
		return err
	}
	return errors.Join(write(z), z.Close())
}

// end returns the ending of a body's key.
func end(to []age.Recipient) string {
	if len(to) > 0 {
		return sealedEnd
	}
	return plainEnd
}

func (d *draft) discard() {
	d.Close()
	os.Remove(d.Name())
}

// unseal returns the zstd stream of a body, decrypted if sealed is set.
func unseal(r io.Reader, sealed bool, identities func() ([]age.Identity, error)) (io.Reader, error) {
	if !sealed {
		return r, nil
	}
	keys, err := identities()
	if err != nil {
		return nil, err
	}
	if r, err = age.Decrypt(r, keys...); err != nil {
		return nil, fmt.Errorf("decrypting it: %w; the remote's recipients are those of the clone that pushed: ask its owner to add your public key (a line of .cairn/recipients) and to run cairn objects push --again", err)
	}
	return r, nil
}

// maxWindow bounds the memory that decompressing a pack may need, in bytes.
const maxWindow = 8 << 20

// uncompressed decompresses a zstd stream.
func uncompressed(r io.Reader) (io.ReadCloser, error) {
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, err
	}
	return z.IOReadCloser(), nil
}
