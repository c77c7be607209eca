import {
  type CheckedVersion,
  defaultSteering,
  type Requirement,
  requirements,
  type Subject,
} from '@turnwire/conformance';
import type { Paint } from '../../terminal/paint.ts';
import type { Listed } from './select-scenarios.ts';
import { wrapWords } from '../../terminal/text-width.ts';

/** Which requirements a list shows. */
export interface ListedFor {
  readonly kind: Subject;
  readonly protocol: CheckedVersion;
}

/** The scenarios and requirements as a JSON value. */
export function listedFacts(scenarios: readonly Listed[], listed: ListedFor): object {
  return {
    scenarios: scenarios.map(({ id, title, covers }) => ({ id, title, covers })),
    requirements: binding(listed),
    prompts: defaultSteering,
  };
}

/** The scenarios and requirements as text. */
export function listLines(
  scenarios: readonly Listed[],
  listed: ListedFor,
  { paint, width }: { readonly paint: Paint; readonly width: number },
): readonly string[] {
  const all = binding(listed);
  return [
    paint('underline', `Scenarios (${scenarios.length})`),
    ...scenarios.flatMap(({ id, title, covers }) => [
      paint('bold', id),
      ...wrapWords(title, width - 2).map((line) => `  ${line}`),
      ...wrapWords(covers.join(' '), width - 2).map((line) => `  ${paint('dim', line)}`),
    ]),
    '',
    paint('underline', `Requirements (${all.length})`),
    ...all.flatMap(({ id, level, section, behaviour, official = [] }) => [
      `${paint('bold', id)} ${level} · ${paint('dim', section)}`,
      ...wrapWords(behaviour, width - 2).map((line) => `  ${line}`),
      ...(official.length === 0 ? [] : wrapWords(`acp-tck: ${official.join(' ')}`, width - 2)).map(
        (line) => `  ${paint('dim', line)}`,
      ),
    ]),
    '',
    paint('underline', 'Prompts, which --prompts can replace'),
    ...Object.entries(defaultSteering).flatMap(([action, prompt]) =>
      wrapWords(`${JSON.stringify(action)}: ${JSON.stringify(prompt)}`, width - 2).map((line) => `  ${line}`),
    ),
  ];
}

function binding({ kind, protocol }: ListedFor): readonly Requirement[] {
  return requirements.filter(({ binds, profile }) => {
    const isOfVersion = profile === 'remote' || (profile === 'v2') === (protocol === 2);
    return isOfVersion && (binds === kind || binds === 'both');
  });
}
