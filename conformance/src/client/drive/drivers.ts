import lines from './drivers.json' with { type: 'json' };
import type { ClientDriver, ClientSteps } from './client-driver.ts';

/**
 * A driver for the command `turnwire`.
 * @param words how it is started
 */
export function turnwireDriver(words: readonly string[] = ['turnwire']): ClientDriver {
  const { name, actions } = driverOf(words, { ...lines.both, ...lines.turnwire });
  const terminal = [{ after: '> ', type: '{prompt}\r' }];
  const typed = (['leave open', 'terminal login'] as const).map((action) => [
    action,
    { steps: [], ...actions[action], terminal },
  ]);
  return { name, actions: { ...actions, ...Object.fromEntries(typed) } };
}

/**
 * A driver for acpx, of 0.19.
 * @param words how it is started; it wants Node.js 22
 */
export function acpxDriver(words: readonly string[] = ['acpx']): ClientDriver {
  return driverOf(words, { ...lines.both, ...lines.acpx });
}

/** Both commands are told their folder and their agent first. */
function driverOf(
  words: readonly string[],
  actions: Readonly<Record<string, readonly (readonly string[])[]>>,
): ClientDriver {
  const common = [...words, '--cwd', '{cwd}', '--agent', '{agent}', '--ttl', '2'];
  const steps = (of: readonly (readonly string[])[]): ClientSteps => ({
    steps: of.map((line) => [...common, ...line]),
  });
  return {
    name: words.join(' '),
    actions: Object.fromEntries(Object.entries(actions).map(([action, of]) => [action, steps(of)])),
  };
}
