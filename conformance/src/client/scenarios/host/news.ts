import type { RequirementId } from '../../../requirements/requirement.ts';
import type { ClientScenario } from '../../client-scenario.ts';
import { continuesNormally, wordsAfter, wordsBefore } from '../endings.ts';
import { hostTurn } from './host-turn.ts';

/** Something an agent reports in a turn, which a client must accept. */
interface News {
  readonly id: string;
  readonly title: string;
  /** The requirement broken by a client that does not continue. */
  readonly covers: RequirementId;
  /** What else holds if it does. */
  /** The capability the client must offer to receive it. */
  readonly needs?: string;
  readonly updates: readonly unknown[];
}

const text = (words: string): unknown => ({ type: 'text', text: words });
const entry = (content: string, priority: unknown, status: unknown): unknown => ({ content, priority, status });

const news: readonly News[] = [
  {
    id: 'plan',
    title: 'a plan is followed by a shorter one, and by none',
    covers: 'R337',
    updates: [
      { sessionUpdate: 'plan', entries: [entry('Look', 'high', 'in_progress'), entry('Write', 'low', 'pending')] },
      { sessionUpdate: 'plan', entries: [entry('Look', 'medium', 'completed')] },
      { sessionUpdate: 'plan', entries: [] },
      { sessionUpdate: 'plan_removed', planId: 'nobody-knows' },
    ],
  },
  {
    id: 'tool-call',
    title: 'a tool call with nulls, with nothing, and with everything is a tool call',
    covers: 'R337',
    updates: [
      { sessionUpdate: 'tool_call', toolCallId: 'bare', title: '' },
      {
        ...{ sessionUpdate: 'tool_call', toolCallId: 'full', title: 'Everything', kind: 'edit', status: 'pending' },
        content: [
          { type: 'content', content: text('some words') },
          { type: 'diff', path: '/tmp/a.txt', oldText: null, newText: 'new\n' },
          { type: 'diff', path: '/tmp/b.txt', oldText: 'old', newText: '' },
        ],
        locations: [
          { path: '/tmp/a.txt', line: null },
          { path: '/tmp/b.txt', line: 3 },
        ],
        rawInput: [1, { deep: [] }],
        rawOutput: 'plain',
      },
      {
        ...{ sessionUpdate: 'tool_call_update', toolCallId: 'full', title: null, kind: null, status: null },
        ...{ content: null, locations: null, rawInput: null, rawOutput: null },
      },
      { sessionUpdate: 'tool_call_update', toolCallId: 'full', status: 'completed', content: [], locations: [] },
      { sessionUpdate: 'tool_call_update', toolCallId: 'bare' },
      { sessionUpdate: 'tool_call_update', toolCallId: 'bare', status: 'failed' },
    ],
  },
  {
    id: 'content',
    title: 'content of every type is content',
    covers: 'R337',
    updates: [
      text('words'),
      { type: 'image', data: 'aGk=', mimeType: 'image/x-unheard-of', uri: null },
      { type: 'audio', data: '', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'odd:scheme?#', name: '', size: null },
      { type: 'resource', resource: { uri: 'file:///a', text: 'in it' } },
      { type: 'resource', resource: { uri: 'file:///b', blob: 'aGk=', mimeType: null } },
    ].flatMap((content) =>
      ['agent_message_chunk', 'agent_thought_chunk'].map((sessionUpdate) => ({ sessionUpdate, content })),
    ),
  },
  {
    id: 'commands',
    title: 'commands come, change and go',
    covers: 'R337',
    updates: [
      [
        { name: 'web', description: 'Search', input: { hint: 'what for' } },
        { name: 'plain', description: '', input: null },
        { name: 'odd name/ü', description: 'Odd', input: { choices: ['a'] } },
      ],
      [{ name: 'web', description: 'Search again' }],
      [],
    ].map((availableCommands) => ({ sessionUpdate: 'available_commands_update', availableCommands })),
  },
  {
    id: 'settings',
    title: 'unknown modes and options may come in a turn',
    covers: 'R337',
    updates: [
      { sessionUpdate: 'current_mode_update', currentModeId: 'never listed' },
      {
        sessionUpdate: 'config_option_update',
        configOptions: [
          { id: 'late', name: 'Late', type: 'select', currentValue: 'a', options: [{ value: 'a', name: 'A' }] },
          { id: 'odd', name: 'Odd', type: 'slider', currentValue: 5 },
        ],
      },
      { sessionUpdate: 'session_info_update', title: null, updatedAt: null },
      { sessionUpdate: 'session_info_update' },
    ],
  },
  {
    id: 'notices',
    title: 'a notice is shown or not, however urgent it is',
    covers: 'R337',
    needs: 'session.notices',
    updates: [
      { sessionUpdate: 'notice', severity: 'info', title: 'A notice', description: null },
      { sessionUpdate: 'notice', severity: 'warning', title: 'A notice', description: 'It says more.' },
      { sessionUpdate: 'notice', severity: 'catastrophe', title: 'Of a kind nobody knows' },
    ],
  },
  {
    id: 'compaction',
    title: 'a compaction goes through unknown states',
    covers: 'R323',
    needs: 'session.compaction',
    updates: [
      { sessionUpdate: 'compaction_update', compactionId: 'one', status: 'in_progress' },
      { sessionUpdate: 'compaction_summary_chunk', compactionId: 'one', content: text('In short: ') },
      { sessionUpdate: 'compaction_update', compactionId: 'one', status: 'thinking_again', summary: null, error: null },
      { sessionUpdate: 'compaction_summary_chunk', compactionId: 'one', content: text('nothing.') },
      { sessionUpdate: 'compaction_update', compactionId: 'one', status: 'completed', summary: [text('Nothing.')] },
      { sessionUpdate: 'compaction_summary_chunk', compactionId: 'not begun', content: text('more') },
    ],
  },
];

/** Updates of a client besides text. */
export const newsScenarios: readonly ClientScenario[] = news.map(
  ({ id, title, covers, needs, updates }): ClientScenario => ({
    id: `news/${id}`,
    title,
    covers: [covers],
    run: async (stage) => {
      const needed = needs === undefined ? [] : [needs];
      const done = await hostTurn(stage, { needs: needed, action: 'prompt' }, async ({ agent, sessionId }) => {
        agent.say(sessionId, wordsBefore);
        for (const update of updates) agent.update(sessionId, update);
        agent.say(sessionId, wordsAfter);
        // So that an answer to none of them, or an end, is seen before the turn is over.
        await agent.quiet(50);
      });
      continuesNormally(stage, done, covers);
    },
  }),
);
