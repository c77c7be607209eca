import { asMessage, type RawMessage } from '../../../../src/wire/messages.ts';
import type { Mutant } from '../../mutant-line.ts';
import { inSessionOfItsOwn, tells } from './tampered.ts';

export const toolCallsMutants: readonly Mutant[] = [
  {
    name: 'never reports the end of a tool call',
    judges: 'agent',
    scenario: 'tool-calls/read',
    breaks: 'R153',
    defect: tells(withoutStatus('completed')),
  },
  {
    name: 'reports no tool calls',
    judges: 'agent',
    scenario: 'tool-calls/read',
    breaks: 'R179',
    defect: tells((update) => (String(update['sessionUpdate']).startsWith('tool_call') ? undefined : update)),
  },
  {
    name: 'does not report that a tool runs',
    judges: 'agent',
    scenario: 'tool-calls/permitted',
    breaks: 'R150',
    defect: tells(withoutStatus('in_progress')),
  },
  {
    name: 'reports a tool as running while its permission request is open',
    judges: 'agent',
    scenario: 'tool-calls/permitted',
    breaks: 'R187',
    defect: tells((update) => (update['status'] === 'pending' ? { ...update, status: 'in_progress' } : update)),
  },
  {
    name: 'asks for permission with an unknown session id',
    judges: 'agent',
    scenario: 'tool-calls/permitted',
    breaks: 'R196',
    defect: inSessionOfItsOwn('session/request_permission'),
  },
  {
    name: 'shows a new file with an old text',
    judges: 'agent',
    scenario: 'tool-calls/new-file',
    breaks: 'R189',
    defect: tells(withDiffs((diff) => ({ ...diff, oldText: diff['oldText'] ?? '' }))),
  },
  {
    name: 'shows every changed file as new',
    judges: 'agent',
    scenario: 'tool-calls/new-file',
    breaks: 'R189',
    defect: tells(withDiffs((diff) => ({ ...diff, oldText: null }))),
  },
  {
    name: 'uses unknown tool kinds',
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
