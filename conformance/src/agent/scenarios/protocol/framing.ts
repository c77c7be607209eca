import { parsed } from '../../../wire/journal.ts';
import { at, isAnswerTo, quoted } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import type { Wire } from '../../../wire/wire.ts';
import { type AgentScenario, agentScenario } from '../../agent-scenario.ts';
import { expectAnswer, nextAnswer, readyToAnswer, unknownRequest } from '../../pieces/unknown-method.ts';

/** An id that comes back shows whether a line was read as it was written: no agent does anything with one. */
const manyBytes = 'é漢字🐙';
const lineBreaks = 'a\nb\r\nc\u0085d\u2028e\u2029f';

/** Ids that are easily taken for each other, or for none. */
const ids = [1001, '1001', -1, '', 'null', 9_007_199_254_740_991, '{"id":1}'] as const;

/** How long a second answer may take, in milliseconds. */
const afterwards = 200;

/** How lines become messages, and which answer belongs to which. */
export const framingScenarios: readonly AgentScenario[] = [
  comesBack({
    id: 'framing/utf-8',
    title: 'a character whose bytes arrive one by one is read as one',
    covers: ['R001'],
    request: manyBytes,
    send: (wire) => wire.sendInPieces([unknownRequest(manyBytes)], insideCharacters),
  }),
  comesBack({
    id: 'framing/escaped',
    title: 'a character that was escaped is written as UTF-8, or escaped as it was',
    covers: ['R001'],
    request: manyBytes,
    // Who reads and writes another encoding gives back bytes as they came, but not what came as ASCII.
    send: (wire) => wire.sendText(unknownRequest(manyBytes).replaceAll(/[^\x20-\x7e]/g, escaped)),
  }),
  agentScenario('framing/pieces', ['R005', 'R019'], {
    title: 'lines that arrive together, and cut anywhere, are read one by one',
    run: async (stage) => {
      const wire = await readyToAnswer(stage);
      const from = wire.journal.length;
      await wire.sendInPieces([unknownRequest('one'), unknownRequest('two'), unknownRequest('three')], inThree);
      for (const id of ['one', 'two', 'three']) await wire.answer(id, { from });
      stage.see.check(['R005', 'R019'], undefined);
    },
  }),
  comesBack({
    id: 'framing/line-breaks',
    title: 'only a line feed ends a line: other line breaks in a text do not',
    covers: ['R005'],
    request: lineBreaks,
    send: (wire) => wire.sendText(unknownRequest(lineBreaks, { text: lineBreaks })),
  }),
  comesBack({
    id: 'framing/whitespace',
    title: 'space around the JSON of a line, a carriage return too, is not part of the message',
    covers: ['R005'],
    request: 'spaced',
    send: (wire) => wire.sendText(`\t ${unknownRequest('spaced')} \r`),
  }),
  agentScenario('framing/long-line', ['R019'], {
    title: 'a line of a mebibyte is read',
    run: async (stage) => {
      const wire = await readyToAnswer(stage);
      const from = wire.journal.length;
      wire.sendText(unknownRequest('long', { text: 'x'.repeat(1024 * 1024) }));
      await wire.answer('long', { from });
      stage.see.held('R019');
    },
  }),
  agentScenario('framing/pipes', ['R002', 'R004'], {
    title: 'the agent is spoken to over its stdin and stdout',
    run: async (stage) => {
      const { wire } = await stage.ready();
      if (wire.line.process === undefined) throw new Stopped('the agent is not a process');
      stage.see.held('R002');
      await expectAnswer(wire);
      // Logs may quote what went over the wire. A message that only stderr has was meant for the client.
      const known = new Set(wire.journal.map(({ text }) => text.trim()));
      const lines = wire.line.process.stderr().split('\n');
      const strayed = lines.find((line) => isMessage(line) && !known.has(line.trim()));
      stage.see.check('R004', strayed !== undefined && `stderr has a message: ${strayed}`);
    },
  }),
  agentScenario('ids/kinds', ['R019'], {
    title: 'numbers and texts come back as the ids they are, each once',
    run: async (stage) => {
      const wire = await readyToAnswer(stage);
      const from = wire.journal.length;
      const sent = ids.map((id) => [id, wire.sendText(unknownRequest(id))] as const);
      for (const [id, request] of sent) await wire.answer(id, { from, request });
      await wire.quiet(afterwards);
      for (const id of ids) {
        const answers = wire.received(from).filter(({ message }) => isAnswerTo(id, message));
        const fault = answers.length !== 1 && `the request ${quoted(id)} has ${answers.length} answers`;
        stage.see.check('R019', fault, answers);
      }
    },
  }),
  agentScenario('ids/null', ['R019'], {
    title: 'a request with the id null is a request, and is answered',
    run: async (stage) => {
      const wire = await readyToAnswer(stage);
      const from = wire.journal.length;
      const request = wire.sendText(unknownRequest(null));
      await wire.answer(null, { from, request });
      stage.see.held('R019');
    },
  }),
];

/** A request, whose answer has to have its id. */
interface Echo extends Omit<AgentScenario, 'run'> {
  /** The id. */
  readonly request: string;
  readonly send: (wire: Wire) => unknown;
}

function comesBack({ request, send, ...scenario }: Echo): AgentScenario {
  return {
    ...scenario,
    run: async (stage) => {
      const wire = await readyToAnswer(stage);
      const from = wire.journal.length;
      await send(wire);
      const answer = await nextAnswer(wire, from);
      const seen = at(answer?.message, 'id');
      const isMissing = answer === undefined && `the request with the id ${quoted(request)} was not answered`;
      const isOther = seen !== request && `the answer to ${quoted(request)} has the id ${quoted(seen)}`;
      stage.see.check(scenario.covers, isMissing || isOther, wire.journal.slice(from));
    },
  };
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function isMessage(line: string): boolean {
  return at(parsed(line), 'jsonrpc') === '2.0';
}

/** Cuts after every byte that another of the same character follows. */
function insideCharacters(bytes: Uint8Array): readonly Uint8Array[] {
  const cuts = [...bytes.keys()].filter((place) => isContinuation(bytes[place] ?? 0));
  return [0, ...cuts].map((start, nth) => bytes.subarray(start, cuts[nth]));
}

function isContinuation(byte: number): boolean {
  return byte >= 0x80 && byte < 0xc0;
}

function inThree(bytes: Uint8Array): readonly Uint8Array[] {
  const third = Math.floor(bytes.length / 3) + 5;
  return [bytes.subarray(0, third), bytes.subarray(third, 2 * third), bytes.subarray(2 * third)];
}
