"""An engine under test: a program that answers calls, one JSON object a line (see PROTOCOL.md).

Whatever the program does, a call ends: in a value, in `unsupported`, or in an error that says what happened.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from conformance.asking import Reply
from conformance.options import command_of
from engine.errors import InputError
from engine.values import canonical, exact

PROTOCOL = 1
MOST_LINE = 1_000_000
MOST_STDERR = 4_000
MOST_READS = 16


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait, in seconds, and how often to start again."""

    first_answer: float = 10.0
    answer: float = 5.0
    goodbye: float = 1.0
    restarts: int = 3


@contextlib.contextmanager
def under_test(command: str, patience: Patience | None = None) -> Iterator[Remote | None]:
    """The program behind `command`, ended at the end; None (the built-in engine) where there is no command."""
    if not command:
        yield None
        return
    remote = Remote(command, patience)
    try:
        yield remote
    finally:
        remote.close()


class _Broken(Exception):
    """The program cannot be talked to any more."""


class Remote:
    """A program under test. It is started at the first call, and again after a crash, a few times at most."""

    def __init__(self, command: str, patience: Patience | None = None) -> None:
        self.name = command
        self._words = command_of(command)
        self._patience = patience or Patience()
        self._process: _Process | None = None
        self._starts = 0
        self._id = 0
        self._gone = ""

    def ask(
        self,
        system: str,
        call: str,
        given: Mapping[str, Any],
        rolls: Sequence[int] | None,
        readings: Mapping[str, str],
    ) -> Reply:
        """The program's answer to one call."""
        if self._gone:
            return Reply("error", text=self._gone)
        self._id += 1
        question = {
            "protocol": PROTOCOL,
            "id": self._id,
            "system": system,
            "call": call,
            "given": canonical(given),
            "rolls": None if rolls is None else list(rolls),
            "readings": dict(readings),
        }
        line = json.dumps(question, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        try:
            fresh = self._process is None
            process = self._running()
            patience = self._patience.first_answer if fresh else self._patience.answer
            return _reply(process.exchange(line, patience), self._id)
        except _Broken as broken:
            return Reply("error", text=self._stop(str(broken)))

    def close(self) -> None:
        """Ends the program."""
        if self._process is not None:
            self._process.end(self._patience.goodbye)
            self._process = None

    def _running(self) -> _Process:
        if self._process is None:
            self._starts += 1
            try:
                self._process = _Process(self._words)
            except OSError as error:
                raise _Broken(f"the engine does not start ({error.strerror})") from None
        return self._process

    def _stop(self, why: str) -> str:
        heard = ""
        if self._process is not None:
            self._process.end(0)
            heard = self._process.heard
            self._process = None
        if heard:
            why += f"; its last words on stderr: {heard}"
        if self._starts > self._patience.restarts:
            self._gone = f"the engine was given up after {self._starts} starts; the last time, {why}"
        return why


class _Process:
    """A running program and its three pipes, none of which can block us."""

    def __init__(self, words: Sequence[str]) -> None:
        self._popen = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,  # so that what it starts can be ended with it
        )
        assert self._popen.stdin is not None
        assert self._popen.stdout is not None
        assert self._popen.stderr is not None
        self._stdin, self._stdout, self._stderr = self._popen.stdin, self._popen.stdout, self._popen.stderr
        for stream in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(stream.fileno(), False)
        self._answers = bytearray()
        self._words = bytearray()

    @property
    def heard(self) -> str:
        """The end of what it wrote to stderr, as one line."""
        self._listen()
        return " ".join(bytes(self._words).decode("utf-8", "replace").split())[-600:]

    def exchange(self, line: bytes, seconds: float) -> bytes:
        """Sends a line and returns the next one. Raises `_Broken` where none comes in time."""
        deadline = time.monotonic() + seconds
        left = memoryview(line)
        with selectors.DefaultSelector() as selector:
            selector.register(self._stdin, selectors.EVENT_WRITE)
            selector.register(self._stdout, selectors.EVENT_READ)
            selector.register(self._stderr, selectors.EVENT_READ)
            while (end := self._answers.find(b"\n")) < 0:
                if len(self._answers) > MOST_LINE:
                    raise _Broken(f"an answer of more than {MOST_LINE} bytes")
                wait = deadline - time.monotonic()
                if wait <= 0:
                    raise _Broken(f"no answer within {seconds:g} seconds")
                for key, _ in selector.select(wait):
                    if key.fileobj is self._stdin:
                        left = self._send(left, selector)
                    elif key.fileobj is self._stderr:
                        if not self._listen():
                            selector.unregister(self._stderr)
                    else:
                        self._receive()
        answer = bytes(self._answers[:end])
        del self._answers[: end + 1]
        return answer

    def _send(self, left: memoryview, selector: selectors.BaseSelector) -> memoryview:
        try:
            left = left[os.write(self._stdin.fileno(), left) :]
        except BlockingIOError:
            return left
        except OSError:
            # It reads no more; whether it still answers, its stdout tells.
            left = left[len(left) :]
        if not left:
            selector.unregister(self._stdin)
        return left

    def _receive(self) -> None:
        try:
            got = os.read(self._stdout.fileno(), 65536)
        except BlockingIOError:
            return
        if not got:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._popen.wait(1)
            raise _Broken(f"the engine ended ({self._status()})")
        self._answers += got

    def _status(self) -> str:
        code = self._popen.poll()
        if code is None:
            return "it closed its output"
        return f"killed by signal {-code}" if code < 0 else f"exit status {code}"

    def _listen(self) -> bool:
        """Reads what is there of stderr and keeps its end. False once it is closed.

        A program that writes faster than we read is not followed for ever: the deadline would never be looked at.
        """
        try:
            for _ in range(MOST_READS):
                if not (got := os.read(self._stderr.fileno(), 65536)):
                    return False
                self._words += got
                del self._words[:-MOST_STDERR]
        except BlockingIOError:
            return True
        except (OSError, ValueError):
            return False
        return True

    def end(self, seconds: float) -> None:
        """Closes its input, waits a moment, and ends it with all that it started."""
        with contextlib.suppress(OSError):
            self._stdin.close()
        if seconds:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._popen.wait(seconds)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._popen.pid, signal.SIGKILL)
        self._popen.wait()
        self._listen()
        self._stdout.close()
        self._stderr.close()


def _reply(line: bytes, number: int) -> Reply:
    """A line as a `Reply`. Raises `_Broken` for one that is no answer to the call."""
    try:
        answer = json.loads(line, parse_float=exact, parse_constant=_no_number)
        ours = isinstance(answer, dict) and type(answer.get("id")) is int and answer["id"] == number
        if not ours:
            raise ValueError
        if b"\\u" in line:
            # Half of a surrogate pair is no text: no results file could hold it.
            json.dumps(json.loads(line), ensure_ascii=False).encode()
        kinds = [key for key in ("value", "unsupported", "error") if key in answer]
        if len(kinds) != 1:
            raise _Broken(f"answer {number} has {len(kinds)} of value, unsupported, error: give exactly one")
        if kinds[0] == "value":
            return Reply("value", canonical(answer["value"]))
    except (ValueError, RecursionError, InputError):
        shown = line[:120].decode("utf-8", "replace")
        raise _Broken(
            f'"{shown}" on stdout is no answer to call {number}; one JSON object a line, logs on stderr'
        ) from None
    text = " ".join(str(answer[kinds[0]]).split())[:600]
    return Reply("unsupported", text=text) if kinds[0] == "unsupported" else Reply("error", text=text)


def _no_number(text: str) -> Any:
    raise ValueError(text)
