import { isAbsolute } from 'node:path';
import { objectsIn, quoted, type RawMessage } from '../../wire/messages.ts';
import { WireError } from '../../wire/wire.ts';
import { HostTerminal } from './host-terminal.ts';

/** Bytes of output to retain if the agent sets no limit. */
const defaultLimit = 1024 * 1024;

export class HostTerminals {
  readonly #held = new Map<string, { readonly sessionId: unknown; readonly terminal: HostTerminal }>();
  readonly #cwd: string;
  /** The number of terminals created so far. */
  created = 0;

  /** @param cwd the default working directory of commands */
  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  get held(): readonly string[] {
    return [...this.#held.keys()];
  }

  create({ sessionId, command, args, env, cwd, outputByteLimit }: RawMessage): RawMessage {
    if (typeof command !== 'string') throw new WireError(-32602, 'command is not a string');
    const place = cwd ?? this.#cwd;
    if (typeof place !== 'string' || !isAbsolute(place)) throw new WireError(-32602, 'cwd is not absolute');
    const terminal = new HostTerminal({
      command,
      args: Array.isArray(args) ? args.map(String) : [],
      cwd: place,
      env: Object.fromEntries(objectsIn(env).map(({ name, value }) => [String(name), String(value)])),
      outputByteLimit: typeof outputByteLimit === 'number' ? outputByteLimit : defaultLimit,
    });
    const terminalId = `terminal-${++this.created}`;
    this.#held.set(terminalId, { sessionId, terminal });
    return { terminalId };
  }

  output(params: RawMessage): RawMessage {
    return this.#find(params).now;
  }

  async wait(params: RawMessage): Promise<RawMessage> {
    return { ...(await this.#find(params).exited) };
  }

  kill(params: RawMessage): RawMessage {
    this.#find(params).kill();
    return {};
  }

  release(params: RawMessage): RawMessage {
    this.#find(params).kill();
    this.#held.delete(String(params['terminalId']));
    return {};
  }

  async close(): Promise<void> {
    const all = [...this.#held.values()];
    for (const { terminal } of all) terminal.kill();
    await Promise.all(all.map(({ terminal }) => terminal.exited));
  }

  #find({ sessionId, terminalId }: RawMessage): HostTerminal {
    const held = this.#held.get(String(terminalId));
    if (held === undefined || held.sessionId !== sessionId)
      throw new WireError(-32602, `there is no terminal ${quoted(terminalId)} in this session`);
    return held.terminal;
  }
}
