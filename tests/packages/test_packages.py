"""What scripts/package made (JRPCHECK_DIST), installed where nothing else is: scripts/package test. As root; minutes."""

import glob
import hashlib
import json
import os
import pathlib
import re
import shutil
import ssl
import statistics
import sys
import tarfile
import threading
import time
import http.server

import pytest

from conftest import ROOT
from roots import debian_root, empty_root, finished, need

DIST = pathlib.Path(os.environ.get("JRPCHECK_DIST") or "/nonexistent")
VERSION = re.search(r"project\(jrpcheck VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
TOOLS = ROOT / "build/tools/bin"

pytestmark = pytest.mark.skipif(not os.environ.get("JRPCHECK_DIST"), reason="scripts/package all, then scripts/package test")


def one(pattern):
    """The one file of that name: a test without anything to test has failed."""
    found = [pathlib.Path(path) for path in glob.glob(str(DIST / pattern))]
    assert len(found) == 1, f"{pattern}: {found}"
    return found[0]


# --- the archive: one static program ---------------------------------------------------------------------------------

@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    """The folder of the archive for a machine."""
    folder = tmp_path_factory.mktemp("archive")

    def unpacked(machine):
        name = f"jrpcheck-{VERSION}-linux-{machine}"
        if not (folder / name).exists():
            finished("tar", "-xzf", one(f"{name}.tar.gz"), "-C", folder)
        return folder / name

    return unpacked


@pytest.fixture
def alone(unpacked, tmp_path):
    """A root that holds the two programs and nothing else: no case file, no library, no shell, no certificate."""
    root = empty_root(tmp_path / "empty")
    for name in ("jrpcheck", "jrpc-reference"):
        shutil.copy(unpacked("x86_64") / "bin" / name, root.folder)
    return root


def test_the_program_alone_checks_a_server_in_an_empty_root(alone):
    assert alone.run("/jrpcheck", "--version").stdout.split()[:2] == ["jrpcheck", VERSION]
    assert "CONFORMANT" in alone.run("/jrpcheck", "--", "/jrpc-reference", "--stdio").stdout
    assert "builtin:/cases/" in alone.run("/jrpcheck", "list", "--json").stdout


def test_it_writes_nothing_that_it_was_not_told_to(alone):
    def files():
        return sorted(str(path) for path in alone.folder.rglob("*"))

    before = files()
    for folder in ("", "tmp"):
        (alone.folder / folder).chmod(0o555)
    assert "CONFORMANT" in alone.run("/jrpcheck", "--quiet", "--", "/jrpc-reference", user="65534:65534").stdout
    refused = alone.run("/jrpcheck", "--report", "junit=/report.xml", "--", "/jrpc-reference", user="65534:65534", check=False)
    assert refused.returncode == 2 and "/report.xml" in refused.stderr and len(refused.stderr.splitlines()) == 1
    assert files() == before


@pytest.mark.parametrize("words, sentence", [
    (["http://jrpcheck.invalid/"], "the host name is not known"),
    (["http://192.0.2.1/"], "cannot connect to http://192.0.2.1/"),
    (["--", "/server"], "its interpreter '/bin/sh' is missing here"),
    (["--start", "/server", "tcp://127.0.0.1:4000"], "its interpreter '/bin/sh' is missing here"),
], ids=["name", "address", "shell", "start"])
def test_what_is_missing_there_is_one_sentence(alone, words, sentence):
    server = alone.folder / "server"
    server.write_text("#!/bin/sh\nexec /jrpc-reference\n")
    server.chmod(0o755)
    done = alone.run("/jrpcheck", "--quiet", "--timeout", "2000", *words, check=False)
    assert done.returncode == 3
    assert len(done.stderr.splitlines()) == 1 and sentence in done.stderr


@pytest.fixture
def over_tls(tmp_path):
    """A server over TLS that knows no method, and its certificate."""
    need("openssl")
    finished("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1", "-addext",
             "subjectAltName=IP:127.0.0.1", "-keyout", tmp_path / "key.pem", "-out", tmp_path / "cert.pem")

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            call = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            text = json.dumps({"jsonrpc": "2.0", "error": {"code": -32601, "message": "no"}, "id": call["id"]}).encode()
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(text), text))

        def log_message(self, *_args):
            pass

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.handle_error = lambda *_args: None
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"https://127.0.0.1:{server.server_address[1]}/", tmp_path / "cert.pem"
    server.shutdown()
    server.server_close()


