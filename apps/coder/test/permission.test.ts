import { ProtocolError } from '@turnwire/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CoderProcess, reject } from './coder-process.ts';
import type { Decide } from './coder-process.ts';

let coder: CoderProcess;

beforeAll(async () => {
  coder = await CoderProcess.start();
});

afterAll(() => coder[Symbol.asyncDispose]());

const bytes = '\uFEFFalpha\r\nTODO\r\n';

const changes = [
  'replace "alpha" with "beta" in notes.txt',
  'create notes.txt with "other"',
  'delete notes.txt',
  'move notes.txt to other.txt',
  'run rm notes.txt',
] as const;

test.each(changes)('a refused %j changes nothing, is reported and ends the chain', async (change) => {
  const session = await coder.open({ 'notes.txt': bytes });
  await session.prompt('read notes.txt');
  session.decide = reject;
  const { stopReason, said, updates } = await session.prompt(`${change} then create after.txt with "x"`);
  expect(said).toMatch(
    /^\*\*Refused:\*\* \w+ `[^`]+`\. Permission was refused; nothing was changed\.\n\nI stopped there: one instruction was not carried out\.$/,
  );
  expect([stopReason, updates.at(-2), await session.files(), await session.read('notes.txt')]).toEqual([
    'end_turn',
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: expect.any(String),
      status: 'failed',
      content: [{ type: 'content', content: { type: 'text', text: 'Permission was refused; nothing was changed.' } }],
    },
    ['notes.txt'],
    bytes,
  ]);
});

const noApproval: readonly (readonly [string, Decide])[] = [
  ['an option nobody offered', () => ({ outcome: { outcome: 'selected', optionId: 'sure' } })],
  ['an error', () => Promise.reject(new ProtocolError(-32603, 'no window'))],
  ['a dismissal', () => ({ outcome: { outcome: 'cancelled' } })],
];

test.each(noApproval)('%s is not an approval', async (_, decide) => {
  const session = await coder.open({ 'notes.txt': bytes });
  session.decide = decide;
  await session.prompt('delete notes.txt');
  expect(await session.read('notes.txt')).toBe(bytes);
});

test('a dismissed question ends the turn', async () => {
  const session = await coder.open({ 'notes.txt': bytes });
  session.decide = () => ({ outcome: { outcome: 'cancelled' } });
  const { stopReason, updates } = await session.prompt('delete notes.txt then list files');
  expect([stopReason, updates.at(-1)]).toEqual([
    'cancelled',
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: expect.any(String),
      status: 'failed',
      content: [{ type: 'content', content: { type: 'text', text: 'Cancelled; nothing was changed.' } }],
    },
  ]);
});

test('reading needs no permission', async () => {
  const session = await coder.open({ 'notes.txt': bytes });
  session.decide = () => Promise.reject(new Error('nobody should have asked'));
  const { said } = await session.prompt('list files then read notes.txt then search for TODO then plan: rest');
  expect(said).not.toContain('Refused');
});

test('a file that changed while the question was open is left alone', async () => {
  const session = await coder.open({ 'notes.txt': 'alpha\n' });
  await session.prompt('read notes.txt');
  session.decide = async () => {
    await session.write('notes.txt', 'alpha, edited by hand\n');
    return { outcome: { outcome: 'selected', optionId: 'allow_once' } };
  };
  const { said } = await session.prompt('replace "alpha" with "beta" in notes.txt');
  expect([said, await session.files(), await session.read('notes.txt')]).toEqual([
    '**Failed:** edit `notes.txt`. notes.txt changed in the meantime; nothing was written. Read it again.',
    ['notes.txt'],
    'alpha, edited by hand\n',
  ]);
});

test('a denied file cannot be read by any tool, and each refusal gives the reason', async () => {
  const session = await coder.open({
    'secret.txt': 'TODO: hide\n',
    'notes.txt': 'TODO: show\n',
    '.turnwire/permissions.json': '{"deny": ["Read(secret.txt)"]}',
  });
  const ways = ['read secret.txt', 'run cat secret.txt', 'move secret.txt to x.txt', 'search for TODO in secret.txt'];
  const answers: string[] = [];
  for (const way of ways) answers.push((await session.prompt(way)).said);
  const { said } = await session.prompt('search for TODO');
  const because = `Refused, denied by the rule Read(secret.txt) in ${session.folder}/.turnwire/permissions.json; nothing was done.`;
  expect([
    answers.map((answer) => answer.replace('/folder', session.folder).replace(/^.*?`\. /s, '')),
    said.includes('hide'),
  ]).toEqual([ways.map(() => because), false]);
});
