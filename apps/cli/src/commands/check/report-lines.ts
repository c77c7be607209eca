import { type Judgement, nameOf, type Strictness, summarise, type Summary, unexercised } from '@turnwire/conformance';
import { cleanLine, cleanText } from '../../terminal/clean-text.ts';
import type { Style } from '../../terminal/paint.ts';
import { wrapWords } from '../../terminal/text-width.ts';
import { brokenLines } from './broken-lines.ts';
import { countLines } from './count-lines.ts';
import type { LineFormat } from './frame-lines.ts';

const styles: Readonly<Record<Summary['conclusion'], Style>> = {
  conforming: 'green',
  'not conforming': 'red',
  'not judged': 'yellow',
};

/** A judgement for a terminal. The conclusion is last, so that it stays visible. */
export function reportLines(judgement: Judgement, from: Strictness, format: LineFormat): readonly string[] {
  const summary = summarise(judgement, from);
  const { sections, levels, broken, causes, total } = summary;
  const counting = causes.filter(({ verdict }) => broken.includes(verdict));
  const advice = causes.filter(({ verdict }) => !broken.includes(verdict));
  const end = wrapWords(cleanText(summary.sentence), format.width).map((line) =>
    format.paint(styles[summary.conclusion], line),
  );
  if (judgement.unreachable !== undefined)
    return [...headLines(judgement, format), '', ...end, ...quoted(judgement, format)];
  return [
    ...headLines(judgement, format),
    '',
    ...countLines(
      sections.map(({ section, counts }) => [section, counts]),
      format,
    ),
    ...part('Broken', brokenLines(counting, judgement.kind, { ...format, mark: ['✗', 'red'] }), format),
    ...part(
      'Advice: broken, but below the level that counts',
      brokenLines(advice, judgement.kind, { ...format, mark: ['!', 'yellow'] }),
      format,
    ),
    ...part('Broken once, but not when repeated alone: not counted', unrepeatedLines(judgement, format), format),
    ...part('Not exercised', reasonLines(judgement, format), format),
    ...part(
      'Errors of the test kit itself, which are not counted; please report them',
      harnessErrorLines(judgement, format),
      format,
    ),
    '',
    ...countLines([...levels.map(({ level, counts }) => [level, counts] as const), ['all', total]], format),
    '',
    ...end,
  ];
}

function headLines(judgement: Judgement, { paint, width }: LineFormat): readonly string[] {
  const { subject, kind, version, results, duration, seed } = judgement;
  const named =
    judgement.introduction === undefined
      ? []
      : wrapWords(cleanLine(nameOf(judgement)), width).map((line) => paint('bold', line));
  const ran = `${results.length} ${results.length === 1 ? 'scenario' : 'scenarios'} in ${(duration / 1000).toFixed(1)} s, seed ${seed}`;
  const judged = version === 1 ? kind : `${kind} in version ${version}`;
  return [...named, ...wrapWords(`${judged}: ${cleanLine(subject)}`, width), paint('dim', ran)];
}

function part(title: string, lines: readonly string[], { paint, width }: LineFormat): readonly string[] {
  if (lines.length === 0) return [];
  return ['', ...wrapWords(title, width).map((line) => paint('underline', line)), ...lines];
}

function reasonLines(judgement: Judgement, { width, paint }: LineFormat): readonly string[] {
  return unexercised(judgement).flatMap(({ reason, verdicts: args }) => {
    const ids = args.map(({ requirement: { id } }) => id).join(' ');
    const [first = '', ...others] = wrapWords(cleanLine(reason), width - 4);
    return [
      `  · ${first}`,
      ...others.map((line) => `    ${line}`),
      ...wrapWords(ids, width - 4).map((line) => `    ${paint('dim', line)}`),
    ];
  });
}

function unrepeatedLines({ verdicts }: Judgement, { width, paint }: LineFormat): readonly string[] {
  return verdicts.flatMap(({ requirement: { id }, outcome, findings }) => {
    if (outcome !== 'passed') return [];
    return findings.flatMap(({ message, scenario }) => [
      ...wrapWords(cleanLine(`${id} ${message}`), width - 4).map((line) => `    ${line}`),
      `    ${paint('dim', `in ${scenario}`)}`,
    ]);
  });
}

function harnessErrorLines({ results }: Judgement, { isWhole }: LineFormat): readonly string[] {
  return results.flatMap(({ scenario, harnessError }) => {
    if (harnessError === undefined) return [];
    const lines = cleanText(harnessError).split('\n');
    return [`  ${scenario}`, ...(isWhole ? lines : lines.slice(0, 3)).map((line) => `    ${line}`)];
  });
}

/** The end of the agent's output. */
function quoted({ lastOutput }: Judgement, { paint }: LineFormat): readonly string[] {
  if (lastOutput === undefined) return [];
  return [
    'The end of its output:',
    ...cleanText(lastOutput)
      .split('\n')
      .map((line) => paint('dim', `  │ ${line}`)),
  ];
}
