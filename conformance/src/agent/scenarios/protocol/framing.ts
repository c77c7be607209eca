import { Stopped } from '../../../wire/stopped.ts';
import type { RequirementId } from '../../../requirements/requirement.ts';
import { asMessage } from '../../../wire/messages.ts';
import type { Wire } from '../../../wire/wire.ts';
import type { AgentScenario } from '../../agent-scenario.ts';
import type { AgentStage } from '../../agent-stage.ts';
import { expectAnswer, nextAnswer, readyToAnswer, unknownRequest } from '../../pieces/unknown-method.ts';

/** An id that comes back shows whether a line was read as it was written: no agent does anything with one. */
const manyBytes = 'é漢字🐙';
const lineBreaks = 'a\nb\r\nc\u0085d\u2028e\u2029f';

/** How lines become messages. */
export const framingScenarios: readonly AgentScenario[] = [
  {
    id: 'framing/utf-8',
    title: 'a character whose bytes arrive one by one is read as one',
    covers: ['R001'],
    run: async (stage) => {
      const wire = await readyToAnswer(stage);
      const text = unknownRequest(manyBytes);
      await seeId(stage, { wire, id: manyBytes, requirement: 'R001' }, () =>
        wire.sendInPieces([text], insideCharacters),
      );
    },
  },
  {
    id: 'framing/escaped',
    title: 'a character that was escaped is written as UTF-8, or escaped as it was',
    covers: ['R001'],
    run: async (stage) => {
      const wire = await readyToAnswer(stage);
      // Who reads and writes another encoding gives back bytes as they came, but not what came as ASCII.
      const text = unknownRequest(manyBytes).replaceAll(/[^\x20-\x7e]/g, escaped);
      await seeId(stage, { wire, id: manyBytes, requirement: 'R001' }, async () => wire.sendText(text));
    },
  },
  {
    id: 'framing/pieces',
    title: 'lines that arrive together, and cut anywhere, are read one by one',
    covers: ['R005', 'R019'],
    run: async (stage) => {
      const wire = await readyToAnswer(stage);
      const ids = ['one', 'two', 'three'] as const;
      const from = wire.journal.length;
      await wire.sendInPieces([unknownRequest(ids[0]), unknownRequest(ids[1]), unknownRequest(ids[2])], inThree);
      for (const id of ids) await wire.answer(id, { from });
      stage.see.held('R019');
      stage.see.held('R005');
    },
  },
  {
    id: 'framing/line-breaks',
    title: 'only a line feed ends a line: other line breaks in a text do not',
    covers: ['R005'],
    run: async (stage) => {
      const wire = await readyToAnswer(stage);
      const send = async (): Promise<unknown> => wire.sendText(unknownRequest(lineBreaks, { text: lineBreaks }));
      await seeId(stage, { wire, id: lineBreaks, requirement: 'R005' }, send);
    },
  },
  {
    id: 'framing/whitespace',
    title: 'space around the JSON of a line, a carriage return too, is not part of the message',
    covers: ['R005'],
    run: async (stage) => {
      const wire = await readyToAnswer(stage);
      const send = async (): Promise<unknown> => wire.sendText(`\t ${unknownRequest('spaced')} \r`);
      await seeId(stage, { wire, id: 'spaced', requirement: 'R005' }, send);
    },
  },
  {
    id: 'framing/long-line',
    title: 'a line of a mebibyte is read',
    covers: ['R019'],
    run: async (stage) => {
      const wire = await readyToAnswer(stage);
      const from = wire.journal.length;
      wire.sendText(unknownRequest('long', { text: 'x'.repeat(1024 * 1024) }));
      await wire.answer('long', { from });
      stage.see.held('R019');
    },
  },
  {
    id: 'framing/pipes',
    title: 'the agent is spoken to over its stdin and stdout',
    covers: ['R002', 'R004'],
    run: async (stage) => {
      const { wire } = await stage.ready();
      if (wire.line.process === undefined) throw new Stopped('the agent is not a process');
      stage.see.held('R002');
      await expectAnswer(wire);
      seeStderr(stage, wire);
    },
  },
];

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

interface Echo {
  readonly wire: Wire;
  readonly id: string;
  readonly requirement: RequirementId;
}

/** Whether the answer has the id that was sent. */
async function seeId(stage: AgentStage, echo: Echo, send: () => Promise<unknown>): Promise<void> {
  const { wire, id, requirement } = echo;
  const from = wire.journal.length;
  await send();
  const answer = await nextAnswer(wire, from);
  const seen = asMessage(answer?.message)?.['id'];
  stage.see.check(requirement, answer !== undefined && seen === id, {
    otherwise:
      answer === undefined
        ? `the request with the id ${JSON.stringify(id)} was not answered`
        : `the answer to ${JSON.stringify(id)} has the id ${JSON.stringify(seen)}`,
    evidence: wire.journal.slice(from),
  });
}

/** Logs may quote what went over the wire. A message that only stderr has was meant for the client. */
function seeStderr(stage: AgentStage, wire: Wire): void {
  const lines = wire.line.process?.stderr().split('\n') ?? [];
  const known = new Set(wire.journal.map(({ text }) => text.trim()));
  const strayed = lines.find((line) => isMessage(line) && !known.has(line.trim()));
  stage.see.check('R004', strayed === undefined, { otherwise: `stderr has a message: ${strayed}` });
}

function isMessage(line: string): boolean {
  try {
    return asMessage(JSON.parse(line))?.['jsonrpc'] === '2.0';
  } catch {
    return false;
  }
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
