#!/usr/bin/env node
// A script, by the package.json beside it, and no module: Node starts scripts faster, and `--version` needs nothing else.
const fs = require('node:fs');
const path = require('node:path');

const words = process.argv.slice(2);
const built = path.join(__dirname, '../dist');

if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
  // A reader that has left is no error.
  process.stdout.on('error', () => undefined);
  process.stdout.write(`${require('../package.json').version}\n`);
} else if (fs.existsSync(path.join(built, 'main.js'))) {
  void require('./load-compiled.js')(built)('main.js').main(words);
} else {
  process.stderr.write(
    'turnwire is not built yet. In a clone, run `npm install` and `npm run build`, or start it with `npm start`.\n',
  );
  process.exitCode = 1;
}
