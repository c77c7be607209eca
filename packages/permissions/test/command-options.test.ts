import { expect, test } from 'vitest';
import { optionsOf } from '../src/command-options.ts';
import { shellLine } from '../src/shell-line.ts';

/** The parts of a command that are not known to be harmless: options, and the word known only to the shell. */
function risky(line: string): unknown {
  const [command] = shellLine(line, 'bash').commands;
  const options = command && optionsOf(command.words);
  return options && [options.risky.map(([name]) => name), ...(options.unknown ? [options.unknown.text] : [])];
}

const tame = [
  ...['sort --version', 'git log --help', 'npm --version'],
  ...[
    'git status -sb',
    'git log --oneline -20 -p -- src',
    'git log --author="x" --since 2.weeks',
    'git commit -am "x y"',
  ],
  ...['git commit -m "$(cat msg)"', 'git push -u origin main', 'git diff HEAD~1 --stat', 'git --no-pager show HEAD:x'],
  ...['git checkout -b x', 'git switch -c x', 'git stash push -m "x"', 'git submodule update --init --recursive'],
  ...[
    'find . -name "*.ts" -not -path "./node_modules/*" -type f',
    'find src \\( -name a -o -name b \\) -print0',
    'find . -name "$x"',
  ],
  ...[
    'rg -n --glob "*.ts" foo src',
    'rg -tjs -C3 foo',
    'sort -t, -k2,2 -rn x',
    'sort -T/tmp/x -u a',
    'tar czf x.tgz src',
    'tar -xzf x -C y',
  ],
  ...[
    'curl -sSL -H "a: b" -X POST -d "{}" http://x',
    'npm test -- -t "a b"',
    'npm run build --workspace x',
    'pnpm -r test',
  ],
  ...[
    'cargo test --release -p x -- --nocapture',
    'go test ./... -run "$x" -v -count=1',
    'sort src/*.txt',
    'git add "src/$x"',
    'git grep -nE foo',
  ],
];

test.each(tame)('no option of %j is risky', (line) => {
  expect(risky(line)).toEqual([[]]);
});

const hidden: Readonly<Record<string, unknown>> = {
  'sort -uo x a': [['-o']],
  'sort --o=x a': [['--o']],
  'sort --compress-prog=x a': [['--compress-prog']],
  'tar cIf x o a': [['-I']],
  'tar -cMF x -f o a': [['-M']],
  'git log --out=x': [['--out']],
  'git grep -nOx foo': [['-O']],
  'git -c a=b log': [['-c', 'a=b']],
  'git -C x log': [['-C', 'x']],
  'git clone -u x . y': [['-u']],
  'git rebase --ex x HEAD': [['--ex']],
  'git config a b': [['config']],
  'git bisect run x': [['run']],
  'git submodule foreach x': [['foreach']],
  'git log $x': [[], '$x'],
  'git log "$x"': [[], '"$x"'],
  'git log *': [[], '*'],
  'git log -{a,b}': [[], '-{a,b}'],
  'git $x': [[], '$x'],
  'git log src/$x': [[], 'src/$x'],
  'git log -n $x': [[], '$x'],
  'git log -n --output=x': [[], '--output=x'],
  'find . -exec x': [['-exec']],
  'find . -ex"$x"ec y': [[], '-ex"$x"ec'],
  'find . -name *.ts': [[], '*.ts'],
  'npm test --script-shell=x': [['--script-shell']],
  'go test -exec x ./...': [['-exec']],
  'curl -sOL http://x': [['-O']],
  'rsync -ae x a b': [['-e']],
  'split --filter=x a': [['--filter']],
};

test.each(Object.entries(hidden))('the risky options of %j are found', (line, expected) => {
  expect(risky(line)).toEqual(expected);
});

test('a command without a table has no known options', () => {
  expect(['ls -la', 'make x', 'mytool --exec y'].map(risky)).toEqual([undefined, undefined, undefined]);
});
