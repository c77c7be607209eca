import { expect, test } from 'vitest';
import { shellLine } from '../src/shell-line.ts';

/** The parse of a line as Bash: its commands, and any writes and doubts. */
function reading(line: string): unknown {
  const { commands, writes, reads, doubts, folders } = shellLine(line, 'bash');
  return [
    commands.map(({ text, script }) =>
      script ? [text, script.commands.map((each) => each.text), ...script.doubts] : text,
    ),
    ...(writes.length > 0 ? [{ writes }] : []),
    ...(reads.length > 0 ? [{ reads }] : []),
    ...(folders.length > 0 ? [{ folders }] : []),
    ...(doubts.length > 0 ? [{ doubts }] : []),
  ];
}

const understood: Readonly<Record<string, unknown>> = {
  'git status': [['git status']],
  '  git   status ': [['git status']],
  'git status # and a comment': [['git status']],
  'a && b || c; d & e': [['a', 'b', 'c', 'd', 'e']],
  'a | b |& c': [['a', 'b', 'c']],
  '! a': [['a']],
  'time a b': [['a b']],
  '(a; { b; })': [['a', 'b']],
  'echo $(a) `b`': [['echo $(a) `b`', 'a', 'b']],
  'echo "x $(a "$(b)")"': [['echo "x $(a "$(b)")"', 'a "$(b)"', 'b']],
  'diff <(a) >(b)': [['diff <(a) >(b)', 'a', 'b']],
  'if a; then b; elif c; then d; else e; fi': [['a', 'b', 'c', 'd', 'e']],
  'for f in $(a); do b $f; done': [['a', 'b $f']],
  'while a; do b; done; until c; do d; done': [['a', 'b', 'c', 'd']],
  'case $(a) in x) b;; *) c;; esac': [['a', 'b', 'c']],
  '[[ -f $(a) ]] && b': [['a', 'b']],
  "cat <<'END'\nrm -rf /\nEND": [['cat']],
  'cat <<END\n$(a)\nEND': [['cat', 'a']],
  'cat <<< "$(a)"': [['cat', 'a']],
  'x=$(a) y=1 b': [['b', 'a']],
  '\'git\' "sta"tus': [['git status']],
  "git commit -m 'two words'": [["git commit -m 'two words'"]],
  '\\rm x': [['rm x']],
  'a > out.txt 2>> err.txt': [['a'], { writes: ['out.txt', 'err.txt'] }],
  'a &> all.txt; b >| c': [['a', 'b'], { writes: ['all.txt', 'c'] }],
  'a < in.txt': [['a'], { reads: ['in.txt'] }],
  'a <> both.txt': [['a'], { writes: ['both.txt'] }, { reads: ['both.txt'] }],
  'a > /dev/null 2>&1': [['a']],
  'cd src && a': [['cd src', 'a'], { folders: ['src'] }],
  "bash -lc 'a && b'": [[["bash -lc 'a && b'", ['a', 'b']]]],
  '/bin/sh -e -c a': [[['/bin/sh -e -c a', ['a']]]],
  "eval 'a;' b": [[["eval 'a;' b", ['a', 'b']]]],
};

test.each(Object.entries(understood))('the parser reads %j', (line, expected) => {
  expect(reading(line)).toEqual(expected);
});

