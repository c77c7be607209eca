import type { RequirementId } from '../../../requirements/requirement.ts';
import { at, isAnswerTo, parsed, quoted } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import type { Wire } from '../../../wire/wire.ts';
import type { AgentScript, AgentScripts } from '../../agent-context.ts';
import { expectAnswer, readyToAnswer, unknownMethod, unknownRequest } from '../../fixtures/unknown-method.ts';

/** An echoed id shows whether a line was read as it was written: agents do not interpret ids. */
const manyBytes = 'é漢字🐙';
const lineBreaks = 'a\nb\r\nc\u0085d\u2028e\u2029f';

/** Ids that are easily confused with each other or with a missing id. */
const ids = [1001, '1001', -1, '', 'null', 9_007_199_254_740_991, '{"id":1}'] as const;

/** How long a second answer may take, in milliseconds. */
const afterwards = 200;

export const framingScenarios: AgentScripts = {
  'framing/utf-8': comesBack('R001', manyBytes, (wire) =>
    wire.sendInPieces([unknownRequest(manyBytes)], insideCharacters),
  ),
  // An agent with another encoding echoes raw bytes correctly, but not characters that arrived as ASCII escapes.
  'framing/escaped': comesBack('R001', manyBytes, (wire) =>
    wire.sendText(unknownRequest(manyBytes).replaceAll(/[^\x20-\x7e]/g, escaped)),
  ),
  'framing/pieces': async (context) => {
    const wire = await readyToAnswer(context);
    const from = wire.journal.length;
    await wire.sendInPieces([unknownRequest('one'), unknownRequest('two'), unknownRequest('three')], inThree);
    for (const id of ['one', 'two', 'three']) await wire.answer(id, { from });
    context.see.check(['R005', 'R019'], undefined);
  },
  'framing/line-breaks': comesBack('R005', lineBreaks, (wire) =>
    wire.sendText(unknownRequest(lineBreaks, { text: lineBreaks })),
  ),
  'framing/whitespace': comesBack('R005', 'spaced', (wire) => wire.sendText(`\t ${unknownRequest('spaced')} \r`)),
  'framing/long-line': async (context) => {
    const wire = await readyToAnswer(context);
    const from = wire.journal.length;
    wire.sendText(unknownRequest('long', { text: 'x'.repeat(1024 * 1024) }));
    await wire.answer('long', { from });
    context.see.held('R019');
  },
  'framing/pipes': async (context) => {
    const { wire } = await context.ready();
    if (wire.line.process === undefined) throw new Stopped('the agent is not a process');
    context.see.held('R002');
    await expectAnswer(wire);
    // Logs may quote messages from the wire. A message that appears only on stderr was meant for the client.
    const known = new Set(wire.journal.map(({ text }) => text.trim()));
    const lines = wire.line.process.stderr().split('\n');
    const strayed = lines.find((line) => at(parsed(line), 'jsonrpc') === '2.0' && !known.has(line.trim()));
    context.see.check('R004', strayed !== undefined && `a protocol message was written to stderr: ${strayed}`);
  },
  'ids/kinds': async (context) => {
    const wire = await readyToAnswer(context);
    const from = wire.journal.length;
    const sent = ids.map((id) => [id, wire.sendText(unknownRequest(id))] as const);
    for (const [id, request] of sent) await wire.answer(id, { from, request });
    await wire.quiet(afterwards);
    for (const id of ids) {
      const answers = wire.received(from).filter(({ message }) => isAnswerTo(id, message));
      const fault =
        answers.length !== 1 && `the request with the id ${quoted(id)} was answered ${answers.length} times`;
      context.see.check('R019', fault, answers);
    }
  },
  'ids/null': async (context) => {
    const wire = await readyToAnswer(context);
    const from = wire.journal.length;
    const request = wire.sendText(unknownRequest(null));
    await wire.answer(null, { from, request });
    context.see.held('R019');
  },
};

/** Sends a request whose answer must have the same id. */
function comesBack(requirement: RequirementId, id: string, send: (wire: Wire) => unknown): AgentScript {
  return async (context) => {
    const wire = await readyToAnswer(context);
    const from = wire.journal.length;
    await send(wire);
    const answer = await wire.nextResponse(from, unknownMethod);
    const seen = at(answer?.message, 'id');
    const isMissing = answer === undefined && `the request with the id ${quoted(id)} was not answered`;
    const isOther = seen !== id && `the answer to ${quoted(id)} has the id ${quoted(seen)}`;
    context.see.check(requirement, isMissing || isOther, wire.journal.slice(from));
  };
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Cuts before every continuation byte of a character. */
function insideCharacters(bytes: Uint8Array): readonly Uint8Array[] {
  const cuts = [...bytes.keys()].filter((place) => ((bytes[place] ?? 0) & 0xc0) === 0x80);
  return [0, ...cuts].map((start, nth) => bytes.subarray(start, cuts[nth]));
}

function inThree(bytes: Uint8Array): readonly Uint8Array[] {
  const third = Math.floor(bytes.length / 3) + 5;
  return [bytes.subarray(0, third), bytes.subarray(third, 2 * third), bytes.subarray(2 * third)];
}
