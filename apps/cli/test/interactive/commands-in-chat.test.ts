import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FolderRecord, ReviewComment } from '@turnwire/machine/folder-record';
import type { ContentBlock } from '@turnwire/protocol';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CommandActions } from '../../src/interactive/chat-actions.ts';
import { ChatController } from '../../src/interactive/chat-controller.ts';
import type { ChatOptions } from '../../src/interactive/chat-options.ts';
import { runCommand } from '../../src/interactive/commands.ts';
import { rewindChat } from '../../src/interactive/fork-chat.ts';
import { folderRecord } from '../../src/sessions/turn-recorder.ts';

let base = '';
let project = '';
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-commands-')));
  project = join(base, 'project');
  await mkdir(project);
  vi.stubEnv('XDG_STATE_HOME', join(base, 'state'));
});
afterEach(() => rm(base, { recursive: true, maxRetries: 5 }));

/** A chat whose user chooses the values, in this order. */
function chatting(
  conversation: object,
  chosen: readonly unknown[] = [],
): { readonly chat: CommandActions; readonly notes: readonly string[] } {
  const notes: string[] = [];
  const note = (text: string): void => void notes.push(text);
  const current = {
    state: { name: 'ready' },
    agentSessionId: 's',
    transcript: { commands: [], entries: [{ type: 'user', content: [{ type: 'text', text: 'work' }] }], knownFrom: 0 },
    agent: { capabilities: { sessionCapabilities: { fork: { _meta: { turnwire: { withoutLast: true } } } } } },
    onChange: () => () => undefined,
    ...conversation,
  };
  const controller = new ChatController(
    { cwd: project, opening: {}, open: () => current } as unknown as ChatOptions,
    { note, changed: () => undefined, unsent: () => undefined } as unknown as ConstructorParameters<
      typeof ChatController
    >[1],
  );
  const answers = [...chosen];
  const choose = (): Promise<unknown> => Promise.resolve(answers.shift());
  return { chat: { controller, note, choose, say: () => undefined } as unknown as CommandActions, notes };
}

async function changedIn(prompt: string): Promise<FolderRecord> {
  await writeFile(join(project, 'a.txt'), 'one\n');
  const record = folderRecord(project);
  const begun = await record.begin({ id: 't', sessionId: 's', agent: 'a', prompt });
  await writeFile(join(project, 'a.txt'), 'two @.env\n');
  await record.end(begun);
  return record;
}

test('/rewind leaves the files as they are if the agent does not fork', async () => {
  await changedIn('work');
  const fork = (): Promise<never> => Promise.reject(new Error('the disk is full'));
  const { chat, notes } = chatting({ fork }, [true]);
  await rewindChat(chat, '1');
  const [turn] = await folderRecord(project).turns();
  expect([notes, turn?.isUndone, await readFile(join(project, 'a.txt'), 'utf8')]).toEqual([
    ['not forked: the disk is full'],
    undefined,
    'two @.env\n',
  ]);
});

test('a command that fails shows the reason, and the chat continues', async () => {
  await changedIn('work');
  const { chat, notes } = chatting(
    {
      fork: async () => {
        await rm(join(base, 'state'), { recursive: true });
        await writeFile(join(base, 'state'), 'not a folder');
        return { agentSessionId: 'fork' };
      },
      close: () => Promise.resolve(),
    },
    [true],
  );
  vi.spyOn(chat.controller, 'switchTo').mockReturnValue();
  runCommand(chat, '/rewind 1');
  await expect.poll(() => notes).toEqual([expect.stringMatching(/^\/rewind failed: /)]);
});

test('/cancel waits until the agent has started', () => {
  const { chat, notes } = chatting({ state: { name: 'starting' } });
  runCommand(chat, '/cancel');
  expect(notes).toEqual(['/cancel waits until the agent is ready']);
});

test('comments are sent without attaching the files that an @ in the code seems to mention', async () => {
  await writeFile(join(project, '.env'), 'KEY=1\n');
  const record = await changedIn('work');
  const comment = { path: 'a.txt', lines: [1, 1], code: 'two @.env', text: 'why?' } as const;
  await record.comments.add(comment);
  const sent: (readonly ContentBlock[])[] = [];
  const { chat } = chatting({ prompt: (content: readonly ContentBlock[]) => sent.push(content) }, [undefined, true]);
  runCommand(chat, '/review');
  await expect
    .poll(() => sent)
    .toEqual([
      [
        {
          type: 'text',
          text: 'I have reviewed your changes. Please address these comments:\n\na.txt:1\n> two @.env\nwhy?',
        },
      ],
    ]);
});

test('removing listed comments keeps one that was added since', async () => {
  const { comments } = await changedIn('work');
  const comment = (text: string): ReviewComment => ({ path: 'a.txt', text });
  await comments.add(comment('one'));
  await comments.add(comment('two'));
  const listed = await comments.list();
  await comments.add(comment('one'));
  await comments.remove(listed);
  expect(await comments.list()).toEqual([comment('one')]);
});
