package packages

import (
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Fetch fetches the sources of a package into dir, and the tools that check it. An empty digest is not checked.
type Fetch func(c Cache, dir string) error

// Venv creates the virtual environment with c.Python.
func (c Cache) Venv() error {
	venv := filepath.Join(c.Dir, "python")
	return c.Once(venv, func() error {
		if _, err := Must("", nil, "python3", "-m", "venv", venv); err != nil {
			return err
		}
		return c.pip(append([]string{"install"}, c.Python...)...)
	})
}

func (c Cache) pip(args ...string) error {
	_, err := Must("", nil, append([]string{filepath.Join(c.Dir, "python", "bin", "pip"), "-q"}, args...)...)
	return err
}

// Sdist fetches a source archive of a Python package, and further packages that its tests import.
func Sdist(name, version, sha string, needs ...string) Fetch {
	return func(c Cache, dir string) error {
		if err := c.Venv(); err != nil {
			return err
		}
		down := filepath.Join(c.Dir, "sdist", name+"-"+version)
		err := c.Once(down, func() error {
			return c.pip("download", "--no-deps", "--no-binary", ":all:", "-d", down, name+"=="+version)
		})
		if err != nil {
			return err
		}
		archives, err := filepath.Glob(filepath.Join(down, "*.tar.gz"))
		if err != nil || len(archives) != 1 {
			return fmt.Errorf("%s has no source archive: %v", name, err)
		}
		data, err := os.ReadFile(archives[0])
		if err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		if err := unpack(archives[0], dir, hex.EncodeToString(sum[:]), sha); err != nil || len(needs) == 0 {
			return err
		}
		return c.pip(append([]string{"install"}, needs...)...)
	}
}

// GoModule copies a module from the go command's cache, and fetches what its tests import.
func GoModule(module, version, sum string) Fetch {
	return func(c Cache, dir string) error {
		probe := filepath.Join(c.Dir, "probe")
		if err := Keep(probe, map[string][]byte{"go.mod": []byte("module probe\n")}); err != nil {
			return err
		}
		out, err := Must(probe, nil, "go", "mod", "download", "-json", module+"@"+version)
		if err != nil {
			return err
		}
		var m struct{ Dir, Sum, Error string }
		if err := json.Unmarshal(out, &m); err != nil || m.Error != "" {
			return fmt.Errorf("downloading %s: %v %s", module, err, m.Error)
		}
		if err := sameDigest(module, m.Sum, sum); err != nil {
			return err
		}
		if err := os.CopyFS(dir, os.DirFS(m.Dir)); err != nil {
			return err
		}
		_, err = Must(dir, nil, "go", "mod", "download")
		return err
	}
}

// Crate copies a crate vendored by cargo.
func Crate(name, version, sha string) Fetch {
	return func(c Cache, dir string) error {
		probe := filepath.Join(c.Dir, "crates", name+"-"+version)
		manifest := "[package]\nname = \"probe\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\n" + name + " = \"=" + version + "\"\n"
		err := c.Once(probe, func() error {
			err := errors.Join(Keep(probe, map[string][]byte{"Cargo.toml": []byte(manifest)}), Keep(filepath.Join(probe, "src"), map[string][]byte{"lib.rs": nil}))
			if err == nil {
				_, err = Must(probe, nil, "cargo", "-q", "vendor", "vendor")
			}
			return err
		})
		if err != nil {
			return err
		}
		vendored := filepath.Join(probe, "vendor", name)
		text, err := os.ReadFile(filepath.Join(vendored, ".cargo-checksum.json"))
		if err != nil {
			return err
		}
		var m struct{ Package string }
		if err := json.Unmarshal(text, &m); err != nil {
			return err
		}
		if err := sameDigest(name, m.Package, sha); err != nil {
			return err
		}
		return os.CopyFS(dir, os.DirFS(vendored))
	}
}

// NPM fetches an archive from npm, and the tools.
func NPM(name, version, integrity string) Fetch {
	return func(c Cache, dir string) error {
		prefix := filepath.Join(c.Dir, "node")
		err := c.Once(prefix, func() error {
			if err := Keep(prefix, map[string][]byte{"package.json": []byte("{\"private\": true}\n")}); err != nil {
				return err
			}
			if _, err := Must(prefix, nil, append([]string{"npm", "install", "-s", "--no-audit", "--no-fund"}, c.Node...)...); err != nil {
				return err
			}
			_, err := Must(prefix, nil, "npm", "pack", "-s", name+"@"+version)
			return err
		})
		if err != nil {
			return err
		}
		archive := filepath.Join(prefix, name+"-"+version+".tgz")
		data, err := os.ReadFile(archive)
		if err != nil {
			return err
		}
		sum := sha512.Sum512(data)
		if err := unpack(archive, dir, "sha512-"+base64.StdEncoding.EncodeToString(sum[:]), integrity); err != nil {
			return err
		}
		return os.Symlink(filepath.Join(prefix, "node_modules"), filepath.Join(dir, "node_modules"))
	}
}

func sameDigest(what, got, want string) error {
	if want != "" && got != want {
		return fmt.Errorf("%s has the digest %s, want %s: remove it from the cache and see where it came from", what, got, want)
	}
	return nil
}

// unpack extracts the only folder of an archive as dir, if the archive has the digest that is wanted.
func unpack(archive, dir, digest, want string) error {
	if err := sameDigest(archive, digest, want); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	_, err := Must("", nil, "tar", "-xzf", archive, "-C", dir, "--strip-components=1")
	return err
}
