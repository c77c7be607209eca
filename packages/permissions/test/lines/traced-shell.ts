import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { within } from '../../../../tools/pace.ts';
import { nobody, type Observed, Slot } from './slot.ts';
import { type Call, callsIn, lostIn, makePrograms, slotVariable, writtenIn } from './traced-programs.ts';

/** The time after which a line is ended, in milliseconds. */
const mostTime = within(1_500);

/**
 * The limits of a line: CPU seconds, file size, memory, open files, and, if lines run as nobody, processes. Not all shells support all of
 * these.
 */
const limits = [
  'ulimit -t 1',
  'ulimit -f 64',
  'ulimit -v 1000000',
  'ulimit -n 64',
  'ulimit -c 0',
  ...(nobody === undefined ? [] : ['ulimit -u 500 || ulimit -p 500']),
].map((each) => `{ ${each}; } 2>/dev/null`);

/** A set of traced programs with a shell that runs each line unchanged, in a folder of its own. */
export class TracedShell {
  readonly home: string;
  /** The number of lines that were ended because they took too long. */
  endless = 0;
  readonly #base: string;
  /** The folder with the traced programs. */
  readonly bin: string;
  readonly #traced: string;
  readonly #command: readonly string[];
  #made = 0;

  /** @param command the shell with its arguments, before the line */
  constructor(command: readonly string[]) {
    this.#command = command;
    this.#base = realpathSync(mkdtempSync(join(tmpdir(), 'lines-')));
    chmodSync(this.#base, 0o755);
    this.home = join(this.#base, 'home');
    mkdirSync(this.home);
    const { bin, traced } = makePrograms(this.#base);
    this.bin = bin;
    this.#traced = traced;
    if (nobody !== undefined) chmodSync(lostIn(this.#base), 0o777);
  }

  slots(count: number): readonly Slot[] {
    return Array.from({ length: count }, () => new Slot(join(this.#base, `${this.#made++}`), this.#traced));
  }

  /** Runs a line in each slot. */
  async run(lines: readonly string[], slots: readonly Slot[]): Promise<readonly Observed[]> {
    const used = slots.slice(0, lines.length);
    let next = 0;
    while (next < lines.length) {
      const done = await this.#runFrom(next, lines, used);
      // The next line took too long, or ended the shell that runs them all.
      if (done < lines.length) this.endless++;
      next = Math.max(done, next) + 1;
    }
    return used.map((slot) => slot.take());
  }

  /** Resolves with the number of finished lines, once all their processes have ended. */
  #runFrom(first: number, lines: readonly string[], slots: readonly Slot[]): Promise<number> {
    const script = join(this.#base, 'script');
    const steps = lines.slice(first).map((line, at) => this.#step(line, slots[first + at]?.folder ?? '', first + at));
    writeFileSync(script, [...limits, ...steps].join('\n'));
    const runner = spawn('/bin/sh', [script], {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: this.bin, HOME: this.home, LANG: 'C' },
      ...(nobody !== undefined && { uid: nobody, gid: nobody }),
    });
    return new Promise((resolve, reject) => {
      let done = first;
      const end = (): void => {
        try {
          if (runner.pid !== undefined) process.kill(-runner.pid, 'SIGKILL');
        } catch {
          // All of them have ended already.
        }
      };
      const limit = setTimeout(end, mostTime);
      createInterface(runner.stdout).on('line', (each) => {
        done = Number(each) + 1;
        limit.refresh();
      });
      runner.on('error', reject);
      // `close` waits until background processes have closed the pipe too.
      runner.on('close', () => {
        clearTimeout(limit);
        resolve(done);
      });
    });
  }

  #step(line: string, folder: string, at: number): string {
    const command = [...this.#command, line].map(quote).join(' ');
    const place = `cd ${quote(`${folder}/d/e/f/project`)}`;
    const streams = `8>&1 </dev/null >${quote(`${folder}/output`)} 2>&1`;
    return `${place} && ${slotVariable}=${quote(folder)} ${command} ${streams}\necho ${at}`;
  }

  /** Program calls outside the slots. */
  lost(): readonly Call[] {
    return callsIn(writtenIn(join(lostIn(this.#base), 'log')));
  }

  close(): void {
    rmSync(this.#base, { recursive: true, force: true });
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
