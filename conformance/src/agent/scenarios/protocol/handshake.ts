import { asMessage, at, type Reply } from '../../../wire/messages.ts';
import type { AgentScripts, AgentContext } from '../../agent-context.ts';

const highest = 65_535;

/** The client's name and version, as versions 1 and 2 of the protocol spell them. */
const self = { name: 'turnwire-check', version: '0.1.0' };
const introduction = { clientCapabilities: {}, clientInfo: self, capabilities: {}, info: self };

export const handshakeScenarios: AgentScripts = {
  'initialize/answer': async (context) => {
    const { reply, result } = await context.initialize(await context.open());
    const isLacking = asMessage(result['agentCapabilities']) === undefined;
    context.see.check('R034', isLacking && 'the result has no agentCapabilities', reply);
  },
  'versions/negotiation': async (context) => {
    const future = await answerTo(context, highest);
    const newest = versionIn(future);
    const none = newest === undefined && 'the result has no protocol version';
    context.see.check('R036', none || (newest === highest && 'an unsupported version was agreed on'), future);
    if (newest === undefined) return;
    for (const asked of new Set([newest, 1])) {
      const reply = await answerTo(context, asked);
      const version = versionIn(reply);
      const fits = version === newest || (asked !== newest && version === asked);
      const fault = `${asked} was answered with ${version ?? 'no version'}, not with ${newest}`;
      context.see.check('R036', !fits && fault, reply);
    }
  },
  'versions/no-version': async (context) => {
    for (const asked of [-1, highest + 1]) {
      const reply = await answerTo(context, asked);
      const code = reply.error?.code;
      const isRefusedWell = reply.error === undefined || code === -32_602;
      context.see.check('R021', !isRefusedWell && `the version ${asked} was refused with ${String(code)}`, reply);
      context.see.check('R039', versionIn(reply) === asked && `the version ${asked} was agreed on`, reply);
    }
  },
};

async function answerTo(context: AgentContext, protocolVersion: number): Promise<Reply> {
  const wire = await context.open();
  const reply = await wire.ask('initialize', { protocolVersion, ...introduction });
  await wire.close();
  return reply;
}

function versionIn({ result }: Reply): number | undefined {
  const version = at(result, 'protocolVersion');
  return typeof version === 'number' ? version : undefined;
}
