import type { SessionMode } from '@turnwire/protocol';

/** How much the agent may do without asking. */
export type ModeId = 'ask' | 'code' | 'architect';

/** The modes of the agent. The first is the default. */
export const modes: readonly (SessionMode & { readonly id: ModeId })[] = [
  {
    id: 'ask',
    name: 'Ask',
    description: 'Asks before each change, each command and any access outside the workspace',
  },
  { id: 'code', name: 'Code', description: 'Uses every tool without asking; rules that ask or deny still apply' },
  {
    id: 'architect',
    name: 'Architect',
    description: 'Reads and plans: changes nothing and runs no command until you agree to the plan',
  },
];

/** The mode of a session: the most careful one if its mode is unknown. */
export function modeOf({ modeId }: { readonly modeId: string | undefined }): ModeId {
  return modes.find(({ id }) => id === modeId)?.id ?? 'architect';
}

/** The description of each mode in the system prompt. */
export const modeInstructions: Readonly<Record<ModeId, string>> = {
  ask: 'The session is in mode ask: the user is asked before each change and each command. Say in a few words what each one is for before you call its tool.',
  code: 'The session is in mode code: changes and commands run without a question. Take care: no one looks at them before they happen.',
  architect:
    'The session is in mode architect: change nothing and run no command, these tools are refused. Read, think, and work out a plan. When it is complete, call switch-mode with it: the user then decides whether and how you carry it out.',
};
