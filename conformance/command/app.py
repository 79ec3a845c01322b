"""The operator's command `raw`: its options, its errors in one line each, its exit statuses."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

import typer
from typer.core import TyperGroup

from conformance.command import (
    adopt,
    approve,
    ask,
    check,
    decide,
    explain,
    impact,
    log,
    make,
    new,
    proposals,
    rule,
    sources,
    sweep,
    tune,
)
from conformance.command.common import AGREES, BAD, STOPPED, UNSETTLED
from conformance.command.library import at_command, suggest
from engine.errors import InputError, Unsettled
from engine.terminal import clean

HELP = """\
Rules As Written: ask, explain and decide the rules of a game.

\b
  raw ask worlds_awakening.max_mp MAG=4 level=1    what do the rules say?
  raw explain WA-3.2                               where does it stand?
  raw check                                        do all books load?

\b
Exit statuses:
  0  it agrees, or it was answered
  1  it disagrees
  2  the input is bad (one line says where, what, and what would be right)
  3  the text gives no single answer: undetermined, or unspecified

Every command takes --books DIR, a folder of rule books: the folder spec where you
are, else the project's own.
"""

# Typer shows only this one of its errors; its base is the root of all of them.
_USAGE: type[BaseException] = typer.BadParameter.__mro__[2]


class OneLine(TyperGroup):
    """Every error is one line on standard error, with its exit status; never a traceback or a box."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Runs the command. Leaves by `SystemExit`, unless `standalone_mode` is off."""
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                # A terminal that lacks a letter shows its number rather than nothing at all.
                stream.reconfigure(errors="backslashreplace")
        arguments = list(sys.argv[1:] if args is None else args)
        if arguments[:1] == ["--books"] and len(arguments) > 2:
            # Common to all commands, so it may stand before the command too.
            arguments = [*arguments[2:3], *arguments[:2], *arguments[3:]]
        extra |= {"complete_var": complete_var, "windows_expand_args": windows_expand_args}
        status = self._status(arguments, prog_name or "raw", extra)
        if not standalone_mode:
            return status
        sys.exit(status)

    def _status(self, arguments: list[str], prog_name: str, extra: dict[str, Any]) -> int:
        where = self._where(arguments)
        try:
            value = super().main(args=arguments, prog_name=prog_name, standalone_mode=False, **extra)
            sys.stdout.flush()
        except InputError as error:
            return _say(at_command(error, where))
        except Unsettled as error:
            _say(f"{where}: {error}")
            return UNSETTLED
        except (BrokenPipeError, SystemExit):
            # The reader had enough (`raw explain … | head`), which typer answers by leaving: what else is written goes
            # nowhere.
            with contextlib.suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return AGREES
        except (KeyboardInterrupt, typer.Abort):
            _say(f"{where}: stopped")
            return STOPPED
        except OSError as error:
            place = f"{error.filename}:1" if error.filename else where
            return _say(f"{place}: {error.strerror or error}; check the path and its permissions")
        except Exception as error:
            if isinstance(error, _USAGE):
                return _say(self._usage(error, where))
            if os.environ.get("RAW_DEBUG"):
                raise
            return _say(
                f"{where}: an error of ours ({type(error).__name__}: {error}); report it, with what RAW_DEBUG=1 shows"
            )
        return value if isinstance(value, int) else AGREES

    def _where(self, arguments: list[str]) -> str:
        command = next((a for a in arguments if not a.startswith("-")), "")
        return f"raw {command}" if command in self.commands else "raw"

    def _usage(self, error: BaseException, where: str) -> str:
        option = getattr(error, "option_name", None)
        message = str(getattr(error, "format_message", error.__str__)()).strip().rstrip(".")
        if option is not None and message.startswith("No such option"):
            context = getattr(error, "ctx", None)
            known = [name for p in getattr(context, "command", self).params for name in p.opts]
            return f"{where}: no option {option}; {suggest(str(option), [*known, '--help'])}"
        if message.startswith("No such command"):
            name = message.partition("'")[2].partition("'")[0]
            return f"{where}: no command {name}; {suggest(name, self.commands)}"
        return f"{where}: {message[:1].lower()}{message[1:]}; see `{where} --help`"


def _say(line: str) -> int:
    with contextlib.suppress(OSError):
        print(" ".join(clean(line).split()), file=sys.stderr)
    return BAD


app = typer.Typer(cls=OneLine, add_completion=False, help=HELP, rich_markup_mode=None, pretty_exceptions_enable=False)


@app.callback(invoke_without_command=True)
def _root(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


_COMMANDS: dict[str, Callable[..., int]] = {
    "explain": explain.explain,
    "ask": ask.ask,
    "check": check.check,
    "sources": sources.sources,
    "rule": rule.rule,
    "proposals": proposals.proposals,
    "impact": impact.impact,
    "tune": tune.tune,
    "approve": approve.approve,
    "reject": decide.reject,
    "withdraw": decide.withdraw,
    "adopt": adopt.adopt,
    "log": log.log,
    "new": new.new,
    "sweep": sweep.sweep,
    "vectors": make.vectors,
    "report": make.report,
    "schema": make.schema,
}
for _name, _command in _COMMANDS.items():
    app.command(_name)(_command)


def main() -> None:
    """Runs the command with the arguments of the process."""
    app()
