package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// blockSize is how many bytes of the log are generated before it repeats: twice the window of the fastest zstd (4 MiB),
// so that the repetition does not help compression, and small enough that this command is not the largest process
// measured.
const blockSize = 8 << 20

// stampWidth is the number of hex digits in every line that count the blocks, so that no line repeats.
const stampWidth = 6

// generate prints a log of this size: bytes, or K, M or G of 1024 each. The same size gives the same bytes.
func generate(w io.Writer, size string) error {
	n, err := parseSize(size)
	if err != nil {
		return err
	}
	block, stamps := logBlock(min(n, blockSize))
	for count := 0; n > 0; count++ {
		stamp := fmt.Sprintf("%0*x", stampWidth, count)
		for _, at := range stamps {
			copy(block[at:], stamp)
		}
		part := block[:min(n, int64(len(block)))]
		if _, err := w.Write(part); err != nil {
			return fmt.Errorf("printing a log of %s: %w", size, err)
		}
		n -= int64(len(part))
	}
	return nil
}

// logBlock makes at least n bytes in whole lines, and returns where the stamp goes in each line.
func logBlock(n int64) (block []byte, stamps []int) {
	source := rand.New(rand.NewPCG(1, 2))
	at := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	block = make([]byte, 0, n+256)
	for int64(len(block)) < n {
		at = at.Add(time.Duration(source.IntN(40)) * time.Millisecond)
		block = at.AppendFormat(block, "2006-01-02T15:04:05.000Z ")
		stamps = append(stamps, len(block)+len("["))
		block = fmt.Appendf(block, "[%s-%08x] ", strings.Repeat("0", stampWidth), source.Uint32())
		block = appendMessage(block, source)
		block = append(block, '\n')
	}
	return block, stamps
}

// appendMessage writes a typical log message of a service or build tool: fixed words, and numbers that vary.
func appendMessage(b []byte, r *rand.Rand) []byte {
	switch r.IntN(6) {
	case 0:
		return fmt.Appendf(b, "INFO  http.server GET /api/v1/orders/%d?page=%d 200 %d bytes in %d ms", r.IntN(1e6), r.IntN(50), r.IntN(9e4), r.IntN(900))
	case 1:
		return fmt.Appendf(b, "DEBUG cache.lookup key=user:%d:profile hit=%t shard=%d", r.IntN(1e6), r.IntN(3) > 0, r.IntN(16))
	case 2:
		return fmt.Appendf(b, "INFO  build.compile [%d/2048] CC src/module_%d/unit_%d.c -> obj/unit_%d.o", r.IntN(2048), r.IntN(40), r.IntN(500), r.IntN(500))
	case 3:
		return fmt.Appendf(b, "INFO  db.pool acquired connection %d after %d us (active=%d idle=%d)", r.IntN(64), r.IntN(5000), r.IntN(64), r.IntN(64))
	case 4:
		return fmt.Appendf(b, "DEBUG scheduler tick=%d ready=%d blocked=%d load=0.%02d", r.IntN(1e7), r.IntN(200), r.IntN(20), r.IntN(100))
	}
	return fmt.Appendf(b, "INFO  worker-%d processed batch %08x of %d items, %d retries left", r.IntN(32), r.Uint32(), r.IntN(1000), r.IntN(5))
}

func parseSize(s string) (int64, error) {
	digits := strings.TrimRight(s, "KMG")
	n, err := strconv.ParseInt(digits, 10, 64)
	shift, ok := map[string]int{"": 0, "K": 10, "M": 20, "G": 30}[s[len(digits):]]
	if err != nil || !ok || n < 0 || n > 1<<32 {
		return 0, fmt.Errorf("%q is not a size: give bytes, or a number and K, M or G", s)
	}
	return n << shift, nil
}

// logFile makes a log file of this size once. Another process writes it, so that this one stays small: see rss.Max.
func (b *bench) logFile(ctx context.Context, size string) (string, error) {
	path := b.path("log-" + size)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, b.self, "gen", size)
	cmd.Env, cmd.Stdout, cmd.Stderr = b.env, f, os.Stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("making a log of %s: %w", size, err)
	}
	return path, f.Close()
}
