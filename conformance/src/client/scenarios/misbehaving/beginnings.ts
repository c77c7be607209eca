import { WireError } from '../../../wire/wire.ts';
import type { ClientScenario } from '../../client-scenario.ts';
import { continuesNormally } from '../endings.ts';
import { early } from './misbehaviour.ts';

const letters = '🌍é';

/** Misbehaviour before there is a session. */
export const beginnings: readonly ClientScenario[] = [
  early({
    id: 'noise-first',
    agent: 'prints lines that are not messages before anything else',
    expected: 'survives',
    play: (agent) => {
      for (const noise of [
        'Welcome to the agent!',
        '',
        '{"level":"info","msg":"starting"}',
        '\u001b[32mready\u001b[0m',
      ])
        agent.sendText(noise);
    },
  }),
  early({
    id: 'early-updates',
    agent: 'sends updates of a session before session/new is answered',
    expected: 'survives',
    play: (agent) =>
      agent.handle('session/new', () => {
        agent.update('session-1', { sessionUpdate: 'available_commands_update', availableCommands: [] });
        agent.say('session-1', 'said too early');
        return { sessionId: 'session-1' };
      }),
  }),
  early({
    id: 'noise-flood',
    agent: 'prints 20,000 lines of a log before it reads anything',
    expected: 'survives',
    play: (agent) => agent.process.flood('a line of a log that does not belong on stdout\n'.repeat(20_000)),
  }),
  early({
    id: 'no-result',
    agent: 'answers initialize with null',
    expected: 'survives',
    play: (agent) => agent.handle('initialize', () => null),
  }),
  early({
    id: 'empty-introduction',
    agent: 'answers initialize with nothing in it',
    expected: 'survives',
    play: (agent) => agent.handle('initialize', () => ({})),
  }),
  early({
    id: 'initialize-refused',
    agent: 'refuses initialize',
    expected: 'reports',
    play: (agent) =>
      agent.handle('initialize', () => {
        throw new WireError(-32_603, 'not today', { why: ['a', 'list'] });
      }),
  }),
  early({
    id: 'session-refused',
    agent: 'refuses session/new',
    expected: 'reports',
    play: (agent) =>
      agent.handle('session/new', () => {
        throw new WireError(-32_603, 'no room left');
      }),
  }),
  early({
    id: 'no-session-id',
    agent: 'begins a session that has no id',
    expected: 'reports',
    unaudited: ['R010', 'R134'],
    play: (agent) => agent.handle('session/new', () => ({})),
  }),
  early({
    id: 'session-id-number',
    agent: 'begins a session whose id is a number',
    expected: 'survives',
    unaudited: ['R010', 'R134'],
    play: (agent) => agent.handle('session/new', () => ({ sessionId: 7 })),
  }),
  early({
    id: 'session-id-odd',
    agent: 'begins a session with an id of odd letters',
    expected: 'continues',
    play: (agent) => {
      // Over HTTP an id has to be the value of a header.
      const odd = agent.launch.connection?.profile === 'http' ? '' : 'ü\n';
      agent.handle('session/new', () => ({ sessionId: `../../${odd} "${'x'.repeat(2_000)}" $(id)` }));
    },
  }),
  early({
    id: 'odd-errors',
    agent: 'answers with an error that has neither a number nor a message',
    expected: 'reports',
    play: (agent) =>
      agent.handle('session/new', (_params, { id }) => {
        agent.send({ jsonrpc: '2.0', id, error: { code: 'E_ODD', message: { text: 'no' } } });
        return undefined;
      }),
  }),
  early({
    id: 'error-text',
    agent: 'answers with an error that is only a text',
    expected: 'reports',
    play: (agent) =>
      agent.handle('session/new', (_params, { id }) => {
        agent.send({ jsonrpc: '2.0', id, error: 'no' });
        return undefined;
      }),
  }),
  early({
    id: 'odd-setup',
    agent: 'begins a session with modes and options that make no sense',
    expected: 'survives',
    play: (agent) =>
      agent.offer({
        setup: {
          modes: { currentModeId: 'nowhere', availableModes: 'all' },
          configOptions: [{ id: 'x', type: 'select', currentValue: 3 }, 'y', null],
        },
      }),
  }),
  early({
    id: 'byte-order-mark',
    agent: 'begins with a byte order mark',
    expected: 'survives',
    play: (agent) => void agent.sendText('\ufeff{"jsonrpc":"2.0","method":"_check/first"}'),
  }),
  early({
    id: 'carriage-returns',
    agent: 'ends its lines with a carriage return, too',
    expected: 'continues',
    play: (agent) => {
      const answer = (id: unknown, result: unknown): undefined => {
        agent.sendText(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\r`);
        return undefined;
      };
      agent.handle('initialize', (_params, { id }) => answer(id, agent.introduction()));
      agent.handle('session/new', (_params, { id }) => answer(id, { sessionId: 'session-1' }));
    },
  }),
  {
    id: 'misbehaving/split-letters',
    title: 'an agent that sends its bytes in small pieces, letters in two, does not disturb its client',
    covers: ['R001'],
    run: async (stage) => {
      const done = await stage.turn(async ({ agent, sessionId }) => {
        agent.say(sessionId, `whole ${letters}`);
        const update = {
          sessionUpdate: 'agent_message_chunk',
          content: { type: 'text', text: `in pieces ${letters}` },
        };
        const message = { jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } };
        await agent.sendInPieces([JSON.stringify(message)], inPieces);
      });
      const { stdout } = done.end;
      if (stdout.includes(`whole ${letters}`) && !stdout.includes(`in pieces ${letters}`))
        stage.see.broken('R001', 'letters that came in two pieces were not shown', done.agent.journal.slice(-2));
      else continuesNormally(stage, done, 'R001');
    },
  },
];

/** Pieces of three bytes: letters of two and four bytes are cut. */
function inPieces(bytes: Uint8Array): readonly Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / 3) }, (_, place) => bytes.subarray(place * 3, place * 3 + 3));
}
