import type { NewEvent, SessionClaim, SessionFacts, SessionRecord, SessionStore } from '@turnwire/runtime';
import type { TranscriptEvent } from '@turnwire/client/transcript';
import { ownIdentity } from '@turnwire/machine';
import { contentText } from '@turnwire/client/view';
import { isInterrupted } from '../store/interrupted-session.ts';
import type { RecentSession } from '../store/recent-session.ts';
import { RecentSessions } from '../store/recent-sessions.ts';
import type { AgentChoice } from '../store/session-record.ts';
import { cleanLine } from '../terminal/clean-text.ts';

/** Of which sessions notes are taken. */
export interface NotedSessionsParts {
  readonly agent: AgentChoice;
  readonly usedBy: RecentSession['usedBy'];
  /** Called with each session that is noted, and its id at the gateway. */
  readonly onNoted?: ((session: RecentSession, id: string) => void) | undefined;
}

/** What is known of a session from its prompts. */
interface NotedPrompts {
  readonly first: string;
  readonly wasBegunHere: boolean;
  /** How many there were since it was noted. */
  prompts: number;
  reportsCost: boolean;
  openTurn: 'running' | 'failed' | undefined;
}

type Prompted = Readonly<NotedPrompts> & { readonly sessionId: string };

/** The length of the words that a list shows, in UTF-16 units. */
const longestWords = 200;

/** Notes each session of a gateway that is prompted, so that it is found again once the gateway has ended. */
export class NotedSessions {
  readonly #parts: NotedSessionsParts;
  readonly #recent = new RecentSessions();
  /** By the id of the session at the gateway. */
  readonly #noted = new Map<string, NotedPrompts>();
  #writing: Promise<void> = Promise.resolve();

  constructor(parts: NotedSessionsParts) {
    this.#parts = parts;
  }

