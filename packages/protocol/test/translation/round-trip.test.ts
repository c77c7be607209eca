import { readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import type { SessionUpdate as V1Update } from '../../src/index.ts';
import {
  MessageIds,
  plainUpdate,
  unreported,
  updatesInVersion1,
  updatesInVersion2,
} from '../../src/translation/index.ts';

/* The updates of recorded sessions of version 1, in version 2 and back. */

const folder = new URL('recorded/', import.meta.url);

type Update = Readonly<Record<string, unknown>> & { readonly sessionUpdate: string };

function recorded(file: string): readonly Update[] {
  const lines = readFileSync(new URL(file, folder), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Update);
}

/** What a client of version 1 receives if a gateway translates in both directions. It announces everything but plans with ids. */
function thereAndBack(updates: readonly Update[]): readonly Update[] {
  const capabilities = { session: { notices: {}, compaction: {}, configOptions: { boolean: {} } }, subagents: {} };
  const messages = new MessageIds();
  const session = unreported();
  return updates
    .flatMap((update) => updatesInVersion2(messages, update as unknown as V1Update))
    .flatMap((update) => updatesInVersion1(session, update))
    .flatMap((update) => plainUpdate(update, capabilities) ?? []) as readonly unknown[] as readonly Update[];
}

function isCall(update: Update): boolean {
  return typeof update['toolCallId'] === 'string';
}

type Item = { readonly type: string; readonly path?: string };

/** Removes one difference that version 2 makes necessary. Undefined: the update does not exist in the other version. */
const differences: Readonly<Record<string, (update: Update) => Update | undefined>> = {
  // A message needs an id.
  'message ids': ({ messageId: _, ...update }) => update as Update,
  // A call begins with its first report, whatever its kind.
  'first reports': (update) => (isCall(update) ? { ...update, sessionUpdate: 'call' } : update),
  // Absent and null are the same.
  'commands without input': (update) => {
    if (update.sessionUpdate !== 'available_commands_update') return update;
    const commands = update['availableCommands'] as readonly { readonly input?: object | null }[];
    return {
      ...update,
      availableCommands: commands.map(({ input, ...each }) => ({ ...each, ...(input && { input }) })),
    };
  },
  // Version 2 has updates for terminals. Back in version 1 their facts are updates of the call.
  terminals: (update) => {
    if (!isCall(update)) return update;
    const { content, _meta, ...fields } = update as Update & {
      readonly content?: readonly Item[];
      readonly _meta?: object;
    };
    const left = content?.filter(({ type }) => type !== 'terminal') ?? [];
    const meta = Object.entries(_meta ?? {}).filter(([name]) => !name.startsWith('terminal_'));
    const isChanged = Object.keys(fields).length > 2 || left.length > 0 || meta.length > 0;
    if (!isChanged) return undefined;
    return {
      ...fields,
      ...(left.length > 0 && { content: left }),
      ...(meta.length > 0 && { _meta: Object.fromEntries(meta) }),
    } as Update;
  },
};

function without(names: readonly string[], updates: readonly Update[]): readonly Update[] {
  return updates.flatMap((update) => {
    let left: Update | undefined = update;
    for (const name of names) left = left && differences[name]?.(left);
    return left ?? [];
  });
}

/** The differences between a session and its translation. Undefined: there are others. */
function differencesOf(updates: readonly Update[]): readonly string[] | undefined {
  const back = thereAndBack(updates);
  const names = Object.keys(differences);
  const areSame = (ignored: readonly string[]): boolean =>
    isDeepStrictEqual(without(ignored, updates), without(ignored, back));
  if (!areSame(names)) return undefined;
  return names.filter((name) => !areSame(names.filter((each) => each !== name)));
}

/** The output of all terminals. */
function outputOf(updates: readonly Update[]): string {
  type Shown = { readonly terminal_output?: { readonly data: string } };
  return updates.map(({ _meta }) => (_meta as Shown | undefined)?.terminal_output?.data ?? '').join('');
}

/** What the sessions of real agents differ in. */
const expected: Readonly<Record<string, readonly string[]>> = {
  'claude-run.jsonl': ['commands without input'],
  'claude-write.jsonl': ['commands without input'],
  'gemini-read.jsonl': ['message ids'],
  'gemini-run.jsonl': ['message ids', 'first reports'],
  'gemini-write.jsonl': ['message ids', 'first reports'],
  'opencode-run.jsonl': [],
  'opencode-write.jsonl': [],
  'pi-read.jsonl': ['message ids'],
  'pi-run.jsonl': ['message ids', 'terminals'],
  'pi-write.jsonl': ['message ids'],
};

test.each(readdirSync(folder))(
  'the session %s has the same updates after the way through version 2, but for the named differences',
  (file) => {
    const updates = recorded(file);
    const back = thereAndBack(updates);
    const names = Object.keys(differences);
    expect(without(names, back)).toEqual(without(names, updates));
    expect([differencesOf(updates), outputOf(back)]).toEqual([expected[file], outputOf(updates)]);
  },
);
