import type { TranscriptView } from '@turnwire/client/transcript';
import { backgroundItems, cancellableItems } from '@turnwire/client/view';
import { explain } from '../failure.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import type { Page } from '../terminal/page.ts';
import { cutLine } from '../terminal/text-width.ts';
import type { CommandActions } from './chat-actions.ts';

/** The line above the status line that lists the work in the background. Empty without any. */
export function backgroundLines(view: TranscriptView, { width, paint }: Page): readonly string[] {
  const items = backgroundItems(view);
  if (items.length === 0) return [];
  const cancel = items.some((item) => item.cancel) ? ' · /cancel' : '';
  const names = cutLine(
    items.map(({ text }) => cleanLine(text)).join(', '),
    Math.max(8, width - head.length - cancel.length),
  );
  return [paint('cyan', cutLine(`${head}${names}${cancel}`, width))];
}

const head = 'running in the background: ';

const kinds: Readonly<Record<string, string | undefined>> = {
  tool_call: 'tool call',
  terminal: 'terminal',
  subagent: 'child session',
};

/** Lists the work that the agent can cancel separately, and cancels what the user chooses. */
export async function cancelWork(chat: CommandActions): Promise<void> {
  const { conversation } = chat.controller;
  const choices = cancellableItems(conversation.transcript).flatMap(({ text, cancel }) =>
    cancel ? [{ label: cleanLine(text), detail: kinds[cancel.type] ?? cancel.type, value: cancel }] : [],
  );
  if (choices.length === 0) return chat.note('nothing runs that the agent can cancel separately; Esc stops the turn');
  const work = await chat.choose({ title: 'Cancel', choices });
  if (work) await conversation.cancelWork(work).catch((error: unknown) => chat.note(explain(error)));
}
