import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeProposal, proposalKey } from './known-server.ts';
import type { ServerProposal } from './known-server.ts';

/** What a person decided about a server of a project. */
export type Approval = 'allowed' | 'refused';

/**
 * What the person decided about servers of projects, kept between sessions: one small file a decision, so that two agents never write the same.
 * A decision holds for the file it was made about and for every character of the entry in it.
 */
export class KeptApprovals {
  readonly #folder: string;

  /** @param folder where they are kept; made when it is needed */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** What was decided. Undefined: nothing, or it cannot be read. */
  async find(proposal: ServerProposal): Promise<Approval | undefined> {
    try {
      const { decision } = JSON.parse(await readFile(this.#path(proposal), 'utf8')) as { readonly decision?: unknown };
      return decision === 'allowed' || decision === 'refused' ? decision : undefined;
    } catch {
      return undefined;
    }
  }

  /** Keeps a decision instead of the one before. Rejects when it cannot be written. */
  async keep(proposal: ServerProposal, decision: Approval): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const path = this.#path(proposal);
    const draft = `${path}.${process.pid}.draft`;
    const entry = { decision, file: proposal.file, server: proposal.name, is: describeProposal(proposal) };
    await writeFile(draft, `${JSON.stringify(entry, undefined, 2)}\n`, { mode: 0o600 });
    await rename(draft, path);
  }

  #path(proposal: ServerProposal): string {
    return join(this.#folder, `${proposalKey(proposal)}.json`);
  }
}
