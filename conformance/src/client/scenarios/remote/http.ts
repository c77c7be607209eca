import type { RequirementId } from '../../../requirements/requirement.ts';
import { isAnswerTo } from '../../../wire/messages.ts';
import type { ClientScripts, ClientContext } from '../../client-context.ts';
import { affinityCookie } from '../../launch/http-launch.ts';
import type { SeenRequest } from '../../launch/simulated-server.ts';
import { textAfter, textBefore } from '../endings.ts';

/** A turn in which the agent asks for permission. Its requests are judged even if it does not end. */
async function wholeTurn(context: ClientContext): Promise<void> {
  await context.turn(async (turn) => {
    turn.say(textBefore);
    const toolCall = { toolCallId: 'call-1', title: 'Run it', kind: 'execute', status: 'pending' };
    await turn.agent.askOdd('session/request_permission', turn.permission(toolCall), { mayWait: true });
    turn.say(textAfter);
  });
}

/** Judges every request that a rule applies to. Without such requests there is no verdict. */
function judgeEach(
  context: ClientContext,
  requirement: RequirementId,
  rule: {
    readonly of: (request: SeenRequest) => boolean;
    readonly isKept: (request: SeenRequest) => boolean;
    readonly otherwise: (request: SeenRequest) => string;
  },
): void {
  const requests = context.requests.filter((request) => rule.of(request));
  if (requests.length === 0) return;
  const wrong = requests.find((request) => !rule.isKept(request));
  context.see.check(requirement, wrong !== undefined && (wrong === undefined ? '' : rule.otherwise(wrong)));
}

function named({ method, message }: SeenRequest): string {
  if (message === undefined) return method;
  return `${method} of ${typeof message['method'] === 'string' ? message['method'] : 'an answer'}`;
}

function isInitialize({ message }: SeenRequest): boolean {
  return message?.['method'] === 'initialize';
}

/** The session of a message: its own, or that of the request it answers. */
function sessionOf(context: ClientContext, { message = {} }: SeenRequest): string | undefined {
  const params = message['params'] as { readonly sessionId?: unknown } | undefined;
  if (typeof params?.sessionId === 'string') return params.sessionId;
  if (message['method'] !== undefined) return undefined;
  const asked = context.journals
    .flat()
    .map(({ message: sent }) => sent as SeenRequest['message'])
    .find((sent) => sent?.['method'] !== undefined && sent['id'] !== undefined && sent['id'] === message['id']);
  const sessionId = (asked?.['params'] as { readonly sessionId?: unknown } | undefined)?.sessionId;
  return typeof sessionId === 'string' ? sessionId : undefined;
}

function judgeHeaders(context: ClientContext): void {
  judgeEach(context, 'R356', {
    of: ({ method }) => method === 'POST',
    isKept: ({ headers }) => /^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? ''),
    otherwise: (request) => `${named(request)} has the Content-Type ${request.headers['content-type'] ?? '(none)'}`,
  });
  judgeEach(context, 'R357', {
    of: ({ method }) => method === 'GET',
    isKept: ({ headers }) => (headers.accept ?? '').includes('text/event-stream'),
    otherwise: ({ headers }) => `a GET has the Accept header ${headers.accept ?? '(none)'}`,
  });
  judgeEach(context, 'R358', {
    of: (request) => !isInitialize(request),
    isKept: ({ headers }) => headers['acp-connection-id'] !== undefined,
    otherwise: (request) => `${named(request)} has no Acp-Connection-Id`,
  });
  judgeEach(context, 'R359', {
    of: (request) => request.method === 'POST' && sessionOf(context, request) !== undefined,
    isKept: (request) => request.headers['acp-session-id'] === sessionOf(context, request),
    otherwise: (request) =>
      `${named(request)} of ${String(sessionOf(context, request))} has the Acp-Session-Id ${String(request.headers['acp-session-id'] ?? '(none)')}`,
  });
}

/** Judges that the client opened exactly one stream for the connection and one for each session. */
function judgeStreams(context: ClientContext): void {
  const opened = context.requests
    .filter(({ method }) => method === 'GET')
    .map(({ headers }) => headers['acp-session-id'] ?? '');
  const sessions = new Set(
    context.requests.map((request) => sessionOf(context, request)).filter((sessionId) => sessionId !== undefined),
  );
  const missing = ['', ...sessions].find((name) => !opened.includes(name));
  const twice = opened.find((name, nth) => opened.indexOf(name) !== nth);
  const nameOf = (name: unknown): string => (name === '' ? 'the connection' : `the session ${String(name)}`);
  const fault =
    (missing !== undefined || twice !== undefined) &&
    (missing === undefined
      ? `two streams were opened for ${nameOf(twice)}`
      : `no stream was opened for ${nameOf(missing)}`);
  context.see.check('R360', fault);
}

export const httpClientScenarios: ClientScripts = {
  'remote/requests': async (context) => {
    try {
      await wholeTurn(context);
    } finally {
      judgeHeaders(context);
      if (context.requests.some(({ message }) => message?.['method'] === 'session/prompt')) judgeStreams(context);
    }
  },
  'remote/cookies': async (context) => {
    try {
      await wholeTurn(context);
    } finally {
      judgeEach(context, 'R361', {
        of: (request) => !isInitialize(request),
        isKept: ({ headers }) => new RegExp(`(?:^|;\\s*)${affinityCookie}=here(?:;|$)`).test(headers.cookie ?? ''),
        otherwise: (request) => `${named(request)} did not return the cookie that the answer to initialize had set`,
      });
    }
  },
  'remote/before-the-stream': async (context) => {
    const id = 'early';
    context.play((agent) =>
      agent.handle('session/new', () => {
        agent.send({ jsonrpc: '2.0', id, method: '_turnwire/unknown', params: { sessionId: 'session-1' } });
        return { sessionId: 'session-1' };
      }),
    );
    await context.turn(async ({ agent }) => {
      const answer = await agent.next((message) => isAnswerTo(id, message));
      const fault =
        answer === undefined && 'a request that was sent before the stream of its session was opened was not answered';
      context.see.check('R360', fault);
    });
  },
  'remote/delete': async (context) => {
    await context.turn(({ agent, sessionId }) => void agent.say(sessionId, textAfter));
    const fault =
      !context.requests.some(({ method }) => method === 'DELETE') &&
      'the client exited without a DELETE, so its connection and sessions stay open on the server';
    context.see.check('R365', fault);
  },
};
