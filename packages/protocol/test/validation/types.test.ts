import { expect, expectTypeOf, test } from 'vitest';
import type {
  ContentBlock,
  CreateElicitationRequest,
  Definitions,
  McpServer,
  NoticeSeverity,
  SessionConfigOption,
  SessionNotification,
  SessionUpdate,
  StopReason,
} from '../../src/generated/types.ts';
import type { UnknownVariant } from '../../src/validation/unknown-variant.ts';

/** What a client writes. */
function summary(update: SessionUpdate): string {
  switch (update.sessionUpdate) {
    case 'tool_call':
      return update.title;
    case 'agent_message_chunk':
      expectTypeOf(update.content).toEqualTypeOf<ContentBlock>();
      return update.content.type === 'text' ? update.content.text : update.content.type;
    case 'plan':
      return update.entries.map(({ content }) => content).join();
    default:
      return update.sessionUpdate;
  }
}

test('a switch over the known tags narrows the type, and an unknown variant still has its tag', () => {
  expect(summary({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'Reading' })).toBe('Reading');
  expect(summary({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'hello' } })).toBe('hello');
  expect(summary(JSON.parse('{"sessionUpdate":"hologram"}') as SessionUpdate)).toBe('hologram');
});

test('an unknown tag in an object literal does not compile', () => {
  // @ts-expect-error -- no update is called so
  const mistyped: SessionUpdate = { sessionUpdate: 'agent_mesage_chunk', content: { type: 'text', text: '' } };
  // @ts-expect-error -- no content is called so
  const strange: ContentBlock = { type: 'hologram' };
  // @ts-expect-error -- a tool call has a title
  const untitled: SessionUpdate = { sessionUpdate: 'tool_call', toolCallId: 't' };
  expect([mistyped, strange, untitled]).toHaveLength(3);
});

test('an unknown variant that was received can be passed on', () => {
  const received = JSON.parse('{"sessionId":"s","update":{"sessionUpdate":"hologram","at":3}}') as SessionNotification;
  const { update } = received;
  const passedOn: SessionNotification[] = [];
  switch (update.sessionUpdate) {
    case 'user_message_chunk':
    case 'agent_message_chunk':
    case 'agent_thought_chunk':
    case 'tool_call':
    case 'tool_call_update':
    case 'plan':
    case 'available_commands_update':
    case 'current_mode_update':
    case 'config_option_update':
    case 'session_info_update':
    case 'usage_update':
    case 'notice':
    case 'compaction_update':
    case 'compaction_summary_chunk':
    case 'plan_update':
    case 'plan_removed':
    case 'subagent_update':
    case 'session_message':
    case 'session_message_chunk':
      break;
    default:
      expectTypeOf(update).toEqualTypeOf<UnknownVariant<'sessionUpdate'>>();
      passedOn.push({ sessionId: received.sessionId, update });
  }
  expect(passedOn).toEqual([received]);
});

test('a server without a type is narrowed as one of type stdio', () => {
  const command = (server: McpServer): string =>
    server.type === 'http' || server.type === 'sse' ? server.url : server.command;
  expect(command({ name: 'files', command: '/bin/files', args: [], env: [] })).toBe('/bin/files');
  expect(command({ type: 'http', name: 'web', url: 'https://example.org', headers: [] })).toBe('https://example.org');
});

test('the tag of a union inside an object narrows the type of the object', () => {
  const shown = (option: SessionConfigOption): string =>
    option.type === 'boolean' ? `${option.name}: ${option.currentValue}` : option.currentValue;
  const page = (request: CreateElicitationRequest): string => (request.mode === 'url' ? request.url : request.message);
  expect(shown({ id: 'web', name: 'Web', type: 'boolean', currentValue: true })).toBe('Web: true');
  expect(page({ mode: 'url', message: 'Log in', sessionId: 's', elicitationId: 'e', url: 'https://example.org' })).toBe(
    'https://example.org',
  );
});

test('an unknown value compiles for an open choice and does not compile for a closed one', () => {
  const severity: NoticeSeverity = '_blinking';
  // @ts-expect-error -- no turn ends so
  const reason: StopReason = 'bored';
  expect([severity, reason]).toEqual(['_blinking', 'bored']);
  expectTypeOf<Definitions['PromptResponse']['stopReason']>().toEqualTypeOf<StopReason>();
});

test('writing to a received message does not compile', () => {
  const notification: SessionNotification = { sessionId: 's', update: { sessionUpdate: 'plan', entries: [] } };
  // @ts-expect-error -- readonly
  notification.sessionId = 't';
  expect(notification.sessionId).toBe('t');
});
