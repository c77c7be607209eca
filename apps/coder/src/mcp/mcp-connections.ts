import type { Turn, UserAnswer, UserQuestion } from '@turnwire/agent';
import type { ClientCapabilities, PermissionOption } from '@turnwire/protocol';
import { type Consent, KeptConsents, type ProjectProposal } from '@turnwire/machine';
import { Deadline, untilAborted } from '@turnwire/machine/waits';
import type { Tool } from '../tools/tool.ts';
import type { ConfiguredServers } from './configured-servers.ts';
import type { KnownServer } from './known-server.ts';
import { defaultMcpLimits } from '../config/mcp-limits.ts';
import type { McpLimits } from '../config/mcp-limits.ts';
import { ServerLink } from './server-link.ts';
import { promptCommands } from './server-prompts.ts';
import type { PromptCommand } from './server-prompts.ts';
import { ServerTools } from './server-tools.ts';
import { describeProposal } from './known-server.ts';

/** The context a session provides for its servers. */
export interface McpContext {
  readonly cwd: string;
  /** All folders of the session. */
  readonly roots: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The client's capabilities: servers may ask the user what the client can ask. Default: none. */
  readonly client?: ClientCapabilities | undefined;
  readonly limits?: Partial<McpLimits> | undefined;
}

/**
 * The MCP servers of one session. They are connected in the background; their tools, prompts and resources are available once they are
 * connected. The library is loaded with the first server.
 */
export class McpConnections {
  readonly #limits: McpLimits;
  readonly #context: McpContext;
  readonly #consents: KeptConsents;
  readonly #listeners = new Set<() => void>();
  readonly #started = Date.now();
  /** The servers, connected or not, in order of precedence. */
  readonly links: readonly ServerLink[];
  #warnings: string[];
  readonly #slow = new Set<ServerLink>();
  #turn: Turn | undefined;
  readonly #tools: ServerTools;

