package main

import (
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// fetcher fetches the sources of a package into dir with its registry's client, checks their digest, and fetches the
// tools that check the package.
type fetcher func(b *bench, dir string) error

// sdist fetches a source archive of a Python package, and the tools as wheels.
func sdist(name, version, sha string) fetcher {
	return func(b *bench, dir string) error {
		if err := b.pythonTools(); err != nil {
			return err
		}
		down := filepath.Join(b.cache, "sdist")
		archive := filepath.Join(down, name+"-"+version+".tar.gz")
		if _, err := os.Stat(archive); err != nil {
			pip := filepath.Join(b.tools, "python", "bin", "pip")
			if err := b.command("", pip, "-q", "download", "--no-deps", "--no-binary", ":all:", "-d", down, name+"=="+version); err != nil {
				return err
			}
		}
		data, err := os.ReadFile(archive)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		if err := sameDigest(archive, hex.EncodeToString(sum[:]), sha); err != nil {
			return err
		}
		return b.unpack(archive, dir)
	}
}

func (b *bench) pythonTools() error {
	venv := filepath.Join(b.tools, "python")
	return b.once(venv, func() error {
		if err := b.command("", "python3", "-m", "venv", venv); err != nil {
			return err
		}
		return b.command("", filepath.Join(venv, "bin", "pip"), "-q", "install",
			"pytest==8.3.5", "mypy==1.15.0", "ruff==0.11.2", "freezegun==1.5.1")
	})
}

// goModule copies a module from the go command's cache.
func goModule(module, version, sum string) fetcher {
	return func(b *bench, dir string) error {
		probe := filepath.Join(b.tmp, "probe")
		if err := os.MkdirAll(probe, 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(probe, "go.mod"), []byte("module probe\n"), 0o644); err != nil {
			return err
		}
		out, err := b.output(probe, "go", "mod", "download", "-json", module+"@"+version)
		if err != nil {
			return err
		}
		var m struct{ Dir, Sum string }
		if err := json.Unmarshal(out, &m); err != nil {
			return err
		}
		if err := sameDigest(module, m.Sum, sum); err != nil {
			return err
		}
		return os.CopyFS(dir, os.DirFS(m.Dir))
	}
}

// crate copies a crate vendored by cargo.
func crate(name, version, sha string) fetcher {
	return func(b *bench, dir string) error {
		probe := filepath.Join(b.cache, "crates", name+"-"+version)
		manifest := "[package]\nname = \"probe\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\n" + name + " = \"=" + version + "\"\n"
		vendored := filepath.Join(probe, "vendor", name)
		err := b.once(probe, func() error {
			if err := os.MkdirAll(filepath.Join(probe, "src"), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(probe, "src", "lib.rs"), nil, 0o644); err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(probe, "Cargo.toml"), []byte(manifest), 0o644); err != nil {
				return err
			}
			return b.command(probe, "cargo", "-q", "vendor", "vendor")
		})
		if err != nil {
			return err
		}
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

// npmPackage fetches an archive from npm, and the tools.
func npmPackage(name, version, integrity string) fetcher {
	return func(b *bench, dir string) error {
		prefix := filepath.Join(b.tools, "node")
		archive := filepath.Join(prefix, name+"-"+version+".tgz")
		err := b.once(prefix, func() error {
			if err := os.WriteFile(filepath.Join(prefix, "package.json"), []byte("{\"private\": true}\n"), 0o644); err != nil {
				return err
			}
			if err := b.command(prefix, "npm", "install", "-s", "--no-audit", "--no-fund", "typescript@5.8.2", "eslint@9.23.0", "typescript-eslint@8.28.0"); err != nil {
				return err
			}
			return b.command(prefix, "npm", "pack", "-s", name+"@"+version)
		})
		if err != nil {
			return err
		}
		data, err := os.ReadFile(archive)
		if err != nil {
			return err
		}
		sum := sha512.Sum512(data)
		if err := sameDigest(archive, "sha512-"+base64.StdEncoding.EncodeToString(sum[:]), integrity); err != nil {
			return err
		}
		if err := b.unpack(archive, dir); err != nil {
			return err
		}
		return os.Symlink(filepath.Join(prefix, "node_modules"), filepath.Join(dir, "node_modules"))
	}
}

func sameDigest(what, got, want string) error {
	if got != want {
		return fmt.Errorf("%s has the digest %s, want %s: remove it from the cache and see where it came from", what, got, want)
	}
	return nil
}

// unpack extracts the only folder of an archive as dir.
func (b *bench) unpack(archive, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return b.command("", "tar", "-xzf", archive, "-C", dir, "--strip-components=1")
}

// once calls fill for dir, unless it has completed before.
func (b *bench) once(dir string, fill func() error) error {
	done := filepath.Join(dir, ".complete")
	if _, err := os.Stat(done); err == nil {
		return nil
	}
	if !strings.HasPrefix(dir, b.cache) {
		return fmt.Errorf("%s is not in the cache", dir)
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := fill(); err != nil {
		return err
	}
	return os.WriteFile(done, nil, 0o644)
}
