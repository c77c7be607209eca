import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  emptyTranscript,
  reduce,
  reduceAll,
  type TranscriptEvent,
  type TranscriptView,
} from '@turnwire/client/transcript';

const id = fc.constantFrom('a', 'b', 'c');
const words = fc.constantFrom('', 'hi', ' there', '😀', 'x'.repeat(100_000));
const block = fc.oneof(
  words.map((text) => ({ type: 'text', text })),
  fc.constant({ type: 'resource_link', uri: 'file:///a', name: 'a' }),
  fc.constant({ type: 'hologram', data: 1 }),
);
const chunk = fc.record(
  {
    sessionUpdate: fc.constantFrom('agent_message_chunk', 'agent_thought_chunk', 'user_message_chunk'),
    content: block,
    messageId: fc.option(id),
  },
  { requiredKeys: ['sessionUpdate', 'content'] },
);
const meta = fc.oneof(
  fc.record({ terminal_output: fc.record({ data: words }) }),
  fc.record({ claudeCode: fc.record({ parentToolUseId: id }) }),
  fc.record({ terminal_exit: fc.record({ exit_code: fc.option(fc.nat()) }) }),
  fc.constant(null),
);
const callFields = {
  toolCallId: id,
  title: fc.option(words),
  status: fc.option(fc.constantFrom('pending', 'in_progress', 'completed', 'failed', '_odd')),
  content: fc.option(
    fc.array(
      fc.oneof(
        block.map((content) => ({ type: 'content', content })),
        fc.constant({ type: 'terminal', terminalId: 't' }),
      ),
    ),
  ),
  rawInput: fc.jsonValue(),
  rawOutput: fc.jsonValue(),
  _meta: meta,
};
const call = fc.record(
  { sessionUpdate: fc.constantFrom('tool_call', 'tool_call_update'), ...callFields },
  { requiredKeys: ['sessionUpdate', 'toolCallId'] },
);
const otherUpdate = fc.oneof(
  fc.record({ sessionUpdate: fc.constant('plan'), entries: fc.array(fc.record({ content: words })) }),
  fc.record({ sessionUpdate: fc.constant('x_future'), value: fc.jsonValue() }),
  fc.record({ sessionUpdate: fc.constant('usage_update'), used: fc.nat(), size: fc.nat() }),
  fc.record({ sessionUpdate: fc.constant('notice'), severity: fc.constant('info'), title: words }),
  fc.record({ sessionUpdate: fc.constant('session_info_update'), title: fc.option(words) }),
  fc.record({
    sessionUpdate: fc.constant('compaction_update'),
    compactionId: id,
    status: fc.constant('completed'),
    summary: fc.option(fc.array(block)),
  }),
  fc.record({ sessionUpdate: fc.constant('compaction_summary_chunk'), compactionId: id, content: block }),
);
const updateEvent = fc.record({
  type: fc.constant('update'),
  update: fc.oneof(chunk, chunk, call, call, otherUpdate),
  isReplay: fc.boolean(),
});
const otherEvent = fc.oneof(
  fc.record({ type: fc.constant('prompt'), turnId: id, content: fc.array(block) }),
  fc.record({ type: fc.constant('turn-ended'), turnId: id, stopReason: fc.constantFrom('end_turn', 'cancelled') }),
  fc.record({ type: fc.constant('turn-failed'), turnId: id, message: words }),
  fc.record({ type: fc.constant('cancel-requested'), turnId: id }),
  fc.record({ type: fc.constant('boundary'), reason: fc.constantFrom('loaded', 'context-lost'), message: words }),
  fc.record({
    type: fc.constant('permission-asked'),
    request: fc.record({ toolCall: fc.record(callFields, { requiredKeys: ['toolCallId'] }) }),
  }),
  fc.record({
    type: fc.constant('permission-answered'),
    outcome: fc.record({ toolCallId: id, allowed: fc.boolean(), reason: words }),
  }),
  fc.record({ type: fc.constant('ran-unasked'), toolCallId: id, explanation: words }),
  fc.record({
    type: fc.constant('terminal'),
    snapshot: fc.record({ terminalId: id, command: words, output: words, truncated: fc.boolean() }),
  }),
);
const events = fc
  .array(fc.oneof({ weight: 4, arbitrary: updateEvent }, { weight: 1, arbitrary: otherEvent }), { maxLength: 120 })
  .map((list) => list.map((event, at) => ({ at, ...event }) as unknown as TranscriptEvent));

/** The whole content of a view in plain values. */
function picture(view: TranscriptView): unknown {
  const { entries, terminals, ...rest } = view;
  return structuredClone({
    ...rest,
    toolCallIndex: undefined,
    childIndex: undefined,
    memory: undefined,
    entries: [...entries],
    terminals: [...terminals],
  });
}

test('events one at a time and all at once give the same view', () => {
  fc.assert(
    fc.property(events, (list) => {
      let view = emptyTranscript();
      for (const event of list) view = reduce(view, event);
      expect(picture(view)).toEqual(picture(reduceAll(emptyTranscript(), list)));
    }),
  );
});

test('later events do not change an earlier view', () => {
  fc.assert(
    fc.property(events, events, (list, others) => {
      const views = [emptyTranscript()];
      for (const event of list) views.push(reduce(views.at(-1)!, event));
      const pictures = views.map(picture);
      for (const view of views.slice(-5)) reduceAll(view, others);
      expect(views.map(picture)).toEqual(pictures);
    }),
    { numRuns: 50 },
  );
});

test('keys are unique and stay with their entries, and the index finds every call', () => {
  fc.assert(
    fc.property(events, (list) => {
      let view = emptyTranscript();
      let keys: readonly string[] = [];
      for (const event of list) {
        view = reduce(view, event);
        const now = [...view.entries].map(({ key }) => key);
        expect([now.slice(0, keys.length), new Set(now).size]).toEqual([keys, now.length]);
        keys = now;
      }
      expect(['a', 'b', 'c', 'nobody'].map((call) => view.toolCallIndex(call))).toEqual(
        ['a', 'b', 'c', 'nobody'].map((call) => lastCall(view, call)),
      );
    }),
  );
});

function lastCall(view: TranscriptView, toolCallId: string): number | undefined {
  const index = [...view.entries].findLastIndex(
    (entry) => entry.type === 'tool-call' && entry.toolCallId === toolCallId,
  );
  return index === -1 ? undefined : index;
}

test('messages that have ended and calls of ended turns are not open', () => {
  fc.assert(
    fc.property(events, (list) => {
      const end = { at: 0, type: 'turn-ended', stopReason: 'end_turn' } as const;
      const before = reduceAll(emptyTranscript(), list);
      const view = reduce(before, { ...end, turnId: before.turnId ?? 'a' });
      const open = [...view.entries].filter((entry) =>
        entry.type === 'tool-call'
          ? ['pending', 'in_progress'].includes(entry.state)
          : 'isOpen' in entry && entry.isOpen,
      );
      expect(open).toEqual([]);
    }),
  );
});
