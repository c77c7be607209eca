import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type EnvironmentVariables, stateFolder } from './own-folders.ts';
import { readOwnFile } from './read-file.ts';
import { replaceFile } from './replace-file.ts';

/** Something a file of a project wants to have started or connected to. */
export interface ProjectProposal {
  /** The absolute path of the file. */
  readonly file: string;
  /** What the file calls it. */
  readonly name: string;
  /** What the file says of it: what a user agrees to. */
  readonly entry: unknown;
}

/** What a user decided about a proposal. */
export type Consent = 'allowed' | 'refused';

/**
 * What the user decided about what files of projects want to have started, kept between runs: one small file a decision, so that two
 * processes never write the same. A decision holds for the file it was made about and for every character of the entry in it.
 */
export class KeptConsents {
  readonly #folder: string;

  /** @param env says where the state of this user is kept; the folder is made when it is needed */
  constructor(env: EnvironmentVariables = process.env) {
    this.#folder = join(stateFolder(env), 'consents');
  }

  /** What was decided. Undefined: nothing, or it cannot be read. */
  find(proposal: ProjectProposal): Consent | undefined {
    try {
      const { decision } = JSON.parse(readOwnFile(this.#path(proposal)) ?? '{}') as { readonly decision?: unknown };
      return decision === 'allowed' || decision === 'refused' ? decision : undefined;
    } catch {
      return undefined;
    }
  }

  /** Keeps a decision instead of the one before. Rejects when it cannot be written. */
  async keep(proposal: ProjectProposal, decision: Consent): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const { file, name, entry } = proposal;
    await replaceFile(this.#path(proposal), `${JSON.stringify({ decision, file, name, entry }, undefined, 2)}\n`);
  }

  /** Another file, or one character changed, is another proposal. */
  #path({ file, name, entry }: ProjectProposal): string {
    const key = createHash('sha256')
      .update(JSON.stringify([file, name, entry]))
      .digest('hex');
    return join(this.#folder, `${key}.json`);
  }
}
