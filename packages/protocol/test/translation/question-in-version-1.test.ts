import type { RequestPermissionRequest } from '@turnwire/protocol/v2';
import { expect, test } from 'vitest';
import { questionInVersion1 } from '../../src/translation/question-in-version-1.ts';
import { unreported } from '../../src/translation/updates-in-version-1.ts';

const options = [{ optionId: 'no', name: 'No', kind: 'reject_once' }];
const asked = (fields: object): RequestPermissionRequest =>
  ({ sessionId: 's', title: 'Do it?', options, ...fields }) as RequestPermissionRequest;
const text = (value: string): object => ({ type: 'content', content: { type: 'text', text: value } });
const end = { sessionUpdate: 'tool_call_update', toolCallId: 'q', status: 'completed' };

test.each([
  [
    'a question about a new call begins the call with its title',
    asked({ subject: { type: 'tool_call', toolCall: { toolCallId: 't', kind: 'edit' } }, description: 'Why' }),
    {
      request: {
        ...{ sessionId: 's', options },
        toolCall: { toolCallId: 't', title: 'Do it?', kind: 'edit', content: [text('Why')] },
      },
      before: [{ sessionUpdate: 'tool_call', toolCallId: 't', title: 'Do it?', kind: 'edit' }],
      after: [],
    },
  ],
  [
    'a question about a command has a call of its own',
    asked({ subject: { type: 'command', command: 'ls', cwd: '/w' } }),
    {
      request: {
        ...{ sessionId: 's', options },
        toolCall: { toolCallId: 'q', title: 'Do it?', kind: 'execute', rawInput: { command: 'ls', cwd: '/w' } },
      },
      before: [],
      after: [end],
    },
  ],
  [
    'a question about the command of a call belongs to the call',
    asked({ subject: { type: 'command', command: 'ls', cwd: '/w', toolCallId: 't' } }),
    {
      request: {
        ...{ sessionId: 's', options },
        toolCall: {
          ...{ toolCallId: 't', kind: 'execute', rawInput: { command: 'ls', cwd: '/w' } },
        },
      },
      before: [],
      after: [],
    },
  ],
  [
    'a question about an unknown subject is a general one',
    asked({ subject: { type: '_other' }, description: 'Why' }),
    {
      request: {
        ...{ sessionId: 's', options },
        toolCall: { toolCallId: 'q', title: 'Do it?', content: [text('Why')] },
      },
      before: [],
      after: [end],
    },
  ],
] as const)('%s', (_, request, question) => {
  expect(questionInVersion1(unreported(), request, 'q')).toEqual(question);
});
