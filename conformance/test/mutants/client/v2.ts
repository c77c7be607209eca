import { asMessage, at } from '../../../src/wire/messages.ts';
import { adds, type ClientMutant, deafTo, sends } from '../client-mutant.ts';
import {
  believesIn,
  endsAt,
  everything,
  failsAfter,
  isAbout,
  receives,
  silent,
  stateOf,
  withCode,
} from './v2-defects.ts';
import { v2UpdateMutants } from './v2-updates.ts';

const mutants: readonly Omit<ClientMutant, 'version'>[] = [
  // Agreement
  {
    name: 'asks for version 1 first',
    scenario: 'agreement/highest',
    breaks: 'V020',
    defect: sends('initialize', (params) => ({ ...params, protocolVersion: 1 })),
  },
  {
    name: 'does not say who it is',
    scenario: 'agreement/highest',
    breaks: 'V036',
    defect: sends('initialize', ({ info: _, ...params }) => params),
  },
  {
    name: 'offers a boolean',
    scenario: 'agreement/highest',
    breaks: 'V030',
    defect: sends('initialize', (params) => ({ ...params, capabilities: { elicitation: true } })),
  },
  {
    name: 'leaves an older agent without a message',
    scenario: 'agreement/older-agent',
    breaks: 'V021',
    ...silent,
    defect: receives((message) =>
      at(message, 'result', 'protocolVersion') === 1
        ? { jsonrpc: '2.0', id: message['id'], error: { code: -32_603, message: 'too old' } }
        : message,
    ),
  },
  {
    name: 'introduces itself to an older agent as one without capabilities',
    scenario: 'agreement/older-agent',
    breaks: 'V023',
    defect: sends('initialize', ({ clientCapabilities: _, ...params }) => params),
  },
  {
    name: 'does not ask for an older version',
    scenario: 'agreement/refused-version',
    breaks: 'V022',
    defect: withCode(-32_022, -32_603),
  },
  {
    name: 'leaves a newer agent without a message',
    scenario: 'agreement/no-common-version',
    breaks: 'V021',
    ...silent,
  },
  {
    name: 'takes true for a marker',
    scenario: 'agreement/malformed-markers',
    breaks: 'V030',
    defect: believesIn({ delete: {} }),
  },
  { name: 'takes sessions for granted', scenario: 'agreement/no-sessions', breaks: 'V132', defect: believesIn({}) },
  {
    name: 'refuses an agent with unknown capabilities',
    scenario: 'agreement/vendor-capabilities',
    breaks: 'V037',
    defect: failsAfter('telepathy'),
  },
  {
    name: 'calls a method of version 1',
    scenario: 'initialize/agreed-version',
    breaks: 'V130',
    defect: adds('session/prompt', {
      id: 'old',
      method: 'session/set_mode',
      params: { sessionId: 'session-1', modeId: 'ask' },
    }),
  },
  {
    name: 'initializes again during a session',
    scenario: 'initialize/first',
    breaks: 'V131',
    defect: adds('session/prompt', {
      id: 'again',
      method: 'initialize',
      params: { protocolVersion: 2, info: { name: 'a', version: '1' } },
    }),
  },
  // Logins and sessions
  {
    name: 'logs in with another method',
    scenario: 'logins/agent',
    breaks: 'V133',
    defect: sends('auth/login', (params) => ({ ...params, methodId: 'third-login' })),
  },
  {
    name: 'logs out without logins',
    scenario: 'logins/no-logins',
    breaks: 'V132',
    defect: receives((message) =>
      at(message, 'result', 'authMethods') === undefined
        ? message
        : {
            ...message,
            result: { ...asMessage(message['result']), authMethods: [{ type: 'agent', methodId: 'a', name: 'A' }] },
          },
    ),
  },
  {
    name: 'sends a relative folder',
    scenario: 'set-up/new',
    breaks: 'V135',
    defect: sends('session/new', (params) => ({ ...params, cwd: '.' })),
  },
  {
    name: 'sends MCP servers without asking',
    scenario: 'set-up/no-servers',
    breaks: 'V132',
    defect: believesIn(everything),
  },
  {
    name: 'sends remote MCP servers without asking',
    scenario: 'set-up/programs-only',
    breaks: 'V132',
    defect: believesIn(everything),
  },
  {
    name: 'listens to nothing after work that it did not ask for',
    scenario: 'set-up/work-begins',
    breaks: 'V040',
    defect: deafTo('"unasked"'),
  },
  {
    name: 'drops updates of sessions that it does not know yet',
    scenario: 'set-up/state-before-answer',
    breaks: 'V044',
    defect: receives((message) => (isAbout('"early"')(message) ? undefined : message)),
  },
  {
    name: 'sets an option without its type',
    scenario: 'options/select',
    breaks: 'V156',
    defect: sends('session/set_config_option', ({ type: _, ...params }) => params),
  },
  {
    name: 'sets an option to a value that is not listed',
    scenario: 'options/unlisted-value',
    breaks: 'V156',
    defect: adds('session/new', {
      ...{ id: 'unlisted', method: 'session/set_config_option' },
      params: { sessionId: 'session-1', configId: 'model', type: 'id', value: 'enormous' },
    }),
  },
  {
    name: 'restores a session without its folder',
    scenario: 'replay/history',
    breaks: 'V135',
    defect: sends('session/resume', ({ sessionId }) => ({ sessionId })),
  },
  {
    name: 'gives up on a history with an empty message',
    scenario: 'replay/history',
    breaks: 'V136',
    defect: failsAfter('"content":[]'),
  },
  {
    name: 'gives up on an empty history',
    scenario: 'replay/empty',
    breaks: 'V136',
    defect: failsAfter('replay_complete'),
  },
  { name: 'takes a history that broke off for a whole one', scenario: 'replay/cut', breaks: 'V136', ...silent },
  { name: 'does not report a missing session', scenario: 'replay/unknown-session', breaks: 'V152', ...silent },
  {
    name: 'cannot close a closed session',
    scenario: 'closing/unknown-session',
    breaks: 'V137',
    defect: withCode(-32_002, -32_603),
  },
  {
    name: 'cannot delete a deleted session',
    scenario: 'closing/deleted-session',
    breaks: 'V137',
    defect: withCode(-32_002, -32_603),
  },
  // Prompts and states
  {
    name: 'waits only a second for the acceptance of a prompt',
    scenario: 'prompts/slow-acceptance',
    breaks: 'V138',
    isSlow: true,
    defect: ({ toSubject }) => ({
      says: (message, text) => {
        const answer = { jsonrpc: '2.0', id: message['id'], error: { code: -32_603, message: 'no answer in time' } };
        if (message['method'] === 'session/prompt') setTimeout(() => toSubject(JSON.stringify(answer)), 1_000);
        return [text];
      },
    }),
  },
  { name: 'takes every idle state for the end', scenario: 'prompts/late-echo', breaks: 'V057', defect: endsAt('idle') },
  {
    name: 'takes an idle state after the answer for the end',
    scenario: 'prompts/another-echo',
    breaks: 'V057',
    defect: endsAt('idle'),
  },
  {
    name: 'takes an idle state before the answer for the end',
    scenario: 'prompts/running-first',
    breaks: 'V057',
    defect: endsAt('idle'),
  },
  {
    name: 'misses an idle state before the answer',
    scenario: 'prompts/late-answer',
    breaks: 'V057',
    defect: receives((message) => (stateOf(message) === 'idle' ? undefined : message)),
  },
  { name: 'is held by a prompt without an echo', scenario: 'prompts/no-echo', breaks: 'V057', ends: 'never' },
  { name: 'does not report a refused prompt', scenario: 'prompts/refused', breaks: 'V152', ...silent },
  { name: 'does not report a failed turn', scenario: 'prompts/fails-after-acceptance', breaks: 'V139', ...silent },
  {
    name: 'does not report a turn that failed without a reason',
    scenario: 'prompts/fails-without-reason',
    breaks: 'V139',
    ...silent,
  },
  {
    name: 'waits after an unknown stop reason',
    scenario: 'prompts/stop-reasons',
    breaks: 'V139',
    defect: receives((message) => (isAbout('"_own"')(message) ? undefined : message)),
  },
  {
    name: 'sends a prompt that is only a text',
    scenario: 'prompts/keys',
    breaks: 'V112',
    defect: sends('session/prompt', (params) => ({ ...params, prompt: 'Say something.' })),
  },
  {
    name: 'sends every prompt with the same key',
    scenario: 'prompts/keys',
    breaks: 'V140',
    defect: sends('session/prompt', (params) => ({ ...params, idempotencyKey: 'key' })),
  },
  {
    name: 'sends an empty prompt',
    scenario: 'prompts/keys',
    breaks: 'V056',
    defect: sends('session/prompt', (params) => ({ ...params, prompt: [] })),
  },
  { name: 'sends images without asking', scenario: 'prompt/no-image', breaks: 'V132', defect: believesIn(everything) },
  {
    name: 'sends resources without asking',
    scenario: 'prompt/no-resource',
    breaks: 'V132',
    defect: believesIn(everything),
  },
  {
    name: 'takes a wait for its user for the end',
    scenario: 'states/requires-action',
    breaks: 'V057',
    defect: endsAt('requires_action'),
  },
  {
    name: 'takes an unknown state for the end',
    scenario: 'states/unknown',
    breaks: 'V048',
    defect: endsAt('_dreaming'),
  },
  {
    name: 'takes a repeated idle state for the end',
    scenario: 'states/repeated',
    breaks: 'V043',
    defect: endsAt('idle'),
  },
  {
    name: 'listens to nothing after unknown background work',
    scenario: 'states/background',
    breaks: 'V141',
    defect: deafTo('_daemon'),
  },
  {
    name: 'listens to nothing after an unknown severity',
    scenario: 'states/all-ignored',
    breaks: 'V035',
    defect: deafTo('catastrophe'),
  },
  ...v2UpdateMutants,
];

/** Clients of version 2 with one defect each. */
export const v2ClientMutants: readonly ClientMutant[] = mutants.map((mutant) => ({ ...mutant, version: 2 }));
