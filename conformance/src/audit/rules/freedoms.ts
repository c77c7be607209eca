import type { RequirementId, Subject } from '../../requirements/requirement.ts';
import { asMessage } from '../../wire/messages.ts';
import type { Definition } from '../definition-of.ts';
import type { Facts } from '../facts.ts';
import type { Frame } from '../frame.ts';
import type { Rule } from '../rule.ts';

/** Something that may be done. Whoever does it has exercised it; how well is for other rules to say. */
interface Freedom {
  readonly requirement: RequirementId;
  readonly of: Subject | 'both';
  readonly isTaken: (frame: Frame, facts: Facts) => boolean;
}

const free = (requirement: RequirementId, of: Freedom['of'], isTaken: Freedom['isTaken']): Freedom => ({
  requirement,
  of,
  isTaken,
});

const update =
  (...kinds: readonly string[]) =>
  (frame: Frame): boolean =>
    kinds.includes(String(frame.update?.sessionUpdate));

const withKey =
  (key: string, ...types: readonly Definition[]) =>
  (frame: Frame): boolean =>
    frame.dissection.parts.some(({ type, value }) => types.includes(type) && asMessage(value)?.[key] !== undefined);

const asks =
  (...methods: readonly string[]) =>
  (frame: Frame): boolean =>
    (frame.kind === 'request' || frame.kind === 'notification') && methods.includes(frame.method);

const opens = (frame: Frame): boolean => frame.isSuccess && /^session\/(?:new|load|resume)$/.test(frame.method);

const inTurn = (frame: Frame, facts: Facts): boolean =>
  frame.sessionId !== undefined && facts.session(frame.sessionId).turns.size > 0;

const afterCancel = (frame: Frame, facts: Facts): boolean =>
  inTurn(frame, facts) && facts.session(frame.sessionId ?? '').cancelled !== undefined;

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

const chunk = update('agent_message_chunk', 'agent_thought_chunk', 'tool_call', 'tool_call_update');
const asideUpdates = update(
  ...['current_mode_update', 'available_commands_update', 'config_option_update'],
  ...['session_info_update', 'usage_update', 'notice'],
);
const toolParts: readonly Definition[] = ['ToolCall', 'ToolCallUpdate'];

const freedoms: readonly Freedom[] = [
  free('R027', 'both', (_frame, { sessions }) => sessions.filter(({ turns }) => turns.size > 0).length > 1),
  free('R054', 'agent', ({ method, result }) => method === 'initialize' && result !== undefined),
  free('R089', 'agent', (frame) => opens(frame) && isGiven(frame.result?.['modes'] ?? frame.result?.['configOptions'])),
  free('R105', 'client', (frame) => frame.dissection.parts.some(({ type }) => type === 'McpServer')),
  free('R124', 'agent', withKey('additionalDirectories', 'SessionInfo')),
  free('R127', 'agent', update('session_info_update')),
  free(
    'R137',
    'client',
    (frame) =>
      asks('session/prompt')(frame) &&
      frame.dissection.parts.some(({ type }) => type === 'EmbeddedResource' || type === 'ResourceLink'),
  ),
  free('R138', 'agent', (frame, facts) => chunk(frame) && inTurn(frame, facts)),
  free('R140', 'agent', (frame) => typeof frame.update?.['messageId'] === 'string'),
  free('R143', 'agent', (frame) => update('agent_message_chunk')(frame) && !isGiven(frame.update?.['messageId'])),
  free('R144', 'agent', update('usage_update')),
  free('R149', 'agent', asks('session/request_permission')),
  free('R151', 'agent', (frame) => update('tool_call_update')(frame) && frame.update?.['status'] === undefined),
  free('R152', 'agent', asks('fs/read_text_file', 'fs/write_text_file', 'terminal/create')),
  free('R155', 'client', asks('session/cancel')),
  free('R161', 'agent', (frame, facts) => chunk(frame) && afterCancel(frame, facts)),
  free(
    'R165',
    'client',
    (frame, facts) =>
      asks('session/prompt')(frame) && facts.session(frame.sessionId ?? '').lastEnd?.method === 'session/prompt',
  ),
  free('R167', 'agent', (frame, facts) => asideUpdates(frame) && !inTurn(frame, facts)),
  free('R169', 'both', asks('$/cancel_request')),
  free('R192', 'agent', withKey('locations', ...toolParts)),
  free(
    'R193',
    'agent',
    (frame) => withKey('rawInput', ...toolParts)(frame) || withKey('rawOutput', ...toolParts)(frame),
  ),
  free(
    'R209',
    'agent',
    (frame) => asks('fs/read_text_file')(frame) && isGiven(frame.params['line'] ?? frame.params['limit']),
  ),
  free('R230', 'agent', asks('terminal/kill')),
  free(
    'R238',
    'both',
    withKey('annotations', 'TextContent', 'ImageContent', 'AudioContent', 'ResourceLink', 'EmbeddedResource'),
  ),
  free('R241', 'agent', update('plan')),
  free('R248', 'agent', (frame) => opens(frame) && isGiven(frame.result?.['modes'])),
  free('R251', 'client', asks('session/set_mode')),
  free('R252', 'agent', update('current_mode_update')),
  free('R264', 'agent', withKey('category', 'SessionConfigOption')),
  free('R272', 'client', asks('session/set_config_option')),
  free('R275', 'agent', update('available_commands_update')),
  free('R279', 'both', ({ entry, message }) => message !== undefined && entry.text.includes('"_meta":{')),
  free('R310', 'agent', asks('elicitation/complete')),
];

/** One for each side, since each has freedoms of its own. */
export const freedomsTaken: readonly Rule[] = (['agent', 'client'] as const).map((side) => {
  const own = freedoms.filter((freedom) => freedom.of === side || freedom.of === 'both');
  return {
    name: side === 'agent' ? 'What an agent may do is done' : 'What a client may do is done',
    judges: side,
    requirements: own.map(({ requirement }) => requirement),
    listen: ({ facts, held }) => {
      // Once is enough.
      const left = new Set(own);
      return {
        said: (frame) => {
          for (const freedom of left) {
            if (!freedom.isTaken(frame, facts)) continue;
            left.delete(freedom);
            held(freedom.requirement);
          }
        },
      };
    },
  };
});
