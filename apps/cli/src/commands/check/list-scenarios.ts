import { defaultSteering, type Requirement, requirements, type Subject } from '@turnwire/conformance';
import type { Paint } from '../../terminal/paint.ts';
import type { Listed } from './select-scenarios.ts';
import { wrapWords } from '../../terminal/text-width.ts';

/** The scenarios and requirements as a JSON value. */
export function listedFacts(scenarios: readonly Listed[], kind: Subject): object {
  return {
    scenarios: scenarios.map(({ id, title, covers }) => ({ id, title, covers })),
    requirements: binding(kind),
    prompts: defaultSteering,
  };
}

/** The scenarios and requirements as text. */
export function listLines(
  scenarios: readonly Listed[],
  kind: Subject,
  { paint, width }: { readonly paint: Paint; readonly width: number },
): readonly string[] {
  const all = binding(kind);
  return [
    paint('underline', `Scenarios (${scenarios.length})`),
    ...scenarios.flatMap(({ id, title, covers }) => [
      paint('bold', id),
      ...wrapWords(title, width - 2).map((line) => `  ${line}`),
      ...wrapWords(covers.join(' '), width - 2).map((line) => `  ${paint('dim', line)}`),
    ]),
    '',
    paint('underline', `Requirements (${all.length})`),
    ...all.flatMap(({ id, level, section, behaviour }) => [
      `${paint('bold', id)} ${level} · ${paint('dim', section)}`,
      ...wrapWords(behaviour, width - 2).map((line) => `  ${line}`),
    ]),
    '',
    paint('underline', 'Prompts, which --prompts can replace'),
    ...Object.entries(defaultSteering).flatMap(([action, prompt]) =>
      wrapWords(`${JSON.stringify(action)}: ${JSON.stringify(prompt)}`, width - 2).map((line) => `  ${line}`),
    ),
  ];
}

function binding(kind: Subject): readonly Requirement[] {
  return requirements.filter(({ binds }) => binds === kind || binds === 'both');
}
