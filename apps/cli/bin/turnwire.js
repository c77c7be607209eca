#!/usr/bin/env node
import { existsSync } from 'node:fs';

const entry = new URL('../dist/main.js', import.meta.url);

if (existsSync(entry)) {
  const { main } = await import(entry.href);
  await main(process.argv.slice(2));
} else {
  process.stderr.write(
    'turnwire is not built yet. In a clone, run `npm install` and `npm run build`, or start it with `npm start`.\n',
  );
  process.exitCode = 1;
}
