import type { HostElicitation, Session } from '@turnwire/client';
import { type Conversation, openConversation } from '@turnwire/client/conversation';
import { permissionsOptionsFor } from '@turnwire/client/known-agents';
import { type Asker, createPermissions, type Permissions, type PermissionsOptions } from '@turnwire/permissions';
import { explain } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import { neverAsksWarning } from '@turnwire/gateway';
import { requireEnforceablePolicy } from '../permission/require-enforceable-policy.ts';
import { keepDecisions } from '../permission/keep-decisions.ts';
import { judgement, rulesFiles } from '../permission/judgement.ts';
import { agentKey, type SessionRecord } from '../store/session-record.ts';
import { SessionStore } from '../store/session-store.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { runTerminalLogin } from '../driving/terminal-login.ts';
import type { Terminal } from '../terminal/lines.ts';
import type { Paint } from '../terminal/paint.ts';
import { version } from '../version.ts';
import { askPermission, elicitation } from './ask-user.ts';
import type { CommandActions } from './chat-actions.ts';
import { type ChatAgent, chatAgent, conversationOptions } from './chat-agent.ts';
import type { ChatOptions } from './chat-options.ts';
import { InteractiveChat } from './interactive-chat.ts';
import { PlainChat } from './plain/plain-chat.ts';
import { askPermissionPlainly } from './plain/plain-questions.ts';
import { plainElicitation } from '../questions/plain-elicitation.ts';

/** Opens a chat that draws on the screen. Rejects with CommandError if a file that the options name cannot be read. */
export async function openChat(options: GlobalOptions, terminal: Terminal): Promise<InteractiveChat> {
  const agent = await chatAgent(options, (message) => chat.note(message));
  const chat: InteractiveChat = new InteractiveChat(
    chatOptions(
      { options, terminal, agent },
      {
        chat: () => chat,
        suspendUi: (work) => chat.suspendUi(work),
        ask: (question) => askPermission(chat, question),
        elicitation: elicitation(() => chat),
      },
    ),
  );
  return chat;
}

/** Opens a chat that prints each line once. Rejects as {@link openChat} does. */
export async function openPlainChat(options: GlobalOptions, terminal: Terminal): Promise<PlainChat> {
  const agent = await chatAgent(options, (message) => chat.note(message));
  const chat: PlainChat = new PlainChat(
    chatOptions(
      { options, terminal, agent },
      {
        chat: () => chat,
        suspendUi: (work) => chat.suspendUi(work),
        ask: (question) => askPermissionPlainly(chat, question),
        elicitation: plainElicitation(() => chat),
      },
    ),
  );
  return chat;
}

interface Opening {
  readonly options: GlobalOptions;
  readonly terminal: Terminal;
  readonly agent: ChatAgent;
}

/** The dialogs for questions to the user. */
interface User {
  readonly chat: () => CommandActions;
  /** Suspends the UI for other work. */
  readonly suspendUi: (work: (signal: AbortSignal) => Promise<boolean>) => Promise<boolean>;
  readonly ask: Asker;
  readonly elicitation: HostElicitation;
}

function chatOptions({ options, terminal, agent }: Opening, user: User): ChatOptions {
  const { cwd } = options;
  const say = (message: string): void => user.chat().say([cleanLine(message)]);
  const { differences } = agent.command;
  // Current problems of the files go into the banner: the chat does not exist yet.
  let onWarning: (message: string) => void = () => undefined;
  const permissions = permissionsFor(options, {
    ask: user.ask,
    onWarning: (message) => onWarning(message),
    ...permissionsOptionsFor(differences),
  });
  requireEnforceablePolicy(differences, options.permission, cwd);
  onWarning = say;
  let hasLoggedIn = false;
  const opened = conversationOptions(options, agent, {
    permissions,
    elicitation: user.elicitation,
    remark: say,
    terminalLogin: async (method) => {
      const { command } = agent;
      hasLoggedIn = await user.suspendUi((signal) => runTerminalLogin(method, { command, cwd, signal }));
      return hasLoggedIn;
    },
    stop: (message) => {
      say(`(${message})`);
      void user.chat().conversation.cancel();
    },
  });
  return {
    terminal,
    cwd,
    agentName: options.agent === undefined ? options.agentName : cleanLine(options.agent),
    turnLimit: options.timeout,
    permissions,
    differences,
    keptSessions: () => keptSessions(agent, cwd),
    banner: (paint) => [...banner(cwd, paint), ...warnings(agent, permissions).map((line) => paint('yellow', line))],
    open: (sessionId) => {
      const conversation = openConversation({ ...opened, sessionId });
      // A login named by --auth runs while the session is created, and the agent notices it only after a restart.
      conversation.opened.catch(() => (hasLoggedIn ? user.chat().restart() : undefined));
      if (options.model !== undefined) void chooseModel(conversation, options.model, say);
      return conversation;
    },
    close: async () => void (await agent.trace?.close()),
  };
}

function warnings({ command }: ChatAgent, permissions: Permissions): string[] {
  const unasked = neverAsksWarning(command.differences, permissions);
  return [...(unasked === undefined ? [] : [unasked]), ...permissions.warnings.map(cleanLine)];
}

/** Records that cannot be read are reported by the `sessions` commands. */
async function keptSessions({ command }: ChatAgent, cwd: string): Promise<readonly SessionRecord[]> {
  const { records } = await new SessionStore().list();
  return records.filter(
    (record) =>
      record.cwd === cwd && record.closedAt === undefined && agentKey(record.agent) === agentKey(command.choice),
  );
}

function permissionsFor(
  { cwd, permission, verbose }: GlobalOptions,
  others: Pick<PermissionsOptions, 'ask' | 'onWarning' | 'commandInTitleOf' | 'asksNobody'>,
): Permissions {
  const files = rulesFiles(cwd);
  const permissions = createPermissions({ project: cwd, ...judgement(permission, []), files, ...others });
  keepDecisions(permissions, verbose ? others.onWarning : undefined);
  return permissions;
}

/** Sets the model of the command line. If that fails, a message says so, and the chat continues. */
async function chooseModel(conversation: Conversation, model: string, say: (message: string) => void): Promise<void> {
  const session = await firstSession(conversation);
  if (!session) return;
  const option = session.configOptions?.list.find((each) => each.category === 'model' || each.id === 'model');
  if (!option) return say(`the agent offers no choice of models, so --model ${model} cannot be used with it`);
  await conversation
    .setConfigOption(option.id, model)
    .catch((error: unknown) => say(explain(error, conversation.agent)));
}

/** The session once it exists, which may be after a login; undefined if the chat ends before. */
async function firstSession(conversation: Conversation): Promise<Session | undefined> {
  await conversation.opened.catch(() => undefined);
  if (conversation.session) return conversation.session;
  return new Promise((resolve) => {
    const unhear = conversation.onChange(() => {
      const { session, state } = conversation;
      if (!session && state.name !== 'closed') return;
      unhear();
      resolve(session);
    });
  });
}

function banner(cwd: string, paint: Paint): string[] {
  return [`${paint('bold', `turnwire ${version()}`)} in ${cwd}`];
}
