import type { Judgement } from '../verdict/verdict.ts';
import { markup } from './markup.ts';
import type { ReportOptions } from './report-options.ts';
import { summarise } from './summary.ts';

const label = 'Agent Client Protocol';
/** The average width of a character, and the margin around a text, in pixels at this font size. */
const [character, margin] = [6.6, 8];
const colours = { conforming: '#1a7f37', 'not conforming': '#cf222e', 'not judged': '#6e7781' } as const;

/** The conclusion of a judgement as a small SVG image for a README. It contains no text of the peer. */
export function badgeReport(judgement: Judgement, { from }: Pick<ReportOptions, 'from'>): string {
  const { conclusion, total, broken } = summarise(judgement, from);
  const text = {
    conforming: `conforms · ${total.passed} passed`,
    'not conforming': `${broken.length} broken · ${total.passed} passed`,
    'not judged': 'not judged',
  }[conclusion];
  const [left, right] = [label, text].map((each) => Math.round(each.length * character + 2 * margin)) as [
    number,
    number,
  ];
  return `${
    markup`<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${label}: ${text}">
<title>${label}: ${text}</title>
<clipPath id="round"><rect width="${left + right}" height="20" rx="3"/></clipPath>
<g clip-path="url(#round)"><rect width="${left}" height="20" fill="#444c56"/><rect x="${left}" width="${right}" height="20" fill="${colours[conclusion]}"/></g>
<g fill="#fff" text-anchor="middle" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11"><text x="${left / 2}" y="14">${label}</text><text x="${left + right / 2}" y="14">${text}</text></g>
</svg>`.text
  }\n`;
}
