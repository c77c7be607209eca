import { type Judgement, nameOf, type Strictness, summarise, type Summary, unexercised } from '@turnwire/conformance';
import { cleanLine, cleanText } from '../../terminal/clean-text.ts';
import type { Style } from '../../terminal/paint.ts';
import { wrapWords } from '../../terminal/text-width.ts';
import { brokenLines } from './broken-lines.ts';
import { countLines } from './count-lines.ts';
import type { LineLook } from './frame-lines.ts';

const styles: Readonly<Record<Summary['conclusion'], Style>> = {
  conforming: 'green',
  'not conforming': 'red',
  'not judged': 'yellow',
};

/** A judgement for a terminal. The conclusion comes last, where it stays visible. */
export function reportLines(judgement: Judgement, from: Strictness, look: LineLook): readonly string[] {
  const summary = summarise(judgement, from);
  const { sections, levels, broken, causes, total } = summary;
  const counting = causes.filter(({ verdict }) => broken.includes(verdict));
  const advice = causes.filter(({ verdict }) => !broken.includes(verdict));
  const end = wrapWords(cleanText(summary.sentence), look.width).map((line) =>
    look.paint(styles[summary.conclusion], line),
  );
  if (judgement.unreachable !== undefined)
    return [...headLines(judgement, look), '', ...end, ...quoted(judgement, look)];
  return [
    ...headLines(judgement, look),
    '',
    ...countLines(
      sections.map(({ section, counts }) => [section, counts]),
      look,
    ),
    ...part('Broken', brokenLines(counting, judgement.kind, { ...look, mark: ['✗', 'red'] }), look),
    ...part(
      'Advice: broken, but below the level that counts',
      brokenLines(advice, judgement.kind, { ...look, mark: ['!', 'yellow'] }),
      look,
    ),
    ...part('Broken once, and not when run again alone: not counted', onceLines(judgement, look), look),
    ...part('Not exercised', reasonLines(judgement, look), look),
    ...part(
      'Errors of the kit itself, which count against no one; please report them',
      harnessErrorLines(judgement, look),
      look,
    ),
    '',
    ...countLines([...levels.map(({ level, counts }) => [level, counts] as const), ['all', total]], look),
    '',
    ...end,
  ];
}

function headLines(judgement: Judgement, { paint, width }: LineLook): readonly string[] {
  const { subject, kind, results, duration, seed } = judgement;
  const named =
    judgement.introduction === undefined
      ? []
      : wrapWords(cleanLine(nameOf(judgement)), width).map((line) => paint('bold', line));
  const ran = `${results.length} ${results.length === 1 ? 'scenario' : 'scenarios'} in ${(duration / 1000).toFixed(1)} s, seed ${seed}`;
  return [...named, ...wrapWords(`${kind}: ${cleanLine(subject)}`, width), paint('dim', ran)];
}

function part(title: string, lines: readonly string[], { paint, width }: LineLook): readonly string[] {
  if (lines.length === 0) return [];
  return ['', ...wrapWords(title, width).map((line) => paint('underline', line)), ...lines];
}

function reasonLines(judgement: Judgement, { width, paint }: LineLook): readonly string[] {
  return unexercised(judgement).flatMap(({ reason, verdicts: given }) => {
    const ids = given.map(({ requirement: { id } }) => id).join(' ');
    const [first = '', ...others] = wrapWords(cleanLine(reason), width - 4);
    return [
      `  · ${first}`,
      ...others.map((line) => `    ${line}`),
      ...wrapWords(ids, width - 4).map((line) => `    ${paint('dim', line)}`),
    ];
  });
}

function onceLines({ verdicts }: Judgement, { width, paint }: LineLook): readonly string[] {
  return verdicts.flatMap(({ requirement: { id }, outcome, findings }) => {
    if (outcome !== 'passed') return [];
    return findings.flatMap(({ message, scenario }) => [
      ...wrapWords(cleanLine(`${id} ${message}`), width - 4).map((line) => `    ${line}`),
      `    ${paint('dim', `in ${scenario}`)}`,
    ]);
  });
}

function harnessErrorLines({ results }: Judgement, { isWhole }: LineLook): readonly string[] {
  return results.flatMap(({ scenario, harnessError }) => {
    if (harnessError === undefined) return [];
    const lines = cleanText(harnessError).split('\n');
    return [`  ${scenario}`, ...(isWhole ? lines : lines.slice(0, 3)).map((line) => `    ${line}`)];
  });
}

/** The end of its output. */
function quoted({ lastOutput }: Judgement, { paint }: LineLook): readonly string[] {
  if (lastOutput === undefined) return [];
  return [
    'The end of its output:',
    ...cleanText(lastOutput)
      .split('\n')
      .map((line) => paint('dim', `  │ ${line}`)),
  ];
}
