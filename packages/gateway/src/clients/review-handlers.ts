import { join } from 'node:path';
import type { GatewayMethods } from '@turnwire/client/gateway';
import { isInside, realPath } from '@turnwire/machine';
import { GitError } from '@turnwire/machine/folder-record';
import {
  errorCodes,
  invalidParams,
  methodNotFound,
  ProtocolError,
  type ReviewedChange,
  type TurnwireRequest,
  type UnsentComment,
} from '@turnwire/protocol';
import type { Session } from '@turnwire/runtime';
import { SessionReview, type SessionReviewParts } from '@turnwire/runtime/review';
import type { ClientState } from './client-state.ts';
import { sessionIdIn, withText } from './own-parameters.ts';
import { enqueue } from './prompting.ts';

type ReviewMethod = Extract<TurnwireRequest, `_turnwire/review${string}`>;

/** The longest comment of a user, in UTF-16 units. */
const longestComment = 20_000;

/**
 * The handlers of the methods with which clients review what agents changed. Observers may not even read it: the record is of the whole folder, with
 * the changes of other sessions and of the user.
 */
export const reviewHandlers: {
  readonly [Method in ReviewMethod]: (
    client: ClientState,
    params: unknown,
  ) => Promise<GatewayMethods[Method]['result']>;
} = {
  '_turnwire/review': async (client, params) => {
    const { host } = client.opened.controlled(sessionIdIn('_turnwire/review', params));
    return reviewing(client, host, (review) => review.overview());
  },
  '_turnwire/review_file': async (client, params) => {
    const { sessionId, value: path } = withText('_turnwire/review_file', params, 'path');
    return reviewing(client, client.opened.controlled(sessionId).host, (review) => review.file(path));
  },
  '_turnwire/review_decide': async (client, params) => {
    const { decision, changes } = (params ?? {}) as Readonly<Record<string, unknown>>;
    const isDecision = decision === 'accept' || decision === 'reject';
    if (!isDecision || !Array.isArray(changes) || !changes.every(isChange))
      throw invalidParams(
        '_turnwire/review_decide: { decision: "accept" or "reject", changes: [{ path, version } or { path, hunks }] } is needed',
      );
    const { host } = client.opened.controlled(sessionIdIn('_turnwire/review_decide', params));
    return reviewing(client, host, (review) => review.decide(decision, changes));
  },
  '_turnwire/review_comment': async (client, params) => {
    const { sessionId } = withText('_turnwire/review_comment', params, 'text');
    const comment = unsentComment('_turnwire/review_comment', params);
    await reviewing(client, client.opened.controlled(sessionId).host, (review) => review.comment(comment));
    return {};
  },
  '_turnwire/review_forget': async (client, params) => {
    const sessionId = sessionIdIn('_turnwire/review_forget', params);
    const { comment } = params as { readonly comment?: Partial<UnsentComment> };
    const { code } = comment ?? {};
    const forgotten = {
      ...unsentComment('_turnwire/review_forget: comment', comment),
      ...(typeof code === 'string' && { code }),
    };
    await reviewing(client, client.opened.controlled(sessionId).host, (review) => review.forget(forgotten));
    return {};
  },
  '_turnwire/review_send': async (client, params) => {
    const sessionId = sessionIdIn('_turnwire/review_send', params);
    const { host } = client.opened.controlled(sessionId);
    const send = (text: string): Promise<{ readonly turnId: string }> =>
      enqueue(client, { sessionId, prompt: [{ type: 'text', text }] });
    const sent = await reviewing(client, host, (review) => review.send(send));
    if (!sent) throw invalidParams('_turnwire/review_send: there is no comment to send');
    return sent;
  },
  '_turnwire/review_commit': async (client, params) => {
    const { message } = (params ?? {}) as { readonly message?: unknown };
    const isText = typeof message === 'string' && message.trim() !== '' && !message.includes('\0');
    const isMessage = isText && message.length <= longestComment;
    if (message !== undefined && !isMessage)
      throw invalidParams('_turnwire/review_commit: message is a text of up to 20,000 characters, without NUL');
    const { host } = client.opened.controlled(sessionIdIn('_turnwire/review_commit', params));
    const { commit, files, skippedHooks } = await reviewing(client, host, (review) =>
      review.commit(isMessage ? message : undefined),
    );
    return { commit, files, skippedHooks };
  },
  '_turnwire/review_patch': async (client, params) => {
    const { host } = client.opened.controlled(sessionIdIn('_turnwire/review_patch', params));
    const patch = await reviewing(client, host, (review) => review.patch());
    return { patch: patch.toString('base64') };
  },
  '_turnwire/review_undo': async (client, params) => {
    const { turn } = (params ?? {}) as { readonly turn?: unknown };
    if (typeof turn !== 'number') throw invalidParams('_turnwire/review_undo: { sessionId, turn } is needed');
    const { host } = client.opened.controlled(sessionIdIn('_turnwire/review_undo', params));
    return reviewing(client, host, (review) => review.undo(turn));
  },
};