  /** The store, with notes taken of what is written to it. */
  watched(store: SessionStore): SessionStore {
    const wasBegunHere = new Set<string>();
    return {
      create: async (record) => {
        const { agentSessionId: sessionId } = record.facts as SessionFacts;
        if (sessionId === undefined) wasBegunHere.add(record.id);
        const wasInterrupted =
          sessionId !== undefined && (await isInterrupted({ agent: this.#parts.agent, sessionId }));
        return store.create(wasInterrupted ? { ...record, facts: { ...record.facts, wasInterrupted } } : record);
      },
      append: async (claim, events) => {
        const stored = await store.append(claim, events);
        const { tenant, id } = claim.record;
        const prompts = events.filter(({ type }) => type === 'prompt');
        if (prompts.length > 0) this.#prompted(claim, prompts, wasBegunHere.has(id));
        const [hasTurn, hasCost] = [this.#hasTurn(id, events), this.#hasCost(id, events)];
        if (hasTurn || hasCost) this.#note(await store.find(tenant, id));
        return stored;
      },
      update: async (claim, change) => {
        await store.update(claim, change);
        const { tenant, id } = claim.record;
        if (this.#noted.has(id)) this.#note(await store.find(tenant, id));
      },
      claim: (tenant, id) => store.claim(tenant, id),
      find: (tenant, id) => store.find(tenant, id),
      read: (place, limits) => store.read(place, limits),
      findByKey: (tenant, id, key) => store.findByKey(tenant, id, key),
      findLast: (tenant, id, types) => store.findLast(tenant, id, types),
      list: (query) => store.list(query),
      trim: (claim, upTo) => store.trim(claim, upTo),
      delete: (tenant, id) => store.delete(tenant, id),
      close: () => store.close(),
    };
  }

  /** Resolves when what is noted so far is written. A disk that is full stops no session. */
  async written(): Promise<void> {
    await this.#writing;
  }

  #prompted({ record: { id } }: SessionClaim, events: readonly NewEvent[], wasBegunHere: boolean): void {
    const known = this.#noted.get(id);
    if (known) {
      known.prompts += events.length;
      return;
    }
    const event = JSON.parse(events[0]?.payload ?? '{}') as TranscriptEvent & { readonly type: 'prompt' };
    const first = cleanLine(
      event.content
        .map(contentText)
        .join(' ')
        .slice(0, 4 * longestWords),
    ).slice(0, longestWords);
    this.#noted.set(id, { first, wasBegunHere, prompts: events.length, reportsCost: false, openTurn: undefined });
  }

  /** Whether a turn begins or ends with these events. */
  #hasTurn(id: string, events: readonly NewEvent[]): boolean {
    const noted = this.#noted.get(id);
    const last = events.findLast(({ type }) => type === 'prompt' || type === 'turn-ended' || type === 'turn-failed');
    if (!noted || !last) return false;
    noted.openTurn = last.type === 'prompt' ? 'running' : last.type === 'turn-failed' ? 'failed' : undefined;
    return true;
  }

  /** Whether the first of these events that says what the session costs is among them. */
  #hasCost(id: string, events: readonly NewEvent[]): boolean {
    const noted = this.#noted.get(id);
    const isCost = ({ payload }: NewEvent): boolean => {
      if (!payload.includes('"usage_update"')) return false;
      const { update } = JSON.parse(payload) as { readonly update?: { readonly cost?: object | null } };
      return Boolean(update?.cost);
    };
    if (!noted || noted.reportsCost || !events.some(isCost)) return false;
    noted.reportsCost = true;
    return true;
  }

  #note(record: SessionRecord | undefined): void {
    const noted = record && this.#noted.get(record.id);
    const { agentSessionId, canRestore } = (record?.facts ?? {}) as SessionFacts;
    if (!record || !noted || agentSessionId === undefined || canRestore === false) return;
    const prompted = { ...noted, sessionId: agentSessionId };
    noted.prompts = 0;
    this.#writing = this.#writing.then(() => this.#write(record, prompted)).catch(() => undefined);
  }

  async #write(
    record: SessionRecord,
    { sessionId, first, wasBegunHere, prompts, reportsCost, openTurn }: Prompted,
  ): Promise<void> {
    const { agent, usedBy, onNoted } = this.#parts;
    const now = Date.now();
    const known = await this.#recent.find({ agent, sessionId });
    const isOld = prompts === 0 && known !== undefined;
    const session: RecentSession = {
      agent,
      sessionId,
      cwd: record.cwd,
      // What is gone on with keeps its words: without a title of the agent's, the gateway takes the first prompt that it sees.
      words: known && !wasBegunHere ? known.words : cleanLine(record.title ?? '') || first,
      ...turnsAfter(known ? known.turns : wasBegunHere ? 0 : undefined, prompts),
      lastUsedAt: isOld ? known.lastUsedAt : now,
      usedBy,
      ...(await openTurnIn(openTurn)),
      ...costIn(reportsCost, known),
      ...chosenIn(known ?? {}),
      ...chosenIn(record.facts),
    };
    await this.#recent.write(session);
    onNoted?.(session, record.id);
  }
}

function costIn(reportsCost: boolean, known: RecentSession | undefined): Pick<RecentSession, 'reportsCost'> {
  return reportsCost || known?.reportsCost ? { reportsCost: true } : {};
}

async function openTurnIn(turn: NotedPrompts['openTurn']): Promise<Pick<RecentSession, 'openTurn'>> {
  return turn ? { openTurn: turn === 'running' ? await ownIdentity() : turn } : {};
}

function turnsAfter(before: number | undefined, prompts: number): Pick<RecentSession, 'turns'> {
  return before === undefined ? {} : { turns: before + prompts };
}

function chosenIn({ modeId, options }: SessionFacts): Pick<RecentSession, 'modeId' | 'options'> {
  return { ...(modeId !== undefined && { modeId }), ...(options && { options }) };
}