const doubtful: Readonly<Record<string, string>> = {
  'git status &&': 'it is not a complete command line',
  'echo "a': 'it is not a complete command line',
  'echo $(a': 'it is not a complete command line',
  'cat <<END\nx': 'a here-document does not end',
  '$CMD x': 'only the shell knows which command it runs',
  '$(echo rm) x': 'only the shell knows which command it runs',
  '"$a" x': 'only the shell knows which command it runs',
  '{rm,-rf,x}': 'only the shell knows which command it runs',
  '/bin/r* x': 'only the shell knows which command it runs',
  '"git status"': 'only the shell knows which command it runs',
  'PATH=/tmp git status': 'it sets the variable PATH',
  'LD_PRELOAD=x git status': 'it sets the variable LD_PRELOAD',
  'GIT_SSH_COMMAND=x git fetch': 'it sets the variable GIT_SSH_COMMAND',
  'http_proxy=x git fetch': 'it sets the variable http_proxy',
  'export PATH=/tmp; git status': 'it sets the variable PATH',
  'for PATH in /tmp; do git status; done': 'it sets the variable PATH',
  'a {PATH}> x': 'it sets the variable PATH',
  'a[0]=1; b': 'it sets the variable a',
  'git() { rm; }; git': 'it defines a function',
  'coproc a': 'it starts a concurrent command',
  'echo $((x))': 'it computes',
  '((x=1))': 'it computes',
  'for ((;;)); do a; done': 'it computes',
  'echo ${x@P}': 'it computes ${x@P}',
  'echo ${!x}': 'it computes ${!x}',
  'echo ${x:=y}': 'it computes ${x:=y}',
  '[[ -v a[0] ]]': 'it tests a variable by name',
  '[[ $x -eq 1 ]]': 'it computes in a test',
  'ls *(a|b)': 'it uses an extended pattern',
  'a > $OUT': 'only the shell knows the target of a redirection',
  'a > *.txt': 'only the shell knows the target of a redirection',
  'a > /dev/tcp/example.com/80': 'it redirects to the network',
  'cd $X && a': 'only the shell knows the new working directory',
  'cd - && a': 'only the shell knows the new working directory',
  'pushd x && a': 'it changes the folder with pushd',
  'printf -v PATH /x; a': 'it may set a variable by name',
  'read PATH <<< /x; a': 'it sets the variable PATH',
  'read -r x "$y"': 'it sets the variable $y',
  'export "PATH=/x"; a': 'it sets the variable PATH=/x',
  'declare $x; a': 'it sets the variable $x',
  'mapfile -C a x': 'it sets a variable by name',
  'set -k; a PATH=/x': 'it changes how the shell parses the rest',
  "test -v 'a[$(b)]'": 'it tests a variable by name',
  '[ $x ]': 'only the shell knows what it tests',
  '[ "$x" "$y" ]': 'only the shell knows what it tests',
  'printf x | base64 -d | sh': 'it runs the output of another command',
  'curl x | bash -s': 'it runs the output of another command',
  'a | python3 -': 'it runs the output of another command',
  'a 2>&-b c': 'the end of a redirection is ambiguous',
  'a <&-b': 'the end of a redirection is ambiguous',
  'a >&1-b': 'the end of a redirection is ambiguous',
  'sh -c "$x"': 'only the shell knows which script it runs',
  'bash -lc "a; $(b)"': 'only the shell knows which script it runs',
  'bash $x a': 'only the shell knows which script it runs',
  'eval "$x"': 'only the shell knows which script it runs',
  'diff <(sort a)x': 'the ends of its words are ambiguous',
  'a 1<(b)': 'a part of it cannot be parsed with certainty',
  'a {x}<(b)': 'a part of it cannot be parsed with certainty',
  'a=(b $(c))~; d': 'a part of it cannot be parsed with certainty',
  'a=([$(b)]=c)~; d': 'a part of it cannot be parsed with certainty',
  'a b$\\\n{c}d': 'a part of it cannot be parsed with certainty',
  'a b\\\nc': 'a part of it cannot be parsed with certainty',
  "a $'\\x41'": 'it contains escapes',
  'a\u00a0b': 'it contains control characters or unusual spaces',
  'bash <<END\na\nEND': 'it passes a text to a command that may run it',
};

test.each(Object.entries(doubtful))('the parser is not sure about %j', (line, doubt) => {
  expect(shellLine(line, 'bash').doubts.map((each) => each.slice(0, doubt.length))).toContain(doubt);
});

/** Lines that dash, busybox, zsh, fish or another shell reads differently from Bash. */
const readDifferently = [
  ...[
    'cd .; [[ x || ./evil ]]',
    "a $'\\'; ./evil #'",
    'a $"b"',
    "a <<$'EOF'\n$EOF\n./evil\nEOF",
    'a &>/dev/null ./evil',
  ],
  ...[
    'a &>> b',
    'a >& b',
    'a+=x/evil',
    'a |& b',
    'a <<< b',
    'a <(b)',
    'a {b,c}',
    'a b{1..3}',
    'a=(b)',
    'function f { a; }',
  ],
  ...['select x in a; do b; done', 'time a', 'case a in b) c;& esac', 'a 12>b', '((a))', 'a $((b))', 'a `b \\`c\\``'],
  ...['=ls', 'a =ls', 'a b\\x6f', "a 'b\\' 'c; evil #'", 'a <1-5>b', 'a ${b/c}', 'a [^b]'],
];

