import { describe, expect, test } from 'vitest';
import { frameExcerpt, frameSummary, shortened } from '../src/report/frame-excerpt.ts';
import { badgeReport } from '../src/report/badge-report.ts';
import { htmlReport } from '../src/report/html-report.ts';
import { jsonReport } from '../src/report/json-report.ts';
import { junitReport } from '../src/report/junit-report.ts';
import { markup } from '../src/report/markup.ts';
import { requirements, sourceCommit } from '../src/requirements/requirements.ts';
import { originOf } from '../src/requirements/source-pages.ts';
import { verdictOn } from '../src/verdict/verdict.ts';
import { hostile, judgementOf } from './judgements.ts';

const options = {
  from: 'must',
  madeAt: new Date('2026-04-01T12:00:00Z'),
  again: 'turnwire check -- node agent.mjs',
} as const;
/** A judgement on two requirements that the same violation breaks. */
function sameCause(): ReturnType<typeof judgementOf> {
  const observations = (['R034', 'R036'] as const).map(
    (requirement) => ({ requirement, outcome: 'broken', message: 'it answers nothing', evidence: [] }) as const,
  );
  const results = [{ scenario: 'initialize/answer', observations, journals: [], duration: 1 }];
  const both = requirements.filter(({ id }) => id === 'R034' || id === 'R036');
  return judgementOf({ results, verdicts: both.map((requirement) => verdictOn(requirement, results)) });
}

const escaped =
  '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; ]]&gt; &#39;&amp;amp;&#39; \\u001b]52;c;aGk=\\u0007 \\u202etxt.exe';

describe('markup', () => {
  test('escapes inserted texts and spells out invisible characters', () => {
    expect(markup`<b title="${hostile}">${hostile}</b>`.text).toBe(`<b title="${escaped}">${escaped}</b>`);
  });

  test('inserts markup and lists of markup unchanged, and nothing for undefined', () => {
    const items = ['a<', 'b'].map((text) => markup`<li>${text}</li>`);
    expect(markup`<ul>${items}${undefined}</ul>`.text).toBe('<ul><li>a&lt;</li><li>b</li></ul>');
  });

  test('spells out what XML forbids: unpaired surrogates and noncharacters', () => {
    expect(markup`${'a\ud800b\udfff\uffffc\u{1f600}'}`.text).toBe('a\\ud800b\\udfff\\uffffc\u{1f600}');
  });
});

describe('an excerpt of a frame', () => {
  test('has no keys and a limited length', () => {
    const text = `{"key":"sk-0123456789abcdefghij","text":"${'x'.repeat(20_000)}"}`;
    const { text: shown, ...rest } = frameExcerpt({ at: 1.26, from: 'agent', text, flaw: 'cut off' });
    expect({ ...rest, shown: shown.replaceAll(/x+/g, 'x') }).toEqual({
      at: 1.3,
      from: 'agent',
      flaw: 'cut off',
      shown: '{"key":"[redacted]","text":"x …[4030 more]… x"}',
    });
  });

  test('as a summary begins with its distinguishing parts; invalid messages are unchanged', () => {
    const update = { sessionUpdate: 'plan', entries: [] };
    const odd = ['{"jsonrpc":"1.0","id":1,"result":{}}', '{"jsonrpc":"2.0","id":1,"results":{}}', '[]', 'not JSON'];
    const shown = [
      { method: 'session/update', params: { sessionId: 's1', update } },
      { id: 1, method: 'session/request_permission', params: { sessionId: 's1', toolCall: {} } },
      { method: '_x', params: ['a'] },
      { id: 'b', result: { stopReason: 'end_turn' } },
      { id: null, error: { code: -32_700, message: 'no JSON' } },
    ].map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }));
    expect([...shown, ...odd].map(frameSummary)).toEqual([
      'session/update {"sessionUpdate":"plan","entries":[],"sessionId":"s1"}',
      'session/request_permission {"toolCall":{},"sessionId":"s1"}',
      '_x ["a"]',
      'answer to "b" {"stopReason":"end_turn"}',
      'error for null {"code":-32700,"message":"no JSON"}',
      ...odd,
    ]);
  });

  test('is cut between characters', () => {
    expect(shortened('\u{1f600}'.repeat(10), 7)).toBe('\u{1f600}\u{1f600}\u{1f600} …[13 more]… ');
  });
});