  /** Starts to connect. Never throws: an unreachable server is a warning, not a failure. */
  constructor({ servers, warnings }: ConfiguredServers, context: McpContext) {
    this.#context = context;
    this.#warnings = [...warnings];
    this.#limits = { ...defaultMcpLimits, ...context.limits };
    this.#tools = new ServerTools({
      most: this.#limits.offeredTools,
      links: () => this.links,
      warn: (warning) => this.#warnings.push(warning),
    });
    this.#consents = new KeptConsents(context.env);
    this.links = servers.map((known) => this.#link(known));
    for (const link of this.links) this.#start(link);
  }

  /** The tools of all connected servers, with the server in their name: `server__tool`; and the tools for resources and tool search. */
  get tools(): readonly Tool[] {
    return this.#tools.list();
  }

  /** The prompts of connected servers. */
  get commands(): readonly PromptCommand[] {
    return promptCommands(this.links);
  }

  /** Calls back whenever tools, prompts or resources change. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /**
   * Begins a turn: asks about the servers of the project, waits a moment for those that still connect, and reports warnings. From then on,
   * questions of servers go to this turn.
   * @param mayConsent whether the sender of the prompt may allow servers of the project; otherwise no question is asked
   */
  async enter(turn: Turn, { mayConsent }: { readonly mayConsent: boolean }): Promise<void> {
    this.#turn = turn;
    const unasked = mayConsent ? this.links.filter(({ state }) => state.is === 'unasked') : [];
    for (const link of unasked) await this.#askAbout(link, turn);
    await this.#waitForSome(turn);
    // Listing the tools also adds the warnings about those that are left out.
    this.#tools.list();
    await this.showWarnings(turn);
  }

  /** Shows the user the new warnings. */
  async showWarnings(turn: Turn): Promise<void> {
    const warnings = this.#warnings;
    this.#warnings = [];
    for (const warning of warnings) {
      const [title = '', ...more] = warning.split('\n');
      const description = more.join('\n');
      await turn.notice({ severity: 'warning', title, ...(description !== '' && { description }) });
    }
  }

  /** Applies the user's decision about a server of the project and stores it. */
  async decide(link: ServerLink, decision: Consent): Promise<void> {
    if (decision === 'allowed') await link.connect();
    else await link.refuse();
    const { proposal } = link.known;
    if (proposal) await this.#consents.keep(proposal, decision);
  }

  /** Disconnects from every server and ends the processes. */
  async close(): Promise<void> {
    this.#listeners.clear();
    await Promise.all(this.links.map((link) => link.close()));
  }

  #link(known: KnownServer): ServerLink {
    const { cwd, roots, env, client } = this.#context;
    const { form, url } = client?.elicitation ?? {};
    return new ServerLink(known, {
      cwd,
      roots,
      env,
      limits: this.#limits,
      asks: { form: Boolean(form), url: Boolean(url) },
      ask: (question) => this.#ask(question),
      changed: () => this.#changed(),
      warn: (warning) => this.#warnings.push(warning),
    });
  }

  /** A server that needs the user's consent is connected only with it. */
  #start(link: ServerLink): void {
    const { proposal } = link.known;
    const decision = proposal ? this.#consents.find(proposal) : 'allowed';
    if (decision === 'refused') void link.refuse();
    if (decision === 'allowed') void link.connect();
  }

  async #askAbout(link: ServerLink, turn: Turn): Promise<void> {
    const { proposal } = link.known;
    if (!proposal || turn.signal.aborted) return;
    const answer = await askApproval(turn, proposal);
    if (answer === undefined) return;
    if (answer.decision === 'allowed') void link.connect();
    else await link.refuse();
    if (answer.isForever)
      await this.#consents.keep(proposal, answer.decision).catch((error: unknown) => {
        this.#warnings.push(`The decision about the MCP server ${link.name} could not be stored: ${String(error)}`);
      });
  }

  async #waitForSome(turn: Turn): Promise<void> {
    const waiting = this.links.filter((link) => link.state.is === 'connecting' && !this.#slow.has(link));
    if (waiting.length === 0) return;
    const { connectBudget, promptWait } = this.#limits;
    const names = waiting.map(({ name }) => name).join(', ');
    const timeout = Math.min(promptWait, Math.max(0, this.#started + connectBudget - Date.now()));
    using deadline = new Deadline(timeout, turn.signal);
    const waitingNotice = setTimeout(
      () => void turn.notice({ severity: 'info', title: `Waiting for MCP servers: ${names}` }),
      300,
    );
    await untilAborted(Promise.all(waiting.map((link) => link.connect())), deadline.signal);
    clearTimeout(waitingNotice);
    this.#giveTime(waiting.filter((link) => link.state.is === 'connecting'));
  }

  /** A slow server continues to connect in the background; no later prompt waits for it. */
  #giveTime(slow: readonly ServerLink[]): void {
    for (const link of slow) {
      this.#slow.add(link);
      this.#warnings.push(
        `The MCP server ${link.name} is not connected yet. It can be used once it is; /mcp shows its state.`,
      );
    }
  }

  /** Passes a question of a server to the user while a turn runs. */
  async #ask(question: UserQuestion): Promise<UserAnswer | undefined> {
    const turn = this.#turn;
    return turn === undefined || turn.signal.aborted ? undefined : turn.askUser(question);
  }

  #changed(): void {
    this.#tools.forget();
    for (const listener of this.#listeners) listener();
  }
}

/** The user's decision about a server of a project. */
interface ApprovalAnswer {
  readonly decision: Consent;
  /** Whether it is remembered beyond this session. */
  readonly isForever: boolean;
}

const options: readonly PermissionOption[] = [
  { optionId: 'allow_once', name: 'Connect in this session', kind: 'allow_once' },
  { optionId: 'allow_always', name: 'Always connect, as long as the entry is unchanged', kind: 'allow_always' },
  { optionId: 'reject_once', name: 'Not in this session', kind: 'reject_once' },
  { optionId: 'reject_always', name: 'Never, as long as the entry is unchanged', kind: 'reject_always' },
];

/** Asks whether a server of a project may be connected, showing its whole entry. Undefined without an answer: the next prompt asks again. */
async function askApproval(turn: Turn, proposal: ProjectProposal): Promise<ApprovalAnswer | undefined> {
  const text = `${proposal.file} wants the MCP server ${proposal.name}:\n\n${describeProposal(proposal)}\n\nIt runs with your rights, outside of the agent.`;
  const report = turn.tool({
    title: `Connect the MCP server ${proposal.name} of this project`,
    kind: 'execute',
    content: text,
  });
  const { outcome, option } = await turn.askPermission(report, options);
  if (outcome === 'cancelled') {
    await report.fail('Not decided.');
    return undefined;
  }
  if (outcome === 'allowed') await report.complete();
  else await report.fail(`Refused. To allow it: /mcp allow ${proposal.name}.`);
  const isForever = option?.kind === 'allow_always' || option?.kind === 'reject_always';
  return { decision: outcome === 'allowed' ? 'allowed' : 'refused', isForever };
}
