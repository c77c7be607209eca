import { quoted } from '../../wire/messages.ts';
import { Stopped } from '../../wire/stopped.ts';
import type { SimulatedAgent } from '../agent/simulated-agent.ts';
import type { ClientScript, ClientScripts, ClientContext } from '../client-context.ts';
import type { SimulatedTurn } from '../simulated-turn.ts';
import { permission } from './cancel.ts';
import { continuesNormally, survives, textAfter, textBefore } from './endings.ts';

const title = '\u001b]0;taken over\u0007';
const clear = '\u001b[2J\u001b[1;1H';
const c1 = '\u009b31m';
const link = '\u001b]8;;http://127.0.0.1/\u001b\\';
const bad = `${title}${clear}${c1}${link}\u0008\u007f`;
const letters = '🌍é';

/** How long a client may take to draw an update, in milliseconds. */
const drawn = 500;

/** Misbehaving agents, as far as it takes more than a sequence. */
export const misbehavingScenarios: ClientScripts = {
  'misbehaving/session-id-odd': async (context) => {
    context.play((agent) => {
      // Over HTTP an id must be a valid header value.
      const odd = agent.launch.connection?.profile === 'http' ? '' : 'ü\n';
      agent.handle('session/new', () => ({ sessionId: `../../${odd} "${'x'.repeat(2_000)}" $(id)` }));
    });
    continuesNormally(context, await context.perform('prompt'));
  },
  'misbehaving/carriage-returns': async (context) => {
    context.play((agent) => {
      const answer = (id: unknown, result: unknown): void =>
        void agent.sendText(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\r`);
      agent.handle('initialize', (_params, { id }) => answer(id, agent.introduction()));
      agent.handle('session/new', (_params, { id }) => answer(id, { sessionId: 'session-1' }));
    });
    continuesNormally(context, await context.perform('prompt'));
  },
  'misbehaving/split-letters': async (context) => {
    const done = await context.turn(async (turn) => {
      turn.say(`whole ${letters}`);
      const content = { type: 'text', text: `in pieces ${letters}` };
      const update = { sessionUpdate: 'agent_message_chunk', messageId: 'pieces', content };
      const params = { sessionId: turn.sessionId, update };
      const line = JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params });
      // Pieces of three bytes, which cut letters of two and four bytes.
      await turn.agent.sendInPieces([line], (bytes) =>
        Array.from({ length: Math.ceil(bytes.length / 3) }, (_, nth) => bytes.subarray(nth * 3, nth * 3 + 3)),
      );
    });
    const { how, stdout } = done.end;
    // An interrupted client may not have shown the text yet.
    const isLost =
      how === 'by itself' && stdout.includes(`whole ${letters}`) && !stdout.includes(`in pieces ${letters}`);
    const fault = 'characters that arrived in two pieces were not shown';
    if (isLost) context.see.broken('R001', fault, done.agent.journal.slice(-2));
    else if (continuesNormally(context, done)) context.see.held('R001');
  },
  'misbehaving/line-deep': within(({ agent, sessionId }) => {
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    const update = `{"sessionUpdate":"tool_call","toolCallId":"deep","title":"Deep","rawInput":${deep}}`;
    const params = `{"sessionId":${quoted(sessionId)},"update":${update}}`;
    agent.sendText(`{"jsonrpc":"2.0","method":"session/update","params":${params}}`);
  }),
  'misbehaving/line-flood': within(({ agent, sessionId }) => {
    const update = { sessionUpdate: 'agent_thought_chunk', messageId: 'flood', content: { type: 'text', text: 'so ' } };
    const text = `${JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } })}\n`;
    for (let sent = 0; sent < 100; sent++) agent.sendRaw(Buffer.from(text.repeat(1_000)));
  }),
  'misbehaving/permission-storm': async (context) => {
    const done = await context.turn(
      async (turn) => {
        const { agent } = turn;
        turn.say(textBefore);
        if (context.isTyped('deny')) throw new Stopped('a user would have to type 200 answers');
        const ids = Array.from({ length: 200 }, (_, nth) => `storm-${String(nth)}`);
        await Promise.all(ids.map((id) => agent.askOwed('session/request_permission', permission(turn, id))));
        turn.say(textAfter);
      },
      // A client that refuses permission without asking must answer at once.
      { action: 'deny' },
    );
    survives(context, done, 'R019');
  },
  'misbehaving/escape-sequences': async (context) => {
    context.play(introduce);
    const done = await context.turn(say, { mayFailEarly: true });
    const printed = `${done.end.stdout}${done.end.stderr}`;
    const found = [title, clear, c1, link].find((sequence) => printed.includes(sequence));
    seeNone(context, done.agent, found);
    survives(context, done);
  },
  'misbehaving/escape-sequences-at-terminal': async (context) => {
    context.play(introduce);
    context.onPrompt(say);
    const { run, agent } = await context.begin('leave open');
    await agent.quiet(drawn);
    const printed = `${run.stdout()}${run.stderr()}`;
    // A terminal client clears and paints the screen itself, so only sequences that it never sends count.
    const found = [title, link].find((sequence) => printed.includes(sequence));
    seeNone(context, agent, found);
  },
};

/** A scenario that misbehaves in the middle of a turn, between two ordinary messages. */
function within(misbehave: (turn: SimulatedTurn) => void): ClientScript {
  return async (context) => {
    const done = await context.turn((turn) => {
      turn.say(textBefore);
      misbehave(turn);
      turn.say(textAfter);
    });
    survives(context, done);
  };
}

function introduce(agent: SimulatedAgent): void {
  const info = { name: `agent${bad}`, title: `Agent${bad}`, version: `1${bad}` };
  const name = agent.version === 1 ? 'agentInfo' : 'info';
  agent.handle('initialize', () => ({ ...agent.introduction(), [name]: info }));
}

/** Sends control sequences in every field in which an agent can put text. */
function say(turn: SimulatedTurn): void {
  turn.say(`words${bad}\n`);
  turn.toolCall({
    ...{ toolCallId: `tool${bad}`, title: `title${bad}`, name: `name${bad}`, kind: 'execute', status: 'in_progress' },
    locations: [{ path: `/tmp/file${bad}` }],
    rawInput: { command: `echo ${bad}` },
    content: [
      { type: 'content', content: { type: 'text', text: `content${bad}` } },
      { type: 'diff', path: `/tmp/diff${bad}`, oldText: null, newText: `new${bad}` },
    ],
  });
  turn.update(
    { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: `thought${bad}` } },
    { sessionUpdate: 'plan', entries: [{ content: `plan${bad}`, priority: 'high', status: 'pending' }] },
    { sessionUpdate: 'session_info_update', title: `session${bad}` },
    {
      sessionUpdate: 'available_commands_update',
      availableCommands: [{ name: `command${bad}`, description: `what it does${bad}` }],
    },
  );
}

function seeNone({ see }: ClientContext, { journal }: SimulatedAgent, found: string | undefined): void {
  const fault = found && `the control sequence ${quoted(found)} of the agent was printed unchanged`;
  see.check('R339', fault, journal.slice(-6));
}
