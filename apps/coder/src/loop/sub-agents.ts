import type { ToolReport } from '@turnwire/agent';
import type { StopReason } from '@turnwire/protocol';
import { z } from 'zod';
import { ContextBudget } from '../compaction/context-budget.ts';
import { Conversation } from '../conversation/conversation.ts';
import type { HiredTask } from '../hired/hire-agent.ts';
import type { HireableAgent } from '../config/hireable-agents.ts';
import type { CoderTurn } from '../session/session-memory.ts';
import { ToolError } from '../tool-error.ts';
import { defineTool } from '../tools/tool.ts';
import type { Tool, ToolResult } from '../tools/tool.ts';
import type { Loop } from './loop.ts';
import { RepetitionGuard } from './repetition-guard.ts';
import { SubAgentTurn } from './sub-agent-turn.ts';
import { TurnDefects } from './turn-defects.ts';
import { TurnLimits } from './turn-limits.ts';

/** Model calls of a sub-agent at most. All it uses also counts for the limits of the turn. */
const mostSteps = 50;
/** The longest report, in characters: it is added to the conversation that sub-agents are meant to keep short. */
const longestReport = 16 * 1024;

const fields = () =>
  ({
    title: z.string().trim().min(1).max(100).describe('A few words for the user'),
    task: z
      .string()
      .trim()
      .min(1)
      .max(20_000)
      .describe('The whole task, all that must be known for it, and what to report'),
  }) as const;

const input = () => z.strictObject(fields());

/** With the names of the agents that can be hired. */
const hiringInput = (names: readonly string[]) => () =>
  z.strictObject({
    ...fields(),
    agent: z.enum(names).optional().describe('Another agent for the task. Default: a sub-agent with your tools'),
  });

const looking: ReadonlySet<string> = new Set(['read', 'list', 'search']);
/** Tools for the dialogue with the user, which sub-agents do not have. */
const reserved: ReadonlySet<string> = new Set(['ask', 'plan', 'switch-mode']);

/**
 * The tools that delegate tasks to sub-agents. Each sub-agent has a separate conversation and returns only a report.
 */
export function subAgentTools(turn: CoderTurn, loop: Loop, { run, hireable }: SubAgentParts): readonly Tool[] {
  const tool = (
    kind: Pick<Tool, 'name' | 'description' | 'effect'>,
    allows: (name: string) => boolean,
    agents: readonly HireableAgent[] = [],
  ): Tool =>
    defineTool<Input>({
      ...kind,
      kind: 'other',
      input: agents.length === 0 ? input : hiringInput(agents.map(({ name }) => name)),
      prepare: async ({ title, task, agent }) => ({
        title: agent === undefined ? title : `${title} (${agent})`,
        facts: {},
        run: (report) =>
          agent === undefined
            ? work(turn, { ...loop, ...fresh(loop), allows }, { kind: kind.name, title, task, report, run })
            : hire(turn, loop, { name: agent, title, task, report }),
      }),
    });
  return [
    tool(
      {
        name: 'explore',
        description:
          'Have a sub-agent find something out with read, list and search, and report: for broad questions that would take many calls. It knows nothing of this conversation. Several at once work in parallel.',
        effect: 'looks',
      },
      (name) => looking.has(name),
    ),
    tool(
      {
        name: 'delegate',
        description: `Have a sub-agent do a task that needs changes or commands, and report. It knows nothing of this conversation, has your tools and permissions, and finishes before you continue.${hiringAdvice(hireable)}`,
        // Each call of the sub-agent needs its own permission.
        effect: 'talks',
      },
      (name) => !reserved.has(name),
      hireable,
    ),
  ];
}

/** Other agents, by name; titles that add something. */
function hiringAdvice(hireable: readonly HireableAgent[]): string {
  if (hireable.length === 0) return '';
  const names = hireable.map(({ name, title }) => (title === undefined ? name : `${name} (${title})`)).join(', ');
  return ` Name another agent only if the user wants that or it suits the task better: ${names}.`;
}

function fresh({ limits, system }: Loop): Omit<Loop, 'chosen' | 'allows'> {
  const own = { steps: mostSteps, tokens: Infinity, cost: Infinity, minutes: Infinity };
  return {
    system: () => `${system()}\n\n${role}`,
    limits: new TurnLimits(own, limits),
    warnings: new TurnDefects(),
    repetition: new RepetitionGuard(),
    budget: new ContextBudget(),
  };
}

const role =
  'You are a sub-agent: the prompt is a task of another agent, which sees nothing but your last message. Do the task with your tools, ask nothing, and end with a report: what you found or did, with paths and lines, and what is left or uncertain.';

/** The inputs of the tools. */
export interface SubAgentParts {
  /** The loop. */
  readonly run: Task['run'];
  /** The other agents that can do a task. */
  readonly hireable: readonly HireableAgent[];
}

interface Input {
  readonly title: string;
  readonly task: string;
  readonly agent?: string | undefined;
}

interface Task {
  /** The kind of sub-agent. */
  readonly kind: string;
  readonly title: string;
  readonly task: string;
  readonly report: ToolReport;
  readonly run: (turn: CoderTurn, loop: Loop) => Promise<StopReason>;
}

async function work(turn: CoderTurn, loop: Loop, { kind, title, task, report, run }: Task): Promise<ToolResult> {
  const conversation = new Conversation();
  await conversation.add({ role: 'user', content: [{ type: 'text', text: task }] }, () => Promise.resolve());
  let own = new SubAgentTurn(turn, { conversation, kind, parent: report.state.toolCallId });
  const inSession = turn.delegate?.({ title, message: task, kind }, (child) => {
    own = new SubAgentTurn(child, { conversation, kind });
    return run(own.turn, loop);
  });
  const reason = inSession ? (await inSession).stopReason : await run(own.turn, loop);
  turn.signal.throwIfAborted();
  return reported(own.lastText, reason);
}

async function hire(
  turn: CoderTurn,
  { limits }: Loop,
  task: Omit<HiredTask, 'agents' | 'limits'>,
): Promise<ToolResult> {
  const { hireable: agents } = turn.session.memory;
  if (!agents) throw new ToolError('There is no other agent.');
  // Its changes are undone with the turn, and it may make them without a call of ours.
  await turn.session.memory.turnFiles.record();
  // Imported on demand: few turns hire another agent.
  const { hireAgent } = await import('../hired/hire-agent.ts');
  const { text, reason } = await hireAgent(turn, { ...task, agents, limits });
  turn.signal.throwIfAborted();
  return reported(text, reason);
}

function reported(whole: string, reason: StopReason): ToolResult {
  const text = whole.slice(0, longestReport);
  if (text === '') throw new ToolError(`The sub-agent ended without a report (${reason}).`);
  return { text: reason === 'end_turn' ? text : `[It was stopped before it was done: ${reason}.]\n${text}` };
}
