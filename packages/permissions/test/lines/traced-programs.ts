import { isUtf8 } from 'node:buffer';
import { chmodSync, linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** All programs that lines can run. Each only records its call; shells also run their text after `-c`. */
const programs: readonly string[] = `
awk bash cat cp cpulimit curl date diff env evil find git grep head ls make mkdir mv node nohup npm python3 rg rm rsync scp sed
sh sleep sort split sudo tail tar tee timeout touch wc xargs`
  .trim()
  .split(/\s+/);

/** The project of a slot, below the folder of its log. It is deep, so that a few `..` do not lead out of it. */
export const projectIn = (slot: string): string => join(slot, 'd/e/f/project');

/** The variable with the slot's folder. */
export const slotVariable = 'TURNWIRE_SLOT';

/** The file for calls that do not know their slot. */
export const lostIn = (base: string): string => join(base, 'lost');

/**
 * Notes how it was called: the number of arguments, its own name, the folder, whether a secret file is its input, the arguments.
 * A shell with a text runs it, but never as a login shell, which would set the PATH to real programs.
 * What it prints would run `evil` if a shell took it for a command; some say that they failed, so that `||` goes on too.
 */
function source(base: string): string {
  return `#!/bin/sh
s=\${${slotVariable}:-${lostIn(base)}}
p=$s/d/e/f/project i=; { [ /dev/fd/0 -ef "$p/secret.txt" ] || [ /dev/fd/0 -ef "$p/.env" ]; } && i=secret
printf '%s\\0' "$#" "$0" "$PWD" "$i" "$@" >> "$s/log"
case \${0##*/} in
bash | sh) case $1 in -c | -[eflux]c) case $2 in [-+]*) ;; *) shift; exec "/bin/\${0##*/}" -c "$@" ;; esac ;; esac ;;
esac
echo evil out
case \${0##*/} in diff|find|grep|rg) exit 1 ;; esac
`;
}

/** Creates the traced programs: `bin`, which is read-only, and `traced`, the target of links. */
export function makePrograms(base: string): { readonly bin: string; readonly traced: string } {
  const bin = join(base, 'bin');
  const traced = join(base, 'traced');
  mkdirSync(bin);
  mkdirSync(lostIn(base));
  writeFileSync(traced, source(base));
  chmodSync(traced, 0o555);
  for (const program of programs) linkSync(traced, join(bin, program));
  return { bin, traced };
}

/** One call of a traced program. */
export interface Call {
  /** The program as the shell found it. */
  readonly file: string;
  readonly cwd: string;
  /** Whether its input is a secret file. */
  readonly readsSecret: boolean;
  readonly args: readonly string[];
}

/** The text that a line has written to a file; empty if there is none. Bytes that are not UTF-8 are characters of their own, as to the parser. */
export function writtenIn(path: string): string {
  try {
    const bytes = readFileSync(path);
    return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
  } catch {
    return '';
  }
}

export function callsIn(log: string): readonly Call[] {
  const parts = log.split('\0');
  const calls: Call[] = [];
  for (let at = 0; at + 4 < parts.length;) {
    const [count = '', file = '', cwd = '', input = ''] = parts.slice(at, at + 4);
    const end = at + 4 + Number(count);
    // The last record is cut off if a line wrote more than its limit.
    if (!/^\d+$/.test(count) || end >= parts.length) break;
    calls.push({ file, cwd, readsSecret: input === 'secret', args: parts.slice(at + 4, end) });
    at = end;
  }
  return calls;
}
