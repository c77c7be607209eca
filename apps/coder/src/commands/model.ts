import { TurnwireError, ProtocolError } from '@turnwire/protocol';
import type { SessionConfigSelectOption } from '@turnwire/protocol';
import { ModelFailure } from '../model/model-failure.ts';
import { modelChoice } from '../model/model-choice.ts';
import type { CoderSession, CoderTurn } from '../session/session-memory.ts';
import type { SlashCommand } from './slash-command.ts';

/** `/model`: shows the models, or chooses one. */
export const modelCommand: SlashCommand = {
  name: 'model',
  description: 'Show the models, or switch to one',
  hint: '[provider/model]',
  run: async (turn, argument) => {
    const { session } = turn;
    if (await session.memory.models.refresh()) await session.refreshOptions();
    return argument === '' ? turn.say(listing(session)) : choose(turn, argument);
  },
};

async function choose(turn: CoderTurn, wanted: string): Promise<void> {
  const { session } = turn;
  const listed = choicesOf(session).find((each) => each.value === wanted || each.name === wanted);
  const value = listed?.value ?? wanted;
  try {
    // Lists are incomplete: any model of a known provider can be tried.
    if (listed === undefined) await session.memory.models.offer?.(value);
    await session.setOption('model', value);
  } catch (error) {
    if (error instanceof ModelFailure) return turn.say(error.message);
    if (!isRefusal(error)) throw error;
    return turn.say(`There is no model ${JSON.stringify(wanted)}.\n\n${listing(session)}`);
  }
  return turn.say(`The model is now \`${value}\`.`);
}

function isRefusal(error: unknown): boolean {
  return error instanceof ProtocolError || (error instanceof TurnwireError && error.code === 'invalid-input');
}

function listing(session: CoderSession): string {
  const choices = choicesOf(session);
  if (choices.length === 0) return 'This session has one model, chosen by the program that started it.';
  const current = session.option('model');
  const lines = choices.map(({ value, name, description }) => {
    const about = [name === value ? undefined : name, description].filter(Boolean).join(': ');
    return `- \`${value}\`${value === current ? ' (now)' : ''}${about === '' ? '' : `, ${about}`}`;
  });
  return `${lines.join('\n')}\n\n\`/model NAME\` switches to one of them.`;
}

function choicesOf(session: CoderSession): readonly SessionConfigSelectOption[] {
  const options = session.memory.models.options(modelChoice(session));
  const models = options.find(({ id }) => id === 'model');
  return models?.type === 'select' ? models.options.flatMap((each) => ('group' in each ? each.options : [each])) : [];
}
