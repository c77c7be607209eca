import { asMessage, at } from '../../wire/messages.ts';
import type { Frame } from '../frame.ts';
import { listener, type Rule, rule } from '../rule.ts';

const ofAgents = ['loadSession', 'promptCapabilities', 'mcpCapabilities', 'auth', 'sessionCapabilities'];
const ofClients = [
  'auth.terminal',
  'fs.readTextFile',
  'fs.writeTextFile',
  'terminal',
  'elicitation',
  'session.configOptions.boolean',
];

/** An agent introduces itself and lists its capabilities. */
export const agentIntroduction: Rule = rule('agent', ['R035', 'R045'], (frame, { check }) => {
  if (frame.method !== 'initialize' || frame.result === undefined) return;
  const { agentInfo, agentCapabilities } = frame.result;
  check('R035', asMessage(agentInfo) === undefined && 'The answer to initialize has no agentInfo', frame);
  const left = missing(ofAgents, agentCapabilities);
  check('R045', left.length > 0 && `agentCapabilities does not mention ${left.join(', ')}`, frame);
});

/** A client introduces itself with its version of the protocol and its capabilities. */
export const clientIntroduction: Rule = rule('client', ['R032', 'R033', 'R044'], (frame, { broken, check }) => {
  if (frame.kind !== 'request' || frame.method !== 'initialize') return;
  const { protocolVersion, clientCapabilities, clientInfo } = frame.params;
  if (asMessage(clientCapabilities) === undefined) broken('R032', 'initialize has no clientCapabilities', frame);
  else check('R032', !Number.isInteger(protocolVersion) && 'initialize has no protocolVersion', frame);
  check('R033', asMessage(clientInfo) === undefined && 'initialize has no clientInfo', frame);
  const left = missing(ofClients, clientCapabilities);
  check('R044', left.length > 0 && `clientCapabilities does not mention ${left.join(', ')}`, frame);
});

/** The capabilities that are absent: `false` and `null` count as present. */
function missing(paths: readonly string[], capabilities: unknown): readonly string[] {
  return paths.filter((path) => at(capabilities, ...path.split('.')) === undefined);
}

/** A client initializes once; in version 2 it may repeat that until it sends another request. */
export const initializeOnce: Rule = listener('client', ['R053'], ({ version, check }) => {
  let earlier: Frame | undefined;
  return {
    sent: (frame) => {
      if (frame.kind !== 'request') return;
      const isRepeated = frame.method === 'initialize';
      const fault = 'initialize was called again on the same connection';
      if (isRepeated) check('R053', earlier !== undefined && fault, earlier, frame);
      if (isRepeated === (version === 1)) earlier ??= frame;
    },
  };
});

/** A client initializes first, and opens a session before it sends a prompt. */
export const initializeFirst: Rule = listener(
  'client',
  ['R030', 'R134'],
  ({ facts, frames, isWhole, held, broken, check }) => {
    const hasBegun = isWhole && frames.find(({ from }) => from === 'client')?.method === 'initialize';
    const isSession = (method: string): boolean => /^(?:session|auth)\/|^authenticate$/.test(method);
    return {
      sent: (frame) => {
        if (frame.kind !== 'request' || !isSession(frame.method)) return;
        const isEarly = !facts.isAgentKnown && frames.some(({ method }) => method === 'initialize');
        if (isEarly) return broken('R030', `${frame.method} was sent before initialize was answered`, frame);
        if (!hasBegun) return;
        held('R030');
        if (frame.method !== 'session/prompt' || frame.sessionId === undefined) return;
        const fault =
          facts.session(frame.sessionId).opened === undefined &&
          `A prompt was sent to ${frame.sessionId}, which was never opened`;
        check('R134', fault, frame);
      },
    };
  },
);
