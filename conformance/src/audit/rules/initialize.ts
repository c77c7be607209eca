import { asMessage } from '../../wire/messages.ts';
import type { Frame } from '../frame.ts';
import type { Rule } from '../rule.ts';

const ofAgents = ['loadSession', 'promptCapabilities', 'mcpCapabilities', 'auth', 'sessionCapabilities'];
const ofClients = [
  'auth.terminal',
  'fs.readTextFile',
  'fs.writeTextFile',
  'terminal',
  'elicitation',
  'session.configOptions.boolean',
];

export const agentIntroduction: Rule = {
  name: 'An agent says who it is and what it can do',
  judges: 'agent',
  requirements: ['R035', 'R045'],
  listen: ({ held, broken }) => ({
    sent: (frame) => {
      if (frame.method !== 'initialize' || frame.result === undefined) return;
      const { agentInfo, agentCapabilities } = frame.result;
      if (asMessage(agentInfo) === undefined) broken('R035', 'The answer to initialize has no agentInfo', frame);
      else held('R035');
      const left = missing(ofAgents, agentCapabilities);
      if (left.length === 0) held('R045');
      else broken('R045', `agentCapabilities does not say anything of ${left.join(', ')}`, frame);
    },
  }),
};

export const clientIntroduction: Rule = {
  name: 'A client says who it is, which version it speaks and what it can do',
  judges: 'client',
  requirements: ['R032', 'R033', 'R044'],
  listen: ({ held, broken }) => ({
    sent: (frame) => {
      if (frame.kind !== 'request' || frame.method !== 'initialize') return;
      const { protocolVersion, clientCapabilities, clientInfo } = frame.params;
      if (asMessage(clientCapabilities) === undefined) broken('R032', 'initialize has no clientCapabilities', frame);
      else if (!Number.isInteger(protocolVersion)) broken('R032', 'initialize has no protocolVersion', frame);
      else held('R032');
      if (asMessage(clientInfo) === undefined) broken('R033', 'initialize has no clientInfo', frame);
      else held('R033');
      const left = missing(ofClients, clientCapabilities);
      if (left.length === 0) held('R044');
      else broken('R044', `clientCapabilities does not say anything of ${left.join(', ')}`, frame);
    },
  }),
};

/** The capabilities of which nothing is said: `false` and `null` are something. */
function missing(paths: readonly string[], capabilities: unknown): readonly string[] {
  return paths.filter((path) => {
    let value = capabilities;
    for (const key of path.split('.')) value = asMessage(value)?.[key];
    return value === undefined;
  });
}

export const initializeOnce: Rule = {
  name: 'A client initializes once',
  judges: 'client',
  requirements: ['R053'],
  listen: ({ held, broken }) => {
    let first: Frame | undefined;
    return {
      sent: (frame) => {
        if (frame.kind !== 'request' || frame.method !== 'initialize') return;
        if (first === undefined) held('R053');
        else broken('R053', 'initialize is called again on the same connection', first, frame);
        first ??= frame;
      },
    };
  },
};

export const initializeFirst: Rule = {
  name: 'A client initializes before anything else, and opens a session before it prompts',
  judges: 'client',
  requirements: ['R030', 'R134'],
  listen: ({ facts, frames, isWhole, held, broken }) => {
    const hasBegun = isWhole && frames.find(({ from }) => from === 'client')?.method === 'initialize';
    const isSession = (method: string): boolean => method.startsWith('session/') || method === 'authenticate';
    return {
      sent: (frame) => {
        if (frame.kind !== 'request' || !isSession(frame.method)) return;
        const isEarly = !facts.isAgentKnown && frames.some(({ method }) => method === 'initialize');
        if (isEarly) return broken('R030', `${frame.method} comes before initialize was answered`, frame);
        if (!hasBegun) return;
        held('R030');
        if (frame.method !== 'session/prompt' || frame.sessionId === undefined) return;
        if (facts.session(frame.sessionId).opened !== undefined) held('R134');
        else broken('R134', `A prompt is sent to ${frame.sessionId}, which was never opened`, frame);
      },
    };
  },
};
