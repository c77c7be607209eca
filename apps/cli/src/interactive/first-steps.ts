import type { TranscriptView } from '@turnwire/client/transcript';
import { agentEntries } from '../agents/agent-entries.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { optionSettings, optionsOf } from './session-choices.ts';

/** The id of the built-in agent's model that is none. */
const offline = 'offline';
/** The most models, and the most agents, that are offered. */
const mostOfAKind = 3;

/** Something that the user can do first: a command of the chat. */
export interface FirstStep {
  readonly command: string;
  readonly label: string;
}

/** What a user without a model can do next: take one that was found, another agent that is installed, or log in. Empty if the session has a model. */
export async function firstSteps(transcript: TranscriptView, cwd: string): Promise<readonly FirstStep[]> {
  const [option] = optionsOf(transcript, 'model');
  if (option?.currentValue !== offline) return [];
  const models = optionSettings(option).choices.flatMap(({ label, value }) =>
    value.type === 'option' && value.value !== offline ? [label] : [],
  );
  const entries = await agentEntries(cwd);
  const installed = entries.filter(
    ({ known, path, lacks }) => known !== undefined && path !== undefined && lacks === undefined,
  );
  const names = installed.map(({ name }) => cleanLine(name));
  const others = entries.filter(({ fetching }) => fetching !== undefined).map(({ name }) => cleanLine(name));
  return [
    ...models.slice(0, mostOfAKind).map((model) => ({ command: `/model ${model}`, label: `the model ${model}` })),
    ...(models.length > mostOfAKind
      ? [{ command: '/model', label: `one of ${models.length - mostOfAKind} more models` }]
      : []),
    ...names.slice(0, mostOfAKind).map((name) => ({ command: `/agent ${name}`, label: `${name}, which is installed` })),
    ...(names.length > mostOfAKind
      ? [{ command: '/agent', label: `one of ${names.length - mostOfAKind} more agents` }]
      : []),
    ...(names.length === 0 && others.length > 0
      ? [{ command: '/agent', label: `another agent: npx gets ${others.slice(0, mostOfAKind).join(', ')} and more` }]
      : []),
    {
      command: '/login',
      label: `a model with a key${models.length > 0 ? '' : `. ${cleanLine(option.description ?? '')}`}`,
    },
  ];
}

const demo = 'No model is set up. A built-in demo follows instructions such as "list files", with real tools.';

/** The steps as they are shown: each is taken by its number and Enter. A digit alone may begin a prompt. */
export function firstStepLines(steps: readonly FirstStep[]): readonly string[] {
  if (steps.length === 0) return [];
  return [
    demo,
    'To use something else, type its number and press Enter:',
    ...steps.map(({ label }, index) => `  ${index + 1}  ${label}`),
  ];
}

/** The same for lines that are typed: each is taken by its command. */
export function typedStepLines(steps: readonly FirstStep[]): readonly string[] {
  if (steps.length === 0) return [];
  return [demo, 'To take something else, type:', ...steps.map(({ command, label }) => `  ${command}: ${label}`)];
}
