import { optionOfKind } from '@turnwire/client';
import { localFiles, localTerminals } from '@turnwire/client/node';
import { createPermissions, hostActionOf, hostPreviewOf } from '@turnwire/permissions';
import { expect, test } from 'vitest';
import { CoderAtWork, CoderHome } from './coder-home.ts';

test('a command or change needs one permission, also if the client runs or writes it', async () => {
  await using home = await CoderHome.open({ files: { 'notes.txt': 'alpha\n' }, env: { OPENAI_API_KEY: 'key' } });
  const asked: (string | null | undefined)[] = [];
  const permissions = createPermissions({
    project: home.work,
    ask: ({ request: { toolCall, options } }) => {
      asked.push(toolCall.title);
      const option = optionOfKind(options, 'allow_once');
      return Promise.resolve(option && { option });
    },
  });
  const files = localFiles();
  home.client = {
    host: { files, terminals: localTerminals() },
    hostGate: (call) => permissions.allowHostCall(hostActionOf(call), call.signal, () => hostPreviewOf(call, files)),
  };
  await using coder = await CoderAtWork.start(home);
  coder.user.decide = permissions.policy;
  const end = await coder.prompt('run echo "$PAGER" then replace "alpha" with "beta" in notes.txt');
  expect([end, asked, coder.calls, await home.read('notes.txt')]).toEqual([
    { stopReason: 'end_turn' },
    ['echo "$PAGER"', 'Edit notes.txt'],
    ['execute completed', 'read completed', 'edit completed'],
    'beta\n',
  ]);
});

test('/compact with the offline model keeps the conversation', async () => {
  await using home = await CoderHome.open();
  await using coder = await CoderAtWork.start(home);
  await coder.prompt('say "one"');
  await coder.prompt('say "two"');
  await coder.prompt('/compact');
  expect([coder.said, await coder.prompt('again')]).toEqual([
    'onetwoThe offline model cannot write a summary, so the conversation is unchanged. Choose another model with `/model`.',
    { stopReason: 'end_turn' },
  ]);
});
