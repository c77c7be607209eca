import type { Reply } from '../../../wire/messages.ts';
import { asMessage } from '../../../wire/messages.ts';
import type { AgentScenario } from '../../agent-scenario.ts';
import type { AgentStage } from '../../agent-stage.ts';

const highest = 65_535;

/** What the client is, in the words of version 1 and in those of version 2. */
const self = { name: 'turnwire-check', version: '0.1.0' };
const introduction = { clientCapabilities: {}, clientInfo: self, capabilities: {}, info: self };

/** Which version is spoken. */
export const versionScenarios: readonly AgentScenario[] = [
  {
    id: 'versions/negotiation',
    title: 'a version the agent supports is agreed on, of any other the newest it supports',
    covers: ['R036'],
    run: async (stage) => {
      const future = await versionFor(stage, highest);
      const newest = future.version;
      seeVersion(stage, future, {
        fits: newest !== highest,
        otherwise: 'an unsupported version was agreed on',
      });
      if (newest === undefined) return;
      for (const asked of new Set([newest, 1])) {
        const answered = await versionFor(stage, asked);
        const fits = answered.version === newest || (asked !== newest && answered.version === asked);
        seeVersion(stage, answered, {
          fits,
          otherwise: `${asked} was answered with ${answered.version}, not with ${newest}`,
        });
      }
    },
  },
  {
    id: 'versions/no-version',
    title: 'a number that cannot be a version is not agreed on; it is refused with -32602, or answered with a version',
    covers: ['R021', 'R039'],
    run: async (stage) => {
      for (const protocolVersion of [-1, highest + 1]) {
        const { entry, error, result } = await answerTo(stage, protocolVersion);
        stage.see.check('R021', error === undefined || error.code === -32_602, {
          otherwise: `the version ${protocolVersion} was refused with ${String(error?.code)}`,
          evidence: [entry],
        });
        stage.see.check('R039', asMessage(result)?.['protocolVersion'] !== protocolVersion, {
          otherwise: `the version ${protocolVersion} was agreed on`,
          evidence: [entry],
        });
      }
    },
  },
];

interface Answered {
  readonly version: number | undefined;
  readonly reply: Reply;
}

async function versionFor(stage: AgentStage, protocolVersion: number): Promise<Answered> {
  const reply = await answerTo(stage, protocolVersion);
  const version = asMessage(reply.result)?.['protocolVersion'];
  return { reply, version: typeof version === 'number' ? version : undefined };
}

async function answerTo(stage: AgentStage, protocolVersion: number): Promise<Reply> {
  const wire = await stage.open();
  const reply = await wire.ask('initialize', { protocolVersion, ...introduction });
  await wire.close();
  return reply;
}

function seeVersion({ see }: AgentStage, { reply, version }: Answered, { fits, otherwise }: Expectation): void {
  const isAnswered = version !== undefined;
  const evidence = [reply.entry];
  see.check('R036', isAnswered && fits, { otherwise: isAnswered ? otherwise : 'no version was answered', evidence });
}

interface Expectation {
  readonly fits: boolean;
  readonly otherwise: string;
}
