import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { entryPath, replaceFile, stateFolder, undefinedIfMissing } from '@turnwire/machine';
import { type RecentSession, sessionKey } from './recent-session.ts';
import { type AgentChoice, agentKey } from './session-record.ts';

/** The maximum number of recorded sessions. */
const most = 500;

/** How far the number may exceed {@link most} before the oldest are removed, because finding them takes time. */
const slack = 50;

/** The sessions of chats and of `exec`, in one file each, so that processes with different sessions do not wait for each other. */
export class RecentSessions {
  readonly #folder: string;

  constructor(folder: string = join(stateFolder(), 'recent')) {
    this.#folder = folder;
  }

  /** Finds a recorded session; undefined if there is none or its file cannot be read. */
  async find(session: Pick<RecentSession, 'agent' | 'sessionId'>): Promise<RecentSession | undefined> {
    return this.#read(`${sessionKey(session)}.json`);
  }

  /** Stores a session and replaces its previous record. */
  async write(session: RecentSession): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await replaceFile(entryPath(this.#folder, `${sessionKey(session)}.json`), JSON.stringify(session));
    await this.#removeOldest();
  }

  /** All recorded sessions, last used first. Unreadable files are skipped. */
  async list(): Promise<readonly RecentSession[]> {
    const found = await Promise.all((await this.#names()).map((name) => this.#read(name)));
    return found.filter((session) => session !== undefined).toSorted((one, other) => other.lastUsedAt - one.lastUsedAt);
  }

  /** Whether an agent is known to report costs. */
  async isCostKnown(agent: AgentChoice): Promise<boolean> {
    const sessions = await this.list();
    return sessions.some((each) => each.reportsCost === true && agentKey(each.agent) === agentKey(agent));
  }

  async #names(): Promise<readonly string[]> {
    const names = (await readdir(this.#folder).catch(undefinedIfMissing)) ?? [];
    return names.filter((name) => /^[0-9a-f]{16}\.json$/.test(name));
  }

  async #read(name: string): Promise<RecentSession | undefined> {
    const path = entryPath(this.#folder, name);
    try {
      // Another version of this program may have written it.
      const session = JSON.parse(await readFile(path, 'utf8')) as RecentSession;
      const { agent, sessionId, cwd, words, lastUsedAt } = session;
      const texts = [sessionId, cwd, words].every((each) => typeof each === 'string');
      return texts && typeof agent === 'object' && typeof lastUsedAt === 'number' ? session : undefined;
    } catch {
      return undefined;
    }
  }

  async #removeOldest(): Promise<void> {
    const names = await this.#names();
    if (names.length <= most + slack) return;
    const times = await Promise.all(
      names.map(async (name) => ({ name, time: (await stat(join(this.#folder, name))).mtimeMs })),
    );
    const oldest = times.toSorted((one, other) => other.time - one.time).slice(most);
    await Promise.all(oldest.map(({ name }) => rm(join(this.#folder, name), { force: true })));
  }
}
