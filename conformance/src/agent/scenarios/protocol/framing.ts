import type { RequirementId } from '../../../requirements/requirement.ts';
import { at, isAnswerTo, parsed, quoted } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import type { Wire } from '../../../wire/wire.ts';
import type { AgentScript, AgentScripts } from '../../agent-stage.ts';
import { expectAnswer, nextAnswer, readyToAnswer, unknownRequest } from '../../pieces/unknown-method.ts';

/** An id that comes back shows whether a line was read as it was written: no agent does anything with one. */
const manyBytes = 'é漢字🐙';
const lineBreaks = 'a\nb\r\nc\u0085d\u2028e\u2029f';

/** Ids that are easily taken for each other, or for none. */
const ids = [1001, '1001', -1, '', 'null', 9_007_199_254_740_991, '{"id":1}'] as const;

/** How long a second answer may take, in milliseconds. */
const afterwards = 200;

/** How lines become messages, and which answer belongs to which. */
export const framingScenarios: AgentScripts = {
  'framing/utf-8': comesBack('R001', manyBytes, (wire) =>
    wire.sendInPieces([unknownRequest(manyBytes)], insideCharacters),
  ),
  // Who reads and writes another encoding gives back bytes as they came, but not what came as ASCII.
  'framing/escaped': comesBack('R001', manyBytes, (wire) =>
    wire.sendText(unknownRequest(manyBytes).replaceAll(/[^\x20-\x7e]/g, escaped)),
  ),
  'framing/pieces': async (stage) => {
    const wire = await readyToAnswer(stage);
    const from = wire.journal.length;
    await wire.sendInPieces([unknownRequest('one'), unknownRequest('two'), unknownRequest('three')], inThree);
    for (const id of ['one', 'two', 'three']) await wire.answer(id, { from });
    stage.see.check(['R005', 'R019'], undefined);
  },
  'framing/line-breaks': comesBack('R005', lineBreaks, (wire) =>
    wire.sendText(unknownRequest(lineBreaks, { text: lineBreaks })),
  ),
  'framing/whitespace': comesBack('R005', 'spaced', (wire) => wire.sendText(`\t ${unknownRequest('spaced')} \r`)),
  'framing/long-line': async (stage) => {
    const wire = await readyToAnswer(stage);
    const from = wire.journal.length;
    wire.sendText(unknownRequest('long', { text: 'x'.repeat(1024 * 1024) }));
    await wire.answer('long', { from });
    stage.see.held('R019');
  },
  'framing/pipes': async (stage) => {
    const { wire } = await stage.ready();
    if (wire.line.process === undefined) throw new Stopped('the agent is not a process');
    stage.see.held('R002');
    await expectAnswer(wire);
    // Logs may quote what went over the wire. A message that only stderr has was meant for the client.
    const known = new Set(wire.journal.map(({ text }) => text.trim()));
    const lines = wire.line.process.stderr().split('\n');
    const strayed = lines.find((line) => at(parsed(line), 'jsonrpc') === '2.0' && !known.has(line.trim()));
    stage.see.check('R004', strayed !== undefined && `stderr has a message: ${strayed}`);
  },
  'ids/kinds': async (stage) => {
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
  'ids/null': async (stage) => {
    const wire = await readyToAnswer(stage);
    const from = wire.journal.length;
    const request = wire.sendText(unknownRequest(null));
    await wire.answer(null, { from, request });
    stage.see.held('R019');
  },
};

/** A request, whose answer has to have its id. */
function comesBack(requirement: RequirementId, id: string, send: (wire: Wire) => unknown): AgentScript {
  return async (stage) => {
    const wire = await readyToAnswer(stage);
    const from = wire.journal.length;
    await send(wire);
    const answer = await nextAnswer(wire, from);
    const seen = at(answer?.message, 'id');
    const isMissing = answer === undefined && `the request with the id ${quoted(id)} was not answered`;
    const isOther = seen !== id && `the answer to ${quoted(id)} has the id ${quoted(seen)}`;
    stage.see.check(requirement, isMissing || isOther, wire.journal.slice(from));
  };
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Cuts after every byte that another of the same character follows. */
function insideCharacters(bytes: Uint8Array): readonly Uint8Array[] {
  const cuts = [...bytes.keys()].filter((place) => ((bytes[place] ?? 0) & 0xc0) === 0x80);
  return [0, ...cuts].map((start, nth) => bytes.subarray(start, cuts[nth]));
}

function inThree(bytes: Uint8Array): readonly Uint8Array[] {
  const third = Math.floor(bytes.length / 3) + 5;
  return [bytes.subarray(0, third), bytes.subarray(third, 2 * third), bytes.subarray(2 * third)];
}
