import { defineAgent, sessionStore } from '@agentwire/agent';
import type { AgentDefinition, SessionSetup } from '@agentwire/agent';
import { invalidParams } from '@agentwire/protocol';
import type { CoderOptions } from './coder-options.ts';
import { restoreConversation } from './restore-conversation.ts';
import type { SessionMemory } from './session-memory.ts';
import { ToolError } from './tools/tool-error.ts';
import { Workspace } from './workspace/workspace.ts';

/** The coding agent, for whoever serves it. Models and tools are loaded with the first prompt, not before. */
export function coderAgent(options: CoderOptions = {}): AgentDefinition<SessionMemory> {
  return defineAgent<SessionMemory>({
    info: { name: 'agentwire-coder', title: 'Agentwire Coder', version: '0.1.0' },
    promptCapabilities: { embeddedContext: true },
    additionalDirectories: true,
    ...(options.sessions && { store: sessionStore(options.sessions) }),
    openSession: async (setup) => ({
      workspace: await openWorkspace(setup),
      conversation: restoreConversation(setup.restored?.kept ?? []),
    }),
    prompt: async (turn) => {
      const { answerPrompt } = await import('./loop/answer-prompt.ts');
      return answerPrompt(turn, options);
    },
  });
}

async function openWorkspace({ cwd, additionalDirectories }: SessionSetup): Promise<Workspace> {
  try {
    return await Workspace.open(cwd, additionalDirectories);
  } catch (error) {
    if (error instanceof ToolError) throw invalidParams(`The session cannot begin: ${error.message}`);
    throw error;
  }
}