test.each(readDifferently)('where the shell is not known, the parser is not sure about %j', (line) => {
  expect(shellLine(line).doubts).not.toEqual([]);
});

const readAlike = [
  ...['git status && npm test', "git commit -m 'a; b'", 'a 2>&1 >/dev/null | head -20', 'a "$b" ${c} $d', 'a $(b) `c`'],
  ...['for f in *.ts; do a "$f"; done', 'if a; then b; else c; fi', 'case $x in a) b;; esac', 'a <<EOF\n$(b)\nEOF'],
  ...[
    '(a; { b; })',
    '! a || b &',
    'grep -rn "\\bfoo\\b" src',
    "sed -n 's/a\\.b/c/p' x",
    'a \\* "b\\$c"',
    'x=1 a',
    '[ -f "$x" ] && a',
    'a ~/b',
  ],
];

test.each(readAlike)('every shell reads %j as Bash does', (line) => {
  expect(shellLine(line)).toEqual(shellLine(line, 'bash'));
  expect(shellLine(line).doubts).toEqual([]);
});

test('the shell that a line names reads the text behind it', () => {
  const doubtsOf = (line: string): unknown => shellLine(line, 'bash').commands[0]?.script?.doubts;
  expect(["bash -c '[[ a ]]'", "eval '[[ a ]]'", "sh -c '[[ a ]]'", "dash -c '[[ a ]]'"].map(doubtsOf)).toEqual([
    [],
    [],
    ['shells parse it differently ([[ … ]])', 'shells parse it differently (TestUnary)'],
    ['shells parse it differently ([[ … ]])', 'shells parse it differently (TestUnary)'],
  ]);
});

test('a word is literal only if no shell expands it', () => {
  const words = [
    '-{print},exec}',
    'x{a,,b}',
    '{a},-oout}',
    'x{1..3}',
    '~user/x',
    'if=~+/x',
    'x=a:~b',
    'x=~/a',
    'a{}',
    'HEAD@{1}',
    '"{a,b}"',
  ];
  const kinds = words.map((word) => [word, shellLine(`a ${word}`, 'bash').commands[0]?.words[1]?.kind]);
  expect(kinds).toEqual([
    ...words.slice(0, 7).map((word) => [word, 'computed']),
    ...words.slice(7).map((word) => [word, 'literal']),
  ]);
});

test('for the shell of Windows the parser is sure only about plain words', () => {
  const sure = [
    'git status',
    'npm run build -- --mode=x',
    'git log & evil',
    'git log "a"',
    'echo %PATH%',
    'git log ^& evil',
  ];
  expect(sure.filter((line) => shellLine(line, 'cmd').doubts.length === 0)).toEqual([
    'git status',
    'npm run build -- --mode=x',
  ]);
});

test('a line that is too long, contains control characters or nests shells too deeply is a doubt, not an error', () => {
  const nested = (depth: number): string => (depth === 0 ? 'a' : `bash -c ${JSON.stringify(nested(depth - 1))}`);
  const deepest = (line: ReturnType<typeof shellLine>): readonly string[] =>
    line.commands[0]?.script ? deepest(line.commands[0].script) : line.doubts;
  expect([
    shellLine(`a ${'x'.repeat(70_000)}`).doubts,
    shellLine('git log\rrm x').doubts,
    deepest(shellLine(nested(12))),
  ]).toEqual([
    ['it is longer than 64 KiB'],
    ['it contains control characters or unusual spaces'],
    ['it starts shells in shells in shells'],
  ]);
});

test('a simple line is one command without other syntax', () => {
  const lines = [
    'npm test',
    "git commit -m 'a b'",
    'a; b',
    'a > b',
    'a $X',
    'a *',
    'x=1 a',
    'a &',
    '! a',
    '(a)',
    'cat <<< x',
    '',
  ];
  expect(lines.filter((line) => shellLine(line).isSimple)).toEqual(['npm test', "git commit -m 'a b'"]);
});
