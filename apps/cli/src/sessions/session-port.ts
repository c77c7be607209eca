import type { Agent } from '@turnwire/client';
import type { ContentBlock, SessionConfigOption } from '@turnwire/protocol';
import type { TurnEnd } from '@turnwire/runtime';

/** A session that a command prompts: an object in its own process, or a session of a gateway. */
export interface SessionPort extends AsyncDisposable {
  /** The offers of the agent; undefined before it runs. */
  readonly agent: Pick<Agent, 'capabilities' | 'authMethods'> | undefined;
  /** The options of the session; undefined if the agent has none. */
  readonly configOptions: readonly SessionConfigOption[] | undefined;
  /** Sets an option of the session. Rejects if the agent has none. */
  setOption(id: string, value: string | boolean): Promise<void>;
  /** Runs a turn. The turn is printed completely when this settles. An aborted signal cancels it. */
  prompt(content: readonly ContentBlock[], signal: AbortSignal): Promise<Omit<TurnEnd, 'turnId'>>;
}

/** Chooses the model of `--model`. Rejects if the agent offers no choice, or not this one. */
export async function chooseModel(session: SessionPort, model: string | undefined): Promise<void> {
  if (model === undefined) return;
  const option = session.configOptions?.find(({ id, category }) => category === 'model' || id === 'model');
  if (!option) throw new Error(`the agent offers no choice of models, so --model ${model} cannot be used with it`);
  if (option.currentValue !== model) await session.setOption(option.id, model);
}

/** Sets options from words of the command line: `key=value`. Rejects as {@link chooseOption} does. */
export async function chooseOptions(session: SessionPort, words: readonly string[]): Promise<void> {
  for (const [id = '', value = ''] of words.map((each) => each.split(/=(.*)/s, 2)))
    await chooseOption(session, id, value);
}

/** Sets an option to a value as it stands on the command line, where booleans are words. Rejects if the agent has no options, or the value does not fit. */
export async function chooseOption(session: SessionPort, id: string, value: string): Promise<void> {
  if (!session.configOptions) throw new Error(`the agent has no options, so ${id} cannot be set`);
  const isSwitch = session.configOptions.some((each) => each.id === id && typeof each.currentValue === 'boolean');
  if (isSwitch && value !== 'true' && value !== 'false')
    throw new Error(`the option ${id} is either true or false, not ${value}`);
  await session.setOption(id, isSwitch ? value === 'true' : value);
}
