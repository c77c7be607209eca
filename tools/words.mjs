// node tools/words.mjs [--update] [--list FOLDER]: reports retired words in names, comments, texts and pages, and folders with more sentences
// that are hard to read than words-budget.json allows. `--update` lowers the budget to today's figures and never raises it; `--list` also
// prints the marked sentences of a folder that is within its budget.
import { readFileSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './run.mjs';
import { objectionTo, sentencesIn } from './sentences.mjs';

/** Invented terms of earlier versions, and the standard ones. Plurals and compounds count, too. */
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

/** Generated files, files with the words of others, and the list itself. */
const exempt =
  /\/generated\/|\/schema\/|\/fixtures\/|option-tables\.ts$|^CHANGELOG\.md$|^tools\/(?:words|sentences)\.mjs$/;

/** The smallest budget, in tenths of a percent: the patterns also match some good sentences. */
const smallestBudget = 10;

const { values } = parseArgs({ options: { update: { type: 'boolean' }, list: { type: 'string' } } });
const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mts', '*.mjs', '*.js', '*.md'], {
  cwd: root,
  encoding: 'utf8',
});

const counts = {};
for (const file of files.trim().split('\n')) {
  if (exempt.test(file)) continue;
  const text = readFileSync(join(root, file), 'utf8');
  for (const line of retiredIn(file, text)) fail(line);
  countSentences(file, text);
}
compareWithBudget(join(root, 'tools/words-budget.json'));

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}

function countSentences(file, text) {
  const folder = /^(?:(?:packages|apps)\/[^/]+|[^/]+(?=\/))/.exec(file)?.[0] ?? '.';
  const count = (counts[folder] ??= { sentences: 0, objections: [] });
  for (const sentence of sentencesIn(file, text)) {
    count.sentences += 1;
    const objection = objectionTo(sentence.text);
    if (objection) count.objections.push(`${file}:${sentence.line}: ${objection}: ${sentence.text}`);
  }
}

/** The budget is the largest share of marked sentences in each folder, in tenths of a percent. */
function compareWithBudget(file) {
  const budget = JSON.parse(readFileSync(file, 'utf8'));
  const lowered = {};
  for (const [folder, { sentences, objections }] of Object.entries(counts).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const share = sentences === 0 ? 0 : Math.round((1000 * objections.length) / sentences);
    const allowed = budget[folder] ?? smallestBudget;
    lowered[folder] = Math.max(smallestBudget, Math.min(share, allowed));
    if (share > allowed || folder === values.list) for (const objection of objections) console.error(objection);
    if (share <= allowed) continue;
    const figures = `${share / 10} % of ${sentences} sentences are hard to read, ${allowed / 10} % are allowed`;
    fail(`${folder}: ${figures}. Write subject, verb and object: CONTRIBUTING.md`);
  }
  if (values.update) writeFileSync(file, `${JSON.stringify(lowered, null, 2)}\n`);
}

function retiredIn(file, text) {
  return text
    .split('\n')
    .flatMap((line, index) =>
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
