import { asMessage, at, type Reply } from '../../../wire/messages.ts';
import type { AgentScripts, AgentStage } from '../../agent-stage.ts';

const highest = 65_535;

/** What the client is, in the words of version 1 and in those of version 2. */
const self = { name: 'turnwire-check', version: '0.1.0' };
const introduction = { clientCapabilities: {}, clientInfo: self, capabilities: {}, info: self };

export const handshakeScenarios: AgentScripts = {
  'initialize/answer': async (stage) => {
    const { reply, result } = await stage.initialize(await stage.open());
    const isLacking = asMessage(result['agentCapabilities']) === undefined;
    stage.see.check('R034', isLacking && 'there are no agentCapabilities', reply);
  },
  'versions/negotiation': async (stage) => {
    const future = await answerTo(stage, highest);
    const newest = versionIn(future);
    const none = newest === undefined && 'no version was answered';
    stage.see.check('R036', none || (newest === highest && 'an unsupported version was agreed on'), future);
    if (newest === undefined) return;
    for (const asked of new Set([newest, 1])) {
      const reply = await answerTo(stage, asked);
      const version = versionIn(reply);
      const fits = version === newest || (asked !== newest && version === asked);
      const fault = `${asked} was answered with ${version ?? 'no version'}, not with ${newest}`;
      stage.see.check('R036', !fits && fault, reply);
    }
  },
  'versions/no-version': async (stage) => {
    for (const asked of [-1, highest + 1]) {
      const reply = await answerTo(stage, asked);
      const code = reply.error?.code;
      const isRefusedWell = reply.error === undefined || code === -32_602;
      stage.see.check('R021', !isRefusedWell && `the version ${asked} was refused with ${String(code)}`, reply);
      stage.see.check('R039', versionIn(reply) === asked && `the version ${asked} was agreed on`, reply);
    }
  },
};

async function answerTo(stage: AgentStage, protocolVersion: number): Promise<Reply> {
  const wire = await stage.open();
  const reply = await wire.ask('initialize', { protocolVersion, ...introduction });
  await wire.close();
  return reply;
}

function versionIn({ result }: Reply): number | undefined {
  const version = at(result, 'protocolVersion');
  return typeof version === 'number' ? version : undefined;
}
