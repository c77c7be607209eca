import { readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import type { ClientCapabilities } from '../../src/index.ts';
import {
  type Loss,
  lossOf,
  MessageIds,
  plainUpdate,
  unreported,
  updatesInVersion1,
  updatesInVersion2,
} from '../../src/translation/index.ts';
import type { SessionUpdate } from '../../src/v2/index.ts';

/* The updates of recorded sessions of version 2, in version 1 and back: two gateways in a row, the first with a client of version 1. */

const folder = new URL('recorded-v2/', import.meta.url);

type Update = Readonly<Record<string, unknown>> & { readonly sessionUpdate: string };

function recorded(file: string): readonly Update[] {
  const lines = readFileSync(new URL(file, folder), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Update);
}

const announcesAll: ClientCapabilities = {
  session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
  subagents: {},
  plan: {},
};

interface Translated {
  readonly back: readonly Update[];
  readonly lost: readonly Loss[];
}

/** What a client of version 2 receives, and what the gateway reports to the client of version 1 in between as lost. */
function thereAndBack(updates: readonly Update[], capabilities: ClientCapabilities): Translated {
  const messages = new MessageIds();
  const session = unreported();
  const lost = new Set<Loss>();
  const back = updates.flatMap((said) =>
    updatesInVersion1(session, said as unknown as SessionUpdate).flatMap((update, index) => {
      const plain = plainUpdate(update, capabilities);
      const loss = lossOf(update, plain, index === 0 ? (said as unknown as SessionUpdate) : null);
      if (loss !== undefined) lost.add(loss);
      return plain === undefined ? [] : updatesInVersion2(messages, plain);
    }),
  );
  return { back: back as readonly unknown[] as readonly Update[], lost: [...lost] };
}

type Item = { readonly type: string; readonly patch?: { readonly text: string } };

function withContent(update: Update, change: (items: readonly Item[]) => readonly Item[]): Update {
  const { content } = update as { readonly content?: readonly Item[] };
  return update.sessionUpdate === 'tool_call_update' && content ? { ...update, content: change(content) } : update;
}

/** Removes one difference that version 1 makes necessary, from the updates of either side. */
const differences: Readonly<Record<string, (updates: readonly Update[]) => readonly Update[]>> = {
  // Lost: the answer to session/prompt ends the turn, and the second gateway makes the states again.
  states: (updates) => updates.filter(({ sessionUpdate }) => sessionUpdate !== 'state_update'),
  // Version 1 has only chunks.
  'whole messages': (updates) =>
    updates.flatMap((update) => {
      const { sessionUpdate: kind, content, ...fields } = update;
      if (!/^(?:user_message|agent_message|agent_thought)$/.test(kind)) return update;
      return ((content ?? []) as readonly object[]).map(
        (block) => ({ ...fields, sessionUpdate: `${kind}_chunk`, content: block }) as Update,
      );
    }),
  // Lost: a terminal of version 1 belongs to the client, so a call cannot contain one of the agent.
  'terminals of calls': (updates) =>
    updates.map((update) => withContent(update, (items) => items.filter(({ type }) => type !== 'terminal'))),
  // The facts of a terminal are `_meta` of its call, and the command is the input of the call.
  'terminal updates': (updates) =>
    updates.filter(({ sessionUpdate, toolCallId: _, rawInput, ...fields }) => {
      const isCommand = rawInput !== undefined && Object.keys(fields).length === 0;
      return !sessionUpdate.startsWith('terminal_') && !isCommand;
    }),
  // Git leaves out a count of 1.
  'hunk counts': (updates) =>
    updates.map((update) =>
      withContent(update, (items) =>
        items.map(({ patch, ...item }) => ({
          ...item,
          ...(patch && { patch: { ...patch, text: patch.text.replaceAll(/^(@@ .*?),1 @@$/gm, '$1 @@') } }),
        })),
      ),
    ),
};

function without(names: readonly string[], updates: readonly Update[]): readonly Update[] {
  const left = names.reduce((rest, name) => differences[name]?.(rest) ?? rest, updates);
  return left.map(
    (update) =>
      Object.fromEntries(Object.entries(update).toSorted(([one], [other]) => (one < other ? -1 : 1))) as Update,
  );
}

/** The terminals at the end, without their commands. */
function terminalsOf(updates: readonly Update[]): ReadonlyMap<unknown, object> {
  const terminals = new Map<unknown, { readonly output: string }>();
  for (const { sessionUpdate, terminalId, data, output, exitStatus, cwd } of updates) {
    if (!sessionUpdate.startsWith('terminal_')) continue;
    const before = terminals.get(terminalId) ?? { output: '' };
    const whole = (output as { readonly data: string } | undefined)?.data;
    const added = typeof data === 'string' ? Buffer.from(data, 'base64').toString() : '';
    terminals.set(terminalId, {
      ...before,
      output: whole === undefined ? before.output + added : Buffer.from(whole, 'base64').toString(),
      ...(cwd !== undefined && { cwd }),
      ...(exitStatus !== undefined && { exitStatus: { exitCode: null, signal: null, ...(exitStatus as object) } }),
    });
  }
  return terminals;
}

interface Expected {
  readonly differences: readonly string[];
  /** What is lost for a client that announces nothing. */
  readonly lost: readonly Loss[];
}

const always = ['states', 'whole messages'];
const withTerminals = [...always, 'terminals of calls', 'terminal updates'];

const expected: Readonly<Record<string, Expected>> = {
  'claude-cancel.jsonl': { differences: always, lost: [] },
  'claude-deny.jsonl': { differences: [...withTerminals, 'hunk counts'], lost: [] },
  'claude-run.jsonl': { differences: withTerminals, lost: [] },
  'claude-write.jsonl': { differences: [...always, 'hunk counts'], lost: [] },
  'codex-cancel.jsonl': { differences: ['states'], lost: ['notice'] },
  'codex-deny.jsonl': { differences: ['states', 'terminals of calls', 'terminal updates'], lost: ['notice'] },
  'codex-run.jsonl': { differences: ['states', 'terminals of calls', 'terminal updates'], lost: ['notice'] },
  'codex-write.jsonl': { differences: ['states', 'terminals of calls', 'terminal updates'], lost: ['notice'] },
};

test.each(readdirSync(folder))(
  'the session %s of version 2 has the same updates after the way through version 1, but for the named differences',
  (file) => {
    const updates = recorded(file);
    const { back, lost } = thereAndBack(updates, announcesAll);
    const names = Object.keys(differences);
    expect(without(names, back)).toEqual(without(names, updates));
    expect(terminalsOf(back)).toEqual(terminalsOf(updates));
    const areSame = (ignored: readonly string[]): boolean =>
      isDeepStrictEqual(without(ignored, updates), without(ignored, back));
    expect({
      differences: names.filter((name) => !areSame(names.filter((each) => each !== name))),
      lost: thereAndBack(updates, {}).lost,
      lostByNone: lost,
    }).toEqual({ ...expected[file], lostByNone: [] });
  },
);
