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

  /** The terminal that a frame of the agent refers to. */
  find(frame: Frame): Terminal | undefined {
    return frame.method.startsWith('terminal/') ? this.all.get(String(frame.params['terminalId'])) : undefined;
  }
}

/** A terminal is embedded in a tool call before it is released. */
export const embeddedThenReleased: Rule = listener('agent', ['R191'], ({ check }) => {
  const terminals = new Terminals();
  return {
    received: (frame) => terminals.take(frame),
    sent: (frame) => {
      const releasing = frame.method === 'terminal/release' ? terminals.find(frame) : undefined;
      if (releasing !== undefined) releasing.released ??= frame;
      for (const { terminalId } of frame.partsOf('Terminal')) {
        const terminal = terminals.all.get(String(terminalId));
        if (terminal === undefined) continue;
        const fault =
          terminal.embedded === undefined &&
          terminal.released !== undefined &&
          'A terminal was first embedded in a tool call after it was released';
        check('R191', fault, terminal.released, frame);
        terminal.embedded ??= frame;
      }
    },
  };
});

/** A terminal is created in a named folder. */
export const namedFolder: Rule = rule('agent', ['R413'], (frame, { check }) => {
  if (frame.kind !== 'request' || frame.method !== 'terminal/create') return;
  const isMissing = (frame.params['cwd'] ?? undefined) === undefined;
  check('R413', isMissing && 'terminal/create has no cwd: the command runs where the client chooses', frame);
});

/** How long after the turn a terminal may remain unreleased, in milliseconds: the release may be on its way. */
const grace = 1_000;

/** A terminal is released after its command ended, and not used afterwards. */
export const everyTerminalReleased: Rule = listener('agent', ['R226'], (context) => {
  const terminals = new Terminals();
  return {
    received: (frame) => terminals.take(frame),
    sent: (frame) => {
      const terminal = frame.kind === 'request' ? terminals.find(frame) : undefined;
      if (terminal?.released !== undefined)
        context.broken('R226', `${frame.method} was called for a released terminal`, terminal.released, frame);
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
  broken('R226', 'A terminal was not released after its command and the turn had ended', created, exited, end);
}

/** A client refuses released terminals, and those of other sessions. */
export const terminalAnswers: Rule = listener('client', ['R228', 'R232'], (context) => {
  const terminals = new Terminals();
  return {
    sent: (frame) => {
      const terminal = frame.kind === 'answer' && frame.request && terminals.find(frame.request);
      if (terminal) judgeAnswer(frame, terminal, context);
      terminals.take(frame);
    },
  };
});

function judgeAnswer(frame: Frame, { created, released }: Terminal, { check }: RuleContext): void {
  const { method, request, isSuccess } = frame;
  const isReleased = released !== undefined && released.entry.at <= (request?.entry.at ?? 0);
  const isForeign = created.sessionId !== request?.sessionId;
  // Releasing a terminal again is allowed.
  if (isReleased ? method === 'terminal/release' : !isForeign) return;
  const requirement = isReleased ? 'R228' : 'R232';
  const which = isReleased ? 'a released terminal' : 'a terminal of another session';
  check(requirement, isSuccess && `${method} succeeded for ${which}`, released ?? created, request, frame);
}

/** Requests that need a capability of the client. */
const gated: ReadonlyMap<string, string> = new Map([
  ['fs/read_text_file', 'fs.readTextFile'],
  ['fs/write_text_file', 'fs.writeTextFile'],
  ['terminal/create', 'terminal'],
]);

/** A client refuses requests for capabilities that it does not offer. */
export const nothingUnoffered: Rule = rule('client', ['R207', 'R289'], (frame, context) => {
  if (frame.kind !== 'answer' || frame.request === undefined) return;
  const { request, method, isSuccess } = frame;
  if (method === 'elicitation/create') judgeQuestion(frame, request, context);
  const capability = gated.get(method);
  if (capability !== undefined && context.facts.clientOffers(capability) === false)
    context.check('R207', isSuccess && `${method} succeeded although the client does not offer it`, request, frame);
});

function judgeQuestion(frame: Frame, request: Frame, { facts, check }: RuleContext): void {
  const { mode } = request.params;
  if (facts.clientOffers(`elicitation.${String(mode)}`) !== false) return;
  // A client without elicitation may not know the method.
  if (frame.error?.code === -32_601 && facts.clientOffers('elicitation') === false) return;
  const fault =
    frame.error?.code !== -32_602 &&
    `elicitation/create with the mode ${String(mode)}, which is not offered, was not answered with -32602`;
  check('R289', fault, request, frame);
}
