"""From a Python without packages to a running command: each decision of the bootstrap, and the whole of it on a
copy."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tock_league import bootstrap

from .serving import ROOT


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give an empty project folder that the bootstrap accepts as its own."""
    (tmp_path / "requirements").mkdir()
    (tmp_path / "requirements" / "runtime.in").write_text("django==5.2.19\n")
    (tmp_path / "requirements" / "test.in").write_text("-r runtime.in\npytest==9.2.0\n")
    for kind in ("runtime", "test"):
        (tmp_path / "requirements" / f"{kind}.lock").write_text(f"# the lock of {kind}\n")
    monkeypatch.setattr(bootstrap, "ROOT", tmp_path)
    monkeypatch.setattr(bootstrap, "VENV", tmp_path / ".venv")
    return tmp_path


class Installer:
    """Replaces venv and uv: creates a Python, records what was installed, fails when told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.installed: list[str] = []
        self.broken = False
        monkeypatch.setattr(bootstrap, "create_venv", self.create)
        monkeypatch.setattr(bootstrap, "install", self.install)

    def create(self) -> None:
        python = bootstrap.VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        python.parent.mkdir(parents=True)
        python.write_text("")

    def install(self, python: Path, kind: str) -> None:
        if self.broken:
            raise bootstrap.Stop("the line was cut")
        self.installed.append(kind)


@pytest.fixture
def installer(house: Path, monkeypatch: pytest.MonkeyPatch) -> Installer:
    return Installer(monkeypatch)


def test_an_old_python_is_refused_in_one_sentence() -> None:
    with pytest.raises(bootstrap.Stop, match=r"needs Python 3\.11 or newer; this is 3\.9\."):
        bootstrap.check_python((3, 9))
    bootstrap.check_python((3, 11))
    bootstrap.check_python((4, 0))


def test_direct_requirements_are_read_with_their_major_version(house: Path) -> None:
    (house / "requirements" / "runtime.in").write_text(
        '# a comment\npsycopg[binary,pool]==3.3.9\nmpmath\nuvloop==0.23.0 ; sys_platform != "win32"\n'
        'pywin==1.0 ; sys_platform == "nowhere"\n'
    )
    expected = {"psycopg": 3, "mpmath": 0} | ({} if sys.platform == "win32" else {"uvloop": 0})
    assert bootstrap.wanted("runtime") == expected
    assert bootstrap.wanted("test") == expected | {"pytest": 9}


def test_the_current_environment_has_all_requirements() -> None:
    assert bootstrap.missing("test") == []


def test_an_old_django_of_the_distribution_is_not_accepted(house: Path) -> None:
    (house / "requirements" / "runtime.in").write_text("django==3.2.19\nno-such-package==1.0\n")
    assert bootstrap.missing("runtime") == ["django", "no-such-package"]


def test_the_lock_is_installed_once(house: Path, installer: Installer) -> None:
    first = bootstrap.make_environment("runtime")
    assert bootstrap.make_environment("runtime") == first
    assert installer.installed == ["runtime"]


def test_a_changed_lock_is_installed_again(house: Path, installer: Installer) -> None:
    bootstrap.make_environment("runtime")
    (house / "requirements" / "runtime.lock").write_text("# another\n")
    bootstrap.make_environment("runtime")
    assert installer.installed == ["runtime", "runtime"]


def test_an_interrupted_install_is_repeated(house: Path, installer: Installer) -> None:
    installer.broken = True
    with pytest.raises(bootstrap.Stop, match="line was cut"):
        bootstrap.make_environment("runtime")
    assert not (house / ".venv.lock").exists()
    installer.broken = False
    bootstrap.make_environment("runtime")
    assert installer.installed == ["runtime"]


def test_the_tests_lock_serves_the_site_too(house: Path, installer: Installer) -> None:
    bootstrap.make_environment("test")
    bootstrap.make_environment("runtime")
    assert installer.installed == ["test"]


def test_the_tests_are_installed_on_top_of_the_running_site(house: Path, installer: Installer) -> None:
    bootstrap.make_environment("runtime")
    bootstrap.make_environment("test")
    assert installer.installed == ["runtime", "test"]


@pytest.mark.skipif(os.name == "nt", reason="process ids as POSIX has them")
def test_the_lock_of_a_killed_process_is_taken_over(house: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    (house / ".venv.lock").write_text(str(gone.pid))
    with bootstrap.only_one(patience=5):
        assert (house / ".venv.lock").read_text() == str(os.getpid())
    assert not (house / ".venv.lock").exists()


def test_two_terminals_wait_for_each_other(house: Path) -> None:
    with bootstrap.only_one(), pytest.raises(bootstrap.Stop, match=r"\.venv\.lock"), bootstrap.only_one(patience=0.3):
        pass


@pytest.mark.parametrize(
    ("words", "folder"),
    [
        ([], None),
        (["--port", "80"], None),
        (["--no-demo"], "var/club"),
        (["--data", "/somewhere"], "/somewhere"),
        (["--no-demo", "--data=/somewhere"], "/somewhere"),
        (["--from-copy", "/media/stick"], "var/club"),
        (["--data"], None),
    ],
)
def test_serves_arguments_choose_the_data_folder(
    house: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], folder: str | None
) -> None:
    monkeypatch.delenv("TOCK_DATA", raising=False)
    assert bootstrap.data_folder(words) == (house / folder if folder else None)


def test_a_python_without_our_packages_makes_the_environment_and_goes_on_inside(tmp_path: Path) -> None:
    """The whole bootstrap on a copy of the repository, with an unreachable package index: it stops with a clear
    message."""
    for name in ("manage.py", "tock_league/__init__.py", "tock_league/bootstrap.py", "requirements/runtime.in"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    (tmp_path / "requirements" / "runtime.lock").write_text("django==5.2.19 --hash=sha256:" + 64 * "0" + "\n")
    nowhere = {"PIP_INDEX_URL": "http://127.0.0.1:9/", "UV_INDEX_URL": "http://127.0.0.1:9/", "PIP_RETRIES": "0"}
    kept = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG", "SYSTEMROOT"}}
    bare = Path(getattr(sys, "_base_executable", sys.executable))
    done = subprocess.run(
        [bare, "-S", "manage.py", "serve"],
        cwd=tmp_path, env=kept | nowhere, capture_output=True, text=True, timeout=240,
    )  # fmt: skip
    assert done.returncode == 1
    assert "Making the environment .venv" in done.stderr
    assert "The packages could not be installed" in done.stderr
    assert (tmp_path / ".venv").is_dir()
    assert not (tmp_path / ".venv" / "tock-runtime.stamp").exists()
