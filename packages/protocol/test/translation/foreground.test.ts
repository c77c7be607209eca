import { expect, test } from 'vitest';
import { Foreground } from '../../src/translation/foreground.ts';

function recorded(): { readonly foreground: Foreground; readonly sent: unknown[] } {
  const sent: unknown[] = [];
  const foreground = new Foreground(({ sessionUpdate: _, ...state }) => void sent.push(state));
  return { foreground, sent };
}

test('a state that is the same as before is not sent again', () => {
  const { foreground, sent } = recorded();
  foreground.end({ stopReason: 'cancelled' });
  foreground.begin();
  foreground.toolCallIs('a', 'in_progress');
  foreground.toolCallIs('a', 'completed');
  foreground.end({ stopReason: 'end_turn' });
  foreground.end({ stopReason: 'end_turn' });
  foreground.toolCallIs('a', 'in_progress');
  expect(sent).toEqual([{ state: 'running' }, { state: 'idle', stopReason: 'end_turn' }]);
});

test('the answer to one of two questions leaves the session blocked, and a question that fails is over', async () => {
  const { foreground, sent } = recorded();
  foreground.begin();
  let answer = (_: string): void => undefined;
  let refuse = (_: Error): void => undefined;
  const one = foreground.asking('a', () => new Promise<string>((resolve) => (answer = resolve)));
  const two = foreground.asking(undefined, () => new Promise<string>((_, reject) => (refuse = reject)));
  answer('yes');
  await one;
  const afterOne = [...sent];
  refuse(new Error('gone'));
  await expect(two).rejects.toThrow('gone');
  expect([afterOne, sent]).toEqual([
    [{ state: 'running' }, { state: 'requires_action' }],
    [{ state: 'running' }, { state: 'requires_action' }, { state: 'running' }],
  ]);
});

test('a call in progress blocks the session only while its own question is open', async () => {
  const { foreground, sent } = recorded();
  foreground.begin();
  foreground.toolCallIs('a', 'in_progress');
  await foreground.asking('a', () => Promise.resolve());
  foreground.toolCallIs('b', 'in_progress');
  await foreground.asking('a', () => Promise.resolve());
  expect(sent).toEqual([{ state: 'running' }, { state: 'requires_action' }, { state: 'running' }]);
});

test('a turn that ends before the agent reports it begins and ends, and a late end of earlier work ends no turn', () => {
  const { foreground, sent } = recorded();
  const state = (value: string, more: object = {}): void =>
    foreground.reported({ sessionUpdate: 'state_update', state: value, ...more } as never);
  foreground.begin();
  foreground.inserted();
  state('running');
  state('idle', { stopReason: 'end_turn' });
  foreground.end({ stopReason: 'end_turn' });
  foreground.begin();
  state('idle', { background: [] });
  foreground.end({ stopReason: 'cancelled' });
  expect(sent).toEqual([
    { state: 'running' },
    { state: 'idle', stopReason: 'end_turn' },
    { state: 'running' },
    { state: 'idle', stopReason: 'cancelled' },
  ]);
});
