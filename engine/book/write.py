"""Files written whole or not at all, by one writer at a time."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from engine.book import changelog
from engine.book.files import read_raw
from engine.errors import InputError, Place

PENDING = ".pending.json"
MOST_PENDING = 100_000_000
LONGEST_WAIT = 30.0  # seconds: a write takes milliseconds, so a longer wait means that something hangs


def write_whole(file: Path, content: str | bytes) -> None:
    """Writes the file whole or not at all: a crash leaves the old content, and no litter that is ever read.

    Raises `InputError` where the place cannot be written to.
    """
    write_all({file: content})


def write_all(contents: Mapping[Path, str | bytes | None]) -> None:
    """Writes several files, all or none: every one is on the disk before the first takes its place.

    A file whose content is None is removed. An error on the way puts the old contents back. Raises `InputError` where a
    place cannot be written to.
    """
    staged: list[tuple[Path, Path]] = []
    removed: list[Path] = []
    replaced: list[tuple[Path, bytes | None]] = []
    try:
        for file, content in contents.items():
            # A link stays a link: what it points at is replaced.
            target = file.resolve()
            if content is None:
                removed.append(target)
                continue
            staged.append((_stage(target, content.encode() if isinstance(content, str) else content), target))
        for temporary, target in staged:
            old = target.read_bytes() if target.exists() else None
            temporary.replace(target)
            replaced.append((target, old))
        for target in removed:
            old = target.read_bytes() if target.exists() else None
            target.unlink(missing_ok=True)
            replaced.append((target, old))
        for folder in {target.parent for target, _ in replaced}:
            _sync_folder(folder)
    except BaseException as error:
        for temporary, _ in staged:
            temporary.unlink(missing_ok=True)
        for target, old in replaced:
            if old is None:
                target.unlink(missing_ok=True)
            else:
                target.write_bytes(old)
        if isinstance(error, OSError):
            place = Place(next(iter(contents)), 1)
            raise InputError(f"cannot be written ({error.strerror})", "check the folder's permissions", place) from None
        raise


def write_book(folder: Path, contents: Mapping[Path, str | None]) -> None:
    """Writes several files of a book, so that even a process that is killed leaves the old book or the new one.

    Files beside the book may be among them; one whose content is None is removed. What is to be written is laid down
    first. A book in which it still lies is not read until `finish_writing` has carried it out. To be called while
    `folder` is `locked`.
    """
    pending = folder / PENDING
    texts = {Path(os.path.relpath(file, folder)).as_posix(): text for file, text in contents.items()}
    write_whole(pending, json.dumps(texts, ensure_ascii=False))
    try:
        write_all(dict(contents))
    finally:
        # An error has put the old files back: then nothing is pending either.
        pending.unlink()
        _sync_folder(folder)


def finish_writing(folder: Path) -> bool:
    """Carries out what a killed process laid down for the book in `folder`; whether there was anything."""
    pending = folder / PENDING
    if not pending.exists():
        return False
    with locked(folder):
        if pending.exists():  # another one may have finished it meanwhile
            write_all(_pending(folder, pending))
            pending.unlink()
    return True


def _pending(folder: Path, pending: Path) -> dict[Path, str | None]:
    """What was laid down. It may have come with the book from elsewhere, so it names files of this project only."""
    remedy = "remove it, and look at what it was to change"
    try:
        texts = json.loads(read_raw(pending, MOST_PENDING))
    except (ValueError, RecursionError):
        raise InputError("an interrupted edit that is not understood", remedy, Place(pending, 1)) from None
    if not isinstance(texts, dict) or not all(isinstance(text, str | None) for text in texts.values()):
        raise InputError("an interrupted edit that is not understood", remedy, Place(pending, 1))
    home = folder.resolve()
    files = {folder / name: text for name, text in texts.items()}
    for file in files:
        target = file.resolve()
        log = target.name == changelog.NAME and target.parent in home.parents
        if not log and home not in target.parents:
            raise InputError(f"an interrupted edit of {str(target)[:80]}", remedy, Place(pending, 1))
    return files


def refuse_unfinished(folder: Path) -> None:
    """Raises `InputError` where an edit of the book in `folder` was interrupted. One under way is waited for."""
    pending = folder / PENDING
    if not pending.exists():
        return
    with locked(folder):
        if pending.exists():
            raise InputError("an edit was interrupted", "finish it with `raw check`", Place(pending, 1))


def _stage(target: Path, content: bytes) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        # mkstemp makes files that only their owner reads; a rule book is read by others.
        temporary.chmod(target.stat().st_mode & 0o777 if target.exists() else 0o644)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def _sync_folder(folder: Path) -> None:
    """Makes the new names last a power cut, where the system can do that."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextlib.contextmanager
def locked(folder: Path, wait: float = LONGEST_WAIT) -> Iterator[None]:
    """Holds `folder` against other writers of this project, so that of two edits at once none is lost.

    `wait` is in seconds. Raises `InputError` where another one holds it longer, or the folder cannot be written to.
    """
    from filelock import FileLock, Timeout

    file = folder / ".lock"
    lock = FileLock(file, timeout=wait)
    try:
        lock.acquire()
    except Timeout:
        raise InputError(
            f"another command has been writing for {wait:g} s", "wait for it, or end it", Place(file, 1)
        ) from None
    except OSError as error:
        raise InputError(
            f"cannot be written ({error.strerror})", "check the folder's permissions", Place(folder, 1)
        ) from None
    try:
        yield
    finally:
        # Removed while held: a waiting writer sees that its file has no name any more, and makes a new one.
        with contextlib.suppress(OSError):
            file.unlink()
        lock.release()
