#!/usr/bin/env python3
"""Builds the wheel cairn-parse from this tree, without anything but Go and Python.

    python3 plugins/python/build.py                              for this machine, into dist/
    python3 plugins/python/build.py --goos darwin --goarch arm64
    python3 plugins/python/build.py --binary ./cairn --out DIR   with a program that is built already

The program lies in the wheel as a script, so that an installation has it on its PATH.
Equal sources make equal bytes.
"""

import argparse
import base64
import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent

PLATFORMS = {
    ("linux", "amd64"): "manylinux2014_x86_64.musllinux_1_1_x86_64",
    ("linux", "arm64"): "manylinux2014_aarch64.musllinux_1_1_aarch64",
    ("darwin", "amd64"): "macosx_11_0_x86_64",
    ("darwin", "arm64"): "macosx_11_0_arm64",
    ("windows", "amd64"): "win_amd64",
    ("windows", "arm64"): "win_arm64",
}


def go_env(name):
    return subprocess.run(["go", "env", name], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def build(goos, goarch, path):
    env = dict(os.environ, GOOS=goos, GOARCH=goarch, CGO_ENABLED="0")
    subprocess.run(["go", "build", "-trimpath", "-ldflags=-s -w", "-o", path, "./cmd/cairn"], cwd=ROOT, env=env, check=True)


def wheel(out, version, goos, goarch, binary):
    if (goos, goarch) not in PLATFORMS:
        sys.exit(f"build.py: there is no tag for {goos}/{goarch}; PLATFORMS has those that are known")
    tag = "py3-none-" + PLATFORMS[goos, goarch]
    info = f"cairn_parse-{version}.dist-info"
    script = f"cairn_parse-{version}.data/scripts/cairn" + (".exe" if goos == "windows" else "")
    files = {f"cairn_parse/{name}": (HERE / "cairn_parse" / name).read_bytes() for name in ("__init__.py", "py.typed")}
    files[script] = pathlib.Path(binary).read_bytes()
    files[f"{info}/METADATA"] = (
        f"Metadata-Version: 2.1\nName: cairn-parse\nVersion: {version}\n"
        "Summary: What every test of a run came to, from what its runner printed\n"
        "Requires-Python: >=3.8\nDescription-Content-Type: text/markdown\n\n" + (HERE / "README.md").read_text("utf-8")
    ).encode()
    lines = [f"Tag: py3-none-{p}" for p in PLATFORMS[goos, goarch].split(".")]
    files[f"{info}/WHEEL"] = ("Wheel-Version: 1.0\nGenerator: cairn\nRoot-Is-Purelib: false\n" + "\n".join(lines) + "\n").encode()
    for name in ("LICENSE", "NOTICE"):
        files[f"{info}/licenses/{name}"] = (ROOT / name).read_bytes()
    record = "".join(f"{name},sha256={digest(data)},{len(data)}\n" for name, data in files.items())
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"cairn_parse-{version}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if name == script else 0o100644) << 16
            archive.writestr(entry, data)
    return path


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def main():
    ask = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ask.add_argument("--out", type=pathlib.Path, default=ROOT / "dist")
    ask.add_argument("--version", default="0.0.0")
    ask.add_argument("--goos", default=None)
    ask.add_argument("--goarch", default=None)
    ask.add_argument("--binary", help="a program that is built already")
    asked = ask.parse_args()
    goos, goarch = asked.goos or go_env("GOOS"), asked.goarch or go_env("GOARCH")
    with tempfile.TemporaryDirectory() as folder:
        binary = asked.binary or os.path.join(folder, "cairn")
        if not asked.binary:
            build(goos, goarch, binary)
        print(wheel(asked.out, asked.version, goos, goarch, binary))


if __name__ == "__main__":
    main()
