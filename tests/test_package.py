"""What is installed and packed: it works where it is put, and others can build on it.

Nothing is installed into the system, but for one test that runs as root in continuous integration only."""

import contextlib
import os
import re
import shutil
import subprocess

import pytest

from conftest import ROOT, build_folder

SYSTEM = {"LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"], "HOME": "/nonexistent"}


def command(*words, cwd=None, env=None, timeout=300, stdin=None):
    done = subprocess.run([str(word) for word in words], cwd=cwd, env={**os.environ, **(env or {})}, input=stdin,
                          capture_output=True, text=True, encoding="utf-8", timeout=timeout, check=False)
    assert done.returncode == 0, f"{words}: {done.stdout[-3000:]}{done.stderr[-3000:]}"
    return done.stdout


def need(*tools):
    for tool in tools:
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed here")


@pytest.fixture(scope="session")
def built():
    """A whole build that needs no sanitizer to be linked to."""
    folder = build_folder()
    cache = folder / "CMakeCache.txt"
    need("cmake")
    if not cache.exists() or re.search(r"^JRPC_(SANITIZE:STRING=.+|COVERAGE:BOOL=ON)$", cache.read_text(), re.M):
        pytest.skip("this build is made for tests and cannot be installed")
    command("cmake", "--build", folder, "--target", "jrpcheck", "jrpc-reference", "jrpc-reference-client", "jrpc",
            "jrpc-net", "man")
    return folder


@pytest.fixture(scope="session")
def prefix(built, tmp_path_factory):
    """Installed into one folder and moved to another: nothing may remember the first."""
    folder = tmp_path_factory.mktemp("install")
    command("cmake", "--install", built, "--prefix", folder / "first")
    (folder / "first").rename(folder / "moved")
    return folder / "moved"


def library_folder(prefix):
    return next(prefix.glob("lib*/**/libjrpc.a")).parent


# --- the programs -----------------------------------------------------------------------------------------------

def test_the_installed_suite_checks_the_installed_server(prefix):
    output = command(prefix / "bin/jrpcheck", "--", prefix / "bin/jrpc-reference", cwd=prefix)
    assert "CONFORMANT" in output


def test_the_cases_beside_the_program_are_used_wherever_it_is_moved(prefix, tmp_path):
    copy = tmp_path / "elsewhere"
    shutil.copytree(prefix, copy)
    before = command(copy / "bin/jrpcheck", "list")
    (copy / "share/jrpcheck/cases/jsonrpc-2.0/06-batch.json").unlink()
    after = command(copy / "bin/jrpcheck", "list")
    assert "\nbatch/empty " in before and "\nbatch/empty " not in after


def test_every_case_file_and_every_description_is_installed(prefix):
    for kind, pattern in (("cases", "*/*.json"), ("targets", "*/target.json"), ("targets", "*/baseline*.json")):
        here = {str(path.relative_to(ROOT)) for path in (ROOT / kind).glob(pattern)}
        data = prefix / "share/jrpcheck"
        assert here == {str(path.relative_to(data)) for path in (data / kind).glob(pattern)}
    assert not list((prefix / "share").rglob("package*.json"))


# --- the library ------------------------------------------------------------------------------------------------

def pkg_config(prefix, *words):
    need("pkg-config")
    path = f"{library_folder(prefix)}/pkgconfig"
    return command("pkg-config", *words, env={"PKG_CONFIG_PATH": path}).split()


def test_every_installed_header_stands_by_itself_and_none_is_private(prefix):
    flags = pkg_config(prefix, "--cflags", "jrpc-net")
    include = prefix / "include/jrpc"
    headers = sorted(include.rglob("*.h"))
    assert include / "reference/rpc/router.h" in headers and include / "reference/rpc/bind.h" not in headers
    for header in headers:
        assert "Private to" not in header.read_text()
        command("cc", "-std=c17", "-D_POSIX_C_SOURCE=200809L", "-fsyntax-only", "-x", "c", *flags, header)


