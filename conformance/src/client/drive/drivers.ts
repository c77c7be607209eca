import lines from './drivers.json' with { type: 'json' };
import type { ClientDriver, ClientSteps } from './client-driver.ts';

/**
 * A driver for the command `turnwire`.
 * @param argv how to start it
 */
export function turnwireDriver(argv: readonly string[] = ['turnwire']): ClientDriver {
  const { name, actions } = driverOf(argv, { ...lines.both, ...lines.turnwire }, ['--protocol', '{protocol}']);
  const terminal = [{ after: '> ', type: '{prompt}\r' }];
  const typed = (['leave open', 'terminal login'] as const).map((action) => [
    action,
    { steps: [], ...actions[action], terminal },
  ]);
  return { name, actions: { ...actions, ...Object.fromEntries(typed) } };
}

/**
 * A driver for acpx 0.19.
 * @param argv how to start it; it needs Node.js 22
 */
export function acpxDriver(argv: readonly string[] = ['acpx']): ClientDriver {
  return driverOf(argv, { ...lines.both, ...lines.acpx });
}

/** Both commands take their folder and their agent as common options. */
function driverOf(
  argv: readonly string[],
  actions: Readonly<Record<string, readonly (readonly string[])[]>>,
  options: readonly string[] = [],
): ClientDriver {
  const common = [...argv, '--cwd', '{cwd}', '--agent', '{agent}', '--ttl', '2', ...options];
  const steps = (of: readonly (readonly string[])[]): ClientSteps => ({
    steps: of.map((line) => [...common, ...line]),
  });
  return {
    name: argv.join(' '),
    actions: Object.fromEntries(Object.entries(actions).map(([action, of]) => [action, steps(of)])),
  };
}
