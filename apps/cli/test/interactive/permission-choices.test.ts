import type { Question } from '@turnwire/client/permissions';
import type { PermissionOption } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { permissionChoices } from '../../src/interactive/dialogs/permission-choices.ts';

const once: PermissionOption = { optionId: 'once', name: 'Allow', kind: 'allow_once' };
const always = (name: string): PermissionOption => ({ optionId: name, name, kind: 'allow_always' });

/** What a person is offered, in our words and behind them in the agent's. */
function offered(options: readonly PermissionOption[], proposedRule?: string): unknown {
  const question: Question = {
    id: 'q',
    action: { sessionId: 's', roots: [], kind: 'edit', paths: [], source: 'request' },
    request: { sessionId: 's', toolCall: { toolCallId: 'a' }, options },
    reason: '',
    proposedRule,
    signal: new AbortController().signal,
  };
  return permissionChoices(question).map(({ label, detail }) => [label, detail]);
}

test('a rule the agent offers as well is offered once, and is remembered here', () => {
  const options = [
    once,
    always('Always allow Edit(./a) in this session'),
    always('Always allow Edit(./a) in this project'),
  ];
  expect(offered(options, 'Edit(./a)')).toEqual([
    ['Allow once', 'Allow'],
    ['Always in this session', 'Edit(./a)'],
    ['Always in this project', 'Edit(./a)'],
  ]);
});

test('what the agent would remember stays where it is something else, or nothing is remembered here', () => {
  expect([
    offered([once, always('All edits')], 'Edit(./a)'),
    offered([once, always('Always allow Edit(./a)')]),
    offered([always('Always allow Edit(./a)')], 'Edit(./a)'),
  ]).toEqual([
    [
      ['Allow once', 'Allow'],
      ['Always in this session', 'Edit(./a)'],
      ['Always in this project', 'Edit(./a)'],
      ['Always', 'All edits: the agent remembers it'],
    ],
    [
      ['Allow once', 'Allow'],
      ['Always', 'Always allow Edit(./a): the agent remembers it'],
    ],
    [['Always', 'Always allow Edit(./a): the agent remembers it']],
  ]);
});
