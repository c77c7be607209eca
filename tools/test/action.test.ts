import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { root } from '../run.mjs';

const folder = mkdtempSync(join(tmpdir(), 'turnwire-action-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.skipIf(process.platform === 'win32')('the action checks an agent, and writes all reports', () => {
  const [, check = ''] = readFileSync(join(root, 'action.yml'), 'utf8').split('run: >-\n');
  execFileSync('bash', ['-e', '-c', check.replaceAll(/\s+/g, ' ')], {
    cwd: folder,
    env: {
      ...process.env,
      GITHUB_ACTION_PATH: root,
      AGENT: `${process.execPath} ${join(root, 'apps/cli/bin/turnwire.js')} coder`,
      OPTIONS: '--only initialize/answer',
      REPORTS: 'reports',
      GITHUB_STEP_SUMMARY: 'summary.md',
    },
  });
  expect(readdirSync(join(folder, 'reports'))).toEqual([
    'protocol.html',
    'protocol.json',
    'protocol.svg',
    'protocol.xml',
  ]);
  const summary = readFileSync(join(folder, 'summary.md'), 'utf8');
  expect({
    isQuoted: /^```\n[^]*```\n$/.test(summary),
    isConcluded: summary.includes('Conforms, as far as it was tested'),
  }).toEqual({
    isQuoted: true,
    isConcluded: true,
  });
});

test.skipIf(process.platform === 'win32')('the action fails if the agent does not answer', () => {
  const [, check = ''] = readFileSync(join(root, 'action.yml'), 'utf8').split('run: >-\n');
  const env = {
    ...process.env,
    GITHUB_ACTION_PATH: root,
    AGENT: `${process.execPath} --version`,
    OPTIONS: '',
    REPORTS: 'failed',
  };
  expect(() => execFileSync('bash', ['-e', '-c', check.replaceAll(/\s+/g, ' ')], { cwd: folder, env })).toThrow(
    /Command failed/,
  );
});
