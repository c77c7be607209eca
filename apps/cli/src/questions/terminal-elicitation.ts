import type { HostElicitation } from '@turnwire/client';
import type { Asking } from './ask-user.ts';
import { dialogOver } from './terminal-dialog.ts';

/** Asks the user the agent's questions line by line at the terminal. */
export function terminalElicitation(asking: Asking): Required<Pick<HostElicitation, 'form' | 'url'>> {
  const ask =
    (mode: 'form' | 'url'): NonNullable<HostElicitation['form']> =>
    async (request, context) => {
      await asking.lines.discardTyped();
      asking.freshLine();
      // Imported on demand: few agents ask, and the chat uses most of the code.
      const { plainElicitation } = await import('./plain-elicitation.ts');
      const { [mode]: answer } = plainElicitation(() => dialogOver(asking));
      return answer ? answer(request, context) : { action: 'cancel' };
    };
  return { form: ask('form'), url: ask('url') };
}
