import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type EnvironmentVariables, stateFolder } from './own-folders.ts';
import { readOwnFile } from './read-file.ts';
import { replaceFile } from './replace-file.ts';

/** A program or server that a file of a project asks to start or connect to. */
export interface ProjectProposal {
  /** The absolute path of the file. */
  readonly file: string;
  /** Its name in the file. */
  readonly name: string;
  /** Its definition in the file, which a user agrees to. */
  readonly entry: unknown;
}

/** A user's decision about a proposal. */
export type Consent = 'allowed' | 'refused';

/**
 * Stores the user's decisions about programs and servers that project files ask to start: one small file per decision, so that two
 * processes never write the same. A decision holds for the file it was made about and for every character of the entry in it.
 */
export class KeptConsents {
  readonly #folder: string;

  /** @param env determines the state folder of this user; it is created when it is needed */
  constructor(env: EnvironmentVariables = process.env) {
    this.#folder = join(stateFolder(env), 'consents');
  }

  /** The decision; undefined if it is missing or cannot be read. */
  find(proposal: ProjectProposal): Consent | undefined {
    try {
      const { decision } = JSON.parse(readOwnFile(this.#path(proposal)) ?? '{}') as { readonly decision?: unknown };
      return decision === 'allowed' || decision === 'refused' ? decision : undefined;
    } catch {
      return undefined;
    }
  }

  /** Stores a decision and replaces the one before. Rejects when it cannot be written. */
  async keep(proposal: ProjectProposal, decision: Consent): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const { file, name, entry } = proposal;
    await replaceFile(this.#path(proposal), `${JSON.stringify({ decision, file, name, entry }, undefined, 2)}\n`);
  }

  /** A different file, or a single changed character, is a different proposal. */
  #path({ file, name, entry }: ProjectProposal): string {
    const key = createHash('sha256')
      .update(JSON.stringify([file, name, entry]))
      .digest('hex');
    return join(this.#folder, `${key}.json`);
  }
}
