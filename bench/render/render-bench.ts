import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { median } from '../median.ts';
import { table } from '../table.ts';

/** Figures of the interactive client at 10,000 updates a second. */
export interface RenderFigure {
  /** Lines of the transcript before. */
  readonly lines: number;
  /** Updates that were sent while it was measured, a second. */
  readonly updates: number;
  /** Of one core: wire, view and drawing together. */
  readonly processor: number;
  /** Processor time per update, in microseconds. */
  readonly microseconds: number;
  /** Frames a second. */
  readonly frames: number;
  /** The longest time from one frame to the next, in milliseconds. */
  readonly longestFrame: number;
  /** From a key to the screen, in milliseconds. */
  readonly key: number;
  readonly longestKey: number;
  /** Resident memory at the end, in MB. */
  readonly memory: number;
}

const command = fileURLToPath(new URL('../../apps/cli/bin/turnwire.js', import.meta.url));
const agent = fileURLToPath(new URL('flood-agent.mjs', import.meta.url));
const frameBegin = '\u001b[?2026h';
const lengths = [1_000, 100_000];
/** Time from one key to the next, in milliseconds. */
const keyTime = 250;

/** Drives the command in a pseudo-terminal with an emulator behind it, at different lengths of the transcript. */
export async function measureRender(seconds: number): Promise<readonly RenderFigure[]> {
  const figures: RenderFigure[] = [];
  for (const lines of lengths) figures.push(await measure(lines, seconds));
  return figures;
}

/** The figures for a user. */
export function renderTable(figures: readonly RenderFigure[]): string {
  const head = 'lines before,updates/s,processor,per update,frames/s,longest frame,key,longest key,memory'.split(',');
  const rows = figures.map((each) => [
    each.lines.toLocaleString('en'),
    Math.round(each.updates).toLocaleString('en'),
    `${Math.round(each.processor * 100)} %`,
    `${each.microseconds.toFixed(1)} µs`,
    each.frames.toFixed(1),
    ...[each.longestFrame, each.key, each.longestKey].map((time) => `${Math.round(time)} ms`),
    `${Math.round(each.memory)} MB`,
  ]);
  return table(head, rows);
}

async function measure(lines: number, seconds: number): Promise<RenderFigure> {
  const words = `'${process.execPath}' '${agent}' ${lines} ${seconds}`;
  const pty = spawn(process.execPath, [command, '--agent', words], { cols: 100, rows: 30, name: 'xterm-256color' });
  const terminal = new xterm.Terminal({ cols: 100, rows: 30, scrollback: 1_000, allowProposedApi: true });
  const watch = new Watch(pty.pid, (key) => pty.write(key));
  let seen = '';
  let isAsked = false;
  const ended = new Promise<void>((resolve) => pty.onExit(() => resolve()));
  pty.onData((data) => {
    terminal.write(data);
    seen = (seen + data).slice(-20_000);
    if (!isAsked && seen.includes('/help for help')) {
      isAsked = true;
      pty.write('go\r');
    }
    watch.see(data, seen);
    if (watch.isOver) pty.kill('SIGTERM');
  });
  await ended;
  terminal.dispose();
  return { lines, ...watch.figure(seconds) };
}

/** Measures the output at the terminal, from the word MEASURE to the word END. */
class Watch {
  readonly #pid: number;
  readonly #type: (key: string) => void;
  #start: { readonly at: number; readonly processor: number } | undefined;
  #end: { readonly at: number; readonly processor: number; readonly memory: number; readonly sent: number } | undefined;
  readonly #frames: number[] = [];
  readonly #keys: number[] = [];
  #pressed: { readonly at: number; readonly text: string } | undefined;
  #typed = 0;

  constructor(pid: number, type: (key: string) => void) {
    this.#pid = pid;
    this.#type = type;
  }

  get isOver(): boolean {
    return this.#end !== undefined;
  }

  see(data: string, seen: string): void {
    const now = performance.now();
    if (!this.#start) {
      if (seen.includes('MEASURE')) this.#start = { at: now, processor: processorOf(this.#pid) };
      return;
    }
    if (data.includes(frameBegin)) this.#frames.push(now);
    this.#watchKeys(data, now);
    const sent = /SENT (\d+) END/.exec(seen)?.[1];
    if (sent !== undefined && !this.#end)
      this.#end = { at: now, processor: processorOf(this.#pid), memory: memoryOf(this.#pid), sent: Number(sent) };
  }

  figure(seconds: number): Omit<RenderFigure, 'lines'> {
    if (!this.#start || !this.#end) throw new Error('the client ended before it was measured');
    const processor = this.#end.processor - this.#start.processor;
    const took = (this.#end.at - this.#start.at) / 1000;
    const gaps = this.#frames.slice(1).map((at, index) => at - (this.#frames[index] ?? at));
    return {
      updates: this.#end.sent / Math.max(seconds, took),
      processor: processor / took,
      microseconds: (processor / this.#end.sent) * 1e6,
      frames: this.#frames.length / took,
      longestFrame: Math.max(0, ...gaps),
      key: median(this.#keys),
      longestKey: Math.max(0, ...this.#keys),
      memory: this.#end.memory,
    };
  }

  /** Presses keys at an interval, and waits until the editor shows each. */
  #watchKeys(data: string, now: number): void {
    if (this.#pressed && withoutStyles(data).includes(`› ${this.#pressed.text}`)) {
      this.#keys.push(now - this.#pressed.at);
      this.#pressed = undefined;
    }
    const due = (this.#keys.length + 1) * keyTime;
    if (this.#pressed || !this.#start || now - this.#start.at < due) return;
    const text = 'x'.repeat(++this.#typed);
    this.#pressed = { at: now, text };
    this.#type('x');
  }
}

function withoutStyles(text: string): string {
  // oxlint-disable-next-line no-control-regex -- styles are control sequences
  return text.replaceAll(/\u001b\[[0-9;]*m/g, '');
}

/** Seconds a process has used so far. On Linux only, whose clock for it ticks a hundred times a second. */
function processorOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
