import { quoted } from '../../../wire/messages.ts';
import type { Frame } from '../../frame.ts';
import { listener, type Rule, type RuleContext } from '../../rule.ts';
import { Replays } from './replays.ts';

interface Prompts {
  /** The answers by message id, and the key of their prompt. */
  readonly answered: Map<unknown, { readonly frame: Frame; readonly key: unknown }>;
  /** The inserted messages by id. */
  readonly shown: Map<unknown, Frame>;
  readonly refused: Frame[];
  open: number;
}

/** Every prompt is answered with the id of its own message, and a message that was inserted belongs to a prompt that succeeded. */
export const promptMessages: Rule = listener('agent', ['V050', 'V054'], (context) => {
  const { isWhole, held, broken } = context;
  const sessions = new Map<string, Prompts>();
  const replays = new Replays();
  const promptsOf = ({ sessionId = '' }: Frame): Prompts => {
    const known = sessions.get(sessionId) ?? { answered: new Map(), shown: new Map(), refused: [], open: 0 };
    sessions.set(sessionId, known);
    return known;
  };
  return {
    received: (frame) => {
      replays.take(frame);
      if (frame.kind === 'request' && frame.method === 'session/prompt') promptsOf(frame).open += 1;
    },
    sent: (frame) => {
      const isReplay = replays.take(frame);
      const prompts = promptsOf(frame);
      const { sessionUpdate, messageId } = frame.update ?? {};
      if (!isReplay && String(sessionUpdate).startsWith('user_message')) prompts.shown.set(messageId, frame);
      if (frame.kind === 'answer' && frame.method === 'session/prompt') judgeAnswer(frame, prompts, context);
    },
    end: () => {
      for (const { answered, shown, refused, open } of sessions.values()) {
        if (answered.size > 0) held('V054');
        const stray = [...shown].find(([id]) => !answered.has(id));
        const [error] = refused;
        // The message may belong to a prompt that is still open.
        if (isWhole && open === 0 && stray !== undefined && error !== undefined)
          broken('V054', 'A prompt was refused although its message was inserted', error, stray[1]);
      }
    },
  };
});

function judgeAnswer(frame: Frame, prompts: Prompts, { held, broken }: RuleContext): void {
  prompts.open -= 1;
  if (!frame.isSuccess) return void prompts.refused.push(frame);
  const id = frame.result?.['messageId'];
  const key = frame.request?.params['idempotencyKey'];
  const before = prompts.answered.get(id);
  if (before !== undefined && (key === undefined || before.key !== key))
    broken('V050', `Two prompts were answered with the message ${quoted(id)}`, before.frame, frame);
  else if (typeof id === 'string') held('V050');
  prompts.answered.set(id, { frame, key });
}
