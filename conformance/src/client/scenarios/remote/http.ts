import type { RequirementId } from '../../../requirements/requirement.ts';
import { isAnswerTo } from '../../../wire/messages.ts';
import type { ClientScripts, ClientStage } from '../../client-stage.ts';
import { affinityCookie } from '../../launch/http-launch.ts';
import type { SeenRequest } from '../../launch/played-server.ts';
import { wordsAfter, wordsBefore } from '../endings.ts';

const permission = {
  toolCall: { toolCallId: 'call-1', title: 'Run it', kind: 'execute', status: 'pending' },
  options: [
    { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
    { optionId: 'no', name: 'No', kind: 'reject_once' },
  ],
};

/** Has the client do a turn in which it is asked something, and looks at its requests, however far it got. */
async function wholeTurn(stage: ClientStage): Promise<void> {
  await stage.turn(async ({ agent, sessionId }) => {
    agent.say(sessionId, wordsBefore);
    await agent.askOdd('session/request_permission', { sessionId, ...permission }, { mayWait: true });
    agent.say(sessionId, wordsAfter);
  });
}

/** Judges each of some requests. Of none nothing is said. */
function judgeEach(
  stage: ClientStage,
  requirement: RequirementId,
  rule: {
    readonly of: (request: SeenRequest) => boolean;
    readonly isKept: (request: SeenRequest) => boolean;
    readonly otherwise: (request: SeenRequest) => string;
  },
): void {
  const requests = stage.requests.filter((request) => rule.of(request));
  if (requests.length === 0) return;
  const wrong = requests.find((request) => !rule.isKept(request));
  stage.see.check(requirement, wrong !== undefined && (wrong === undefined ? '' : rule.otherwise(wrong)));
}

function named({ method, message }: SeenRequest): string {
  if (message === undefined) return method;
  return `${method} of ${typeof message['method'] === 'string' ? message['method'] : 'an answer'}`;
}

function isInitialize({ message }: SeenRequest): boolean {
  return message?.['method'] === 'initialize';
}

/** The session that a message belongs to: its own, or that of the request it answers. */
function sessionOf(stage: ClientStage, { message = {} }: SeenRequest): string | undefined {
  const params = message['params'] as { readonly sessionId?: unknown } | undefined;
  if (typeof params?.sessionId === 'string') return params.sessionId;
  if (message['method'] !== undefined) return undefined;
  const asked = stage.journals
    .flat()
    .map(({ message: sent }) => sent as SeenRequest['message'])
    .find((sent) => sent?.['method'] !== undefined && sent['id'] !== undefined && sent['id'] === message['id']);
  const sessionId = (asked?.['params'] as { readonly sessionId?: unknown } | undefined)?.sessionId;
  return typeof sessionId === 'string' ? sessionId : undefined;
}

function judgeHeaders(stage: ClientStage): void {
  judgeEach(stage, 'R356', {
    of: ({ method }) => method === 'POST',
    isKept: ({ headers }) => /^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? ''),
    otherwise: (request) => `${named(request)} has the Content-Type ${request.headers['content-type'] ?? '(none)'}`,
  });
  judgeEach(stage, 'R357', {
    of: ({ method }) => method === 'GET',
    isKept: ({ headers }) => (headers.accept ?? '').includes('text/event-stream'),
    otherwise: ({ headers }) => `a GET accepts ${headers.accept ?? '(nothing)'}`,
  });
  judgeEach(stage, 'R358', {
    of: (request) => !isInitialize(request),
    isKept: ({ headers }) => headers['acp-connection-id'] !== undefined,
    otherwise: (request) => `${named(request)} has no Acp-Connection-Id`,
  });
  judgeEach(stage, 'R359', {
    of: (request) => request.method === 'POST' && sessionOf(stage, request) !== undefined,
    isKept: (request) => request.headers['acp-session-id'] === sessionOf(stage, request),
    otherwise: (request) =>
      `${named(request)} of ${String(sessionOf(stage, request))} has the Acp-Session-Id ${String(request.headers['acp-session-id'] ?? '(none)')}`,
  });
}

/** One stream for the connection, and one for each session: none is missing, and none came twice. */
function judgeStreams(stage: ClientStage): void {
  const opened = stage.requests
    .filter(({ method }) => method === 'GET')
    .map(({ headers }) => headers['acp-session-id'] ?? '');
  const sessions = new Set(
    stage.requests.map((request) => sessionOf(stage, request)).filter((sessionId) => sessionId !== undefined),
  );
  const missing = ['', ...sessions].find((name) => !opened.includes(name));
  const twice = opened.find((name, place) => opened.indexOf(name) !== place);
  const nameOf = (name: unknown): string => (name === '' ? 'the connection' : `the session ${String(name)}`);
  const fault =
    (missing !== undefined || twice !== undefined) &&
    (missing === undefined
      ? `two streams of ${nameOf(twice)} were opened`
      : `no stream of ${nameOf(missing)} was opened`);
  stage.see.check('R360', fault);
}

export const httpClientScenarios: ClientScripts = {
  'remote/requests': async (stage) => {
    try {
      await wholeTurn(stage);
    } finally {
      judgeHeaders(stage);
      if (stage.requests.some(({ message }) => message?.['method'] === 'session/prompt')) judgeStreams(stage);
    }
  },
  'remote/cookies': async (stage) => {
    try {
      await wholeTurn(stage);
    } finally {
      judgeEach(stage, 'R361', {
        of: (request) => !isInitialize(request),
        isKept: ({ headers }) => new RegExp(`(?:^|;\\s*)${affinityCookie}=here(?:;|$)`).test(headers.cookie ?? ''),
        otherwise: (request) => `${named(request)} came without the cookie of the answer to initialize`,
      });
    }
  },
  'remote/before-the-stream': async (stage) => {
    const id = 'early';
    stage.play((agent) =>
      agent.handle('session/new', () => {
        agent.send({ jsonrpc: '2.0', id, method: '_turnwire/unknown', params: { sessionId: 'session-1' } });
        return { sessionId: 'session-1' };
      }),
    );
    await stage.turn(async ({ agent }) => {
      const answer = await agent.next((message) => isAnswerTo(id, message));
      const fault =
        answer === undefined && 'a request from before the stream of the session was opened was not answered';
      stage.see.check('R360', fault);
    });
  },
  'remote/delete': async (stage) => {
    await stage.turn(({ agent, sessionId }) => void agent.say(sessionId, wordsAfter));
    const fault =
      !stage.requests.some(({ method }) => method === 'DELETE') &&
      'the client ended without a DELETE: its connection and its sessions stay open at the server';
    stage.see.check('R365', fault);
  },
};
