import { extname, resolve } from 'node:path';
import { denyAll } from '@turnwire/client';
import { emptyTranscript, reduceAll, type TranscriptEvent } from '@turnwire/client/transcript';
import { replaceFile } from '@turnwire/machine';
import { openAgent } from '../../driving/open-agent.ts';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { contentText } from '@turnwire/client/view';
import { documentText } from '../../output/document/document-text.ts';
import { joined, type Pieces, printPieces } from '../../output/print-pieces.ts';
import { archiveText } from '../../store/archive.ts';
import type { KnownSession } from '../../store/known-sessions.ts';
import { NamedSessions } from '../../store/named-sessions.ts';
import { agentTitle, type SessionRecord } from '../../store/session-record.ts';
import { cleanJson } from '../../terminal/clean-text.ts';
import { continuedSession } from '../continued-session.ts';
import { report } from '../report.ts';
import { existingSession, newRecord } from '../located-session.ts';

/** A session with its history. */
interface Exported {
  readonly record: SessionRecord;
  /** The events as JSON, in batches. */
  readonly history: AsyncIterable<readonly string[]>;
}

/**
 * Writes a session with its history to a file or to stdout. A session that is stored here comes from the store, any other from its agent.
 * Resolves with the exit code.
 */
export async function exportSession(
  name: string | undefined,
  output: string | undefined,
  options: GlobalOptions,
): Promise<number> {
  const located = await existingSession(options, name).catch((error: unknown) => {
    if (name !== undefined && error instanceof CommandError && error.exitCode === exitCodes.noSession) return undefined;
    throw error;
  });
  if (located) {
    await using stored = located;
    return await written(ofStore(stored.sessions, stored.record), output, options);
  }
  const { session, options: its } = await continuedSession({ resume: name ?? true }, options);
  if (session?.recordId === undefined) return written(await fromAgent(session as KnownSession, its), output, options);
  await using sessions = new NamedSessions();
  return await written(ofStore(sessions, await sessions.read(session.recordId)), output, options);
}

async function written(exported: Exported, output: string | undefined, options: GlobalOptions): Promise<number> {
  const pieces = await textOf(exported, output, options);
  if (output === undefined || output === '-') return printPieces(pieces, options.timeout);
  await replaceFile(resolve(output), joined(pieces));
  const { id: recordId } = exported.record;
  report(options, { action: 'session_exported', recordId, output: resolve(output) }, (facts) => facts.output);
  return exitCodes.ok;
}

async function textOf(
  { record, history }: Exported,
  output: string | undefined,
  { documentFormat }: GlobalOptions,
): Promise<Pieces> {
  const format = documentFormat ?? { '.md': 'md' as const, '.html': 'html' as const }[extname(output ?? '')];
  const isPrinted = output === undefined || output === '-';
  if (format === undefined) return isPrinted ? cleaned(archiveText(record, history)) : archiveText(record, history);
  let view = emptyTranscript();
  for await (const events of history)
    view = reduceAll(
      view,
      events.map((event) => JSON.parse(event) as TranscriptEvent),
    );
  const words = [...view.entries].flatMap((entry) => (entry.type === 'user' ? entry.content.map(contentText) : []));
  const { agent, cwd, name, title, lastUsedAt } = record;
  const facts = { agent: agentTitle(agent), folder: cwd, ...(name !== undefined && { name }), 'last used': lastUsedAt };
  return inOne([documentText({ title: title ?? (words[0]?.slice(0, 100) || 'A session'), facts, view }, format)]);
}

async function* inOne(pieces: readonly string[]): AsyncGenerator<readonly string[], void> {
  yield pieces;
}

function ofStore(sessions: NamedSessions, record: SessionRecord): Exported {
  return { record, history: payloads(sessions, record.id) };
}

async function* payloads(sessions: NamedSessions, id: string): AsyncGenerator<readonly string[], void> {
  for await (const events of sessions.events(id)) yield events.map(({ payload }) => payload);
  const end = await sessions.interruption(id);
  if (end) yield [JSON.stringify(end)];
}

async function* cleaned(pieces: Pieces): AsyncGenerator<readonly string[], void> {
  for await (const batch of pieces) yield batch.map(cleanJson);
}

/** Loads the session from the agent, which replays it. Rejects with CommandError if the agent cannot. */
async function fromAgent(
  { agent: choice, sessionId, cwd, words, lastUsedAt }: KnownSession,
  options: GlobalOptions,
): Promise<Exported> {
  await using agent = await openAgent(options, { permission: denyAll });
  if (!agent.loadSession)
    throw new CommandError('the agent of this session cannot replay it, so it cannot be exported', exitCodes.error);
  const events: TranscriptEvent[] = [];
  await agent.loadSession({
    sessionId,
    cwd,
    onUpdate: (update) => void events.push({ at: lastUsedAt, type: 'update', update, isReplay: true }),
  });
  const time = new Date(lastUsedAt).toISOString();
  const begun = newRecord({ agent: choice, cwd }, {});
  const record = { ...begun, sessionId, title: words, createdAt: time, lastUsedAt: time, lastPromptAt: time };
  return { record, history: inOne(events.map((event) => JSON.stringify(event))) };
}
