import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postgresPrograms, ThrowAwayPostgres } from '../../packages/cluster/test/postgres/throw-away-postgres.ts';
import { bundleProgram } from '../bundle-program.mjs';
import { within } from '../pace.ts';
import { root } from '../run.mjs';
import { commandsNotRun } from './documented/commands-not-run.ts';
import { documentedCommands, documentedPages } from './documented/documented-blocks.ts';
import { pageNotes } from './documented/page-notes.ts';
import { commandsToRun, longestPage, runPage } from './documented/run-page.ts';
import { unparsed } from './documented/unparsed.ts';
import { writePrograms } from './documented/write-programs.ts';

let programs: string;
beforeAll(async () => {
  programs = await writePrograms();
});
afterAll(() => rm(programs, { recursive: true, force: true }));

/** The pages with most commands first. */
const pages = documentedPages
  .filter((page) => commandsToRun(page).length > 0)
  .toSorted((one, other) => commandsToRun(other).length - commandsToRun(one).length);

const withoutPostgres = postgresPrograms ? '' : ' (but for those that need PostgreSQL, which is not on this machine)';

describe.skipIf(process.platform === 'win32')('in a shell', () => {
  test.concurrent.each(pages)(
    `every command of %s works as it is written${withoutPostgres}`,
    async (page) => {
      const needsPostgres = commandsToRun(page).some(({ notes }) => notes.needs === 'postgres');
      await using postgres = needsPostgres ? await ThrowAwayPostgres.start() : undefined;
      const database = postgres && { PGHOST: '127.0.0.1', PGPORT: String(postgres.port), PGUSER: 'turnwire' };
      const failed = await runPage(page, programs, {
        BOX_AGENT: bundleProgram(join(root, 'examples/05-agent-for-others.ts')),
        AGENT_SCRIPT: join(programs, 'agent.js'),
        CLONE: root,
        PICTURE: join(root, 'docs/pictures/web-phone.png'),
        ...database,
      });
      expect(failed).toEqual([]);
    },
    within(longestPage + 30_000),
  );
});

describe('commands that are not run', () => {
  const written = new Set(documentedCommands.map(({ text }) => text));

  test('each excluded command is in a page', () => {
    expect(commandsNotRun.filter(({ command }) => !written.has(command))).toEqual([]);
  });

  test('each excluded command of turnwire has only existing options', async () => {
    const ours = commandsNotRun.filter(({ command }) => /^turnwire |^npm start.* -- /.test(command));
    const wrong = await Promise.all(ours.map(({ command }) => unparsed(command)));
    expect({ count: ours.length, wrong: wrong.filter(Boolean) }).toEqual({ count: 3, wrong: [] });
  });
});

test('commands in sentences have only existing options', async () => {
  const commands = documentedPages.flatMap((page) => {
    const sentences = readFileSync(join(root, page), 'utf8').replaceAll(/^```[^]*?^```/gm, '');
    return [...sentences.matchAll(/`((?:[A-Z_]+=\S+ |podman exec NAME )?turnwire [^`\n]+)`/g)].map(
      ([, command = '']) => command,
    );
  });
  const wrong = await Promise.all(commands.map(unparsed));
  expect({ areThere: commands.length > 0, wrong: wrong.filter(Boolean) }).toEqual({ areThere: true, wrong: [] });
});

test('each note about a command is about a command of its page', () => {
  const stale = Object.entries(pageNotes).flatMap(([page, { commands = {} }]) => {
    const written = new Set(documentedCommands.filter((each) => each.page === page).map(({ text }) => text));
    return Object.keys(commands).filter((command) => !written.has(command));
  });
  expect(stale).toEqual([]);
});