def test_tls_works_with_the_certificates_of_each_distribution_and_says_when_there_are_none(alone, over_tls):
    url, certificate = over_tls
    words = ["/jrpcheck", "--quiet", "--only", "call/unknown-method", url]
    done = alone.run(*words, network=True, check=False)
    assert done.returncode in (2, 3) and len(done.stderr.splitlines()) == 1
    assert "TLS has no certificates to trust" in done.stderr and "ca-certificates" in done.stderr
    for place in ("etc/ssl/certs/ca-certificates.crt", "etc/pki/tls/certs/ca-bundle.crt", "etc/ssl/ca-bundle.pem", "etc/ssl/cert.pem"):
        path = alone.folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(certificate, path)
        alone.run(*words, network=True)
        path.unlink()
    alone.run(*words[:2], "--ca", alone.put(certificate), *words[2:], network=True)


def test_the_static_programs_are_small_and_start_at_once(unpacked, record_property):
    for machine in ("x86_64", "aarch64"):
        for name in ("jrpcheck", "jrpc-reference"):
            program = unpacked(machine) / "bin" / name
            assert "statically linked" in finished("file", program).stdout
            size = program.stat().st_size
            record_property(f"{name}-{machine}-bytes", size)
            print(f"{name} {machine}: {size / 1e6:.1f} MB")
            assert size < 12_000_000
    times = []
    for _ in range(50):
        started = time.perf_counter()
        finished(unpacked("x86_64") / "bin/jrpcheck", "--version")
        times.append(time.perf_counter() - started)
    print(f"start-up: median {statistics.median(times) * 1e3:.1f} ms")
    assert min(times) < 0.05


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_no_folder_of_the_building_machine_is_in_a_program(unpacked, machine):
    for name in ("jrpcheck", "jrpc-reference"):
        content = (unpacked(machine) / "bin" / name).read_bytes()
        for folder in {str(ROOT), str(pathlib.Path.home()), "/tmp/tmp"}:
            assert folder.encode() + b"/" not in content


def test_the_programs_for_arm64_check_and_are_checked(unpacked):
    need("qemu-aarch64-static")
    arm, own = unpacked("aarch64") / "bin", unpacked("x86_64") / "bin"
    emulated = ["qemu-aarch64-static", arm / "jrpcheck"]
    assert finished(*emulated, "--version").stdout.split()[:2] == ["jrpcheck", VERSION]
    assert "CONFORMANT" in finished(*emulated, "--quiet", "--timeout", "20000", "--", own / "jrpc-reference").stdout
    assert "CONFORMANT" in finished(own / "jrpcheck", "--quiet", "--timeout", "20000", "--", "qemu-aarch64-static",
                                    arm / "jrpc-reference").stdout


# --- the wheel -------------------------------------------------------------------------------------------------------

# Its C library is 2.31, older than that of any Ubuntu LTS still supported (22.04: 2.35); the others have a libcurl of their own.
SUITES = [("bullseye", "libcurl4"), ("bookworm", "libcurl3-gnutls"), ("trixie", "libcurl4t64")]


@pytest.mark.parametrize("suite, libcurl", SUITES, ids=[suite for suite, _ in SUITES])
def test_the_wheel_runs_in_a_minimal_debian_with_another_libcurl(tmp_path, suite, libcurl):
    root = debian_root(tmp_path / "root", suite, "python3", "python3-venv", libcurl)
    assert not list(root.folder.glob("usr/include/*")) or not (root.folder / "usr/bin/cc").exists()
    root.run("python3", "-m", "venv", "/venv")
    root.run("/venv/bin/pip", "install", "--no-index", root.put(one("*manylinux*x86_64*.whl")))
    assert root.run("/venv/bin/jrpcheck", "--version").stdout.split()[:2] == ["jrpcheck", VERSION]
    assert "CONFORMANT" in root.run("/venv/bin/jrpcheck", "--", "/venv/bin/jrpc-reference", "--stdio", user="65534:65534").stdout
    served = root.run("sh", "-ec", "ip link set lo up 2>/dev/null || true; /venv/bin/jrpcheck --quiet --suite transport-http "
                      "--start '/venv/bin/jrpc-reference --http 127.0.0.1:4000' http://127.0.0.1:4000/", network=True)
    assert "CONFORMANT" in served.stdout
    assert "/venv/" in root.run("/venv/bin/python", "-c", "import jrpcheck; print(jrpcheck.cases())").stdout
    assert (root.folder / "venv/share/man/man1/jrpcheck.1").exists()
    assert "profiles/spec.json" in root.run("find", "/venv", "-name", "*.json").stdout
    listed = root.run("/venv/bin/jrpcheck", "list", "--json").stdout
    assert "builtin:" not in listed  # the files of the package are what is used


def test_the_wheel_is_what_its_name_says():
    need("file")
    for machine in ("x86_64", "aarch64"):
        wheel = one(f"*_{machine}.whl")
        assert "manylinux_2_17_" + machine in wheel.name and "musllinux_1_1_" + machine in wheel.name
        shown = finished(TOOLS / "auditwheel", "show", wheel, check=False)
        print(shown.stdout + shown.stderr)