test('the JSON report has the conclusion, counts, and each requirement with its evidence', () => {
  const text = JSON.stringify({ id: 0, result: { title: hostile, token: '[redacted]' } });
  expect(jsonReport(judgementOf(), options)).toEqual({
    turnwireReport: 1,
    protocolCommit: sourceCommit,
    madeAt: '2026-04-01T12:00:00.000Z',
    kind: 'agent',
    protocolVersion: 1,
    subject: 'node agent.mjs',
    introduction: { name: `Example ${hostile}`, version: '1.0' },
    conclusion: 'not conforming',
    sentence: 'Does not conform: it breaks one requirement.',
    countsFrom: 'must',
    seed: 7,
    again: 'turnwire check -- node agent.mjs',
    duration: 1235,
    total: { passed: 1, failed: 2, 'not exercised': 1, 'not observable': 1 },
    levels: [
      { level: 'MUST', passed: 1, failed: 1, 'not exercised': 1, 'not observable': 1 },
      { level: 'SHOULD', passed: 0, failed: 1, 'not exercised': 0, 'not observable': 0 },
    ],
    requirements: [
      expect.objectContaining({ id: 'R034', level: 'MUST', outcome: 'passed', findings: [] }),
      expect.objectContaining({
        id: 'R035',
        outcome: 'failed',
        counts: false,
        findings: [{ scenario: 'initialize/answer', message: 'there is no agentInfo' }],
      }),
      expect.objectContaining({
        id: 'R036',
        outcome: 'failed',
        counts: true,
        findings: [
          {
            scenario: 'initialize/answer',
            message: `it answers ${hostile}`,
            evidence: [{ at: 12.3, from: 'agent', text }],
          },
        ],
      }),
      expect.objectContaining({
        id: 'R037',
        outcome: 'not observable',
        findings: [{ message: 'its meaning is unclear' }],
      }),
      expect.objectContaining({ id: 'R046', outcome: 'not exercised' }),
    ],
    scenarios: [{ id: 'initialize/answer', duration: 12, connections: 1, frames: 1 }],
  });
});

test('the origin of a requirement says whether it is stated, implied or not stated anywhere', () => {
  const chosen = requirements.filter(({ id }) => ['R030', 'R031', 'R109'].includes(id)).map(originOf);
  expect(chosen.map(({ begins, named }) => [begins, ...named])).toEqual([
    ['Stated in', 'initialization', 'session setup', 'prompt turn', 'overview'],
    ['Not stated anywhere: it follows from the text or from JSON-RPC'],
    ['Implied by', 'version 2'],
  ]);
});

describe('the badge', () => {
  const wordsIn = (judgement: Parameters<typeof badgeReport>[0]): unknown => {
    const text = badgeReport(judgement, options);
    return [/<title>(.*)<\/title>/.exec(text)?.[1], text.includes('#cf222e'), text.includes('script')];
  };

  test('has the conclusion and no text of the subject', () => {
    expect([wordsIn(judgementOf()), wordsIn({ ...judgementOf(), unreachable: hostile })]).toEqual([
      ['Agent Client Protocol: 1 broken · 1 passed', true, false],
      ['Agent Client Protocol: not judged', false, false],
    ]);
  });
});

describe('JUnit', () => {
  test('a broken requirement is a failure with its frames; advice and unobserved requirements are skipped', () => {
    const lines = junitReport(judgementOf(), options).split('\n');
    const caseOf = (id: string): string =>
      lines.find((line) => line.includes(`name="${id} `))?.replace(/^.*? (?=time=)/, '') ?? '';
    expect({
      head: lines.slice(0, 3),
      R034: caseOf('R034'),
      R035: caseOf('R035'),
      R036: caseOf('R036').replace(/>it answers.*/, '>'),
      R037: caseOf('R037'),
      R046: caseOf('R046'),
    }).toEqual({
      head: [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<testsuites name="agent node agent.mjs" time="1.234" tests="5" failures="1" errors="0" skipped="3">',
        '<testsuite name="Initialization" timestamp="2026-04-01T12:00:00" time="0.012" tests="5" failures="1" errors="0" skipped="3">',
      ],
      R034: 'time="0.000"></testcase>',
      R035: 'time="0.000"><skipped message="advice (SHOULD): there is no agentInfo"/></testcase>',
      R036: `time="0.012"><failure type="MUST" message="it answers ${escaped}">`,
      R037: 'time="0.000"><skipped message="not observable: its meaning is unclear"/></testcase>',
      R046: 'time="0.000"><skipped message="not exercised: the agent requires a login"/></testcase>',
    });
  });

  test('of requirements with the same cause one is a failure, and the others refer to it', () => {
    const text = junitReport(sameCause(), options);
    expect(text.match(/<(?:failure|skipped)[^>]*(?=">|"\/>)/g)).toEqual([
      '<failure type="MUST" message="it answers nothing',
      '<skipped message="same cause as R034: it answers nothing',
    ]);
  });

  test('a mistake of the kit and an unreachable agent are errors', () => {
    const harnessError = {
      scenario: 'turns/odd',
      observations: [],
      journals: [],
      duration: 1,
      harnessError: 'TypeError: a < b',
    };
    const text = junitReport(
      judgementOf({ results: [harnessError], verdicts: [], unreachable: 'it is gone', lastOutput: 'no <key>' }),
      options,
    );
    expect(text.split('\n').slice(2, 5)).toEqual([
      '<testsuite name="Running the check" timestamp="2026-04-01T12:00:00" time="0.000" tests="2" failures="0" errors="2" skipped="0">',
      '<testcase classname="Running the check" name="start" time="0"><error message="it is gone">no &lt;key&gt;</error></testcase>',
      '<testcase classname="Running the check" name="turns/odd" time="0"><error message="the scenario failed because of a mistake in the kit">TypeError: a &lt; b</error></testcase>',
    ]);
  });
});

