import type { SessionEvent } from '@turnwire/client/gateway';
import { contentText } from '@turnwire/client/view';
import { ownIdentity } from '@turnwire/machine';
import type { Session } from '@turnwire/runtime';
import type { RecentSession } from '../store/recent-session.ts';
import { RecentSessions } from '../store/recent-sessions.ts';
import type { AgentChoice } from '../store/session-record.ts';
import { cleanLine } from '../terminal/clean-text.ts';

/** The inputs of a writer. */
export interface RecentSessionWriterParts {
  readonly agent: AgentChoice;
  readonly usedBy: RecentSession['usedBy'];
  /** Called with each session that was written, and its id in the runtime. */
  readonly onWritten?: ((session: RecentSession, id: string) => void) | undefined;
}

/** The data of a session's prompts since its last write. */
interface PromptedSession {
  /** The beginning of the first prompt. */
  readonly words: string;
  /** The number of prompts since the last write. */
  prompts: number;
  reportsCost: boolean;
  openTurn: 'running' | 'failed' | undefined;
}

/** The length of the words that a list shows, in UTF-16 units. */
const longestWords = 200;

/** Writes each session of a command that is prompted to the recent sessions, so that `--continue` and `--resume` find it. */
export class RecentSessionWriter {
  readonly #parts: RecentSessionWriterParts;
  readonly #recent = new RecentSessions();
  /** By the ids of the sessions in the runtime. */
  readonly #prompted = new Map<string, PromptedSession>();
  /** The sessions that began in this process. */
  readonly #begunHere = new Set<string>();
  #writing: Promise<void> = Promise.resolve();

  constructor(parts: RecentSessionWriterParts) {
    this.#parts = parts;
  }

  /** Records that a session begins here, and was not one of the agent before. */
  begun(id: string): void {
    this.#begunHere.add(id);
  }

  /** Writes the session after an event that changes its record. */
  add(session: Session, event: SessionEvent): void {
    if (event.type === 'update' && !recorded.has(event.update.sessionUpdate)) return;
    const known = this.#prompted.get(session.id);
    if (event.type === 'prompt' && known) known.prompts++;
    else if (event.type === 'prompt') {
      const text = event.content.map(contentText).join(' ');
      const words = cleanLine(text.slice(0, 4 * longestWords)).slice(0, longestWords);
      this.#prompted.set(session.id, { words, prompts: 1, reportsCost: false, openTurn: undefined });
    }
    const prompted = this.#prompted.get(session.id);
    if (!prompted || !changesRecord(event, prompted)) return;
    const now = { ...prompted };
    prompted.prompts = 0;
    // A full disk stops no session.
    this.#writing = this.#writing.then(() => this.#write(session, now)).catch(() => undefined);
  }

  /** Resolves when the sessions so far are written. */
  async written(): Promise<void> {
    await this.#writing;
  }

  async #write(session: Session, prompted: PromptedSession): Promise<void> {
    const { agent, usedBy, onWritten } = this.#parts;
    // As they are now: they may have changed since the event.
    const { facts, record } = session;
    const { agentSessionId: sessionId, canRestore, modeId, options } = facts;
    if (sessionId === undefined || canRestore === false) return;
    const words = cleanLine(record.title ?? '') || prompted.words;
    const isBegunHere = this.#begunHere.has(session.id);
    const known = await this.#recent.find({ agent, sessionId });
    const first = { agent, sessionId, words, lastUsedAt: Date.now(), ...(isBegunHere && { turns: 0 }) };
    const written: RecentSession = {
      ...(await afterPrompts({ ...(known ?? first), cwd: record.cwd, usedBy }, prompted)),
      // A session of another process keeps its words: unless the agent sends a title, the title here is only the first prompt since.
      ...(isBegunHere && { words }),
      ...(modeId !== undefined && { modeId }),
      ...(options && { options }),
    };
    await this.#recent.write(written);
    onWritten?.(written, session.id);
  }
}

async function afterPrompts(
  { openTurn: _before, turns, ...kept }: RecentSession,
  { prompts, reportsCost, openTurn }: PromptedSession,
): Promise<RecentSession> {
  return {
    ...kept,
    ...(turns !== undefined && { turns: turns + prompts }),
    ...(prompts > 0 && { lastUsedAt: Date.now() }),
    ...(openTurn && { openTurn: openTurn === 'running' ? await ownIdentity() : openTurn }),
    ...(reportsCost && { reportsCost: true }),
  };
}

/** Records the turn and the cost of an event. Returns whether it changes the record of the session. */
function changesRecord(event: SessionEvent, prompted: PromptedSession): boolean {
  switch (event.type) {
    case 'prompt':
      prompted.openTurn = 'running';
      return true;
    case 'turn-ended':
      prompted.openTurn = undefined;
      return true;
    case 'turn-failed':
      prompted.openTurn = 'failed';
      return true;
    case 'setup':
      return true;
    case 'update': {
      const { update } = event;
      if (update.sessionUpdate !== 'usage_update') return true;
      const isFirst = !prompted.reportsCost && Boolean(update.cost);
      prompted.reportsCost ||= isFirst;
      return isFirst;
    }
    default:
      return false;
  }
}

/** The updates that may change the record of a session: its title, its settings, or whether its agent reports the cost. */
const recorded: ReadonlySet<string> = new Set([
  'session_info_update',
  'config_option_update',
  'current_mode_update',
  'usage_update',
]);
