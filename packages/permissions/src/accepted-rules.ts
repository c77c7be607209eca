import { resolve } from 'node:path';
import { TurnwireError } from '@turnwire/protocol';
import { readOwnFile } from '@turnwire/machine';
import { changeFile, fileStamp, missingStamp } from './file-change.ts';

/** The texts of accepted rules, by the file they are in. */
type Accepted = ReadonlyMap<string, ReadonlySet<string>>;

/** The rules accepted at one moment. */
export interface Acceptance {
  readonly byFile: Accepted;
  /** A warning for the user. With it, no rules are accepted. */
  readonly warning?: string;
}

/** The maximum size of the file in bytes. It contains the accepted rules of many projects. */
const longest = 16 * 1024 * 1024;

/** No rule is accepted. */
export const nothingAccepted: Acceptance = { byFile: new Map() };

/**
 * The rules of projects that a user has accepted: `{"/my/project/.turnwire/permissions.json": ["Bash(npm test)"]}`. The path is the one
 * from which the rules were read, with its links: a link in one project must not lead to the accepted rules of another. Without a file they
 * are stored as long as this object lives. An invalid file is never overwritten.
 */
export class AcceptedRules {
  readonly path: string | undefined;
  #stamp = missingStamp;
  #content = nothingAccepted;

  constructor(path: string | undefined) {
    this.path = path;
  }

  /** The currently accepted rules; the same object as long as they do not change. */
  read(): Acceptance {
    const stamp = this.path === undefined ? this.#stamp : fileStamp(this.path);
    if (this.path !== undefined && stamp !== this.#stamp) {
      this.#content = readFrom(this.path);
      this.#stamp = stamp;
    }
    return this.#content;
  }

  has(file: string, text: string): boolean {
    return this.read().byFile.get(resolve(file))?.has(text) ?? false;
  }

  /** Accepts a rule. Rejects with `invalid-input` if the file is invalid. */
  async accept(file: string, text: string): Promise<void> {
    await this.#change((before) => changed(before, file, (texts) => [...texts, text]));
  }

  async forget(file: string, text: string): Promise<void> {
    if (!this.has(file, text)) return;
    await this.#change((before) => changed(before, file, (texts) => texts.filter((each) => each !== text)));
  }

  async #change(change: (before: Accepted) => Accepted): Promise<void> {
    const { path } = this;
    if (path === undefined) {
      this.#content = { byFile: change(this.#content.byFile) };
      return;
    }
    const read = (): string | undefined => readOwnFile(path, { limit: longest });
    await changeFile({ path, read, limit: longest, isPrivate: true }, (source) => {
      const { byFile, warning } = contentOf(path, source);
      if (warning !== undefined) throw new TurnwireError('invalid-input', `The rule was not accepted: ${warning}`);
      return written(change(byFile));
    });
    this.#stamp = 'changed by us';
  }
}

function changed(before: Accepted, file: string, change: (texts: readonly string[]) => readonly string[]): Accepted {
  const path = resolve(file);
  const texts = new Set(change([...(before.get(path) ?? [])]));
  const others = [...before].filter(([each]) => each !== path);
  return new Map(texts.size === 0 ? others : [...others, [path, texts] as const]);
}

function readFrom(path: string): Acceptance {
  try {
    return contentOf(path, readOwnFile(path, { limit: longest }) ?? '');
  } catch (error) {
    return unusable((error as Error).message.replace(/\.$/, ''));
  }
}

function contentOf(path: string, source: string): Acceptance {
  if (source.trim() === '') return nothingAccepted;
  const found = parsed(source);
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return notUnderstood(path);
  const entries = Object.entries(found);
  if (!entries.every((entry): entry is [string, string[]] => isTexts(entry[1]))) return notUnderstood(path);
  return { byFile: new Map(entries.map(([file, texts]) => [file, new Set(texts)])) };
}

function parsed(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function notUnderstood(path: string): Acceptance {
  return unusable(`${path} must contain an object with lists of texts, like {"/a/file": ["Bash(npm test)"]}`);
}

function unusable(problem: string): Acceptance {
  return {
    ...nothingAccepted,
    warning: `${problem}; until it is fixed or removed, no rule of a project allows anything`,
  };
}

function written(accepted: Accepted): string {
  const texts = Object.fromEntries([...accepted].map(([file, each]) => [file, [...each]]));
  return `${JSON.stringify(texts, undefined, 2)}\n`;
}