describe('the page', () => {
  const page = htmlReport(judgementOf(), { ...options, titles: new Map([['initialize/answer', 'it `answers`']]) });

  test('loads nothing, runs nothing and contains no unescaped text of a peer', () => {
    expect({
      policy: /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1],
      active: page.match(/<(?:script|link|img|iframe|object|embed|base)\b|\son\w+=|javascript:|url\(|@import/gi),
      hostile: page.includes(hostile),
      // oxlint-disable-next-line no-control-regex -- that there are none is what is tested
      control: /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/.test(page),
      key: page.includes('sk-0123'),
    }).toEqual({
      policy: "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
      active: null,
      hostile: false,
      control: false,
      key: false,
    });
  });

  test('shows broken requirements with their frames, reasons for unexercised ones, and every requirement', () => {
    const ids = (from: string, to: string): readonly string[] =>
      [...(page.split(from)[1]?.split(to)[0] ?? '').matchAll(/<b>(R\d{3})<\/b>|#(R\d{3})"/g)].map(
        (match) => match[1] ?? match[2] ?? '',
      );
    expect({
      title: /<h1>(.*)<\/h1>/.exec(page)?.[1],
      conclusion: /<p class="conclusion (.*)<\/p>/.exec(page)?.[1],
      broken: ids('<h2>What is broken</h2>', '<h2>'),
      advice: ids('<h2>Advice</h2>', '<h2>'),
      unexercised: ids('<h2>What was not exercised, and why</h2>', '<h2>'),
      all: ids('<h2>Every requirement</h2>', '<footer>'),
      scenario: page.includes('<code>initialize/answer</code>: it <code>answers</code></p>'),
      frame: page.includes('<time>12.3 ms</time><span class="from judged">agent</span>'),
      source: page.includes('<a href="https://agentclientprotocol.com/protocol/v1/initialization">initialization</a>'),
    }).toEqual({
      title: `Conformance of Example ${escaped} 1.0`,
      conclusion: 'not-conforming">Does not conform: it breaks one requirement.',
      broken: ['R036'],
      advice: ['R035'],
      unexercised: ['R046'],
      all: ['R034', 'R035', 'R036', 'R037', 'R046'],
      scenario: true,
      frame: true,
      source: true,
    });
  });
});

test('the page shows requirements with the same cause as one entry and counts one cause', () => {
  const page = htmlReport(sameCause(), options);
  const part = page.split('<h2>What is broken</h2>')[1]?.split('</section>')[0] ?? '';
  expect({
    conclusion: /<p class="conclusion (.*)<\/p>/.exec(page)?.[1],
    entries: [...part.matchAll(/<b>(R\d{3})<\/b>/g)].map((match) => match[1]),
    also: [...part.matchAll(/<li><a href="#(R\d{3})">/g)].map((match) => match[1]),
    shownAt: [...page.matchAll(/href="#broken-(R\d{3})"/g)].map((match) => match[1]),
    sameCauseAs: (jsonReport(sameCause(), options) as { requirements: { sameCauseAs?: string }[] }).requirements.map(
      ({ sameCauseAs }) => sameCauseAs,
    ),
  }).toEqual({
    conclusion: 'not-conforming">Does not conform: it breaks 2 requirements, for one cause.',
    entries: ['R034'],
    also: ['R036'],
    shownAt: ['R034', 'R034'],
    sameCauseAs: [undefined, 'R034'],
  });
});

test('no report contains a key that the peer printed', () => {
  const key = 'sk-0123456789abcdefghij';
  const judged = judgementOf();
  const judgement = {
    ...judgementOf({ lastOutput: `OPENAI_API_KEY=${key} is wrong`, unreachable: `it said {"token":"${key}"}` }),
    subject: `agent --api-key ${key}`,
    results: judged.results.map((result) => ({ ...result, harnessError: `no ${key}` })),
    verdicts: judged.verdicts.map((verdict) => ({
      ...verdict,
      findings: [{ scenario: 'a', message: `its last line is: ${key}`, evidence: [] }],
    })),
  };
  const reports = [
    JSON.stringify(jsonReport(judgement, options)),
    junitReport(judgement, options),
    htmlReport(judgement, options),
  ];
  expect(reports.map((report) => [report.includes(key), report.includes('[redacted]')])).toEqual([
    [false, true],
    [false, true],
    [false, true],
  ]);
});