/** Works with the review of a session, and converts its errors for the client. */
async function reviewing<Value>(
  client: ClientState,
  host: Session,
  work: (review: SessionReview) => Promise<Value>,
): Promise<Value> {
  const { recorder } = host;
  if (!recorder) throw methodNotFound('_turnwire/review');
  const { record, recorded } = recorder;
  const shown = await shownPaths(client, host, record.folder);
  try {
    return await work(
      new SessionReview({
        record,
        recorded,
        sessionId: host.id,
        place: client.sessions.placeOf(host.record.cwd),
        ...shown,
      }),
    );
  } catch (error) {
    if (error instanceof RangeError) throw invalidParams(error.message);
    if (error instanceof GitError) throw new ProtocolError(errorCodes.internalError, error.message);
    throw error;
  }
}

/** The record is of the whole repository. A client that may not work there sees only the files in the folders of the session. */
async function shownPaths(
  { sessions, owner }: ClientState,
  { record: { cwd, additionalDirectories } }: Session,
  folder: string,
): Promise<Pick<SessionReviewParts, 'shows' | 'showsAll'>> {
  const wanted = { cwd: folder, additionalDirectories: [], mcpServers: [] };
  const showsAll = await sessions.admitted(wanted, owner).then(
    () => true,
    () => false,
  );
  if (showsAll) return { showsAll, shows: () => true };
  const folders = [cwd, ...additionalDirectories].map((each) => realPath(each) ?? each);
  return { showsAll, shows: (path) => folders.some((each) => isInside(each, join(folder, path))) };
}

function isChange(change: unknown): change is ReviewedChange {
  const { path, version, hunks } = (change ?? {}) as Readonly<Record<string, unknown>>;
  const isHunks = Array.isArray(hunks) && hunks.every((id) => typeof id === 'string');
  return typeof path === 'string' && (typeof version === 'string' || isHunks);
}

function unsentComment(what: string, params: unknown): Omit<UnsentComment, 'code'> {
  const { path, lines, text } = (params ?? {}) as Readonly<Record<string, unknown>>;
  const isText = typeof text === 'string' && text.trim() !== '' && text.length <= longestComment;
  if (typeof path !== 'string' || !isText || !(lines === undefined || isRange(lines)))
    throw invalidParams(
      `${what}: { path, lines, text } is needed, with a text of up to 20,000 characters, and with the first and the last line, or without lines`,
    );
  return { path, ...(lines !== undefined && { lines }), text };
}

function isRange(lines: unknown): lines is readonly [number, number] {
  if (!Array.isArray(lines) || lines.length !== 2) return false;
  const [first, last] = lines as readonly unknown[];
  return Number.isInteger(first) && Number.isInteger(last) && Number(first) >= 1 && Number(last) >= Number(first);
}
