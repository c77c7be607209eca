import { Stopped } from '../../../wire/stopped.ts';
import type { PlayedAgent } from '../../agent/played-agent.ts';
import type { ClientScenario } from '../../client-scenario.ts';
import type { ClientStage, PlayedTurn } from '../../client-stage.ts';
import { survives } from '../endings.ts';

const title = '\u001b]0;taken over\u0007';
const clear = '\u001b[2J\u001b[1;1H';
const c1 = '\u009b31m';
const link = '\u001b]8;;http://127.0.0.1/\u001b\\';
const bad = `${title}${clear}${c1}${link}\u0008\u007f`;

/** How long a client may take to draw an update, in milliseconds. */
const drawn = 500;

/** Text that would do something to a terminal. */
export const escapes: readonly ClientScenario[] = [
  {
    id: 'misbehaving/escape-sequences',
    title: 'an agent whose texts hold control sequences does nothing to the terminal of its client',
    covers: ['R339', 'R336'],
    run: async (stage) => {
      stage.play(introduce);
      const done = await stage.turn(say, { hasWarnedBefore: true });
      const printed = `${done.end.stdout}${done.end.stderr}`;
      judge(stage, { agent: done.agent, printed, sequences: [title, clear, c1, link] });
      survives(stage, done);
    },
  },
  {
    id: 'misbehaving/escape-sequences-at-terminal',
    title: 'an agent whose texts hold control sequences does not get at the terminal a user sits at',
    covers: ['R339'],
    run: async (stage) => {
      stage.play(introduce);
      stage.play((agent) =>
        agent.handle('session/prompt', ({ sessionId }) => {
          say({ agent, sessionId: String(sessionId) });
          return { stopReason: 'end_turn' };
        }),
      );
      const run = await stage.start('leave open');
      const agent = await stage.launched();
      if ((await agent.call('session/prompt')) === undefined) throw new Stopped('the client sent no prompt');
      await agent.quiet(drawn);
      // A terminal client clears and paints by itself: only sequences that no other source sends count.
      judge(stage, { agent, printed: `${run.stdout()}${run.stderr()}`, sequences: [title, link] });
    },
  },
];

const updates: readonly unknown[] = [
  { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: `thought${bad}` } },
  {
    sessionUpdate: 'tool_call',
    toolCallId: `tool${bad}`,
    title: `title${bad}`,
    name: `name${bad}`,
    kind: 'execute',
    status: 'in_progress',
    locations: [{ path: `/tmp/file${bad}` }],
    rawInput: { command: `echo ${bad}` },
    content: [
      { type: 'content', content: { type: 'text', text: `content${bad}` } },
      { type: 'diff', path: `/tmp/diff${bad}`, oldText: null, newText: `new${bad}` },
    ],
  },
  { sessionUpdate: 'plan', entries: [{ content: `plan${bad}`, priority: 'high', status: 'pending' }] },
  { sessionUpdate: 'session_info_update', title: `session${bad}` },
  {
    sessionUpdate: 'available_commands_update',
    availableCommands: [{ name: `command${bad}`, description: `what it does${bad}` }],
  },
];

function introduce(agent: PlayedAgent): void {
  agent.handle('initialize', () => ({
    ...agent.introduction(),
    agentInfo: { name: `agent${bad}`, title: `Agent${bad}`, version: `1${bad}` },
  }));
}

function say({ agent, sessionId }: Pick<PlayedTurn, 'agent' | 'sessionId'>): void {
  agent.say(sessionId, `words${bad}\n`);
  for (const update of updates) agent.update(sessionId, update);
}

interface Printed {
  readonly agent: PlayedAgent;
  readonly printed: string;
  readonly sequences: readonly string[];
}

function judge({ see }: ClientStage, { agent, printed, sequences }: Printed): void {
  const found = sequences.find((sequence) => printed.includes(sequence));
  const fault =
    found !== undefined && `the control sequence ${JSON.stringify(found)} of the agent was printed as it came`;
  see.check('R339', fault, agent.journal.slice(-6));
}
