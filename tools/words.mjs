// npm run check -- words: no retired word in a name, a comment, a text or a page. The list says what to write instead.
import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './run.mjs';

/** Words that meant something here alone, and what a developer would search for. Plurals and compounds count as well. */
const retired = {
  desk: 'broker, queue or registry',
  circumstances: 'context',
  guardian: 'watchdog',
  lend: 'provide, or suspend',
  lent: 'provided, or suspended',
  mend: 'repair or fix',
  mending: 'repairing',
  mended: 'repaired or fixed',
  mishap: 'harness error',
  moot: 'withdrawn or cancelled',
  occasion: 'opportunity or precondition',
  outlet: 'publisher',
  person: 'user',
  reception: 'decoder',
  settlement: 'outcome',
  surroundings: 'context',
  trouble: 'warning',
  wishes: 'desired settings',
};

/** What cannot be ours to word: what was generated, what belongs to others, and this list. */
const exempt = /\/generated\/|\/schema\/|\/fixtures\/|option-tables\.ts$|^CHANGELOG\.md$|^tools\/words\.mjs$/;

const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mts', '*.mjs', '*.js', '*.md'], {
  cwd: root,
  encoding: 'utf8',
});
const found = files
  .trim()
  .split('\n')
  .filter((file) => !exempt.test(file))
  .flatMap((file) => retiredIn(file));
for (const line of found) console.error(line);
if (found.length > 0) process.exitCode = 1;

function retiredIn(file) {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  return lines.flatMap((line, index) =>
    wordsOf(line).map((word) => `${file}:${index + 1}: "${word}" is a retired word; write ${retired[word]}`),
  );
}

/** The retired words of a line: `onTrouble`, `MEND` and `desks` hold one each. */
function wordsOf(line) {
  const parts =
    line
      .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z]+/g) ?? [];
  return parts
    .map((part) => (Object.hasOwn(retired, part) ? part : part.replace(/s$/, '')))
    .filter((part) => Object.hasOwn(retired, part));
}
