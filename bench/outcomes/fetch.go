package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// fetcher fetches the sources of a package into dir, and the tools that test it, with the clients of their registries.
type fetcher func(b *bench, dir string) error

// pythonTools are the packages that run the Python suites and write their reports.
var pythonTools = []string{
	"pytest==8.3.5", "pytest-reportlog==0.4.0", "pytest-xdist==3.6.1", "unittest-xml-reporting==3.2.0", "nose2==0.15.1",
	"hypothesis==6.131.0", "freezegun==1.5.1", "pretend==1.0.9", "setuptools==78.1.0", "wheel==0.45.1",
}

// python creates the virtual environment for the Python suites.
func (b *bench) python() error {
	venv := filepath.Join(b.cache, "python")
	return b.once(venv, func() error {
		if err := b.command("", "python3", "-m", "venv", venv); err != nil {
			return err
		}
		return b.command("", append([]string{filepath.Join(venv, "bin", "pip"), "-q", "install"}, pythonTools...)...)
	})
}

// sdist fetches a source archive of a Python package, and further packages that its tests import.
func sdist(name, version string, needs ...string) fetcher {
	return func(b *bench, dir string) error {
		if err := b.python(); err != nil {
			return err
		}
		pip := filepath.Join(b.cache, "python", "bin", "pip")
		down := filepath.Join(b.cache, "sdist", name+"-"+version)
		err := b.once(down, func() error {
			return b.command("", pip, "-q", "download", "--no-deps", "--no-binary", ":all:", "-d", down, name+"=="+version)
		})
		if err != nil {
			return err
		}
		archives, err := filepath.Glob(filepath.Join(down, "*.tar.gz"))
		if err != nil || len(archives) != 1 {
			return fmt.Errorf("%s has no source archive: %v", name, err)
		}
		if err := b.command("", "tar", "-xzf", archives[0], "-C", dir, "--strip-components=1"); err != nil {
			return err
		}
		if len(needs) > 0 {
			return b.command("", append([]string{pip, "-q", "install"}, needs...)...)
		}
		return nil
	}
}

// standardLibrary fetches only the tools: the tests come with the interpreter.
func standardLibrary(b *bench, dir string) error { return b.python() }

// goModule copies a module from the go command's cache, and fetches what its tests import.
func goModule(module, version string) fetcher {
	return func(b *bench, dir string) error {
		probe := dir + ".probe"
		if err := os.MkdirAll(probe, 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(probe, "go.mod"), []byte("module probe\n"), 0o644); err != nil {
			return err
		}
		out, err := b.run(probe, nil, []string{"go", "mod", "download", "-json", module + "@" + version})
		if err != nil {
			return err
		}
		var m struct{ Dir, Error string }
		if err := json.Unmarshal(out.stdout, &m); err != nil || m.Error != "" {
			return fmt.Errorf("downloading %s: %v %s", module, err, m.Error)
		}
		if err := os.CopyFS(dir, os.DirFS(m.Dir)); err != nil {
			return err
		}
		return b.command(dir, "go", "mod", "download")
	}
}

// crate copies a crate vendored by cargo.
func crate(name, version string) fetcher {
	return func(b *bench, dir string) error {
		probe := filepath.Join(b.cache, "crates", name+"-"+version)
		manifest := "[package]\nname = \"probe\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\n" + name + " = \"=" + version + "\"\n"
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
		return os.CopyFS(dir, os.DirFS(filepath.Join(probe, "vendor", name)))
	}
}
