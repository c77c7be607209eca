import { type Handlers, type RequestContext, resourceNotFound, type SessionUpdate } from '@turnwire/protocol';
import { questionInVersion1, withSaidQuestion } from '@turnwire/protocol/translation';
import type {
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate as V2Update,
  UpdateSessionNotification,
  V2,
} from '@turnwire/protocol/v2';
import { type Deliver, OpenSession } from './open-session.ts';

/** The inputs of the handlers. */
interface HandlersParts {
  /** Those of version 1. */
  readonly handlers: Handlers<'client'>;
  readonly deliver: Deliver;
  readonly sessions: Map<string, OpenSession>;
}

/** An agent may announce any number of child sessions; those beyond this number of sessions are not followed. */
const mostSessions = 16_384;

/** Handlers of version 2, which call those of version 1. Forms and pages of agents are the same in both. */
export function projectedHandlers({ handlers, deliver, sessions }: HandlersParts): Handlers<'client', V2> {
  let questions = 0;
  const isNews = (child: string): boolean => !sessions.has(child) && sessions.size < mostSessions;
  return {
    'session/update'(notification: UpdateSessionNotification): Promise<void> | undefined {
      const session = sessions.get(notification.sessionId);
      const { update } = notification;
      if (session && update.sessionUpdate === 'subagent_update' && isNews(update.sessionId))
        sessions.set(update.sessionId, new OpenSession(deliver, session));
      return session?.receive(notification);
    },
    async 'session/request_permission'(
      asked: RequestPermissionRequest,
      context: RequestContext<'client', V2>,
    ): Promise<RequestPermissionResponse> {
      const { sessionId } = asked;
      const session = sessions.get(sessionId);
      if (session === undefined) throw resourceNotFound(`There is no session ${sessionId}`, { sessionId });
      const deliverAll = async (updates: readonly SessionUpdate[], said: V2Update | null): Promise<void> => {
        for (const [index, update] of updates.entries())
          await deliver({ sessionId, update, said: index === 0 ? said : null });
      };
      const { request, before, after } = questionInVersion1(session.reported, asked, `question-${++questions}`);
      await deliverAll(before, announcedBy(asked));
      const answer = await handlers['session/request_permission']?.(withSaidQuestion(request, asked), context as never);
      await deliverAll(after, null);
      return answer as RequestPermissionResponse;
    },
    ...present(handlers, 'elicitation/create'),
    ...present(handlers, 'elicitation/complete'),
  };
}

/** The subject of a question changes its tool call like an update does. */
function announcedBy({ subject }: RequestPermissionRequest): V2Update | null {
  return subject?.type === 'tool_call' ? { sessionUpdate: 'tool_call_update', ...subject.toolCall } : null;
}

function present(handlers: Handlers<'client'>, method: 'elicitation/create' | 'elicitation/complete'): object {
  const handler = handlers[method];
  return handler ? { [method]: handler } : {};
}
