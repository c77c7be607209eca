import type { RequirementId, Subject } from '../requirements/requirement.ts';
import { fixOf } from '../requirements/fix-of.ts';
import { linkOf, originOf } from '../requirements/source-pages.ts';
import type { Judgement, Verdict } from '../verdict/verdict.ts';
import { frameExcerpt } from './frame-excerpt.ts';
import { keyFrames } from './key-frames.ts';
import { markup, type Markup } from './markup.ts';
import type { ReportOptions } from './report-options.ts';
import { countsAgainst, type Strictness } from './strictness.ts';
import { summarise } from './summary.ts';
import { reasonOf } from './unexercised.ts';
import { withoutSecrets } from './without-secrets.ts';

/**
 * A judgement as JUnit XML, for continuous integration: a suite per section of the protocol, a case per requirement. A broken requirement
 * that counts is a failure, unless another one with the same cause is already a failure. Advice and unobserved requirements are skipped,
 * with the reason. A harness error is an error. The duration of a scenario is attributed to the first requirement that it observed, so
 * that the times of all cases add up.
 */
export function junitReport(judged: Judgement, { from, madeAt }: ReportOptions): string {
  const judgement = withoutSecrets(judged);
  const { subject, kind, duration, verdicts, results } = judgement;
  const times = new Map<RequirementId, number>();
  for (const { observations, duration: took } of results) {
    const [first] = observations;
    if (first !== undefined) times.set(first.requirement, (times.get(first.requirement) ?? 0) + took);
  }
  const { sections, causeOf } = summarise(judgement, from);
  const caseOf = (verdict: Verdict): TestCase =>
    testCase(verdict, { from, kind, time: times.get(verdict.requirement.id) ?? 0, cause: causeOf.get(verdict) });
  const cases = sections.map(({ section }) => ({
    name: section,
    all: verdicts.filter(({ requirement }) => requirement.section === section).map(caseOf),
  }));
  const suites = [...cases, { name: 'Running the check', all: checkErrors(judgement) }].filter(
    ({ all }) => all.length > 0,
  );
  const stamp = madeAt.toISOString().slice(0, 19);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${
    markup`<testsuites name="${`${kind} ${subject}`}" time="${seconds(duration)}"${totals(suites.flatMap(({ all }) => all))}>
${suites.map(
  ({
    name,
    all,
  }) => markup`<testsuite name="${name}" timestamp="${stamp}" time="${seconds(all.reduce((sum, { time }) => sum + time, 0))}"${totals(all)}>
${all.map(({ element }) => element)}</testsuite>
`,
)}</testsuites>
`.text
  }`;
}

interface TestCase {
  readonly element: Markup;
  readonly is: 'passed' | 'failure' | 'skipped' | 'error';
  /** In milliseconds. */
  readonly time: number;
}

/** @param context `time` in milliseconds, and the verdict whose violations also break this requirement */
function testCase(
  verdict: Verdict,
  context: { from: Strictness; kind: Subject; time: number; cause: Verdict | undefined },
): TestCase {
  const { from, kind, time, cause } = context;
  const { requirement, outcome, findings } = verdict;
  const { id, level, section, behaviour } = requirement;
  const element = (inner: Markup): Markup =>
    markup`<testcase classname="${section}" name="${`${id} ${level}: ${behaviour}`}" time="${seconds(time)}">${inner}</testcase>
`;
  const said = findings.map(({ message }) => message).join('; ');
  if (outcome === 'passed') return { is: 'passed', time, element: element(markup``) };
  if (outcome === 'failed' && cause === undefined && countsAgainst(requirement, from)) {
    const lines = findings.flatMap(({ scenario, message, evidence }) => [
      `${message} (${scenario})`,
      ...keyFrames(evidence)
        .map(frameExcerpt)
        .map(({ at, from: side, text }) => `  ${at} ms ${side}: ${text}`),
    ]);
    const { begins, named } = originOf(requirement);
    const { quote, official = [] } = requirement;
    const stated = `${begins} ${named.join(', ')}${quote === undefined ? '' : `: “${quote.text}”`}`.trim();
    const links = [linkOf(requirement)].filter((link) => link !== undefined);
    const others = official.length === 0 ? [] : [`In acp-tck: ${official.join(' ')}`];
    const details = [...lines, stated, ...links, ...others, `To fix it: ${fixOf(requirement)}`].join('\n');
    const failure = markup`<failure type="${level}" message="${said}">${details}</failure>`;
    return { is: 'failure', time, element: element(failure) };
  }
  const reason =
    outcome === 'failed'
      ? cause === undefined
        ? `advice (${level}): ${said}`
        : `same cause as ${cause.requirement.id}: ${said}`
      : `${outcome}: ${outcome === 'not observable' ? said : reasonOf(verdict, kind)}`;
  return { is: 'skipped', time, element: element(markup`<skipped message="${reason}"/>`) };
}

/** Errors of the check itself: the subject was unreachable, or scenarios failed. */
function checkErrors({ results, unreachable, lastOutput = '' }: Judgement): readonly TestCase[] {
  const element = (name: string, message: string, text: string): TestCase => ({
    is: 'error',
    time: 0,
    element: markup`<testcase classname="Running the check" name="${name}" time="0"><error message="${message}">${text}</error></testcase>
`,
  });
  const failed = results.flatMap(({ scenario, harnessError }) =>
    harnessError === undefined
      ? []
      : [element(scenario, 'the scenario failed because of a mistake in the kit', harnessError)],
  );
  return unreachable === undefined ? failed : [element('start', unreachable, lastOutput), ...failed];
}

function totals(all: readonly TestCase[]): Markup {
  const count = (wanted: TestCase['is']): number => all.filter(({ is }) => is === wanted).length;
  return markup` tests="${all.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
