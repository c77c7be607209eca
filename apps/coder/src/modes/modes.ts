import type { SessionMode } from '@turnwire/protocol';

/** How much the agent may do by itself. */
export type ModeId = 'ask' | 'code' | 'architect';

/** The modes of the agent. It begins in the first. */
export const modes: readonly (SessionMode & { readonly id: ModeId })[] = [
  {
    id: 'ask',
    name: 'Ask',
    description: 'Asks before each change, each command and whatever reaches out of the workspace',
  },
  { id: 'code', name: 'Code', description: 'Uses every tool without asking; rules that ask or deny still hold' },
  {
    id: 'architect',
    name: 'Architect',
    description: 'Looks and plans: changes nothing and runs no command until you agree to the plan',
  },
];

/** The mode a session is in: the most careful one if it is in none that is known. */
export function modeOf({ modeId }: { readonly modeId: string | undefined }): ModeId {
  return modes.find(({ id }) => id === modeId)?.id ?? 'architect';
}

/** What the model is told of the mode a session is in: a paragraph for its system prompt. */
export function modeInstruction(mode: ModeId): string {
  return instructions[mode];
}

const instructions: Readonly<Record<ModeId, string>> = {
  ask: 'The session is in mode ask: the user is asked before each change and each command. Say in a few words what each one is for before you call its tool.',
  code: 'The session is in mode code: changes and commands run without a question. Take care: nobody looks before they happen.',
  architect:
    'The session is in mode architect: change nothing and run no command, these tools are refused. Look, think, and work out a plan. When it is whole, call switch-mode with it: the user then decides whether and how you carry it out.',
};
