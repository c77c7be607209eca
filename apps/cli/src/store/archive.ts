import type { FileHandle } from 'node:fs/promises';
import { isEntryName } from '@turnwire/machine';
import { cleanLine } from '../terminal/clean-text.ts';
import { ArchiveScanner } from './archive-scanner.ts';
import { isHistoryEvent } from './history-event.ts';
import { type AgentChoice, problemOf, type SessionRecord, type SessionSettings } from './session-record.ts';

/** The version of the format: one JSON object with the record and the unchanged events of the history. */
const archiveSchema = 'turnwire.archive.v1';

const pieceSize = 256 * 1024;

/** The text of an archive in pieces of bounded size. @param batches the events of the history, as JSON */
export async function* archiveText(
  record: SessionRecord,
  batches: AsyncIterable<readonly string[]>,
): AsyncGenerator<readonly string[], void> {
  const head = { schema: archiveSchema, exportedAt: new Date().toISOString(), record };
  yield [`${JSON.stringify(head).slice(0, -1)},"history":[`];
  let separator = '';
  for await (const events of batches)
    yield events.flatMap((event) => {
      const pieces = [separator, event];
      separator = ',';
      return pieces;
    });
  yield [']}\n'];
}

/** The importable facts about a session: texts, but no settings. */
export interface ArchivedSession {
  /** The agent of the exported session, for a message. It does not decide which agent starts here. */
  readonly agent: AgentChoice;
  readonly kept: Partial<Pick<SessionRecord, 'sessionId' | 'name' | 'title' | 'createdAt' | 'lastPromptAt'>>;
  /** The settings that the archive contains and that are not imported. */
  readonly leftOut: readonly string[];
}

/**
 * Reads a whole archive in bounded memory. Rejects if any part of it is invalid.
 * @param onLongEvent called for each event that exceeds the size limit and is left out
 * @returns the lines of the history in batches, then the rest of the archive
 */
export async function* readArchive(
  file: FileHandle,
  onLongEvent: (number: number, bytes: number) => void = () => undefined,
): AsyncGenerator<readonly string[], ArchivedSession> {
  const scanner = new ArchiveScanner();
  const piece = Buffer.allocUnsafe(pieceSize);
  let number = 0;
  for (let at = 0; ;) {
    const { bytesRead } = await file.read(piece, 0, piece.length, at);
    if (bytesRead === 0) break;
    at += bytesRead;
    const lines: string[] = [];
    for (const event of scanner.push(piece.subarray(0, bytesRead))) {
      number++;
      if (typeof event === 'string') lines.push(...eventLine(event, number));
      else onLongEvent(number, event.bytes);
    }
    yield lines;
  }
  return sessionIn(scanner.frame);
}

/** The history line of an event; empty if the history is an empty list. */
function eventLine(text: string, number: number): readonly string[] {
  if (text.trim() === '' && number === 1) return [];
  const value = parsed(text);
  if (!isHistoryEvent(value)) throw new Error(`entry ${number} of its history is not an event`);
  return [/[\r\n]/.test(text) ? JSON.stringify(value) : text];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sessionIn(frame: string): ArchivedSession {
  const archive = JSON.parse(frame) as { readonly [key: string]: unknown } | null;
  if (archive?.['schema'] !== archiveSchema) throw new Error(`its schema is ${JSON.stringify(archive?.['schema'])}`);
  if (!Array.isArray(archive['history'])) throw new Error('it has no history');
  const record = archive['record'] as SessionRecord | undefined;
  const problem = problemOf(record) ?? shapeProblem(record as SessionRecord);
  if (problem !== undefined) throw new Error(`in its record, ${problem}`);
  const { agent, sessionId, name, title, createdAt, lastPromptAt, settings, modeId, configOptions } =
    record as SessionRecord;
  const kept = { sessionId, name, title, createdAt, lastPromptAt };
  const settled = { ...settings, ...(modeId !== undefined && { modeId }), ...(configOptions && { configOptions }) };
  const known = Object.keys(settled).flatMap((key) => (Object.hasOwn(optionOf, key) ? [optionOf[key as Setting]] : []));
  const others = Object.keys(settled).length - known.length;
  return {
    agent,
    kept: Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined)),
    leftOut: others > 0 ? [...known, `${others} that are not known here`] : known,
  };
}

type Setting = keyof SessionSettings | 'modeId' | 'configOptions';

/** The command-line option or command for each setting, for users who want to set it here. */
const optionOf: Readonly<Record<Setting, string>> = {
  model: '--model',
  systemPrompt: '--system-prompt',
  appendSystemPrompt: '--append-system-prompt',
  allowedTools: '--allowed-tools',
  maxTurns: '--max-turns',
  additionalDirectories: '--add-dir',
  mcpConfig: '--mcp-config',
  env: '--env',
  withoutFiles: '--no-fs',
  withoutTerminals: '--no-terminal',
  auth: '--auth',
  protocol: '--protocol',
  modeId: 'set-mode',
  configOptions: 'set',
};

/** Validates the imported facts, which appear in messages and are sent to the agent. */
function shapeProblem({
  id,
  agent,
  sessionId,
  name,
  title,
  createdAt,
  lastPromptAt,
}: SessionRecord): string | undefined {
  if (!isEntryName(id)) return 'the id is not valid';
  const texts = { sessionId, name, title, 'agent.name': agent.name, 'agent.command': agent.command };
  const wrong = Object.entries(texts).find(([, value]) => value !== undefined && !isShortLine(value));
  if (wrong) return `${wrong[0]} is not a line of at most ${longestText} characters`;
  const dates = { createdAt, lastPromptAt };
  const odd = Object.entries(dates).find(([, value]) => value !== undefined && !isDate(value));
  return odd && `${odd[0]} is not a time`;
}

const longestText = 1_000;

function isShortLine(value: unknown): boolean {
  return typeof value === 'string' && value.length <= longestText && cleanLine(value) === value;
}

function isDate(value: unknown): boolean {
  return typeof value === 'string' && value.length < 40 && !Number.isNaN(Date.parse(value));
}
