import { rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type JournalEntry, lasting, type SeenConnection, shortened, type Subject } from '@turnwire/conformance';
import { writeTrace } from '@turnwire/trace/node';
import { isObject } from '../../is-object.ts';
import { traceName } from './trace-folder.ts';

/** The maximum length of a text in a kept trace, in UTF-16 units, and of a list. */
const longestText = 400;
const longestList = 24;
/** The length of a text in which folders are searched before it is shortened. */
const searchable = 8_000;
/** How many frames are kept: at the start of a connection, before the frame in question, and after it. */
const kept = { first: 12, before: 40, after: 4 };

/** The private parts of texts of one subject: values to hide, and folders with the names that replace them. */
export interface PrivateTexts {
  readonly secrets: readonly string[];
  readonly folders: Readonly<Record<string, string>>;
}

/**
 * Short traces of one row of a matrix, to keep in a repository: without folders of this machine and secrets, with the frames around the
 * one in question, and without most of long texts.
 */
export class KeptTraces {
  readonly #folder: string;
  readonly #judged: Subject;
  readonly #private: PrivateTexts;
  readonly #wanted = new Map<string, SeenConnection>();

  /** @param folder where the traces of the row belong */
  constructor(folder: string, judged: Subject, hidden: PrivateTexts) {
    this.#folder = folder;
    this.#judged = judged;
    this.#private = hidden;
  }

  /** Keeps the trace of a connection. Returns its path. */
  add(connection: SeenConnection): string {
    const path = join(this.#folder, traceName(connection.scenario, connection.nth));
    const known = this.#wanted.get(path);
    // A violation names the frame in question.
    if (known?.evidence === undefined) this.#wanted.set(path, connection);
    return path;
  }

  /** Replaces the traces in the folder. Rejects with errors of the file system. */
  async write(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
    await Promise.all([...this.#wanted].map(([path, connection]) => this.#writeOne(path, connection)));
  }

  async #writeOne(path: string, { scenario, journal, evidence }: SeenConnection): Promise<void> {
    const entries = aroundEvidence(journal, evidence);
    const frames = entries.map(({ at, from, text, flaw }) => ({
      ...{ at: Math.round(at), text: this.#brief(text) },
      direction: from === this.#judged ? ('in' as const) : ('out' as const),
      ...(flaw !== undefined && { flaw }),
    }));
    const omitted = journal.length - entries.length;
    const header = {
      side: this.#judged === 'agent' ? ('client' as const) : ('agent' as const),
      ...{ scenario, ...(omitted > 0 && { omittedFrames: omitted }) },
    };
    await writeTrace(frames, { path, header, secrets: this.#private.secrets });
  }

  #brief(text: string): string {
    try {
      return JSON.stringify(this.#briefValue(JSON.parse(text)));
    } catch {
      return this.#briefText(text);
    }
  }

  #briefValue(value: unknown): unknown {
    if (typeof value === 'string') return this.#briefText(value);
    if (Array.isArray(value)) {
      const more = value.length - longestList;
      const first = value.slice(0, longestList).map((each) => this.#briefValue(each));
      return [...first, ...(more > 0 ? [`…[${more} more]…`] : [])];
    }
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.#briefValue(each)]));
  }

  #briefText(text: string): string {
    // To search megabytes for folders takes too long.
    const searched = text.length > searchable ? shortened(text, longestText) : text;
    const cleaned = Object.entries(this.#private.folders).reduce(
      (each, [folder, name]) => each.replaceAll(folder, name),
      lasting(searched),
    );
    return text.length > searchable ? cleaned : shortened(cleaned, longestText);
  }
}

/** The folders of this machine that traces must not show. */
export function privateFolders(home: string | undefined, cwd: string): Readonly<Record<string, string>> {
  return { ...(home && { [home]: '/home/agent' }), [cwd]: '/repository', [homedir()]: '/home/user' };
}

function aroundEvidence(journal: readonly JournalEntry[], evidence: JournalEntry | undefined): readonly JournalEntry[] {
  const { first, before, after } = kept;
  const at = evidence === undefined ? first + before : journal.indexOf(evidence);
  return journal.filter((_, nth) => nth < first || (nth >= at - before && nth <= at + after));
}
