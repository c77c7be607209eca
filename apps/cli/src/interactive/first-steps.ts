import type { TranscriptView } from '@turnwire/client/transcript';
import { agentEntries } from '../agents/agent-entries.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { optionSettings, optionsOf } from './session-choices.ts';

/** The id of the built-in agent's offline model, which is not a language model. */
const offline = 'offline';
/** The maximum number of offered models, and of offered agents. */
const mostOfAKind = 3;

/** A command of the chat that is offered as a first step. */
export interface FirstStep {
  readonly command: string;
  readonly label: string;
}

/** The first steps of a user without a model: select a detected model or another installed agent, or log in. Empty if the session has a model. */
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
      ? [
          {
            command: '/agent',
            label: `another agent: npx downloads ${others.slice(0, mostOfAKind).join(', ')} and more`,
          },
        ]
      : []),
    {
      command: '/login',
      label: `a model with a key${models.length > 0 ? '' : `. ${cleanLine(option.description ?? '')}`}`,
    },
  ];
}

const demo = 'No model is set up. A built-in demo follows instructions such as "list files", with real tools.';

/** The steps for a chat that draws. The user selects one by its number and Enter, because a digit alone may start a prompt. */
export function firstStepLines(steps: readonly FirstStep[]): readonly string[] {
  if (steps.length === 0) return [];
  return [
    demo,
    'To use something else, type its number and press Enter:',
    ...steps.map(({ label }, index) => `  ${index + 1}  ${label}`),
  ];
}

/** The steps for a plain chat. The user selects one by its command. */
export function typedStepLines(steps: readonly FirstStep[]): readonly string[] {
  if (steps.length === 0) return [];
  return [demo, 'To use something else, type:', ...steps.map(({ command, label }) => `  ${command}: ${label}`)];
}
