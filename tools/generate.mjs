// npm run generate [-- --check]: writes packages/protocol/src/generated from packages/protocol/schema.
// --check writes nothing, and fails if a file differs from the schema.
import { register } from 'tsx/esm/api';

register();
const { generate, staleFiles } = await import('./generate/generate.ts');

if (process.argv.includes('--check')) {
  const stale = await staleFiles();
  for (const file of stale) console.error(`${file} is out of date: run npm run generate`);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  for (const file of await generate()) console.log(`wrote ${file}`);
}
