import { mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { frontMatter } from '../src/prompt-files/front-matter.ts';
import { findPromptFiles } from '../src/prompt-files/find-prompt-files.ts';
import { LoopFixture } from './loop-fixture.ts';
import { ScriptedModel } from './scripted-model.ts';

const files = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.agents/skills/release/SKILL.md':
    '---\nname: release\ndescription: >\n  How a version\n  is released\n---\nRun release.sh.\n',
  '.claude/skills/release/SKILL.md': 'the second one of its name',
  '.claude/skills/plain/SKILL.md': '# Plain words\nWrite plainly.',
  '.claude/commands/fix.md':
    '---\ndescription: "Fix an issue"\nargument-hint: NUMBER [WHY]\n---\nFix #$1, since $2. All: $ARGUMENTS',
  '.claude/commands/git/commit.md': 'Commit what was changed.',
  '.claude/commands/help.md': 'not ours',
  '.claude/commands/two words.md': 'a name that cannot be typed',
  '.claude/commands/empty.md': '---\ndescription: nothing\n---\n',
  'config/turnwire/commands/mine.md': 'Mine.',
  'packages/a/.claude/commands/fix.md': 'The closest one.',
};

async function open(within = ''): Promise<LoopFixture> {
  const fixture = await LoopFixture.open({ model: new ScriptedModel(), files, within });
  return fixture;
}

test('prompt files are found by name, and the closest of two is used', async () => {
  await using fixture = await open('packages/a');
  const found = await findPromptFiles({
    cwd: fixture.cwd,
    personal: join(fixture.folder, 'config/turnwire'),
    forbids: (path) => (path.endsWith('plain/SKILL.md') ? 'a rule' : undefined),
  });
  const rows = found.map(({ name, description, hint, shown, isSkill }) => {
    return [name, description, hint, shown.replace(fixture.folder, ''), isSkill];
  });
  expect(rows).toEqual([
    ['fix', 'The closest one.', '[what to do]', '.claude/commands/fix.md', false],
    ['release', 'How a version is released', '[what to do]', '/.agents/skills/release/SKILL.md', true],
    ['help', 'not ours', '[what to do]', '/.claude/commands/help.md', false],
    ['git:commit', 'Commit what was changed.', '[what to do]', '/.claude/commands/git/commit.md', false],
    ['mine', 'Mine.', '[what to do]', '/config/turnwire/commands/mine.md', false],
  ]);
});

test('a link out of the project is not a prompt', async () => {
  await using fixture = await open();
  const found = async (): Promise<readonly string[]> => {
    const all = await findPromptFiles({ cwd: fixture.cwd, personal: '/nowhere', forbids: () => undefined });
    return all.map(({ name }) => name);
  };
  const before = await found();
  const outside = await mkdtemp(join(tmpdir(), 'outside-'));
  await writeFile(join(outside, 'secret.md'), 'secret');
  await symlink(join(outside, 'secret.md'), join(fixture.folder, '.claude/commands/link.md'));
  await symlink(outside, join(fixture.folder, '.claude/commands/folder'));
  await symlink('fix.md', join(fixture.folder, '.claude/commands/inside.md'));
  expect((await found()).filter((name) => !before.includes(name))).toEqual(['inside']);
});

test('the text of a prompt file is sent to the model with its argument', async () => {
  await using fixture = await open();
  for (const prompt of ['/fix 12 it crashes', '/git:commit', '/plain Now.']) await fixture.prompt(prompt);
  const asked = fixture.model.asked.map(({ prompt }) => prompt.findLast(({ role }) => role === 'user')?.content);
  expect(asked.map((content) => JSON.stringify(content))).toEqual([
    expect.stringContaining('Fix #12, since it. All: 12 it crashes'),
    expect.stringContaining('Commit what was changed.'),
    expect.stringContaining(
      'Use the skill plain. The files it names are in the folder of .claude/skills/plain/SKILL.md.\\n\\n# Plain words\\nWrite plainly.\\n\\nNow.',
    ),
  ]);
});

test("the model gets the project's skills, and the client every prompt", async () => {
  await using fixture = await open();
  await fixture.prompt('hello');
  const [system] = fixture.model.asked[0]?.prompt ?? [];
  expect(system?.content).toContain(
    '- release: How a version is released (.agents/skills/release/SKILL.md)\n- plain: Plain words',
  );
  const offered = fixture.updates.flatMap((update) =>
    update.sessionUpdate === 'available_commands_update' ? update.availableCommands : [],
  );
  expect(offered.slice(-4).map(({ name, input }) => [name, input?.hint])).toEqual([
    ['release', '[what to do]'],
    ['plain', '[what to do]'],
    ['fix', 'NUMBER [WHY]'],
    ['git:commit', '[what to do]'],
  ]);
});

test('a file without complete front matter is all body', () => {
  expect([frontMatter('a: b\n'), frontMatter('---\na: b\n')].map(({ fields, body }) => [[...fields], body])).toEqual([
    [[], 'a: b'],
    [[], '---\na: b'],
  ]);
});
