import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import {
  type Judgement,
  jsonReport,
  type KeptRow,
  keptRow,
  type MatrixEntry,
  matrixHtml,
  matrixMarkdown,
  matrixOf,
  summarise,
} from '@turnwire/conformance';
import { stdout } from '../../terminal/output.ts';
import type { MatrixArguments, Row } from './matrix-row.ts';
import { KeptTraces, privateFolders } from './kept-traces.ts';
import type { MatrixRecord } from './matrix-record.ts';
import { traceName } from './trace-folder.ts';
import { onStdout, writeReports } from './write-reports.ts';

/** The judgements of a matrix so far, and the reports about them. */
export class MatrixResults {
  readonly #record: MatrixRecord | undefined;
  readonly #args: MatrixArguments;
  readonly #madeAt = new Date();
  readonly #entries: MatrixEntry[] = [];
  readonly #kept: KeptRow[] = [];

  constructor(record: MatrixRecord | undefined, args: MatrixArguments) {
    this.#record = record;
    this.#args = args;
  }

  get count(): number {
    return this.#entries.length;
  }

  /** Whether all subjects conform. */
  get isFine(): boolean {
    return this.#entries.every(({ judgement }) => summarise(judgement, this.#args.level).conclusion === 'conforming');
  }

  /** Adds the judgement of a row, and writes the traces to keep of it. */
  async add(row: Row, judgement: Judgement): Promise<void> {
    const { name, packages } = row.subject;
    const entry = { name, judgement, ...(packages && { packages }) };
    this.#entries.push({ ...entry, traceOf: this.#addressesOf(row) });
    if (this.#record !== undefined) await this.#keep(entry, row, this.#record);
  }

  /** Prints and writes all reports. Without a judgement there are none. */
  async report(): Promise<void> {
    if (this.count === 0) return;
    const options = { from: this.#args.level, madeAt: this.#madeAt };
    const matrix = matrixOf(this.#entries, options);
    if (onStdout(this.#args) === undefined) stdout.printExactly(matrixMarkdown(matrix, options.madeAt));
    const facts = (): object[] =>
      this.#entries.map(({ name, judgement }) => ({ name, ...jsonReport(judgement, options) }));
    await writeReports(this.#args, {
      json: () => `${JSON.stringify(facts(), undefined, 2)}\n`,
      html: () => matrixHtml(matrix, options.madeAt),
    });
    await this.#record?.add(this.#kept);
  }

  /** The page links to the traces from its own folder, Markdown on stdout from the current one. */
  #addressesOf({ folder, options }: Row): MatrixEntry['traceOf'] {
    const { trace, cwd } = options;
    if (trace === undefined) return undefined;
    const { html } = this.#args;
    const base = typeof html === 'string' ? dirname(html) : (cwd ?? process.cwd());
    return ({ scenario, nth }) => relative(base, join(trace, folder, traceName(scenario, nth)));
  }

  async #keep(entry: MatrixEntry, { subject, folder, args }: Row, record: MatrixRecord): Promise<void> {
    const { env, inheritEnv } = subject;
    const secrets = [...Object.values(env), ...inheritEnv.flatMap((each) => process.env[each] ?? [])];
    const traces = new KeptTraces(record.tracesOf(folder), entry.judgement.kind, {
      secrets: secrets.filter((each) => !isFolder(each)),
      folders: privateFolders(env['HOME'], process.cwd()),
    });
    const traceOf: MatrixEntry['traceOf'] = (connection) => record.addressOf(traces.add(connection));
    this.#kept.push(keptRow({ ...entry, traceOf }, { from: args.level, madeAt: this.#madeAt }));
    await traces.write();
  }
}

/** Whether a value is a path: traces show another name for it. A key may contain a slash as well. */
function isFolder(value: string): boolean {
  return isAbsolute(value) && existsSync(value);
}
