import type { Edition, EditionTypes, SessionEffect } from '../edition.ts';
import { v2Checks } from '../generated/v2-checks.ts';
import { v2Shapes } from '../generated/v2-shapes.ts';
import type { Definitions } from '../generated/v2-types.ts';
import { v2ParamGates } from './gates.ts';
import { v2Methods } from './methods.ts';
import { NegotiatingHandshake } from './handshake.ts';

/** The stable methods of version 2, to the compiler. */
export interface V2 extends EditionTypes {
  readonly version: 2;
  readonly methods: typeof v2Methods;
  readonly definitions: Definitions;
}

/**
 * The stable methods of version 2 of the protocol, which is in Preview: it may still change. A prompt is only acknowledged; updates of
 * the session say when the work begins and ends.
 *
 * @example
 * const agent = connectClient(transport, handlers, { edition: v2 });
 * await agent.request('initialize', { protocolVersion: 2, info: { name: 'example', version: '1.0.0' } });
 * const { sessionId } = await agent.request('session/new', { cwd: '/' });
 * const { messageId } = await agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'Hello' }] });
 */
export const v2: Edition<V2> = {
  protocolVersion: 2,
  methods: v2Methods,
  checks: v2Checks,
  shapes: v2Shapes,
  paramGates: v2ParamGates,
  ordering: {
    effects: new Map<string, SessionEffect>([
      ['session/new', 'begins'],
      ['session/resume', 'opens'],
      ['session/close', 'ends'],
      ['session/delete', 'ends'],
    ]),
    answersLast: new Set(['session/resume']),
  },
  handshake: NegotiatingHandshake,
};
