import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPermissions } from '@turnwire/permissions';
import { expect, test } from 'vitest';
import { DecisionCount, RulesInForce } from '../src/session/rules-in-force.ts';
import type { SessionRecord } from '../src/store/session-store.ts';

test('a prohibition of a file stays in force when a later turn brings its own rules', () => {
  const project = realpathSync(mkdtempSync(join(tmpdir(), 'rules-in-force-')));
  const file = join(project, 'permissions.json');
  writeFileSync(file, '{"deny": ["Read(.env)"]}');
  const rules = new RulesInForce({
    rules: (_, { made }) => createPermissions({ project, rules: made, files: { project: file } }),
    record: {} as SessionRecord,
    ask: undefined,
    onWarning: undefined,
  });
  const turn = { given: {}, stop: () => undefined, decisions: new DecisionCount() };
  rules.begin(turn);
  rmSync(file);
  const seen = [1, 2].map(() => {
    rules.begin(turn);
    return rules.current.rules.map(({ text }) => text);
  });
  rmSync(project, { recursive: true });
  expect(seen).toEqual([['Read(.env)'], ['Read(.env)']]);
});