def test_the_plugin_for_pytest_comes_with_the_extra(tmp_path):
    finished(sys.executable, "-m", "venv", tmp_path / "venv")
    finished(tmp_path / "venv/bin/pip", "install", "-q", f"jrpcheck[pytest] @ file://{one('*manylinux*x86_64*.whl')}")
    environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}
    done = finished(tmp_path / "venv/bin/python", "-c", "import jrpcheck; print(jrpcheck.cases())", env=environment)
    done = finished(tmp_path / "venv/bin/pytest", "-p", "no:cacheprovider", "--jrpcheck-target", f"-- {tmp_path}/venv/bin/jrpc-reference",
                    f"{done.stdout.strip()}/jsonrpc-2.0/06-batch.json", cwd=tmp_path, env=environment)
    assert re.search(r"\d\d passed", done.stdout)


def test_pip_refuses_the_wheel_on_another_system_in_its_own_words(tmp_path):
    finished(sys.executable, "-m", "venv", tmp_path / "venv")
    done = finished(tmp_path / "venv/bin/pip", "install", "--no-index", one("*_aarch64.whl"), check=False)
    assert done.returncode != 0 and "is not a supported wheel on this platform" in done.stderr


def test_a_wheel_of_the_checkout_takes_the_libraries_of_the_system_with_it(tmp_path):
    """pip wheel and auditwheel repair: libcurl, libmicrohttpd and wslay of this system, in the wheel."""
    need("cmake", "ninja")
    finished(sys.executable, "-m", "venv", tmp_path / "venv")
    finished(TOOLS / "pip", "wheel", "-q", "--no-build-isolation", "--no-deps", "-w", tmp_path, one(f"jrpcheck-{VERSION}.tar.gz"),
             env={**os.environ, "PATH": f"{TOOLS}:{os.environ['PATH']}"})
    wheel = next(tmp_path.glob("*.whl"))
    finished(TOOLS / "auditwheel", "repair", "-w", tmp_path / "repaired", wheel, env={**os.environ, "PATH": f"{TOOLS}:{os.environ['PATH']}"})
    repaired = next((tmp_path / "repaired").glob("*.whl"))
    names = finished("python3", "-m", "zipfile", "-l", repaired).stdout
    for library in ("libcurl", "libmicrohttpd", "libwslay"):
        assert re.search(rf"jrpcheck\.libs/{library}", names), names
    root = debian_root(tmp_path / "root", "bookworm", "python3", "python3-venv", "libcurl3-gnutls")
    assert not list(root.folder.rglob("libwslay*")) and not list(root.folder.rglob("libmicrohttpd*"))
    root.run("python3", "-m", "venv", "/venv")
    root.run("/venv/bin/pip", "install", "--no-index", root.put(repaired))
    assert "CONFORMANT" in root.run("/venv/bin/jrpcheck", "--", "/venv/bin/jrpc-reference").stdout


# --- npm -------------------------------------------------------------------------------------------------------------

def test_npm_installs_from_the_tarballs_into_an_empty_folder(tmp_path):
    need("npm", "npx")
    environment = {**os.environ, "npm_config_cache": str(tmp_path / "cache"), "npm_config_offline": "true", "npm_config_audit": "false"}
    project = tmp_path / "project"
    project.mkdir()
    (project / "package.json").write_text('{"private": true}\n')
    finished("npm", "install", "--silent", one(f"jrpcheck-{VERSION}.tgz"), one(f"jrpcheck-linux-x64-{VERSION}.tgz"), cwd=project,
             env=environment)
    assert finished("npx", "jrpcheck", "--version", cwd=project, env=environment).stdout.split()[:2] == ["jrpcheck", VERSION]
    output = finished("npx", "jrpcheck", "--quiet", "--", "node_modules/.bin/jrpc-reference", "--stdio", cwd=project, env=environment)
    assert "CONFORMANT" in output.stdout
    refused = finished("npm", "install", "--silent", one(f"jrpcheck-linux-arm64-{VERSION}.tgz"), cwd=project, env=environment,
                       check=False)
    assert refused.returncode != 0  # made for another processor


# --- Debian ----------------------------------------------------------------------------------------------------------

def test_the_debian_package_is_installed_and_removed_in_a_minimal_root(tmp_path):
    depends = re.search(r"^ Depends: (.*)$", finished("dpkg-deb", "-I", one("jrpcheck_*.deb")).stdout, re.M).group(1)
    names = [word.split()[0] for word in depends.split(",")]
    root = debian_root(tmp_path / "root", "bookworm", *sorted(set(names) - {"libc6"}))
    root.run("dpkg", "-i", root.put(one("jrpcheck_*.deb")))
    assert "CONFORMANT" in root.run("/usr/bin/jrpcheck", "--", "/usr/bin/jrpc-reference", user="65534:65534").stdout
    root.run("dpkg", "-P", "jrpcheck")
    assert not (root.folder / "usr/share/jrpcheck").exists()


