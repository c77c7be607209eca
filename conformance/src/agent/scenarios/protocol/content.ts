import { pathToFileURL } from 'node:url';
import { asMessage, type RawMessage } from '../../../wire/messages.ts';
import { type AgentScripts, type AgentStage, inSession, withAgent } from '../../agent-stage.ts';
import { failureOf, isRefusal } from '../../failed-turn.ts';
import type { ReadyAgent } from '../../session.ts';

/** What a prompt may hold, and what only if the agent said so: by the capability that says it. */
const blocks: Readonly<Record<string, RawMessage>> = {
  image: {
    type: 'image',
    mimeType: 'image/png',
    data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  },
  audio: {
    type: 'audio',
    mimeType: 'audio/wav',
    data: 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQIAAACAgA==',
  },
  embeddedContext: { type: 'resource', resource: { uri: 'memo:orchard', mimeType: 'text/plain', text: 'quince' } },
};

/** What a prompt may hold. */
export const contentScenarios: AgentScripts = {
  'content/baseline': inSession(async (session, stage) => {
    const uri = pathToFileURL(stage.path('linked.txt')).href;
    const turn = await session.begin([words(stage), { type: 'resource_link', uri, name: 'linked.txt' }]).end();
    if (turn.error !== undefined && turn.error.code !== -32_602) return stage.see.unseen('R046', failureOf(turn.error));
    stage.see.check('R046', turn.error !== undefined && 'a text with a link was refused', turn);
  }),
  'content/advertised': withAgent([], async (agent, stage) => {
    const taken = blocksFor(agent, true).map(([, block]) => block);
    if (taken.length === 0) return stage.see.unseen('R048', 'no further content is advertised');
    const turn = await (await agent.session()).begin([words(stage), ...taken]).end();
    const isRefused = turn.error !== undefined && isRefusal(turn.error);
    stage.see.check('R048', isRefused && 'content that was advertised was refused', turn);
  }),
  'content/not-advertised': inSession(async (session, stage) => {
    const unoffered = blocksFor(session.agent, false);
    if (unoffered.length === 0) return stage.see.unseen('R136', 'the agent takes every kind of content');
    for (const [capability, block] of unoffered) {
      const turn = await session.begin([words(stage), block]).end();
      const { error } = turn;
      const type = String(block['type']);
      const fault = `a prompt with ${type} was taken, though promptCapabilities.${capability} is not true`;
      if (error === undefined || error.code === -32_602) stage.see.check('R136', error === undefined && fault, turn);
      else stage.see.unseen('R136', `the turn failed with ${String(error.code)}: ${String(error.message)}`);
    }
  }),
};

function words(stage: AgentStage): RawMessage {
  return { type: 'text', text: stage.steer('say', { text: 'quince' }) };
}

/** What an agent said it takes, or did not. */
function blocksFor({ initialized }: ReadyAgent, isOffered: boolean): readonly (readonly [string, RawMessage])[] {
  const offered = asMessage(initialized.capabilities['promptCapabilities']) ?? {};
  return Object.entries(blocks).filter(([capability]) => (offered[capability] === true) === isOffered);
}
