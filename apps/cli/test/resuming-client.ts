import { connectClient, type Peer, protocolVersion } from '@turnwire/protocol';
import { v2, type V2 } from '@turnwire/protocol/v2';
import { connectWebSocket } from '@turnwire/transports/websocket/node';
import { onTestFinished } from 'vitest';
import type { RunningServer } from './running-server.ts';

type Update = { readonly [key: string]: unknown; readonly sessionUpdate: string };
type Received = { readonly update: object; readonly _meta?: object | null | undefined };

/** A client that keeps what it received, and the cursor of the last update. */
abstract class ResumingClient {
  cursor: string | undefined;
  updates = 0;
  protected peer: Pick<Peer<'client'>, 'close' | 'closed'> | undefined;

  /** What it has received of a session, in a form that does not depend on the number of connections. */
  abstract get view(): unknown;
  /** Opens a session after the cursor, or with the whole history. */
  abstract open(server: RunningServer, sessionId: string): Promise<void>;
  /** Resolves when the server has ended the connection. */
  get closed(): Promise<unknown> | undefined {
    return this.peer?.closed;
  }

  async leave(): Promise<void> {
    await this.peer?.close();
  }

  protected abstract apply(update: Update): void;

  protected receive({ update, _meta }: Received): void {
    this.updates++;
    const { cursor } = ((_meta ?? {}) as { readonly turnwire?: { readonly cursor?: string } }).turnwire ?? {};
    this.cursor = cursor ?? this.cursor;
    this.apply(update as Update);
  }
}

function transportTo({ acp, token }: RunningServer): ReturnType<typeof connectWebSocket> {
  return connectWebSocket(acp, { headers: { authorization: `Bearer ${token}` } });
}

/** A client of version 1. It loads a session. */
export class ClientOfVersion1 extends ResumingClient {
  readonly view: Update[] = [];

  async open(server: RunningServer, sessionId: string): Promise<void> {
    const peer = connectClient(transportTo(server), { 'session/update': (received) => this.receive(received) });
    this.peer = peer;
    onTestFinished(() => void peer.close());
    await peer.request('initialize', { protocolVersion, clientCapabilities: {} });
    const _meta = { turnwire: this.cursor === undefined ? {} : { after: this.cursor } };
    await peer.request('session/load', { sessionId, cwd: '/', mcpServers: [], _meta });
  }

  protected apply(update: Update): void {
    this.view.push(update);
  }
}

/** A client of version 2. It keeps messages, tool calls and terminals as the protocol defines patches and chunks. */
export class ClientOfVersion2 extends ResumingClient {
  readonly messages: Map<string, string> = new Map();
  readonly calls: Map<unknown, object> = new Map();
  readonly terminals: Map<unknown, Buffer> = new Map();

  get view(): unknown {
    const output = [...this.terminals].map(([id, bytes]) => [id, bytes.toString()]);
    return { messages: [...this.messages], calls: [...this.calls], output };
  }

  async begin(server: RunningServer, cwd: string, text: string): Promise<string> {
    const peer = await this.#connect(server);
    const { sessionId } = await peer.request('session/new', { cwd });
    await peer.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
    return sessionId;
  }

  async open(server: RunningServer, sessionId: string): Promise<void> {
    const peer = await this.#connect(server);
    const _meta = { turnwire: this.cursor === undefined ? {} : { after: this.cursor } };
    await peer.request('session/resume', { sessionId, cwd: '/', replayFrom: { type: 'start' }, _meta });
  }

  async #connect(server: RunningServer): Promise<Peer<'client', V2>> {
    const handlers = { 'session/update': (received: Received) => this.receive(received) };
    const peer = connectClient(transportTo(server), handlers, { edition: v2 });
    this.peer = peer;
    onTestFinished(() => void peer.close());
    await peer.request('initialize', { protocolVersion: 2, info: { name: 'test', version: '1' } });
    return peer;
  }

  protected apply({ sessionUpdate, ...update }: Update): void {
    const { messageId, content, toolCallId, terminalId, output, data } = update;
    if (typeof messageId === 'string') {
      const isChunk = sessionUpdate.endsWith('_chunk');
      const key = `${sessionUpdate.replace('_chunk', '')} ${messageId}`;
      const text = [content].flat().map((block) => (block as { readonly text: string }).text);
      this.messages.set(key, [isChunk ? (this.messages.get(key) ?? '') : '', ...text].join(''));
    }
    if (sessionUpdate === 'tool_call_update') this.calls.set(toolCallId, { ...this.calls.get(toolCallId), ...update });
    if (sessionUpdate === 'terminal_update' && output)
      this.terminals.set(terminalId, Buffer.from((output as { readonly data: string }).data, 'base64'));
    if (sessionUpdate === 'terminal_output_chunk') {
      const before = this.terminals.get(terminalId) ?? Buffer.alloc(0);
      this.terminals.set(terminalId, Buffer.concat([before, Buffer.from(String(data), 'base64')]));
    }
  }
}