@pytest.mark.parametrize("package", ["jrpcheck", "libjrpc-dev"])
def test_lintian_has_nothing_to_say(package):
    need("lintian")
    done = finished("lintian", "--allow-root", "--pedantic", "--info", "--fail-on", "error,warning,info,pedantic", one(f"{package}_*.deb"),
                    check=False)
    assert done.returncode == 0 and done.stdout == "", done.stdout + done.stderr


# --- what distributions build from -----------------------------------------------------------------------------------

def test_makepkg_builds_a_package_from_the_pkgbuild(tmp_path):
    need("makepkg", "pacman", "fakeroot", "bsdtar")
    for name in ("PKGBUILD", f"jrpcheck-{VERSION}.tar.gz"):
        shutil.copy(DIST / name, tmp_path)
    finished("chown", "-R", "nobody:", tmp_path)
    for folder in [tmp_path, *tmp_path.parents][:-2]:
        folder.chmod(folder.stat().st_mode | 0o055)
    finished("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "makepkg", "--nodeps", "--noconfirm", "--skippgpcheck",
             cwd=tmp_path, env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PKGEXT": ".pkg.tar.gz", "CARCH": "x86_64"})
    package = next(tmp_path.glob("jrpcheck-*.pkg.tar.gz"))
    with tarfile.open(package) as archive:
        names = archive.getnames()
    assert {".PKGINFO", "usr/bin/jrpcheck", "usr/share/jrpcheck/cases/rules/json.json", "usr/share/licenses/jrpcheck/LICENSE"} <= set(names)


def test_the_functions_of_the_apkbuild_build_check_and_install(tmp_path):
    need("busybox", "cmake", "ninja")
    finished("tar", "-xzf", one(f"jrpcheck-{VERSION}.tar.gz"), "-C", tmp_path)
    script = f'set -e; . {DIST}/APKBUILD; cd {tmp_path}/jrpcheck-$pkgver; build; check; pkgdir={tmp_path}/out; package; ' \
             'echo "$pkgname $pkgver"; echo "$sha512sums"'
    output = finished("busybox", "ash", "-c", script, env={"PATH": os.environ["PATH"], "LDFLAGS": ""}).stdout
    assert f"jrpcheck {VERSION}\n" in output
    assert hashlib.sha512(one(f"jrpcheck-{VERSION}.tar.gz").read_bytes()).hexdigest() in output
    assert (tmp_path / "out/usr/bin/jrpcheck").exists() and (tmp_path / "out/usr/share/licenses/jrpcheck/LICENSE").exists()


FORMULA = """class Formula
  class << self
    attr_reader :said
    %w[desc homepage url sha256 license depends_on].each do |name|
      define_method(name) { |*words| ((@said ||= {})[name] ||= []) << words.flatten.first.to_s }
    end
    def test; end
  end
end
require ARGV[0]
p Jrpcheck.instance_methods(false)
require "json"
puts JSON.generate(Jrpcheck.said)
"""


def test_the_formula_is_ruby_and_says_what_a_formula_says(tmp_path):
    need("ruby")
    (tmp_path / "formula.rb").write_text(FORMULA)
    output = finished("ruby", "-w", tmp_path / "formula.rb", DIST / "jrpcheck.rb").stdout.splitlines()
    said = json.loads(output[-1])
    assert "install" in output[0]
    assert said["sha256"] == [hashlib.sha256(one(f"jrpcheck-{VERSION}.tar.gz").read_bytes()).hexdigest()]
    assert VERSION in said["url"][0] and {"curl", "libmicrohttpd", "wslay"} <= set(said["depends_on"])


# --- all of it -------------------------------------------------------------------------------------------------------

def test_every_file_is_in_the_sums_and_has_its_sum():
    finished("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=DIST)
    listed = {line.split("  ")[1] for line in (DIST / "SHA256SUMS").read_text().splitlines()}
    assert listed == {path.name for path in DIST.iterdir()} - {"SHA256SUMS"}
    assert len(listed) == 13


def test_the_source_distribution_holds_what_builds_it_and_nothing_else():
    with tarfile.open(one(f"jrpcheck-{VERSION}.tar.gz")) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    assert {"CMakeLists.txt", "LICENSE", "cases/rules/json.json", "packaging/python/jrpcheck/__init__.py", "pyproject.toml"} <= names
    assert not [name for name in names if name.startswith(("build/", ".git/", ".ci/", "corpus/"))]
