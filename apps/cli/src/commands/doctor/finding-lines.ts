import { examinedLayers, type Finding } from '@turnwire/client/node';
import { cleanLine, cleanText } from '../../terminal/clean-text.ts';
import type { Paint, Style } from '../../terminal/paint.ts';
import { wrapWords } from '../../terminal/text-width.ts';
import { shownCommand } from '../../shown-command.ts';
import { stdout } from '../../terminal/output.ts';

/** The column of messages, after the mark and the name of the layer. */
const indent = 4 + Math.max(...examinedLayers.map((layer) => layer.length)) + 1;
/** The maximum width of prose, in columns. */
const widest = 110;
/** The maximum number of quoted lines of the agent's output. */
const quotedLines = 12;

const marks: Readonly<Record<Finding['verdict'], readonly [mark: string, style: Style]>> = {
  ok: ['✓', 'green'],
  warning: ['!', 'yellow'],
  failed: ['✗', 'red'],
  skipped: ['–', 'dim'],
};

/** The width of the output, in columns. */
export function pageWidth(): number {
  return Math.min(widest, stdout.size?.columns ?? widest);
}

/** Prints findings as text. */
export class FindingLines {
  readonly #paint: Paint;
  readonly #write: (line: string) => void;
  #warnings = 0;
  #skipped: string[] = [];

  constructor(paint: Paint, write: (line: string) => void) {
    this.#paint = paint;
    this.#write = write;
  }

  begin(words: readonly string[]): void {
    this.#write(`Examining ${this.#paint('bold', cleanLine(shownCommand(words)))}`);
    this.#write('');
  }

  print(finding: Finding): void {
    const { layer, verdict, message, advice, milliseconds } = finding;
    if (verdict === 'skipped' && message === 'not reached') return void this.#skipped.push(layer);
    this.#printSkipped();
    if (verdict === 'warning') this.#warnings++;
    const took = milliseconds === undefined ? '' : ` (${milliseconds} ms)`;
    this.#row(verdict, layer, `${message}${took}`);
    if (verdict === 'failed') this.#quote(finding);
    if (advice !== undefined) {
      const [first = '', ...others] = this.#wrapped(advice, 2);
      this.#write(`${' '.repeat(indent)}${this.#paint('cyan', '→')} ${first}`);
      for (const line of others) this.#write(`${' '.repeat(indent + 2)}${line}`);
    }
  }

  end(failed: string | undefined): void {
    this.#printSkipped();
    this.#write('');
    this.#write(this.#paint('bold', this.#verdict(failed)));
  }

  #verdict(failed: string | undefined): string {
    if (failed !== undefined) return `It does not work. The first layer that failed: ${failed}.`;
    if (this.#warnings === 0) return 'It works.';
    const warnings = this.#warnings === 1 ? 'There is one warning' : `There are ${this.#warnings} warnings`;
    return `Nothing failed. ${warnings} (!).`;
  }

  #printSkipped(): void {
    const [first, ...others] = this.#skipped;
    this.#skipped = [];
    if (first === undefined) return;
    this.#row('skipped', first, others.length === 0 ? 'not reached' : `not reached, nor ${others.join(', ')}`);
  }

  #row(verdict: Finding['verdict'], layer: string, text: string): void {
    const [mark, style] = marks[verdict];
    const [first = '', ...others] = this.#wrapped(text);
    const head = `  ${this.#paint(style, mark)} ${layer.padEnd(indent - 4)}`;
    this.#write(`${head}${verdict === 'skipped' ? this.#paint('dim', first) : first}`);
    for (const line of others) this.#write(`${' '.repeat(indent)}${line}`);
  }

  /** Prints the end of the agent's stderr. */
  #quote({ details }: Finding): void {
    const stderr = details?.['stderr'];
    if (typeof stderr !== 'string') return;
    const lines = cleanText(stderr).split('\n').slice(-quotedLines);
    for (const line of lines) this.#write(`${' '.repeat(indent)}${this.#paint('dim', `│ ${line}`)}`);
  }

  /** Wraps a text, except indented lines, which are commands to copy. */
  #wrapped(text: string, extra: number = 0): readonly string[] {
    const width = Math.max(20, pageWidth() - indent - extra);
    const lines = cleanText(text).split('\n');
    return lines.flatMap((line) => (line.startsWith('    ') ? [line] : wrapWords(line, width)));
  }
}
