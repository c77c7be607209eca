import { at, isOffered, quoted, type RawMessage, type Reply } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import type { Wire } from '../../../wire/wire.ts';
import { type AgentScripts, withAgent } from '../../agent-context.ts';
import { introductionIn } from '../../host/client-offer.ts';
import { failsWith } from './refusal.ts';

const highest = 65_535;
const introduction = introductionIn(2, {});

/** Methods that only version 1 has. */
const ofVersion1 = ['authenticate', 'logout', 'session/load', 'session/set_mode'];

export const handshakeScenarios: AgentScripts = {
  'versions/highest': async (context) => {
    for (const asked of [2, highest]) {
      const reply = await initialize(await context.open(), { protocolVersion: asked });
      const version = versionIn(reply);
      const isWrong = version !== 2 && !(asked > 2 && typeof version === 'number' && version > 2 && version < asked);
      context.see.check(
        'V010',
        isWrong && `version ${asked} was answered with ${quoted(version ?? 'an error')}`,
        reply,
      );
    }
  },
  'versions/older': async (context) => {
    const wire = await context.open();
    const reply = await initialize(wire, { protocolVersion: 1 });
    if (reply.error === undefined)
      return void context.see.check('V010', versionIn(reply) !== 1 && 'version 1 was answered with a newer one', reply);
    const { requested, supported } = (at(reply.error, 'data') ?? {}) as RawMessage;
    const isNamed = requested === 1 && Array.isArray(supported) && supported.includes(2) && !supported.includes(1);
    const code = failsWith(reply, -32_022, 'initialize with an older version');
    context.see.check('V011', code || (!isNamed && 'the error does not name the versions of the agent'), reply);
    const again = await initialize(wire, { protocolVersion: 2 });
    context.see.check('V011', again.error !== undefined && 'initialize was refused after -32022', again);
  },
  'initialize/before-it': async (context) => {
    const wire = await context.open();
    const early = await wire.ask('session/new', { cwd: context.folder });
    context.see.check('V013', failsWith(early, -32_600, 'a request before initialize'), early);
    wire.notify('session/cancel', { sessionId: 'turnwire-no-such-session' });
    for (const protocolVersion of [undefined, -1, highest + 1, '2']) {
      const reply = await initialize(wire, { protocolVersion });
      context.see.check('V013', failsWith(reply, -32_602, `initialize with version ${String(protocolVersion)}`), reply);
    }
    const reply = await initialize(wire, {});
    context.see.check('V013', reply.error !== undefined && 'initialize was refused after a malformed one', reply);
  },
  'initialize/again': async (context) => {
    const wire = await context.open();
    const first = await initialize(wire, {});
    if (!isOffered(first.result, 'capabilities.session')) throw new Stopped('session is not advertised');
    const again = await initialize(wire, {});
    context.see.check('V015', versionIn(again) !== 2 && 'initialize was not repeated', again);
    const older = await initialize(wire, { protocolVersion: 1 });
    context.see.check('V015', failsWith(older, -32_600, 'a repeated initialize with an older version'), older);
    const list = await wire.ask('session/list', {});
    context.see.check('V015', list.error?.code === -32_600 && 'a refused initialize ended the first one', older, list);
    const late = await initialize(wire, {});
    context.see.check('V015', failsWith(late, -32_600, 'an initialize after another request'), list, late);
  },
  'initialize/newer': async (context) => {
    const odd = { info: 5, capabilities: 'all of them' };
    const newer = await initialize(await context.open(), { ...odd, protocolVersion: highest });
    const refused = newer.error !== undefined && 'initialize was refused because of fields of a newer version';
    context.see.check('V016', refused, newer);
    const exact = await initialize(await context.open(), { info: 5 });
    context.see.check('V016', failsWith(exact, -32_602, 'initialize with a malformed info'), exact);
  },
  'versions/one': withAgent([], async ({ wire }, context) => {
    for (const method of ofVersion1) {
      const reply = await wire.ask(method, { sessionId: 'any', methodId: 'any', modeId: 'any', cwd: context.folder });
      context.see.check('V018', failsWith(reply, -32_601, method), reply);
    }
  }),
};

function initialize(wire: Wire, changes: RawMessage): Promise<Reply> {
  return wire.ask('initialize', { ...introduction, ...changes });
}

function versionIn({ result }: Reply): unknown {
  return at(result, 'protocolVersion');
}
