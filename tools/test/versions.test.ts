import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { prepare } from '../prepare.mjs';
import { publishablePackages } from '../publishable.mjs';
import { root } from '../run.mjs';

/** The versions that a client and the built-in agent exchange in `initialize`. */
function introducedVersions(): readonly string[] {
  const conversation = execFileSync(
    process.execPath,
    ['apps/cli/bin/turnwire.js', '--format', 'json', 'exec', 'list files'],
    { cwd: root, encoding: 'utf8' },
  );
  return [...conversation.matchAll(/"(?:client|agent)Info":\{[^}]*"version":"([^"]*)"/g)].map(([, version]) =>
    String(version),
  );
}

test('all packages have one version, and report it in `initialize`', async () => {
  await prepare();
  const [first, ...others] = publishablePackages().map(({ manifest }) => manifest['version'] as string);
  expect(others).toEqual(others.map(() => first));
  expect(introducedVersions()).toEqual([first, first]);
});
