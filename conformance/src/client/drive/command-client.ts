import type { RemoteProfile } from '../../remote/endpoint.ts';
import type { Exit } from '../../wire/line.ts';
import { ownHome } from '../../wire/own-home.ts';
import { type ClientDriver, type ClientSteps, filledIn, type Keystrokes } from './client-driver.ts';
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
    const { steps, input = '', terminal } = driver.actions[order.action] ?? { steps: [] };
    const [first = [], ...others] = steps;
    const { cwd = order.home } = order.values;
    const begin = (given: readonly string[], isLast: boolean): Promise<Step> => {
      const words = filledIn(given, order.values);
      const env = environment(driver, order);
      if (isLast && terminal !== undefined)
        return startTerminalStep({ words, cwd, env }, typed(terminal, order.values));
      return startStep({ words, cwd, env, input: isLast ? filledIn([input], order.values).join('') : '' });
    };
    const step = await begin(first, others.length === 0);
    return new CommandRun(driver, order, { step, others, begin });
  }

  private constructor(
    driver: ClientDriver,
    order: ClientOrder,
    work: {
      readonly step: Step;
      readonly others: readonly (readonly string[])[];
      readonly begin: (words: readonly string[], isLast: boolean) => Promise<Step>;
    },
  ) {
    this.#driver = driver;
    this.#order = order;
    this.#step = work.step;
    this.exited = this.#goOn(work.others, work.begin);
  }

  pids = (): readonly (number | undefined)[] => [...this.#done, this.#step].map(({ pid }) => pid);
  stdout = (): string => [...this.#done, this.#step].map((step) => step.stdout()).join('');
  stderr = (): string => [...this.#done, this.#step].map((step) => step.stderr()).join('');

  async cancel(): Promise<void> {
    const { cancel = 'SIGINT' } = this.#driver;
    if (typeof cancel === 'string') this.#step.kill(cancel);
    else await this.#runAside(cancel);
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

  async #goOn(
    others: readonly (readonly string[])[],
    begin: (words: readonly string[], isLast: boolean) => Promise<Step>,
  ): Promise<Exit> {
    let exit = await this.#step.exited;
    for (const [place, words] of others.entries()) {
      if (this.#isStopped) break;
      const step = await begin(words, place === others.length - 1);
      this.#done.push(this.#step);
      this.#step = step;
      exit = worse(exit, await step.exited);
    }
    return exit;
  }

  async #runAside({ steps }: ClientSteps): Promise<void> {
    for (const words of steps) {
      const { cwd = this.#order.home } = this.#order.values;
      const env = environment(this.#driver, this.#order);
      const step = await startStep({ words: filledIn(words, this.#order.values), cwd, env, input: '' });
      await step.exited;
    }
  }
}

function typed(terminal: readonly Keystrokes[], values: ClientOrder['values']): readonly Keystrokes[] {
  return terminal.map(({ after, type }) => ({ after, type: filledIn([type], values).join('') }));
}

function worse(before: Exit, now: Exit): Exit {
  return before.code === 0 && before.signal === null ? now : before;
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
