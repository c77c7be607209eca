import { writeFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import type { MessageEntry, TranscriptView } from '@turnwire/client/transcript';
import { explain } from '../failure.ts';
import { messageText } from '@turnwire/client/view';
import { documentText } from '../output/document/document-text.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import type { CommandActions } from './chat-actions.ts';

/** The maximum size of a copied text, in bytes. Terminals drop longer sequences. */
const mostCopied = 70_000;

/** Copies the last answer, or the last block of code in it. */
export function copyAnswer(chat: CommandActions, argument: string): void {
  const answer = messagesOf(chat.controller.conversation.transcript, 'agent').at(-1);
  if (answer === undefined) return chat.note('there is no answer yet');
  const blocks = Array.from(
    answer.matchAll(/^ {0,3}(`{3,}|~{3,})[^\n]*\n([^]*?)^ {0,3}\1/gm),
    ([, , code = '']) => code,
  );
  const text = argument === 'code' ? blocks.at(-1) : answer;
  if (text === undefined) return chat.note('there is no code in the last answer');
  if (Buffer.byteLength(text) > mostCopied)
    return chat.note('it is too long to be copied; /export writes it to a file');
  chat.copy(text);
  chat.note(`Copied ${text.length} characters, if this terminal lets programs write to the clipboard (OSC 52)`);
}

/** Writes the session to a new file, in the format of its ending; the default is Markdown. */
export async function exportChat(chat: CommandActions, argument: string): Promise<void> {
  const { conversation, cwd } = chat.controller;
  const { transcript, agentInfo } = conversation;
  const name =
    argument === '' ? `session-${new Date().toISOString().slice(0, 16).replaceAll(/[^\d]/g, '')}.md` : argument;
  const format = ({ '.html': 'html', '.json': 'json' } as const)[extname(name)] ?? 'md';
  const title = transcript.title ?? messagesOf(transcript, 'user')[0]?.slice(0, 100) ?? 'A session';
  const facts = { agent: cleanLine(agentInfo?.title ?? agentInfo?.name ?? ''), folder: cwd };
  try {
    const text = documentText({ title: cleanLine(title), facts, view: transcript }, format);
    await writeFile(resolve(cwd, name), text, { flag: 'wx', mode: 0o600 });
    chat.note(`written: ${cleanLine(name)}`);
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EEXIST';
    chat.note(isTaken ? `there is already a file ${cleanLine(name)}: give another name` : explain(error));
  }
}

function messagesOf({ entries }: TranscriptView, type: MessageEntry['type']): readonly string[] {
  return [...entries].flatMap((entry) => (entry.type === type ? [messageText(entry)] : []));
}
