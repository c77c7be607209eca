import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../replace-file.ts';
import type { Git } from './git.ts';

/** A turn, and the state of the folder before and after it. */
export interface RecordedTurn {
  /** Counts the turns in the folder from 1. */
  readonly number: number;
  /** The id that the client or the agent gave the turn: the agent may record the same turn as its client. */
  readonly id: string;
  readonly sessionId: string;
  /** The agent's id of the session, if the client knows it. */
  readonly agentSessionId?: string | undefined;
  readonly agent: string;
  /** The beginning of the prompt. */
  readonly prompt: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The id of a tree of git. */
  readonly before: string;
  /** Undefined: the turn runs, or its process was killed. */
  readonly after?: string;
  /** It was undone. */
  readonly isUndone?: true;
}

/** The data of a record besides the objects of git. */
export interface StoredTurns {
  /** The tree that was accepted last. */
  readonly accepted: string;
  /** The number of the last turn when everything was accepted. */
  readonly reviewed: number;
  /** The number of the last turn. */
  readonly last: number;
  readonly turns: readonly RecordedTurn[];
  /** Paths that are recorded although `.gitignore` excludes them. */
  readonly included: readonly string[];
}

/** The turns of a record in a file, and the refs that keep their trees. The caller has the lock of the record. */
export class RecordedTurns {
  readonly #git: Git;
  readonly #path: string;

  constructor(git: Git) {
    this.#git = git;
    this.#path = join(git.repository, 'turns.json');
  }

  get exist(): boolean {
    return existsSync(this.#path);
  }

  async read(): Promise<StoredTurns> {
    return JSON.parse(await readFile(this.#path, 'utf8')) as StoredTurns;
  }

  async change(changed: Partial<StoredTurns>): Promise<void> {
    await this.write({ ...(await this.read()), ...changed });
  }

  async write(stored: StoredTurns): Promise<void> {
    await replaceFile(this.#path, `${JSON.stringify(stored)}\n`);
  }

  /** Keeps a tree: git removes objects that no ref leads to. */
  async keep(name: string, tree: string): Promise<void> {
    await this.#git.text(['update-ref', `refs/turnwire/${name}`, tree]);
  }

  async forget({ number }: RecordedTurn): Promise<void> {
    for (const name of ['before', 'after'])
      await this.#git.text(['update-ref', '-d', `refs/turnwire/turns/${number}/${name}`]);
  }
}
