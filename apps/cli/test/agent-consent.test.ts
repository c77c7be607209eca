import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { scripted } from './command.ts';
import { enter, inTerminal, type TerminalRun } from './terminal.ts';

test('at a terminal the user is asked once whether an agent of a project may start', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'turnwire-consent-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, '.turnwire'));
  const command = `sh -c ': > ${join(folder, 'ran')}; exec ${scripted().replaceAll("'", '')}'`;
  writeFileSync(join(folder, '.turnwire/config.json'), JSON.stringify({ agents: { theirs: command } }));
  const env = { XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder };
  const run = (): TerminalRun => inTerminal(['theirs', 'exec', 'say hello'], { cwd: folder, env });

  const refusing = run();
  expect(await refusing.until('(y/n) ')).toContain(`  ${command}`);
  refusing.type(`n${enter}`);
  expect([await refusing.exitCode, existsSync(join(folder, 'ran'))]).toEqual([5, false]);

  const agreeing = run();
  await agreeing.until('(y/n) ');
  agreeing.type(`y${enter}`);
  await agreeing.until('hello');
  expect([await agreeing.exitCode, existsSync(join(folder, 'ran'))]).toEqual([0, true]);

  const later = run();
  expect(await later.exitCode).toBe(0);
  expect(later.output).not.toContain('(y/n)');
});
