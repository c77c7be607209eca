import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RawMessage } from '../../../wire/journal.ts';
import { asMessage } from '../../../wire/messages.ts';
import type { AgentScenario } from '../../agent-scenario.ts';
import { failureOf } from '../../failed-turn.ts';
import { bareClient } from '../../host/client-offer.ts';

/** A picture of one point, and a tenth of a millisecond of silence. */
const onePoint = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const silence = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQIAAACAgA==';

/** What a prompt may hold. */
export const contentScenarios: readonly AgentScenario[] = [
  {
    id: 'content/baseline',
    title: 'a prompt of a text and a link is taken by every agent',
    covers: ['R046'],
    client: bareClient,
    run: async (stage) => {
      const { wire } = await stage.ready();
      const { id } = await stage.newSession(wire);
      const uri = pathToFileURL(join(stage.folder, 'linked.txt')).href;
      const prompt = [
        { type: 'text', text: stage.steer('say', { text: 'hello' }) },
        { type: 'resource_link', uri, name: 'linked.txt' },
      ];
      const { entry, error } = await stage.askPrompt(wire, { sessionId: id, prompt });
      if (error !== undefined && error.code !== -32_602) return stage.see.unseen('R046', failureOf(error));
      stage.see.check('R046', error === undefined, { otherwise: 'a text with a link was refused', evidence: [entry] });
    },
  },
  {
    id: 'content/advertised',
    title: 'a prompt with what the agent said it takes is not refused for it',
    covers: ['R048'],
    run: async (stage) => {
      const { wire, initialized } = await stage.ready();
      const blocks = advertised(asMessage(initialized.capabilities['promptCapabilities']) ?? {});
      if (blocks.length === 0) return stage.see.unseen('R048', 'no further content is advertised');
      const { id } = await stage.newSession(wire);
      const prompt = [{ type: 'text', text: stage.steer('say', { text: 'hello' }) }, ...blocks];
      const { entry, error } = await stage.askPrompt(wire, { sessionId: id, prompt });
      const isTaken = error?.code !== -32_602 && error?.code !== -32_601;
      stage.see.check('R048', isTaken, { otherwise: 'content that was advertised was refused', evidence: [entry] });
    },
  },
];

function advertised({ image, audio, embeddedContext }: RawMessage): readonly RawMessage[] {
  const text = { uri: 'file:///turnwire/embedded.txt', mimeType: 'text/plain', text: 'embedded' };
  return [
    ...(image === true ? [{ type: 'image', mimeType: 'image/png', data: onePoint }] : []),
    ...(audio === true ? [{ type: 'audio', mimeType: 'audio/wav', data: silence }] : []),
    ...(embeddedContext === true ? [{ type: 'resource', resource: text }] : []),
  ];
}
