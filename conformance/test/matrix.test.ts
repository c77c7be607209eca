import { expect, test } from 'vitest';
import { matrixOf } from '../src/matrix/matrix.ts';
import { matrixHtml } from '../src/matrix/matrix-html.ts';
import { matrixMarkdown } from '../src/matrix/matrix-markdown.ts';
import { judgementOf } from './judgements.ts';

const broken = judgementOf({ introduction: { name: 'Pipe | & <b>', version: '1' } });
const kept = { ...judgementOf(), verdicts: broken.verdicts.filter(({ outcome }) => outcome !== 'failed') };
const gone = judgementOf({ unreachable: 'it cannot be started: spawn missing ENOENT', results: [] });
const made = new Date('2026-04-01T12:00:00Z');
const matrix = matrixOf(
  [
    {
      name: 'one',
      judgement: broken,
      traceOf: ({ scenario, nth }) => `traces/one/${scenario.replace('/', '-')}-${nth}.jsonl`,
    },
    { name: 'two', judgement: { ...kept, introduction: { name: 'two' } }, packages: ['their-agent@1.2.3'] },
    { name: 'three', judgement: { ...gone, introduction: { name: 'three' } } },
  ],
  { from: 'must' },
);

test('a matrix in Markdown has a row for an agent that cannot be started', () => {
  expect(matrixMarkdown(matrix, made).split('\n')).toEqual([
    '| agent | protocol | result | Initialization |',
    '| --- | --- | --- | --: |',
    String.raw`| one (Pipe \| \& \<b\> 1) | 1 | 1 broken, 1 kept | [1 ✗2](traces/one/initialize-answer-1.jsonl) |`,
    '| two<br>their-agent@1.2.3 | 1 | conforms: 1 kept | 1 |',
    '| three | 1 | Not judged: it cannot be started: spawn missing ENOENT |  |',
    '',
    'Kept requirements of each part of the protocol; ✗ broken ones, of any level; · nothing was exercised. Checked on 2026-04-01 against the text of the protocol at commit b7f0005493b9.',
    '',
  ]);
});

test('a section that only one agent exercised has its own column', () => {
  const [first] = broken.verdicts;
  if (first === undefined) throw new Error('there is no verdict');
  const elsewhere = {
    ...first,
    outcome: 'failed',
    requirement: { ...first.requirement, section: 'Terminals' },
  } as const;
  const table = matrixOf(
    [
      { name: 'one', judgement: kept },
      { name: 'two', judgement: { ...kept, verdicts: [...kept.verdicts, elsewhere] } },
    ],
    { from: 'must' },
  );
  const rows = matrixMarkdown(table, made).split('\n').slice(0, 4);
  expect(rows.map((row) => row.split(' | ').slice(3))).toEqual([
    ['Initialization', 'Terminals |'],
    ['--:', '--: |'],
    ['1', '· |'],
    ['1', '0 ✗1 |'],
  ]);
});

test('a matrix in HTML has the same rows', () => {
  const page = matrixHtml(matrix, made);
  expect([...page.matchAll(/<tr><td>.*<\/tr>/g)].map(([row]) => row)).toEqual([
    '<tr><td><b>one</b><br><span class="level">Pipe | &amp; &lt;b&gt; 1</span></td><td>1</td><td class="result not-conforming">1 broken, 1 kept</td><td class="failed" title="1 passed, 2 failed, 1 not exercised, 1 not observable"><a href="traces/one/initialize-answer-1.jsonl">1 ✗2</a></td></tr>',
    '<tr><td><b>two</b><br><span class="level">their-agent@1.2.3</span></td><td>1</td><td class="result conforming">conforms: 1 kept</td><td class="passed" title="1 passed, 0 failed, 1 not exercised, 1 not observable">1</td></tr>',
    '<tr><td><b>three</b></td><td>1</td><td class="result not-judged" colspan="2"><span class="reason">Not judged: it cannot be started: spawn missing ENOENT</span></td></tr>',
  ]);
});

test('a matrix can contain agents and clients', () => {
  const both = matrixOf(
    [
      { name: 'one', judgement: kept },
      { name: 'two', judgement: { ...kept, kind: 'client' } },
    ],
    { from: 'must' },
  );
  expect([
    matrixMarkdown(both, made).split(' | ', 1)[0],
    /<p class="facts">(.*?) ·/.exec(matrixHtml(both, made))?.[1],
  ]).toEqual(['| agent or client', '2 agents and clients']);
});
