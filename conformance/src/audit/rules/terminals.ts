import { asMessage } from '../../wire/messages.ts';
import type { Frame } from '../frame.ts';
import { listener, type Rule, rule, type RuleContext } from '../rule.ts';

interface Terminal {
  readonly created: Frame;
  embedded: Frame | undefined;
  exited: Frame | undefined;
  released: Frame | undefined;
}

class Terminals {
  readonly all = new Map<string, Terminal>();

  take(frame: Frame): void {
    if (frame.kind !== 'answer' || !frame.isSuccess) return;
    const { method, request, result } = frame;
    const id = String((method === 'terminal/create' ? result : request?.params)?.['terminalId']);
    if (method === 'terminal/create')
      this.all.set(id, { created: frame, embedded: undefined, exited: undefined, released: undefined });
    const terminal = this.all.get(id);
    if (terminal === undefined) return;
    if (method === 'terminal/wait_for_exit' || asMessage(result?.['exitStatus']) !== undefined) terminal.exited = frame;
    if (method === 'terminal/release') terminal.released = frame;
  }

  /** The one that a frame of the agent is about. */
  meant(frame: Frame): Terminal | undefined {
    return frame.method.startsWith('terminal/') ? this.all.get(String(frame.params['terminalId'])) : undefined;
  }
}

/** A terminal is shown in a tool call before it is released. */
export const embeddedThenReleased: Rule = listener('agent', ['R191'], ({ check }) => {
  const terminals = new Terminals();
  return {
    received: (frame) => terminals.take(frame),
    sent: (frame) => {
      const givenBack = frame.method === 'terminal/release' ? terminals.meant(frame) : undefined;
      if (givenBack !== undefined) givenBack.released ??= frame;
      for (const { terminalId } of frame.partsOf('Terminal')) {
        const terminal = terminals.all.get(String(terminalId));
        if (terminal === undefined) continue;
        const fault =
          terminal.embedded === undefined &&
          terminal.released !== undefined &&
          'A terminal is shown in a tool call after it was released';
        check('R191', fault, terminal.released, frame);
        terminal.embedded ??= frame;
      }
    },
  };
});

/** How long after its turn a terminal may still be there, in milliseconds: a release may be on its way. */
const grace = 1_000;

/** A terminal whose command has ended is released, and not used any more then. */
export const everyTerminalReleased: Rule = listener('agent', ['R226'], (context) => {
  const terminals = new Terminals();
  return {
    received: (frame) => terminals.take(frame),
    sent: (frame) => {
      const terminal = frame.kind === 'request' ? terminals.meant(frame) : undefined;
      if (terminal?.released !== undefined)
        context.broken('R226', `${frame.method} is asked of a terminal that was released`, terminal.released, frame);
      else if (terminal !== undefined && frame.method === 'terminal/release') context.held('R226');
    },
    end: () => {
      for (const terminal of terminals.all.values()) judgeLeft(terminal, context);
    },
  };
});

function judgeLeft({ created, exited, released }: Terminal, { frames, endsAt, broken }: RuleContext): void {
  if (released !== undefined || exited === undefined) return;
  const isReleasing = frames.some(
    ({ kind, method, params }) =>
      kind === 'request' && method === 'terminal/release' && params['terminalId'] === created.result?.['terminalId'],
  );
  const end = frames.find(
    ({ kind, method, sessionId, entry }) =>
      kind === 'answer' && method === 'session/prompt' && sessionId === created.sessionId && entry.at > exited.entry.at,
  );
  if (isReleasing || end === undefined || endsAt - end.entry.at < grace) return;
  broken('R226', 'A terminal is not released after its command and the turn have ended', created, exited, end);
}

/** A client refuses terminals that were released, and those of other sessions. */
export const terminalAnswers: Rule = listener('client', ['R228', 'R232'], (context) => {
  const terminals = new Terminals();
  return {
    sent: (frame) => {
      const terminal = frame.kind === 'answer' && frame.request && terminals.meant(frame.request);
      if (terminal) judgeAnswer(frame, terminal, context);
      terminals.take(frame);
    },
  };
});

function judgeAnswer(frame: Frame, { created, released }: Terminal, { check }: RuleContext): void {
  const { method, request, isSuccess } = frame;
  const isReleased = released !== undefined && released.entry.at <= (request?.entry.at ?? 0);
  const isForeign = created.sessionId !== request?.sessionId;
  // What is released may be released again.
  if (isReleased ? method === 'terminal/release' : !isForeign) return;
  const requirement = isReleased ? 'R228' : 'R232';
  const whose = isReleased ? 'that was released' : 'of another session';
  check(requirement, isSuccess && `${method} succeeds with a terminal ${whose}`, released ?? created, request, frame);
}

/** Requests that need a capability of the client. */
const gated: ReadonlyMap<string, string> = new Map([
  ['fs/read_text_file', 'fs.readTextFile'],
  ['fs/write_text_file', 'fs.writeTextFile'],
  ['terminal/create', 'terminal'],
]);

/** A client refuses what it does not offer. */
export const nothingUnoffered: Rule = rule('client', ['R207', 'R289'], (frame, context) => {
  if (frame.kind !== 'answer' || frame.request === undefined) return;
  const { request, method, isSuccess } = frame;
  if (method === 'elicitation/create') judgeQuestion(frame, request, context);
  const capability = gated.get(method);
  if (capability !== undefined && context.facts.clientOffers(capability) === false)
    context.check('R207', isSuccess && `${method} succeeds although it is not offered`, request, frame);
});

function judgeQuestion(frame: Frame, request: Frame, { facts, check }: RuleContext): void {
  const { mode } = request.params;
  if (facts.clientOffers(`elicitation.${String(mode)}`) !== false) return;
  // A side that does not know questions does not know the method.
  if (frame.error?.code === -32_601 && facts.clientOffers('elicitation') === false) return;
  const fault = frame.error?.code !== -32_602 && `A ${String(mode)} is not offered, and is not answered with -32602`;
  check('R289', fault, request, frame);
}
