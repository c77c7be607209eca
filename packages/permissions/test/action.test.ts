import type { ToolCallUpdate } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { actionOf } from '../src/index.ts';
import { project } from './project.ts';

/** The fields of a call's action that differ between calls. */
function facts(call: Partial<ToolCallUpdate>): unknown {
  const { sessionId, roots, source, toolCallId, ...rest } = actionOf(
    { sessionId: 's', toolCall: { toolCallId: 'c', title: 'rm -rf /', ...call } },
    ['/project', '/more'],
  );
  expect({ sessionId, roots, source, toolCallId }).toEqual({
    sessionId: 's',
    roots: ['/project', '/more'],
    source: 'request',
    toolCallId: 'c',
  });
  return rest;
}

/** A patch as agents write it, with these headers. */
function patch(...headers: readonly string[]): string {
  const changes = headers.map((header) => `*** ${header}\n+*** Add File: /in-the-text\n`);
  return `*** Begin Patch\n${changes.join('')}*** End Patch\n`;
}

const run = { kind: 'execute', cwd: '/project', paths: [] } as const;

test.each<[string, Partial<ToolCallUpdate>, unknown]>([
  ['a command as a text', { kind: 'execute', rawInput: { command: 'npm test' } }, { ...run, command: 'npm test' }],
  [
    'a command as words',
    { kind: 'execute', rawInput: { command: ['bash', '-lc', 'a "b"'] } },
    { ...run, command: `bash -lc 'a "b"'` },
  ],
  [
    'a command under another key',
    { kind: 'execute', rawInput: { cmd: 'a', cwd: 'sub' } },
    { ...run, cwd: '/project/sub', command: 'a' },
  ],
  ['a script', { kind: 'execute', rawInput: { script: 'a\nb' } }, { ...run, command: 'a\nb' }],
  [
    'a command with its words apart',
    { kind: 'execute', rawInput: { command: 'git', args: ['a b', 'c'] } },
    { ...run, command: "git 'a b' c" },
  ],
  [
    'two commands',
    { kind: 'execute', rawInput: { command: 'git status', cmd: 'rm x' } },
    { ...run, command: 'git status\nrm x', unclear: 'the agent sent several commands' },
  ],
  [
    'a list of whole command lines',
    { kind: 'execute', rawInput: { commands: ['a | b', 'c'] } },
    { ...run, command: 'a | b\nc' },
  ],
  [
    'command lines of which one would swallow the next',
    { kind: 'execute', rawInput: { commands: ["echo '", "rm -rf x #'"] } },
    { ...run, command: "echo '\nrm -rf x #'", unclear: 'its commands cannot be separated' },
  ],
  [
    'a command that is listed once more',
    { kind: 'execute', rawInput: { command: 'a && b', commands: ['a && b', 'b'] } },
    { ...run, command: 'a && b' },
  ],
  [
    'a command and a list of others',
    { kind: 'execute', rawInput: { command: 'a', commands: ['rm x'] } },
    { ...run, command: 'a\nrm x', unclear: 'the agent sent several commands' },
  ],
  ['no command', { kind: 'execute' }, { kind: 'execute', paths: [], unclear: 'the agent did not send the command' }],
  [
    'input that is no object',
    { kind: 'execute', rawInput: 'ls' },
    { ...run, command: 'ls', unclear: 'its input does not identify the command' },
  ],
  [
    'a command in the input of a tool that is no shell',
    { kind: 'fetch', rawInput: { url: 'https://a', command: 'ls', cwd: 'sub' } },
    { kind: 'fetch', namedCommands: ['ls'], cwd: '/project/sub', paths: [], url: 'https://a' },
  ],
  [
    'the name of a shell without a kind',
    { name: 'Bash', rawInput: { command: 'ls' } },
    { ...run, tool: 'Bash', command: 'ls' },
  ],
  [
    'a change of a file that comes with a command',
    { kind: 'execute', rawInput: { command: 'ls' }, content: [{ type: 'diff', path: '/a', newText: '' }] },
    { kind: 'edit', namedCommands: ['ls'], cwd: '/project', paths: ['/a'] },
  ],
  ['the address of a file', { kind: 'read', rawInput: { uri: 'file:///a%20b' } }, { kind: 'read', paths: ['/a b'] }],
  ['a path in the input', { kind: 'edit', rawInput: { file_path: '/project/../x' } }, { kind: 'edit', paths: ['/x'] }],
  [
    'paths in objects',
    { kind: 'read', rawInput: { files: [{ path: '/a' }, { path: 'b', start_line: 1 }, null] } },
    { kind: 'read', paths: ['/a', '/project/b'] },
  ],
  [
    'a patch under a kind that says nothing',
    { kind: 'other', rawInput: { input: patch('Add File: /a', 'Update File: b', 'Move to: c') } },
    { kind: 'edit', paths: ['/a', '/project/b', '/project/c'] },
  ],
  ['a patch that only deletes', { rawInput: patch('Delete File: /a') }, { kind: 'delete', paths: ['/a'] }],
  [
    'no patch in a text that holds one',
    { kind: 'other', rawInput: { input: `send this\n${patch('Add File: /a')}` } },
    { kind: 'other', paths: [] },
  ],
  [
    'no patch in the input of another tool',
    { kind: 'other', name: 'mcp__chat__send', rawInput: { input: patch('Add File: /a') } },
    { kind: 'other', tool: 'mcp__chat__send', paths: [] },
  ],
  [
    'no patch where it is one thing of several',
    { kind: 'other', rawInput: { input: patch('Add File: /a'), to: '/b' } },
    { kind: 'other', paths: ['/b'] },
  ],
  ['a relative path', { kind: 'read', rawInput: { path: 'a/../b' } }, { kind: 'read', paths: ['/project/b'] }],
  [
    'paths from everywhere',
    {
      kind: 'edit',
      rawInput: { filePath: '/a', paths: ['/b'] },
      locations: [{ path: '/c' }],
      content: [
        { type: 'diff', path: '/d', newText: '' },
        { type: 'content', content: { type: 'text', text: '/e' } },
      ],
    },
    { kind: 'edit', paths: ['/b', '/a', '/c', '/d'].toSorted((a, b) => '/a/b/c/d'.indexOf(a) - '/a/b/c/d'.indexOf(b)) },
  ],
  [
    'an edit of nothing',
    { kind: 'edit' },
    { kind: 'edit', paths: [], unclear: 'the agent did not send the path of the file' },
  ],
  [
    'a verb of an editor',
    { kind: 'edit', rawInput: { command: 'create', path: '/a' } },
    { kind: 'edit', paths: ['/a'] },
  ],
  [
    'a diff under a harmless kind',
    { kind: 'read', content: [{ type: 'diff', path: '/a', newText: '' }] },
    { kind: 'edit', paths: ['/a'] },
  ],
  ['an address', { kind: 'fetch', rawInput: { url: 'https://a' } }, { kind: 'fetch', paths: [], url: 'https://a' }],
  [
    'two addresses',
    { kind: 'fetch', rawInput: { urls: ['https://a', 'https://b'] } },
    { kind: 'fetch', paths: [], url: 'https://a', unclear: 'the agent sent several addresses' },
  ],
  ['a name and no kind', { name: 'mcp__a__b' }, { kind: 'other', tool: 'mcp__a__b', paths: [] }],
  [
    'a NUL in a path',
    { kind: 'read', rawInput: { path: '/a\0b' } },
    { kind: 'read', paths: [], unclear: 'a path contains a NUL character' },
  ],
])('%s becomes an action', (_, call, expected) => {
  expect(facts(call)).toEqual(expected);
});

test('a relative path without a session folder cannot be resolved', () => {
  const call = { sessionId: 's', toolCall: { toolCallId: 'c', kind: 'read', rawInput: { path: 'a' } } } as const;
  expect(actionOf(call, []).unclear).toBe('a path is relative to an unknown folder');
});

test('a path that goes up from the target of a link cannot be resolved', () => {
  const cwd = project();
  const about = (path: string): unknown =>
    actionOf({ sessionId: 's', toolCall: { toolCallId: 'c', kind: 'edit', rawInput: { path } } }, [cwd]).unclear;
  expect([about('out/../secret.txt'), about('src/../secret.txt')]).toEqual([
    'a path goes up from the target of a link',
    undefined,
  ]);
});
