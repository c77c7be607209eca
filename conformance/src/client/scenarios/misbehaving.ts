import { quoted } from '../../wire/messages.ts';
import { Stopped } from '../../wire/stopped.ts';
import type { PlayedAgent } from '../agent/played-agent.ts';
import type { ClientScript, ClientScripts, ClientStage } from '../client-stage.ts';
import type { PlayedTurn } from '../played-turn.ts';
import { permission } from './cancel.ts';
import { continuesNormally, survives, wordsAfter, wordsBefore } from './endings.ts';

const title = '\u001b]0;taken over\u0007';
const clear = '\u001b[2J\u001b[1;1H';
const c1 = '\u009b31m';
const link = '\u001b]8;;http://127.0.0.1/\u001b\\';
const bad = `${title}${clear}${c1}${link}\u0008\u007f`;
const letters = '🌍é';

/** How long a client may take to draw an update, in milliseconds. */
const drawn = 500;

/** Agents that do what they must not, where it takes more than a sequence to do it. */
export const misbehavingScenarios: ClientScripts = {
  'misbehaving/session-id-odd': async (stage) => {
    stage.play((agent) => {
      // Over HTTP an id has to be the value of a header.
      const odd = agent.launch.connection?.profile === 'http' ? '' : 'ü\n';
      agent.handle('session/new', () => ({ sessionId: `../../${odd} "${'x'.repeat(2_000)}" $(id)` }));
    });
    continuesNormally(stage, await stage.perform('prompt'));
  },
  'misbehaving/carriage-returns': async (stage) => {
    stage.play((agent) => {
      const answer = (id: unknown, result: unknown): void =>
        void agent.sendText(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\r`);
      agent.handle('initialize', (_params, { id }) => answer(id, agent.introduction()));
      agent.handle('session/new', (_params, { id }) => answer(id, { sessionId: 'session-1' }));
    });
    continuesNormally(stage, await stage.perform('prompt'));
  },
  'misbehaving/split-letters': async (stage) => {
    const done = await stage.turn(async (turn) => {
      turn.say(`whole ${letters}`);
      const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `in pieces ${letters}` } };
      const params = { sessionId: turn.sessionId, update };
      const line = JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params });
      // Pieces of three bytes: letters of two and four bytes are cut.
      await turn.agent.sendInPieces([line], (bytes) =>
        Array.from({ length: Math.ceil(bytes.length / 3) }, (_, place) => bytes.subarray(place * 3, place * 3 + 3)),
      );
    });
    const { how, stdout } = done.end;
    // Whoever was interrupted may not have come to it.
    const isLost =
      how === 'by itself' && stdout.includes(`whole ${letters}`) && !stdout.includes(`in pieces ${letters}`);
    const fault = 'letters that came in two pieces were not shown';
    if (isLost) stage.see.broken('R001', fault, done.agent.journal.slice(-2));
    else if (continuesNormally(stage, done)) stage.see.held('R001');
  },
  'misbehaving/line-deep': within(({ agent, sessionId }) => {
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    const update = `{"sessionUpdate":"tool_call","toolCallId":"deep","title":"Deep","rawInput":${deep}}`;
    const params = `{"sessionId":${quoted(sessionId)},"update":${update}}`;
    agent.sendText(`{"jsonrpc":"2.0","method":"session/update","params":${params}}`);
  }),
  'misbehaving/line-flood': within(({ agent, sessionId }) => {
    const update = { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'so ' } };
    const text = `${JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } })}\n`;
    for (let sent = 0; sent < 100; sent++) agent.sendRaw(Buffer.from(text.repeat(1_000)));
  }),
  'misbehaving/permission-storm': async (stage) => {
    const done = await stage.turn(
      async ({ agent, sessionId }) => {
        agent.say(sessionId, wordsBefore);
        if (stage.isTyped('deny')) throw new Stopped('no user types 200 answers');
        const ids = Array.from({ length: 200 }, (_, place) => `storm-${String(place)}`);
        await Promise.all(ids.map((id) => agent.askOwed('session/request_permission', permission(sessionId, id))));
        agent.say(sessionId, wordsAfter);
      },
      // A client that refuses permission without asking must answer at once.
      { action: 'deny' },
    );
    survives(stage, done, 'R019');
  },
  'misbehaving/escape-sequences': async (stage) => {
    stage.play(introduce);
    const done = await stage.turn(say, { hasWarnedBefore: true });
    const printed = `${done.end.stdout}${done.end.stderr}`;
    const found = [title, clear, c1, link].find((sequence) => printed.includes(sequence));
    seeNone(stage, done.agent, found);
    survives(stage, done);
  },
  'misbehaving/escape-sequences-at-terminal': async (stage) => {
    stage.play(introduce);
    stage.onPrompt(say);
    const { run, agent } = await stage.begin('leave open');
    await agent.quiet(drawn);
    const printed = `${run.stdout()}${run.stderr()}`;
    // A terminal client clears and paints by itself: only sequences that no other source sends count.
    const found = [title, link].find((sequence) => printed.includes(sequence));
    seeNone(stage, agent, found);
  },
};

/** Misbehaviour in the middle of a turn, between words that say so. */
function within(happens: (turn: PlayedTurn) => void): ClientScript {
  return async (stage) => {
    const done = await stage.turn((turn) => {
      turn.say(wordsBefore);
      happens(turn);
      turn.say(wordsAfter);
    });
    survives(stage, done);
  };
}

function introduce(agent: PlayedAgent): void {
  const agentInfo = { name: `agent${bad}`, title: `Agent${bad}`, version: `1${bad}` };
  agent.handle('initialize', () => ({ ...agent.introduction(), agentInfo }));
}

/** Text that would do something to a terminal, wherever an agent can put text. */
function say(turn: PlayedTurn): void {
  turn.say(`words${bad}\n`);
  turn.update(
    { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: `thought${bad}` } },
    {
      ...{ sessionUpdate: 'tool_call', toolCallId: `tool${bad}`, title: `title${bad}`, name: `name${bad}` },
      ...{ kind: 'execute', status: 'in_progress', locations: [{ path: `/tmp/file${bad}` }] },
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
  );
}

function seeNone({ see }: ClientStage, { journal }: PlayedAgent, found: string | undefined): void {
  const fault = found && `the control sequence ${quoted(found)} of the agent was printed as it came`;
  see.check('R339', fault, journal.slice(-6));
}
