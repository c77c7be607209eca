import type { HostElicitation } from '@turnwire/client/host';
import type { Asking } from '../permission/ask-user.ts';
import { talkOver } from './terminal-talk.ts';

/** Asks what the agent wants to know in plain lines at the terminal. */
export function terminalElicitation(asking: Asking): Required<Pick<HostElicitation, 'form' | 'url'>> {
  const ask =
    (mode: 'form' | 'url'): NonNullable<HostElicitation['form']> =>
    async (request, context) => {
      await asking.lines.discardTyped();
      asking.freshLine();
      // Few agents ask, and what it takes is the chat's.
      const { plainElicitation } = await import('../interactive/plain/plain-questions.ts');
      const { [mode]: answer } = plainElicitation(() => talkOver(asking));
      return answer ? answer(request, context) : { action: 'cancel' };
    };
  return { form: ask('form'), url: ask('url') };
}