def build_with_cmake(prefix, source, out):
    command("cmake", "-G", "Ninja", "-S", source, "-B", out, f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Debug")
    command("cmake", "--build", out)
    return out / source.name


def build_with_pkg_config(prefix, source, out):
    flags = pkg_config(prefix, "--cflags", "--libs", "jrpc")
    out.mkdir()
    command("cc", "-std=c17", "-Wall", "-Wextra", "-Werror", "-o", out / source.name, source / f"{source.name}.c", *flags)
    return out / source.name


@pytest.mark.parametrize("build", [build_with_cmake, build_with_pkg_config])
def test_the_example_is_built_against_what_is_installed_and_keeps_every_rule(prefix, tmp_path, build):
    source = tmp_path / "embed"  # a copy: nothing of the source tree may be found by chance
    shutil.copytree(ROOT / "examples/embed", source)
    program = build(prefix, source, tmp_path / "out")
    call = '{"jsonrpc":"2.0","method":"greet","params":{"name":"Ada"},"id":1}\n'
    assert command(program, stdin=call) == '{"jsonrpc":"2.0","result":"Hello, Ada","id":1}\n'
    assert "CONFORMANT" in command(prefix / "bin/jrpcheck", "--", program)
    assert len((source / "embed.c").read_text().splitlines()) <= 100


@pytest.mark.parametrize("way", ["cmake", "pkg-config"])
def test_the_connections_can_be_linked_to(prefix, tmp_path, way):
    source = tmp_path / "client"
    shutil.copytree(ROOT / "examples/client", source)
    if way == "cmake":
        lists = source / "CMakeLists.txt"  # found twice, as by a project that uses another one on libjrpc
        lists.write_text(lists.read_text().replace("add_executable", "find_package(jrpc REQUIRED)\nadd_executable"))
        program = build_with_cmake(prefix, source, tmp_path / "out")
    else:
        program = tmp_path / "client.out"
        command("cc", "-std=c17", "-Wall", "-Wextra", "-Werror", "-o", program, source / "client.c",
                *pkg_config(prefix, "--cflags", "--libs", "jrpc-net"))
    with started_reference(prefix, tmp_path) as address:
        assert command(program, address, "subtract", "[42,23]") == "result 19\n"
        output = command(program, address, "--batch", "get_data", "no_such_method")
        assert output.splitlines()[0] == 'get_data: result ["hello",5]' and "no_such_method: error" in output


@contextlib.contextmanager
def started_reference(prefix, folder):
    """The installed server on a socket."""
    path = folder / "socket"
    with subprocess.Popen([prefix / "bin/jrpc-reference", "--unix", path], stderr=subprocess.PIPE, text=True) as server:
        try:
            assert "listening on" in server.stderr.readline()
            yield f"unix:{path}"
        finally:
            server.terminate()


# --- the Debian packages ----------------------------------------------------------------------------------------

@pytest.fixture(scope="session")
def packages(built, tmp_path_factory):
    need("cpack", "dpkg-deb", "dpkg-shlibdeps")
    folder = tmp_path_factory.mktemp("deb")
    command("cpack", "-G", "DEB", "--config", built / "CPackConfig.cmake", "-B", folder, cwd=folder)
    found = {path.name.split("_")[0]: path for path in folder.glob("*.deb")}
    assert sorted(found) == ["jrpcheck", "libjrpc-dev"]
    return found


def test_the_package_runs_from_where_it_is_unpacked(packages, tmp_path):
    command("dpkg-deb", "-x", packages["jrpcheck"], tmp_path)
    shutil.rmtree(tmp_path / "usr/share/jrpcheck/cases/transport-http")  # it is this copy that is used
    listed = command(tmp_path / "usr/bin/jrpcheck", "list", env=SYSTEM)
    assert "\nbatch/empty " in listed and "\nhttp/" not in listed
    output = command(tmp_path / "usr/bin/jrpcheck", "--quiet", "--", tmp_path / "usr/bin/jrpc-reference", env=SYSTEM)
    assert "CONFORMANT" in output


@pytest.mark.parametrize("name", ["jrpcheck", "libjrpc-dev"])
def test_a_package_says_what_it_is_and_belongs_to_root(packages, name):
    fields = dict(re.findall(r"^ ?([A-Z][\w-]+): (.*)$", command("dpkg-deb", "-I", packages[name]), re.M))
    assert fields["Package"] == name
    assert fields["Maintainer"].startswith("jrpcheck developers ")
    assert "JSON-RPC 2.0" in fields["Description"]
    assert ("libc6" if name == "jrpcheck" else "") in fields.get("Depends", "")
    listed = command("dpkg-deb", "-c", packages[name])
    assert {line.split()[1] for line in listed.splitlines()} == {"root/root"}
    assert {line.split()[0] for line in listed.splitlines()} <= {"drwxr-xr-x", "-rwxr-xr-x", "-rw-r--r--"}
    assert f"./usr/share/doc/{name}/copyright" in listed and f"./usr/share/doc/{name}/changelog.gz" in listed


@pytest.mark.parametrize("name", ["jrpcheck", "libjrpc-dev"])
def test_lintian_finds_no_error_in_a_package(packages, name):
    need("lintian")
    command("lintian", "--allow-root", "--fail-on", "error", packages[name])


@pytest.mark.skipif(os.geteuid() != 0 or not os.environ.get("CI"),
                    reason="installs into the system: for root in continuous integration (CI) only")
def test_the_packages_are_installed_run_and_removed(packages, tmp_path):
    names = sorted(packages)
    if subprocess.run(["dpkg", "-s", *names], capture_output=True, check=False).returncode == 0:
        pytest.skip("they are installed here already")
    try:
        command("dpkg", "-i", *packages.values())
        assert "CONFORMANT" in command("/usr/bin/jrpcheck", "--", "/usr/bin/jrpc-reference", cwd=tmp_path, env=SYSTEM)
        assert build_with_cmake("/usr", ROOT / "examples/embed", tmp_path / "out").exists()
    finally:
        command("dpkg", "-P", *names)
    assert not os.path.exists("/usr/bin/jrpcheck") and not os.path.exists("/usr/share/jrpcheck")


# --- the manual pages -------------------------------------------------------------------------------------------

def man_page(prefix, name):
    return prefix / f"share/man/man1/{name}.1"


def options_of(text):
    return set(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", text))


@pytest.mark.parametrize("name", ["jrpcheck", "jrpc-reference", "jrpc-reference-client"])
def test_a_manual_page_has_every_option_of_the_help_and_no_other(prefix, name):
    page = re.sub(r"\\f[BIR]", " ", man_page(prefix, name).read_text()).replace("\\-", "-")
    page = page.split(".SH EXAMPLES")[0]  # which may use another program, with options of its own
    assert options_of(page) == options_of(command(prefix / "bin" / name, "--help")) | {"--help", "--version"}


def test_the_manual_page_has_every_command_and_every_format(run, prefix):
    page = man_page(prefix, "jrpcheck").read_text()
    helped = run("--help").stdout
    commands = re.findall(r"^  (\S+)", helped.split("Commands:")[1].split("Targets:")[0], re.M)
    formats = re.findall(r"^  (\S+)", helped.split("Report formats:")[1].split("Exit codes:")[0], re.M)
    assert len(commands) >= 8 and len(formats) >= 6
    for word in commands + formats:
        assert f".TP\n\\fB{word}\\fR\n".replace("-", "\\-") in page


@pytest.mark.parametrize("name", ["jrpcheck", "jrpc-reference", "jrpc-reference-client"])
@pytest.mark.parametrize("reader", ["mandoc", "man"])
def test_a_manual_page_is_sound(prefix, reader, name):
    need(reader)
    words = {"mandoc": ["-T", "lint", "-W", "warning"], "man": ["--warnings", "-P", "cat", "-l"]}[reader]
    done = subprocess.run([reader, *words, man_page(prefix, name)], capture_output=True, text=True, check=False,
                          env={**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "80"})
    if reader == "man":
        assert (done.returncode, done.stderr) == (0, "")
        assert "SYNOPSIS" in done.stdout and "--help" in done.stdout
    else:
        # The pages carry no date on purpose: the same sources give the same bytes.
        assert [line for line in done.stdout.splitlines() if "missing date" not in line] == []


# --- completions ------------------------------------------------------------------------------------------------

OFFERED = [
    ("--stri", ["--strict"]),
    ("list --stri", []),
    ("expl", ["explain", ":files"]),
    ("explain J2-6d", ["J2-6d"]),
    ("run --only=J2-6d", ["--only=J2-6d"]),
    ("--only J2-6d", ["J2-6d"]),
    ("--suite jsonrpc-2", ["jsonrpc-2.0", "jsonrpc-2.0-client"]),
    ("--framing con", ["content-length", "concatenated"]),
    ("--report=ju", ["--report=junit"]),
    ("--report junit=", [":files"]),
    ("--baseline x", [":files"]),
    ("--cases x", [":folders"]),
    ("--profile kotlinx", ["kotlinx-rpc", ":files"]),
    ("--timeout 1", []),
    ("jrpc2-h", ["jrpc2-http", ":files"]),
    ("repro batch/empty-t", ["batch/empty-then-call"]),
    ("repro batch/empty jrpc2-h", ["jrpc2-http", ":files"]),
    ("--cases /nonexistent explain J2-6", []),
    ("-- ", [":commands"]),
    ("-- ./server --str", [":files"]),
    ("help exp", ["explain"]),
]


@pytest.mark.parametrize("typed, offered", OFFERED, ids=[typed for typed, _ in OFFERED])
def test_what_could_stand_in_place_of_the_last_word(run, typed, offered):
    done = run("help", "--complete", "--", *typed.split(" "))
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(line.split("\t")[0] for line in done.stdout.splitlines()) == sorted(offered)


# What is typed, and what each shell must offer; {here} has a file `file one` and a folder `folder`.
TYPED = [
    ("jrpcheck --stri", {"--strict"}),
    ("jrpcheck explain J2-6d", {"J2-6d"}),
    ("jrpcheck --suite=jsonrpc-2", {"--suite=jsonrpc-2.0", "--suite=jsonrpc-2.0-client"}),
    ("jrpcheck --report ndjson=fil", {"ndjson=file one"}),
    ("jrpcheck --baseline=fil", {"--baseline=file one"}),
    ("jrpcheck --cases fo", {"folder"}),
    ("jrpcheck -- ./fo", {"./folder"}),
]
BASH = r"""
. "$1"; cd "$2"; COMP_LINE=$3; COMP_POINT=${#3}; COMP_WORDBREAKS=" $4"
_jrpcheck
[ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\n' "${COMPREPLY[@]}"
"""
# Without a terminal zsh has no completion system, so its functions stand in and tell what they were given.
ZSH = r"""
function compset { [[ $PREFIX == *=* ]] && before="${PREFIX%=*}=" PREFIX="${PREFIX##*=}" }
function _describe { local one; for one in "${(P@)@[-1]}"; do print -r -- "${${one%%[^\\]:*}}${${one#${one%%[^\\]:*}}[1]}"; done }
function _files { local -a found; [[ $1 == -/ ]] && found=($PREFIX*(N/)) || found=($PREFIX*(N)); print -rl -- $before$^found }
function _alternative { _files }
file=$1; cd "$2"; words=(${(s: :)3}); CURRENT=$#words; PREFIX=$words[-1]; before=
set --
. $file
"""


def shell_offers(shell, prefix, here, typed):
    env = {"PATH": f"{prefix}/bin:{os.environ['PATH']}", "HOME": str(here)}
    share = prefix / "share"
    if shell == "bash":
        words = ["--norc", "-c", BASH, "bash", share / "bash-completion/completions/jrpcheck", here, typed, ""]
    elif shell == "zsh":
        words = ["-f", "-c", ZSH, "zsh", share / "zsh/site-functions/_jrpcheck", here, typed]
    else:
        file = share / "fish/vendor_completions.d/jrpcheck.fish"
        words = ["-N", "-c", "source $argv[1]; cd $argv[2]; complete -C $argv[3]", file, here, typed]
    lines = command(shell, *words, env=env).splitlines()
    return {line.split("\t")[0].rstrip("/").replace("\\ ", " ") for line in lines}


@pytest.mark.parametrize("typed, offered", TYPED, ids=[typed for typed, _ in TYPED])
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_offers_it(prefix, tmp_path, shell, typed, offered):
    need(shell)
    (tmp_path / "file one").touch()
    (tmp_path / "folder").mkdir()
    assert shell_offers(shell, prefix, tmp_path, typed) == offered


def test_bash_gets_only_what_stands_behind_its_last_word_break(prefix, tmp_path):
    script = prefix / "share/bash-completion/completions/jrpcheck"
    env = {"PATH": f"{prefix}/bin:{os.environ['PATH']}"}
    output = command("bash", "--norc", "-c", BASH, "bash", script, tmp_path, "jrpcheck --suite=jsonrpc-2", "=", env=env)
    assert output == "jsonrpc-2.0\njsonrpc-2.0-client\n"


@pytest.mark.parametrize("shell, place", [("bash", "bash-completion/completions/jrpcheck"),
                                          ("zsh", "zsh/site-functions/_jrpcheck"),
                                          ("fish", "fish/vendor_completions.d/jrpcheck.fish")])
def test_a_completion_is_well_formed(prefix, shell, place):
    need(shell)
    command(shell, "-n", prefix / "share" / place)
    if shell == "bash" and shutil.which("shellcheck"):
        command("shellcheck", "-s", "bash", prefix / "share" / place)


def test_help_of_a_command_is_printed_by_help_too(run):
    assert run("help", "lint").stdout == run("lint", "--help").stdout
    assert run("help").stdout == run("--help").stdout
    done = run("help", "lnt")
    assert (done.returncode, done.stderr) == (2, "jrpcheck: there is no command 'lnt'; did you mean \"lint\"?\n")
    done = run("help", "xyzzy")
    assert (done.returncode, done.stderr) == (2, "jrpcheck: there is no command 'xyzzy'; jrpcheck --help lists all commands\n")
