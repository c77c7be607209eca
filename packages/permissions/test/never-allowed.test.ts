import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PermissionMode } from '../src/index.ts';
import { action, answered, judging, project, request, withRules } from './project.ts';
import { randomRuns } from '../../../tools/random-runs.ts';

/** Ways to put a command into a line that a shell would run. */
const wrappings: readonly ((line: string) => string)[] = [
  (line) => `git status; ${line}`,
  (line) => `git status && ${line}`,
  (line) => `git status || ${line}`,
  (line) => `git log | ${line}`,
  (line) => `git status & ${line}`,
  (line) => `git status\n${line}`,
  (line) => `! ${line}`,
  (line) => `( ${line} )`,
  (line) => `{ ${line}\n}`,
  (line) => `git log $( ${line} )`,
  (line) => `git log "$( ${line} )"`,
  (line) => `git log <( ${line} )`,
  (line) => `git log > >( ${line} )`,
  (line) => `git log \${x:-$( ${line} )}`,
  (line) => `if ${line}\nthen git status; fi`,
  (line) => `if git status; then ${line}\nfi`,
  (line) => `while ${line}\ndo git status; done`,
  (line) => `for x in a b; do ${line}\ndone`,
  (line) => `case a in a) ${line}\n;; esac`,
  (line) => `f() { ${line}\n}; f`,
  (line) => `git log <<END\n$( ${line} )\nEND\n`,
  (line) => `git log <<< "$( ${line} )"`,
  (line) => `x=$( ${line} )`,
  (line) => `git log a[$( ${line} )]`,
  (line) => `[[ -n $( ${line} ) ]]`,
  (line) => `sh -c ${quote(line)}`,
  (line) => `bash -lc ${quote(line)}`,
  (line) => `eval ${quote(line)}`,
  (line) => `sudo sh -c ${quote(line)}`,
  (line) => `timeout 5 bash -c ${quote(line)}`,
  (line) => `xargs -I x sh -c ${quote(line)}`,
  (line) => `git log # ${'x'}\n${line}`,
  (line) => `coproc ${line}`,
];

/** Ways to write the command itself. */
const spellings = [
  'rm -rf x',
  '/bin/rm -rf x',
  '\\rm -rf x',
  "'rm' -rf x",
  'r""m -rf x',
  'env rm -rf x',
  'sudo rm -rf x',
  'command rm -rf x',
  'xargs rm -rf x',
  'nohup rm -rf x',
  'A=1 rm -rf x',
  'rm -rf x 2>&1',
];

function quote(line: string): string {
  return `'${line.replaceAll("'", `'\\''`)}'`;
}

const line = fc
  .tuple(fc.constantFrom(...spellings), fc.array(fc.constantFrom(...wrappings), { maxLength: 4 }))
  .map(([spelling, around]) => around.reduce((inner, wrap) => wrap(inner), spelling));

test('a denied command is denied however it is wrapped, in every mode, even if other rules allow it', () => {
  const cwd = project();
  const modes: readonly PermissionMode[] = ['default', 'acceptEdits', 'bypassPermissions'];
  const judges = modes.flatMap((mode) => [
    withRules(cwd, ['deny Bash(rm *)'], mode),
    withRules(cwd, ['allow Bash', 'deny Bash(rm *)'], mode),
  ]);
  fc.assert(
    fc.property(line, (wrapped) => {
      const asked = action(cwd, { command: wrapped, cwd });
      expect(judges.map((each) => each.judge(asked).effect)).toEqual(judges.map(() => 'deny'));
    }),
    { numRuns: randomRuns({ usual: 200, whole: 400 }) },
  );
});

test('a command that no rule allows is not allowed however it is wrapped', () => {
  const judge = judging(project(), ['allow Bash(git *)', 'allow Bash(sh -c git *)', 'allow Edit(**)']);
  fc.assert(
    fc.property(line, (wrapped) => {
      expect(judge(wrapped).effect).toBe('ask');
    }),
    { numRuns: randomRuns({ usual: 200, whole: 400 }) },
  );
});

test('no text makes a rule about one command allow another, or makes the judge throw', () => {
  const judge = judging(project(), ['allow Bash(git status)']);
  const pieces = fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(' ', 'git status') },
    { weight: 2, arbitrary: fc.constantFrom('\n', ';', '&', '|', '&&', '||') },
    {
      weight: 5,
      arbitrary: fc.constantFrom(
        ...'git status rm ( ) { } $ ` " \' \\ < > << EOF # = [ ] ! * ? ~ if then fi do done case esac in $(( )) [[ ]] -c x'.split(
          ' ',
        ),
      ),
    },
  );
  const more = fc.oneof(fc.constant(''), fc.string({ maxLength: 6 }));
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 14 }), more, (words, end) => {
      const text = words.join('') + end;
      const { effect } = judge(`rm ${text}`);
      expect(effect).toBe('ask');
    }),
    { numRuns: randomRuns({ usual: 500, whole: 2_000 }) },
  );
});

test('text that an agent writes for users never allows anything', async () => {
  const cwd = project();
  const rules = [
    { effect: 'allow', text: 'Bash(git *)' },
    { effect: 'allow', text: 'Read' },
    { effect: 'allow', text: 'mcp__*' },
  ] as const;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('git status', 'Read', 'mcp__a__b', 'Bash(git status)'),
      fc.constantFrom('execute', 'edit', 'other', undefined),
      async (title, kind) => {
        const content = [{ type: 'content', content: { type: 'text', text: title } } as const];
        expect(
          await answered({ project: cwd, rules }, request({ kind, title, content, _meta: { command: title } })),
        ).toBe('reject_once');
      },
    ),
  );
});
