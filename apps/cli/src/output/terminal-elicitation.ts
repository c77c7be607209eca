import type { HostElicitation } from '@turnwire/client/host';
import type { PlainTalk } from '../interactive/plain/plain-choice.ts';
import type { Asking } from '../permission/ask-person.ts';

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

/** One question: once the person has left it, nothing more of it is asked. */
function talkOver({ lines, write, onInterrupt }: Asking): PlainTalk {
  const never = new AbortController().signal;
  let isLeft = false;
  return {
    say: (said) => {
      if (!isLeft) write(`${said.join('\n')}\n`);
    },
    askLine: async (prompt, signal = never) => {
      if (isLeft || signal.aborted) return undefined;
      const answer = await lines.ask(prompt, signal);
      if (typeof answer === 'object') return answer.line;
      isLeft = true;
      if (answer === 'interrupted' && !signal.aborted) onInterrupt();
      return undefined;
    },
  };
}
