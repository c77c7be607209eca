import { expect, test } from 'vitest';
import { evidentFacts } from '../src/permission/evident-facts.ts';

test.each([
  [{ path: 'src/a.ts' }, { paths: ['/folder/src/a.ts'] }],
  [{ file_path: '/etc/hosts', destination: '../b' }, { paths: ['/etc/hosts', '/b'] }],
  [{ files: [{ path: 'a' }, { path: 'b' }] }, { paths: ['/folder/a', '/folder/b'] }],
  [{ url: 'https://example.com/x' }, { paths: [], url: 'https://example.com/x' }],
  [{ uri: 'file:///folder/.env' }, { paths: ['/folder/.env'] }],
  [{ uri: 'file://elsewhere/.env' }, { paths: [], url: 'file://elsewhere/.env' }],
  [{ uri: 'notes:today' }, { paths: [], url: 'notes:today' }],
  [
    { host: 'box', script: 'rm x' },
    { paths: [], namedCommands: ['rm x'], cwd: '/folder' },
  ],
  [{ steps: [{ run: { argv: ['rm', 'x'] } }] }, { paths: [], namedCommands: ['rm x'], cwd: '/folder' }],
  [{ query: 'src/a.ts' }, { paths: [] }],
  ['src/a.ts', { paths: [] }],
  [undefined, { paths: [] }],
  [{ path: 3, url: null }, { paths: [] }],
])('the facts of %j for rules are %j', (input, facts) => {
  expect(evidentFacts(input, '/folder')).toEqual(facts);
});
