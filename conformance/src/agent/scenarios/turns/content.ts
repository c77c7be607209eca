import type { RawMessage } from '../../../wire/journal.ts';
import { asMessage } from '../../../wire/messages.ts';
import type { AgentScenario } from '../../agent-scenario.ts';
import type { AgentStage } from '../../agent-stage.ts';
import { beginSession, type Begun } from '../../pieces/preconditions.ts';

/** What a prompt may hold only if the agent said so, by the capability that says it. */
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

/** What prompts may hold, besides what every agent takes. */
export const contentScenarios: readonly AgentScenario[] = [
  {
    id: 'content/not-advertised',
    title: 'content that the agent did not say it takes is refused with -32602, not passed over',
    covers: ['R136'],
    run: async (stage) => {
      const begun = await beginSession(stage);
      const offered = asMessage(begun.initialized.capabilities['promptCapabilities']) ?? {};
      const unoffered = Object.entries(blocks).filter(([capability]) => offered[capability] !== true);
      if (unoffered.length === 0) return stage.see.unseen('R136', 'the agent takes every kind of content');
      for (const [capability, block] of unoffered) await seeRefused(stage, begun, { capability, block });
    },
  },
];

async function seeRefused(
  stage: AgentStage,
  { wire, sessionId }: Begun,
  { capability, block }: { readonly capability: string; readonly block: RawMessage },
): Promise<void> {
  const text = { type: 'text', text: stage.steer('say', { text: 'quince' }) };
  const { entry, error } = await stage.begin(wire, sessionId, [text, block]).end();
  if (error !== undefined && error.code !== -32_602)
    return stage.see.unseen('R136', `the turn failed with ${String(error.code)}: ${String(error.message)}`);
  stage.see.check('R136', error !== undefined, {
    otherwise: `a prompt with ${String(block['type'])} was taken, though promptCapabilities.${capability} is not true`,
    evidence: [entry],
  });
}
