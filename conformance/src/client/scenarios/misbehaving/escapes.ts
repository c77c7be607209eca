import type { ClientScenario } from '../../client-scenario.ts';
import { faultOf } from '../endings.ts';

const title = '\u001b]0;taken over\u0007';
const clear = '\u001b[2J\u001b[1;1H';
const c1 = '\u009b31m';
const link = '\u001b]8;;http://127.0.0.1/\u001b\\';
const bad = `${title}${clear}${c1}${link}\u0008\u007f`;

/** Text that would do something to a terminal. */
export const escapes: readonly ClientScenario[] = [
  {
    id: 'misbehaving/escape-sequences',
    title: 'an agent whose texts hold control sequences does nothing to the terminal of its client',
    covers: ['R328'],
    run: async (stage) => {
      stage.play((agent) =>
        agent.handle('initialize', () => ({
          ...agent.introduction(),
          agentInfo: { name: `agent${bad}`, title: `Agent${bad}`, version: `1${bad}` },
        })),
      );
      const { end, agent } = await stage.turn(({ agent, sessionId }) => {
        agent.say(sessionId, `words${bad}\n`);
        for (const update of updates) agent.update(sessionId, update);
      });
      const printed = `${end.stdout}${end.stderr}`;
      const found = [title, clear, c1, link].find((sequence) => printed.includes(sequence));
      const fault =
        faultOf(end) ?? (found && `the control sequence ${JSON.stringify(found)} of the agent was printed as it came`);
      stage.see.check('R328', fault === undefined, { otherwise: fault ?? '', evidence: agent.journal.slice(-6) });
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
