import type { RemoteProfile } from '../../remote/endpoint.ts';
import type { Exit } from '../../wire/line.ts';
import { ownHome } from '../../wire/own-home.ts';
import { type ClientDriver, type ClientSteps, filledIn } from './client-driver.ts';
import type { ClientRun } from './client-run.ts';
import type { ClientOrder, ClientSubject } from './client-subject.ts';
import { startStep, type Step } from './step.ts';
import { startTerminalStep } from './terminal-step.ts';

/**
 * A client that is started by command lines.
 * @param over the transport over which it reaches its agent, if it does not start it: `{agent}` stands for a URL then
 */
export function commandClient(driver: ClientDriver, over?: RemoteProfile): ClientSubject {
  return {
    name: driver.name,
    over,
    ...(driver.poses !== undefined && { poses: driver.poses }),
    can: (action) => driver.actions[action] !== undefined,
    isTyped: (action) => driver.actions[action]?.terminal !== undefined,
    start: (order) => CommandRun.start(driver, order),
  };
}

/** Command lines that are run one after the other. What one of them comes to, the last one that ran says. */
class CommandRun implements ClientRun {
  readonly exited: Promise<Exit>;
  readonly #driver: ClientDriver;
  readonly #order: ClientOrder;
  readonly #done: Step[] = [];
  #step: Step;
  #isStopped = false;

  static async start(driver: ClientDriver, order: ClientOrder): Promise<CommandRun> {
    const [first = [], ...others] = driver.actions[order.action]?.steps ?? [];
    return new CommandRun(driver, order, { step: await begun(driver, order, [first, others.length === 0]), others });
  }

  private constructor(
    driver: ClientDriver,
    order: ClientOrder,
    { step, others }: { readonly step: Step; readonly others: ClientSteps['steps'] },
  ) {
    this.#driver = driver;
    this.#order = order;
    this.#step = step;
    this.exited = this.#goOn(others);
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
    for (const words of cancel.steps)
      await (
        await startStep({ words: filledIn(words, values), cwd, env, input: '' })
      ).exited;
  }

  interrupt(): void {
    this.#isStopped = true;
    this.#step.kill('SIGINT');
  }

  async kill(): Promise<void> {
    this.#isStopped = true;
    // What it started in its group may have outlived it.
    this.#step.kill('SIGKILL');
    await this.exited;
  }

  async #goOn(others: ClientSteps['steps']): Promise<Exit> {
    let exit = await this.#step.exited;
    for (const [place, words] of others.entries()) {
      if (this.#isStopped) break;
      const step = await begun(this.#driver, this.#order, [words, place === others.length - 1]);
      this.#done.push(this.#step);
      this.#step = step;
      const next = await step.exited;
      // What failed first is what counts.
      if (exit.code === 0 && exit.signal === null) exit = next;
    }
    return exit;
  }
}

/** Starts a command line of an order; into the last of them something may be typed. */
function begun(
  driver: ClientDriver,
  order: ClientOrder,
  [given, isLast]: readonly [words: readonly string[], isLast: boolean],
): Promise<Step> {
  const { input = '', terminal } = driver.actions[order.action] ?? {};
  const filled = (text: string): string => filledIn([text], order.values).join('');
  const { cwd = order.home } = order.values;
  const command = { words: filledIn(given, order.values), cwd, env: environment(driver, order) };
  if (!isLast || terminal === undefined) return startStep({ ...command, input: isLast ? filled(input) : '' });
  return startTerminalStep(
    command,
    terminal.map(({ after, type }) => ({ after, type: filled(type) })),
  );
}

/** What programs need to run at all. Everything else of the user stays out. */
const inherited = 'PATH LANG LC_ALL LC_CTYPE TZ TMPDIR TEMP TMP LD_LIBRARY_PATH SystemRoot'.split(' ');

function environment(driver: ClientDriver, { home, values }: ClientOrder): Readonly<Record<string, string>> {
  const own = inherited.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const given = Object.entries(driver.env ?? {}).map(([name, value]) => [
    name,
    filledIn([value], { ...values, PATH: process.env['PATH'] ?? '' }).join(''),
  ]);
  return { ...Object.fromEntries(own), ...ownHome(home), ...Object.fromEntries(given) };
}
