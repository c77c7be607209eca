import { expect, test } from 'vitest';
import { type ProgramContext, shellRule, spawnRule } from '../../src/index.ts';
import { taskkill } from '../../src/processes/windows-tree.ts';

const files = [
  'C:\\Program Files\\nodejs\\node.exe',
  'C:\\Program Files\\nodejs\\npx',
  'C:\\Program Files\\nodejs\\npx.cmd',
  'C:\\tools\\agent.bat',
  'C:\\tools\\50%\\odd.cmd',
  'C:\\work\\local.cmd',
  'C:\\work\\bin\\own.exe',
];
const windows: ProgramContext = {
  platform: 'win32',
  env: {
    Path: '"C:\\Program Files\\nodejs";C:\\tools',
    PathExt: '.COM;.EXE;.BAT;.CMD;.VBS;.JS',
    systemroot: 'C:\\Windows',
  },
  cwd: 'C:\\work',
  isProgram: (path) => files.some((file) => file.toLowerCase() === path.toLowerCase()),
};

/** The line between `/c "` and `"`, for a batch file. */
function batchLine(...words: readonly [string, ...string[]]): string {
  const { file, args, windowsVerbatimArguments } = spawnRule(words, windows);
  const [line = '', ...options] = args.toReversed();
  expect({ file, options, windowsVerbatimArguments }).toEqual({
    file: 'C:\\Windows\\System32\\cmd.exe',
    options: ['/c', '/s', '/v:off', '/e:on', '/d'],
    windowsVerbatimArguments: true,
  });
  return line.slice(1, -1);
}

test('outside of Windows a command is started unchanged', () => {
  const linux: ProgramContext = { ...windows, platform: 'linux' };
  expect(spawnRule(['npx', 'a b', '%PATH%'], linux)).toEqual({
    file: 'npx',
    args: ['a b', '%PATH%'],
    windowsVerbatimArguments: false,
  });
});

test('a program is started by its file, with unchanged arguments', () => {
  const started = (...words: readonly [string, ...string[]]): string => spawnRule(words, windows).file;
  expect([
    spawnRule(['node', 'a b.js', '--x="y"', '%PATH%'], windows),
    started('NODE.EXE'),
    started('bin\\own'),
    started('./bin/own.exe'),
    started('missing'),
  ]).toEqual([
    {
      file: 'C:\\Program Files\\nodejs\\node.exe',
      args: ['a b.js', '--x="y"', '%PATH%'],
      windowsVerbatimArguments: false,
    },
    'C:\\Program Files\\nodejs\\NODE.EXE',
    'C:\\work\\bin\\own.exe',
    'C:\\work\\bin\\own.exe',
    'missing',
  ]);
});

test('a shim is run by the command processor instead of the script next to it', () => {
  expect(batchLine('npx', '-y', '@scope/agent@1.2.3', '--acp')).toBe(
    '"C:\\Program Files\\nodejs\\npx.cmd" -y @scope/agent@1.2.3 --acp',
  );
});

test('a bare name is not searched for in the folder of the project', () => {
  expect([spawnRule(['local'], windows).file, batchLine('.\\local')]).toEqual(['local', 'C:\\work\\local.cmd']);
});

test('an argument of a batch file cannot end its quotes or name a variable', () => {
  const quoted = (word: string): string => batchLine('agent', word).replace('C:\\tools\\agent.bat ', '');
  expect(
    [
      '',
      'a b',
      'a&b',
      'a|b>c<d',
      'a^b',
      '!x!',
      '(a)',
      '"&calc',
      'say "hi"',
      'end\\',
      'a b\\',
      'a\\"b',
      '%PATH%',
      '50%',
      'ä,;=',
    ].map(quoted),
  ).toEqual([
    '""',
    '"a b"',
    '"a&b"',
    '"a|b>c<d"',
    '"a^b"',
    '"!x!"',
    '"(a)"',
    '"""&calc"',
    '"say ""hi"""',
    'end\\',
    '"a b\\\\"',
    '"a\\\\""b"',
    '"%%cd:~,%PATH%%cd:~,%"',
    '"50%%cd:~,%"',
    '"ä,;="',
  ]);
});

test('the path of a batch file is quoted too, even if its extension is disguised', () => {
  expect([batchLine('C:\\tools\\50%\\odd.cmd'), batchLine('c:\\elsewhere\\x.CMD. .', 'a')]).toEqual([
    '"C:\\tools\\50%%cd:~,%\\odd.cmd"',
    '"c:\\elsewhere\\x.CMD. ." a',
  ]);
});

test('a line break for a batch file is refused with a reason', () => {
  expect(() => spawnRule(['agent', 'one\ntwo'], windows)).toThrow(
    'C:\\tools\\agent.bat is a batch file, which cannot receive an argument with a line break; use the program it starts instead',
  );
});

test('without SystemRoot the command processor is the one of ComSpec', () => {
  const env = { PATH: 'C:\\tools', COMSPEC: 'D:\\cmd.exe' };
  expect(spawnRule(['agent'], { ...windows, env })).toEqual({
    file: 'D:\\cmd.exe',
    args: ['/d', '/e:on', '/v:off', '/s', '/c', '"C:\\tools\\agent.bat"'],
    windowsVerbatimArguments: true,
  });
});

test('a line for the shell stays unchanged', () => {
  expect(shellRule('dir "a b" | more', '/bin/bash', windows)).toEqual({
    file: 'C:\\Windows\\System32\\cmd.exe',
    args: ['/d', '/s', '/c', '"dir "a b" | more"'],
    windowsVerbatimArguments: true,
  });
});

test('a tree is ended by the system’s taskkill', () => {
  expect(taskkill(42, 'D:\\Windows')).toEqual(['D:\\Windows\\System32\\taskkill.exe', ['/PID', '42', '/T', '/F']]);
});
