import { type HostCall, launchAgent } from '@agentwire/client';
import { openConversation } from '@agentwire/client/conversation';
import { type Host, type HostElicitation, localFiles, localTerminals } from '@agentwire/client/host';
import { type Action, type Asker, createPermissions, type Permissions } from '@agentwire/client/permissions';
import { join } from 'node:path';
import { agentCommand } from '../agent-command.ts';
import { clientInfo, driving } from '../driving.ts';
import type { GlobalOptions } from '../options.ts';
import { configFolder } from '../places.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import type { Terminal } from '../terminal/lines.ts';
import type { Paint } from '../terminal/paint.ts';
import { version } from '../version.ts';
import { askPermission, elicitation } from './ask-person.ts';
import type { CommandActions } from './chat-actions.ts';
import { InteractiveChat, type InteractiveChatOptions } from './interactive-chat.ts';
import { PlainChat } from './plain/plain-chat.ts';
import { askPermissionPlainly, plainElicitation } from './plain/plain-questions.ts';

/** Opens a chat that draws on the screen. */
export function openChat(options: GlobalOptions, terminal: Terminal): InteractiveChat {
  const chat: InteractiveChat = new InteractiveChat(
    chatOptions(options, terminal, {
      chat: () => chat,
      ask: (question) => askPermission(chat, question),
      elicitation: elicitation(() => chat),
    }),
  );
  return chat;
}

/** Opens a chat in lines that are printed once. */
export function openPlainChat(options: GlobalOptions, terminal: Terminal): PlainChat {
  const chat: PlainChat = new PlainChat(
    chatOptions(options, terminal, {
      chat: () => chat,
      ask: (question) => askPermissionPlainly(chat, question),
      elicitation: plainElicitation(() => chat),
    }),
  );
  return chat;
}

/** Where the person is asked. */
interface Person {
  readonly chat: () => CommandActions;
  readonly ask: Asker;
  readonly elicitation: HostElicitation;
}

/** The agent, what it may use of this machine, and who decides about it. */
function chatOptions(options: GlobalOptions, terminal: Terminal, person: Person): InteractiveChatOptions {
  const { cwd } = options;
  const permissions = permissionsFor(options, person);
  const terminals = options.terminal ? localTerminals() : undefined;
  const files = options.fs ? localFiles() : undefined;
  const host: Host = { files, terminals, elicitation: person.elicitation };
  return {
    terminal,
    cwd,
    agentName: options.agent === undefined ? options.agentName : cleanLine(options.agent),
    turnLimit: options.timeout,
    banner: (paint) => banner(cwd, paint),
    open: (sessionId) =>
      openConversation({
        start: (signal) => start(options, { permissions, host, signal }),
        cwd,
        sessionId,
        permissions,
        terminals,
      }),
  };
}

interface Using {
  readonly permissions: Permissions;
  readonly host: Host;
  readonly signal: AbortSignal;
}

async function start(options: GlobalOptions, { permissions, host, signal }: Using): ReturnType<typeof launchAgent> {
  const { words, env, inheritEnv } = await agentCommand(options);
  return launchAgent(words, {
    cwd: options.cwd,
    env,
    inheritEnv,
    clientInfo: clientInfo(),
    permission: permissions.policy,
    host,
    hostGate: (call) => permissions.allowHostCall(actionOf(call), call.signal),
    signal,
    ...driving,
  });
}

function permissionsFor({ cwd, permission, permissionMode }: GlobalOptions, { chat, ask }: Person): Permissions {
  const isFree = permission.base === 'approve-all';
  return createPermissions({
    project: cwd,
    mode: isFree ? 'bypassPermissions' : permissionMode,
    otherwise: permission.base === 'deny-all' ? 'deny' : undefined,
    rules: permission.base === 'approve-reads' ? reading : [],
    files: { project: join(cwd, '.agentwire', 'permissions.json'), user: join(configFolder(), 'permissions.json') },
    ask,
    onTrouble: (message) => chat().say([cleanLine(message)]),
  });
}

const reading = ['Read', 'Search'].map((text) => ({ effect: 'allow' as const, text }));

/** What a service of ours is about to do for the agent. */
function actionOf({ sessionId, roots, ...call }: HostCall): Action {
  const action = { sessionId, roots, source: 'host' as const };
  if (call.method === 'terminal/create') {
    const { command, args = [] } = call.params;
    return {
      ...action,
      kind: 'execute',
      command: args.length === 0 ? command : [command, ...args].map(quoted).join(' '),
      paths: [],
    };
  }
  return { ...action, kind: call.method === 'fs/read_text_file' ? 'read' : 'edit', paths: [call.params.path] };
}

/** A word as a shell reads it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function banner(cwd: string, paint: Paint): string[] {
  return [`${paint('bold', `agentwire ${version()}`)} in ${cwd}`];
}
