import type { RemoteProfile } from '../../remote/endpoint.ts';
import type { Exit } from '../../wire/line.ts';
import { ownHome } from '../../wire/own-home.ts';
import { type ClientDriver, type ClientSteps, filledIn } from './client-driver.ts';
import type { ClientRun } from './client-run.ts';
import type { ClientOrder, ClientSubject } from './client-subject.ts';
import { startStep, type Step } from './step.ts';
import { startTerminalStep } from './terminal-step.ts';

/**
 * A client that is controlled with command lines.
 * @param over the transport over which it reaches its agent, if it does not start it: `{agent}` then stands for a URL
 */
export function commandClient(driver: ClientDriver, over?: RemoteProfile): ClientSubject {
  return {
    name: driver.name,
    over,
    ...(driver.agentNames !== undefined && { agentNames: driver.agentNames }),
    can: (action) => driver.actions[action] !== undefined,
    isTyped: (action) => driver.actions[action]?.terminal !== undefined,
    start: (order) => CommandRun.start(driver, order),
  };
}

/** Command lines that run one after the other. The exit of the first one that failed counts, otherwise that of the last. */
class CommandRun implements ClientRun {
  readonly exited: Promise<Exit>;
  readonly #driver: ClientDriver;
  readonly #order: ClientOrder;
  readonly #done: Step[] = [];
  #step: Step;
  #isStopped = false;

  static async start(driver: ClientDriver, order: ClientOrder): Promise<CommandRun> {
    const [first = [], ...others] = driver.actions[order.action]?.steps ?? [];
    return new CommandRun(driver, order, {
      step: await startCommand(driver, order, [first, others.length === 0]),
      others,
    });
  }

  private constructor(
    driver: ClientDriver,
    order: ClientOrder,
    { step, others }: { readonly step: Step; readonly others: ClientSteps['steps'] },
  ) {
    this.#driver = driver;
    this.#order = order;
    this.#step = step;
    this.exited = this.#runRest(others);
  }

  pids = (): readonly (number | undefined)[] => [...this.#done, this.#step].map(({ pid }) => pid);
  stdout = (): string => [...this.#done, this.#step].map((step) => step.stdout()).join('');
  stderr = (): string => [...this.#done, this.#step].map((step) => step.stderr()).join('');

  async cancel(): Promise<void> {
    const { cancel = 'SIGINT' } = this.#driver;
    if (typeof cancel === 'string') return this.#step.kill(cancel);
    const { home, values } = this.#order;
    const { cwd = home } = values;
    const env = environment(this.#driver, this.#order);
    for (const argv of cancel.steps)
      await (
        await startStep({ argv: filledIn(argv, values), cwd, env, input: '' })
      ).exited;
  }

  interrupt(): void {
    this.#isStopped = true;
    this.#step.kill('SIGINT');
  }

  async kill(): Promise<void> {
    this.#isStopped = true;
    // Processes in its group may have outlived it.
    this.#step.kill('SIGKILL');
    await this.exited;
  }

  async #runRest(others: ClientSteps['steps']): Promise<Exit> {
    let exit = await this.#step.exited;
    for (const [nth, argv] of others.entries()) {
      if (this.#isStopped) break;
      const step = await startCommand(this.#driver, this.#order, [argv, nth === others.length - 1]);
      this.#done.push(this.#step);
      this.#step = step;
      const next = await step.exited;
      // The first failure counts.
      if (exit.code === 0 && exit.signal === null) exit = next;
    }
    return exit;
  }
}

/** Starts a command line of an order. Only the last one receives the input. */
function startCommand(
  driver: ClientDriver,
  order: ClientOrder,
  [argv, isLast]: readonly [argv: readonly string[], isLast: boolean],
): Promise<Step> {
  const { input = '', terminal } = driver.actions[order.action] ?? {};
  const filled = (text: string): string => filledIn([text], order.values).join('');
  const { cwd = order.home } = order.values;
  const command = { argv: filledIn(argv, order.values), cwd, env: environment(driver, order) };
  if (!isLast || terminal === undefined) return startStep({ ...command, input: isLast ? filled(input) : '' });
  return startTerminalStep(
    command,
    terminal.map(({ after, type }) => ({ after, type: filled(type) })),
  );
}

/** Variables that programs need to run at all. Nothing else of the user's environment is passed on. */
const inherited = 'PATH LANG LC_ALL LC_CTYPE TZ TMPDIR TEMP TMP LD_LIBRARY_PATH SystemRoot'.split(' ');

function environment(driver: ClientDriver, { home, values }: ClientOrder): Readonly<Record<string, string>> {
  const own = inherited.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const configured = Object.entries(driver.env ?? {}).map(([name, value]) => [
    name,
    filledIn([value], { ...values, PATH: process.env['PATH'] ?? '' }).join(''),
  ]);
  return { ...Object.fromEntries(own), ...ownHome(home), ...Object.fromEntries(configured) };
}
