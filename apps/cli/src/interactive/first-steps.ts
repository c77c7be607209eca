import type { TranscriptView } from '@turnwire/client/transcript';
import { agentEntries } from '../agents/agent-entries.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { optionSettings, optionsOf } from './session-choices.ts';

/** The id of the built-in agent's model that is none. */
const offline = 'offline';
/** The most names in a line. */
const mostNames = 4;

/**
 * What a user without a model can do next: take one that was found, log in, or use another agent that is installed. Empty if the session has
 * a model.
 */
export async function firstSteps(transcript: TranscriptView, cwd: string): Promise<readonly string[]> {
  const [option] = optionsOf(transcript, 'model');
  if (option?.currentValue !== offline) return [];
  const models = optionSettings(option).choices.flatMap(({ label, value }) =>
    value.type === 'option' && value.value !== offline ? [label] : [],
  );
  const installed = (await agentEntries(cwd)).filter(
    ({ known, path, lacks }) => known !== undefined && path !== undefined && lacks === undefined,
  );
  const [first, ...others] = installed.map(({ name }) => cleanLine(name));
  return [
    'The model "offline" is a demo: it does plain instructions, such as "list files", with real tools.',
    ...(models.length > 0 ? [`  /model  choose one that was found: ${listed(models)}`] : []),
    `  /login  use a model with a key${models.length > 0 ? '' : `. ${cleanLine(option.description ?? '')}`}`,
    ...(first === undefined
      ? []
      : [
          `  turnwire ${first}  is another agent, which is installed${others.length > 0 ? `; also: ${listed(others)}` : ''}`,
        ]),
  ];
}

function listed(names: readonly string[]): string {
  const more = names.length - mostNames;
  return `${names.slice(0, mostNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
