import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import * as api from '../src/index.ts';

const source = fileURLToPath(new URL('../src', import.meta.url));

/** The modules a module of this package loads before it runs: what it imports, types and `import()` left out. */
function loadedBy(file: string, found: Set<string> = new Set()): Set<string> {
  const text = readFileSync(file, 'utf8');
  for (const [, specifier = ''] of text.matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)';$/gm)) {
    const path = join(dirname(file), specifier);
    if (found.has(specifier.startsWith('.') ? path : specifier)) continue;
    found.add(specifier.startsWith('.') ? path : specifier);
    if (specifier.startsWith('.') && existsSync(path)) loadedBy(path, found);
  }
  return found;
}

test('the package exports exactly the documented names', () => {
  expect(Object.keys(api).toSorted()).toEqual([
    'coderAgent',
    'logIn',
    'logOut',
    'models',
    'offlineModel',
    'serveCoder',
    'settingsSchema',
  ]);
});

test('starting the agent loads no model, no tool and no schema library', () => {
  expect([...loadedBy(join(source, 'main.ts'))].map((path) => path.replace(source, 'src')).toSorted()).toEqual([
    '@turnwire/agent/node',
    '@turnwire/machine',
    '@turnwire/protocol/unstable',
    '@turnwire/protocol/v2/unstable',
    'node:path',
    'src/auth/coder-auth.ts',
    'src/coder-agent.ts',
    'src/command-line.ts',
    'src/config/sessions-folder.ts',
    'src/keys/key-providers.ts',
    'src/model/model-choice.ts',
    'src/modes/modes.ts',
    'src/printing.ts',
    'src/serve-coder.ts',
    'src/session/limit-options.ts',
    'src/session/listed-sessions.ts',
  ]);
});

test('a session without MCP servers loads only the code that reads their configuration', () => {
  const loaded = [...loadedBy(join(source, 'session/open-session.ts'))];
  expect(loaded.filter((path) => /modelcontextprotocol|[\\/]mcp[\\/]/.test(path))).toEqual([
    join(source, 'mcp/configured-servers.ts'),
  ]);
});

test('the agent reports the version of its package', () => {
  const manifest: unknown = JSON.parse(readFileSync(join(source, '../package.json'), 'utf8'));
  expect(manifest).toMatchObject({ version: api.coderAgent().info.version });
});
