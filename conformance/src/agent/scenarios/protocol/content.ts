import { pathToFileURL } from 'node:url';
import { at, isOffered as isOfferedIn, type RawMessage } from '../../../wire/messages.ts';
import { type AgentScripts, type AgentContext, inSession, withAgent } from '../../agent-context.ts';
import { failureOf, isRefusal } from '../../failed-turn.ts';
import type { ReadyAgent } from '../../session.ts';

/** Optional content of prompts, by the capability that permits it. */
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

export const contentScenarios: AgentScripts = {
  'content/baseline': inSession(async (session, context) => {
    const uri = pathToFileURL(context.path('linked.txt')).href;
    const turn = await session.begin([words(context), { type: 'resource_link', uri, name: 'linked.txt' }]).end();
    if (turn.error !== undefined && turn.error.code !== -32_602)
      return context.see.unseen('R046', failureOf(turn.error));
    context.see.check('R046', turn.error !== undefined && 'a prompt with a text and a resource link was refused', turn);
  }),
  'content/advertised': withAgent([], async (agent, context) => {
    const taken = blocksFor(agent, true).map(([, block]) => block);
    if (taken.length === 0) return context.see.unseen('R048', 'the agent advertises no optional content');
    const turn = await (await agent.session()).begin([words(context), ...taken]).end();
    const isRefused = turn.error !== undefined && isRefusal(turn.error);
    context.see.check('R048', isRefused && 'a prompt with advertised content was refused', turn);
  }),
  'content/not-advertised': inSession(async (session, context) => {
    const unoffered = blocksFor(session.agent, false);
    if (unoffered.length === 0) return context.see.unseen('R136', 'the agent advertises every kind of content');
    for (const [capability, block] of unoffered) {
      const turn = await session.begin([words(context), block]).end();
      const { error } = turn;
      const type = String(block['type']);
      const fault = `a prompt with ${type} was accepted although ${capability} is not advertised`;
      if (error === undefined || error.code === -32_602) context.see.check('R136', error === undefined && fault, turn);
      else context.see.unseen('R136', `the turn failed with ${String(error.code)}: ${String(error.message)}`);
    }
  }),
};

function words(context: AgentContext): RawMessage {
  return { type: 'text', text: context.steer('say', { text: 'quince' }) };
}

/** The optional blocks that an agent advertises, or those it does not. */
function blocksFor({ initialized }: ReadyAgent, isOffered: boolean): readonly (readonly [string, RawMessage])[] {
  const { promptCapabilities, session } = initialized.capabilities;
  const offered = promptCapabilities ?? at(session, 'prompt');
  return Object.entries(blocks).filter(([capability]) => isOfferedIn(offered, capability) === isOffered);
}
