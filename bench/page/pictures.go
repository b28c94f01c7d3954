package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// widths are the widths of a desktop's and a phone's screen, in pixels.
var widths = []int{1280, 400}

const height = 800

// pictures takes a picture of each view, showing the newest failed run and a test that failed in it.
func pictures(ctx context.Context, dir, to, prefix string, page []byte) error {
	file := filepath.Join(dir, "shown.html")
	if err := errors.Join(os.MkdirAll(to, 0o755), os.WriteFile(file, page, 0o644)); err != nil {
		return err
	}
	run, good, test, err := failing(page)
	if err != nil {
		return err
	}
	for _, view := range []string{"now", "run/" + run, "tests", fmt.Sprintf("test/%d", test), "flaky", "trends", "compare/" + good + "/" + run} {
		for _, width := range widths {
			picture := filepath.Join(to, prefix+strings.Split(view, "/")[0]+suffix(width)+".png")
			cmd := browse(ctx, dir, fmt.Sprintf("--window-size=%d,%d", width, height), "--hide-scrollbars", "--screenshot="+picture, "file://"+file+"#"+view)
			if out, err := cmd.CombinedOutput(); err != nil {
				return fmt.Errorf("taking %s: %w\n%s", picture, err, out)
			}
			if err := compress(picture); err != nil {
				return err
			}
		}
	}
	return nil
}

// suffix ends the names of narrow pictures.
func suffix(width int) string {
	if width == widths[0] {
		return ""
	}
	return fmt.Sprintf("-%d", width)
}

// compress rewrites a picture with fewer colours, at the smallest size.
func compress(file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	full, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&out, inPalette(full)); err != nil {
		return err
	}
	return os.WriteFile(file, out.Bytes(), 0o644)
}

// inPalette reduces a picture to its 256 most frequent colours; each other colour becomes the nearest of these.
func inPalette(full image.Image) image.Image {
	bounds, times := full.Bounds(), map[color.Color]int{}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			times[full.At(x, y)]++
		}
	}
	most := slices.SortedFunc(maps.Keys(times), func(a, b color.Color) int { return times[b] - times[a] })
	few := image.NewPaletted(bounds, most[:min(len(most), 256)])
	draw.Draw(few, bounds, full, bounds.Min, draw.Src)
	return few
}

// failing returns the newest run with findings, the run before it that passed, and the first test that it found.
func failing(page []byte) (run, good string, test int, err error) {
	var data struct {
		Runs []struct {
			ID     string
			Status string `json:"s"`
			Found  []int  `json:"f"`
		}
		Findings []struct {
			Test int `json:"t"`
		}
	}
	_, text, _ := bytes.Cut(page, []byte(`<script type="application/json"`))
	_, text, _ = bytes.Cut(text, []byte(">"))
	text, _, _ = bytes.Cut(text, []byte("</script>"))
	if err := json.Unmarshal(text, &data); err != nil {
		return "", "", 0, fmt.Errorf("reading the data of the page: %w", err)
	}
	for _, r := range data.Runs {
		switch {
		case run == "" && len(r.Found) > 0:
			run, test = r.ID, data.Findings[r.Found[0]].Test
		case run != "" && r.Status == "passed":
			return run, r.ID, test, nil
		}
	}
	return cmp.Or(run, data.Runs[0].ID), data.Runs[0].ID, test, nil
}
