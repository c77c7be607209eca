import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { ownMark } from './launch-mark.ts';
import { psCommand } from './process-table.ts';
import type { ProcessTree } from './process-tree.ts';

/**
 * A shell that holds the other end of a pipe: when the pipe closes, this process has ended, even by SIGKILL. It gives the trees a second to exit by
 * themselves, then sends SIGTERM and a second later SIGKILL. It exits as soon as all processes have ended. It costs about 1 MB and 1 ms; one serves
 * all trees. It needs `/bin/sh`, `grep` and `awk`, and does not exist on Windows.
 */
export class Watchdog {
  readonly #child: ChildProcess;
  readonly #pipe: Writable;

  private constructor(child: ChildProcess, pipe: Writable) {
    this.#child = child;
    this.#pipe = pipe;
    // Without a watchdog everything works, except after SIGKILL.
    child.on('error', ignore);
    pipe.on('error', ignore);
    child.unref();
    (pipe as Writable & { unref?: () => void }).unref?.();
    // Over the pipe, since everyone can read a command line.
    pipe.write(`${ownMark}\n`);
  }

  static start(): Watchdog | undefined {
    if (process.platform === 'win32') return undefined;
    const [program, ...args] = watchdogCommand(existsSync('/proc/self/stat') ? [] : psCommand());
    const child = spawn(program, args, {
      // In its own session, without the terminal's signals; in a folder that is never removed; without our variables, so that it does not count as a
      // part of a tree.
      detached: true,
      cwd: '/',
      env: { PATH: `/usr/bin:/bin:/usr/sbin:/sbin:${process.env['PATH'] ?? ''}` },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    return new Watchdog(child, child.stdin);
  }

  /** True if it has ended. */
  get isGone(): boolean {
    return this.#child.pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Replaces the trees to end. */
  watch(trees: readonly ProcessTree[]): void {
    this.#pipe.write(`${trees.map(({ leader, start }) => `${leader}:${start}`).join(' ')}\n`);
  }

  /** Ends the watchdog: no trees are left. */
  dismiss(): void {
    this.#pipe.end('done\n');
  }
}

/** The watchdog's command line: reads `/proc`, or the output of a `ps`. Its input: the mark, then lists of leaders. */
export function watchdogCommand(ps: readonly string[]): readonly [program: string, ...args: string[]] {
  const search = ps.length === 0 ? searchProc : searchPs;
  return ['/bin/sh', '-c', `${listen}\n${search}\n${find}\n${endAll}`, 'turnwire-watchdog', ...ps];
}

const listen = `
trap '' HUP INT TERM
IFS= read -r mark || exit 0
leaders=
while IFS= read -r line; do
  [ "$line" = done ] && exit 0
  leaders=$line
done`;

/** Prints what was found, and all that came from it. */
const closure = `
END {
  do {
    grown = 0
    for (pid in parents) {
      if ((pid in found) || !((parents[pid] in found) || (sessions[pid] in ours))) continue
      found[pid]
      grown = 1
    }
  } while (grown)
  for (pid in found) printf "%s ", pid
}`;

/**
 * Prints the marked processes, those in our sessions unless the leader's pid was reused, and all their descendants. A shell alone would
 * take several times as long on a machine with many processes. The files are read by `grep`, since an `awk` ends at one whose process vanishes
 * while it is read; the pid is in their names, since the name of a process may contain anything, the end of a line included.
 */
const searchProc = `
search() {
  { grep -lsF -e "$mark" /proc/[0-9]*/environ; grep -asH '' /proc/[0-9]*/stat; } | awk -v leaders="$leaders" '
BEGIN {
  count = split(leaders, each, " ")
  for (at = 1; at <= count; at++) {
    split(each[at], leader, ":")
    ours[leader[1]] = leader[2]
  }
}
{
  split($0, path, "/")
  pid = path[3]
}
/^[/]proc[/][0-9]+[/]environ$/ {
  found[pid]
  next
}
sub(/^.*[)] /, "") && $1 != "Z" && $1 != "X" {
  parents[pid] = $2
  sessions[pid] = $4
  if ((pid in ours) && ours[pid] != $20) delete ours[pid]
}${closure}'
}`;

/**
 * The same without start times, hence without sessions: marked processes and their descendants. The mark is read from the input, because a process
 * with the mark in its arguments would find itself.
 */
const searchPs = `
search() {
  { echo "$mark"; "$@"; } | awk '
NR == 1 {
  mark = $0
  next
}
$4 != "" && $4 !~ /^Z/ {
  parents[$1] = $2
  if (index($0, mark)) found[$1]
}${closure}'
}`;

/** True if any process is left, or if that is unknown. The processes are in $found. */
const find = `
find_all() {
  found=$(search "$@") || return 0
  [ -n "$found" ]
}
leave_if_none_within() {
  tenths=$1
  shift
  while find_all "$@" || exit 0; [ "$tenths" -gt 0 ]; do
    tenths=$((tenths - 1))
    sleep 0.1 2>/dev/null || sleep 1
  done
}`;

const endAll = `
leave_if_none_within 10 "$@"
kill -TERM $found 2>/dev/null
leave_if_none_within 10 "$@"
for round in 1 2 3 4 5; do
  kill -KILL $found 2>/dev/null
  leave_if_none_within 2 "$@"
done`;

function ignore(): void {
  // See the constructor.
}
