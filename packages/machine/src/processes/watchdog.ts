import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { ownMark } from './launch-mark.ts';
import { psWords } from './process-table.ts';
import type { ProcessTree } from './process-tree.ts';

/**
 * A shell that holds the other end of a pipe: when the pipe closes, this process has ended, even by SIGKILL. It gives the trees a second to
 * exit by themselves, then sends SIGTERM and a second later SIGKILL. It exits as soon as no process is left. It costs about 1 MB and 1 ms;
 * one serves all trees. There is none on Windows or without `/bin/sh`.
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
    const [program, ...words] = watchdogCommand(existsSync('/proc/self/stat') ? [] : psWords());
    const child = spawn(program, words, {
      // Its own session, detached from the terminal's signals; a folder that is never removed; none of our variables, so that it is not
      // taken for a part of a tree.
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
export function watchdogCommand(ps: readonly string[]): readonly [program: string, ...words: string[]] {
  const look = ps.length === 0 ? lookInProc : lookAtPs;
  return ['/bin/sh', '-c', `${listen}\n${look}\n${find}\n${endAll}`, 'turnwire-watchdog', ...ps];
}

const listen = `
trap '' HUP INT TERM
IFS= read -r mark || exit 0
leaders=
while IFS= read -r line; do
  [ "$line" = done ] && exit 0
  leaders=$line
done`;

/** Sets $found to the marked pids, $rows to pid:parent:session of all, $sessions to ours unless their leader's pid was reused. */
const lookInProc = `
look() {
  found=' ' rows= sessions=' '
  for leader in $leaders; do sessions="$sessions\${leader%%:*} "; done
  for file in $(grep -lsF -e "$mark" /proc/[0-9]*/environ); do
    file=\${file#/proc/}
    found="$found\${file%/environ} "
  done
  for file in /proc/[0-9]*/stat; do
    { read -r line < "$file"; } 2>/dev/null || continue
    pid=\${line%% *}
    set -- \${line##*) }
    case $1 in Z | X) continue ;; esac
    rows="$rows $pid:$2:$4"
    for leader in $leaders; do
      [ "\${leader%%:*}" = "$pid" ] && [ "$leader" != "$pid:\${20}" ] && disclaim "$pid"
    done
  done
}
disclaim() {
  sessions="\${sessions%% $1 *} \${sessions#* $1 }"
}`;

/** The same without start times, hence without sessions: marked processes and their descendants. */
const lookAtPs = `
look() {
  found=' ' rows= sessions=' '
  while read -r pid parent group state command; do
    case $state in '' | Z*) continue ;; esac
    rows="$rows $pid:$parent:$group"
    case $command in *"$mark"*) found="$found$pid " ;; esac
  done <<TABLE
$("$@")
TABLE
}`;

/** Adds our sessions and all descendants to $found. True if any process is left. */
const find = `
find_all() {
  look "$@"
  grown=yes
  while [ -n "$grown" ]; do
    grown=
    for row in $rows; do
      pid=\${row%%:*} rest=\${row#*:}
      case $found in *" $pid "*) continue ;; esac
      case $found in *" \${rest%%:*} "*) ;; *) case $sessions in *" \${rest#*:} "*) ;; *) continue ;; esac ;; esac
      found="$found$pid " grown=yes
    done
  done
  [ "$found" != ' ' ]
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
