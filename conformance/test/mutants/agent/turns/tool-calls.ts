import { asMessage, type RawMessage } from '../../../../src/wire/messages.ts';
import type { Mutant } from '../../mutant-line.ts';
import { inSessionOfItsOwn, tells } from './tampered.ts';

export const toolCallsMutants: readonly Mutant[] = [
  {
    name: 'never says that a tool call is over',
    judges: 'agent',
    scenario: 'tool-calls/read',
    breaks: 'R153',
    defect: tells(withoutStatus('completed')),
  },
  {
    name: 'keeps its tool calls to itself',
    judges: 'agent',
    scenario: 'tool-calls/read',
    breaks: 'R179',
    defect: tells((update) => (String(update['sessionUpdate']).startsWith('tool_call') ? undefined : update)),
  },
  {
    name: 'does not say that a tool runs',
    judges: 'agent',
    scenario: 'tool-calls/permitted',
    breaks: 'R150',
    defect: tells(withoutStatus('in_progress')),
  },
  {
    name: 'says that a tool runs while it asks whether it may',
    judges: 'agent',
    scenario: 'tool-calls/permitted',
    breaks: 'R187',
    defect: tells((update) => (update['status'] === 'pending' ? { ...update, status: 'in_progress' } : update)),
  },
  {
    name: 'asks for permission in a session that nobody began',
    judges: 'agent',
    scenario: 'tool-calls/permitted',
    breaks: 'R196',
    defect: inSessionOfItsOwn('session/request_permission'),
  },
  {
    name: 'shows a new file as if it had been there',
    judges: 'agent',
    scenario: 'tool-calls/new-file',
    breaks: 'R189',
    defect: tells(withDiffs((diff) => ({ ...diff, oldText: diff['oldText'] ?? '' }))),
  },
  {
    name: 'shows every file it changes as new',
    judges: 'agent',
    scenario: 'tool-calls/new-file',
    breaks: 'R189',
    defect: tells(withDiffs((diff) => ({ ...diff, oldText: null }))),
  },
  {
    name: 'has kinds of tools of its own',
    judges: 'agent',
    scenario: 'tool-calls/kinds',
    breaks: 'R185',
    defect: tells((update) => (update['kind'] === 'move' ? { ...update, kind: 'rename' } : update)),
  },
];

function withoutStatus(status: string): (update: RawMessage) => RawMessage {
  return (update) => {
    const { status: told, ...rest } = update;
    return told === status ? rest : update;
  };
}

function withDiffs(change: (diff: RawMessage) => RawMessage): (update: RawMessage) => RawMessage {
  return (update) => {
    const { content } = update;
    if (!Array.isArray(content)) return update;
    const changed = content.map((item: unknown) => {
      const diff = asMessage(item);
      return diff?.['type'] === 'diff' ? change(diff) : item;
    });
    return { ...update, content: changed };
  };
}
