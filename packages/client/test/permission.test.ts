import { approveAll, denyAll, optionOfKind, type PermissionPolicy, type Turn } from '@turnwire/client';
import type { PermissionOption, RequestPermissionRequest } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { cancelUnderWay, collect, inSession, textOf } from './scripted.ts';

/** The answer that the agent received under this policy. */
async function outcome(permission: PermissionPolicy | undefined, prompt = 'ask'): Promise<string> {
  return inSession({ permission }, async (session) => textOf(await collect(session.prompt(prompt))));
}

test('without a policy everything is rejected, by kind and not by position', async () => {
  expect(await outcome(undefined)).toBe('selected no');
});

test('approveAll allows once, wherever that option is in the list', async () => {
  expect(await outcome(approveAll)).toBe('selected yes');
});

test('denyAll cancels if it cannot reject once', async () => {
  expect(await outcome(denyAll, 'askRejecting')).toBe('cancelled');
});

test('approveAll uses the best option there is', async () => {
  expect(await outcome(approveAll, 'askRejecting')).toBe('selected always');
});

test('a policy sees the whole request', async () => {
  const seen: RequestPermissionRequest[] = [];
  await outcome((request) => void seen.push(request));
  expect(seen).toEqual([
    {
      sessionId: 'session-1',
      toolCall: {
        toolCallId: 'call-1',
        title: 'Edit notes-1.txt',
        kind: 'edit',
        status: 'pending',
        content: [{ type: 'diff', path: '/project/notes-1.txt', oldText: 'alpha\nbeta\n', newText: 'alpha\ngamma\n' }],
      },
      options: [
        { optionId: 'always', name: 'Always', kind: 'allow_always' },
        { optionId: 'no', name: 'Reject', kind: 'reject_once' },
        { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
      ],
    },
  ]);
});

test('a policy that throws, rejects, decides nothing or invents an option approves nothing', async () => {
  const invented: PermissionOption = { optionId: 'yes-to-everything', name: 'Yes', kind: 'allow_always' };
  const policies: readonly PermissionPolicy[] = [
    () => {
      throw new Error('broken');
    },
    () => Promise.reject(new Error('broken later')),
    () => undefined,
    () => invented,
  ];
  expect(await Promise.all(policies.map((policy) => outcome(policy)))).toEqual(policies.map(() => 'cancelled'));
});

test('cancelling a turn cancels all waiting permission requests, and notifies the policy', async () => {
  const signals: AbortSignal[] = [];
  const text = await new Promise<string>((resolve, reject) => {
    let turn: Turn | undefined;
    const permission: PermissionPolicy = (_, { signal }) => {
      if (signals.push(signal) === 3) void turn?.cancel();
      return new Promise(() => undefined);
    };
    inSession({ permission }, async (session) => {
      turn = session.prompt('ask 3');
      return textOf(await collect(turn));
    }).then(resolve, reject);
  });
  expect({ text, told: signals.map(({ aborted }) => aborted) }).toEqual({
    text: 'cancelled, cancelled, cancelled',
    told: [true, true, true],
  });
});

test('permission requests after a cancel are answered with cancelled, without a question', async () => {
  let asked = 0;
  const permission: PermissionPolicy = ({ options }) => {
    asked++;
    return optionOfKind(options, 'allow_once');
  };
  const text = await inSession({ permission }, async (session) => {
    await cancelUnderWay(session.prompt('askAfterCancel'));
    return textOf(await collect(session.prompt('report')));
  });
  expect({ text, asked }).toEqual({ text: 'cancelled', asked: 0 });
});
