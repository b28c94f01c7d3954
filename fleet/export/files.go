package export

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"cairn/fleet"
	"cairn/internal/build"
	"cairn/internal/durable"
	"cairn/manifest"
)

// writeTable writes the rows of one table in a format. Without rows it writes no file.
func writeTable[R any](path, form string, rows []R) error {
	if len(rows) == 0 {
		return nil
	}
	return writeFile(path, func(w io.Writer) error {
		switch form {
		case "parquet":
			return writeParquet(w, rows)
		case "csv":
			return writeCSV(w, rows)
		}
		return writeJSONL(w, rows)
	})
}

// writeFile writes a file to stable storage and renames it into place when complete.
func writeFile(path string, write func(io.Writer) error) error {
	dir := filepath.Dir(path)
	if err := durable.MkdirAll(dir); err != nil {
		return err
	}
	err := durable.Replace(path, "_*.tmp", 0o644, func(f *os.File) error {
		if err := write(f); err != nil {
			return err
		}
		return f.Sync()
	})
	if err != nil {
		return err
	}
	return durable.SyncDir(dir)
}

func writeParquet[R any](to io.Writer, rows []R) error {
	buffered := bufio.NewWriter(to)
	w := parquet.NewGenericWriter[R](buffered, parquet.Compression(&zstd.Codec{}), parquet.CreatedBy("cairn", build.Version(), ""))
	if _, err := w.Write(rows); err != nil {
		return err
	}
	return errors.Join(w.Close(), buffered.Flush())
}

func writeCSV[R any](to io.Writer, rows []R) error {
	w := csv.NewWriter(to)
	fields := names[R]()
	if err := w.Write(fields); err != nil {
		return err
	}
	values := make([]any, len(fields))
	for k := range rows {
		for i, v := range fleet.Values(&rows[k], values) {
			fields[i] = field(v)
		}
		if err := w.Write(fields); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

func names[R any]() []string {
	var all []string
	for _, c := range fleet.ColumnsOf[R]() {
		all = append(all, c.Name)
	}
	return all
}

func field(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case time.Time:
		return v.Format(manifest.TimeLayout)
	case bool:
		return strconv.FormatBool(v)
	}
	return fmt.Sprint(v)
}

func writeJSONL[R any](to io.Writer, rows []R) error {
	w := bufio.NewWriter(to)
	columns := names[R]()
	values := make([]any, len(columns))
	for k := range rows {
		for i, v := range fleet.Values(&rows[k], values) {
			if t, is := v.(time.Time); is {
				v = t.Format(manifest.TimeLayout)
			}
			text, err := json.Marshal(v)
			if err != nil {
				return err
			}
			before := byte(',')
			if i == 0 {
				before = '{'
			}
			fmt.Fprintf(w, "%c%q:%s", before, columns[i], text)
		}
		w.WriteString("}\n")
	}
	return w.Flush()
}
