import type { AgentDefinition } from '@turnwire/agent';
import { untilAborted } from '@turnwire/machine/waits';

/** Echoes each word of a prompt; requests a permission before the word `ask`, and waits at `wait` until it is released. */
export function speaker(): { readonly definition: AgentDefinition; readonly release: () => void } {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  return {
    definition: {
      info: { name: 'speaker', version: '1.0.0' },
      prompt: async (turn) => {
        for (const word of turn.text.split(' ')) {
          if (word === 'wait') await untilAborted(released, turn.signal);
          if (word === 'fail') throw new Error('it fails');
          if (word !== 'ask') {
            await turn.say(word);
            continue;
          }
          const tool = turn.tool({ title: 'Run a thing', kind: 'other' });
          const { outcome } = await turn.askPermission(tool);
          await tool.complete(outcome);
          await turn.say(outcome);
        }
      },
    },
    release,
  };
}
