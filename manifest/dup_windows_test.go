package manifest

import (
	"errors"
	"os"
)

// dup: no file is handed over here.
func dup(*os.File) (*os.File, error) { return nil, errors.New("files are not handed over on Windows") }
