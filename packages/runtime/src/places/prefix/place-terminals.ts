import type { HostContext, HostTerminals } from '@turnwire/client';
import { type CreateTerminalRequest, type CreateTerminalResponse, invalidParams } from '@turnwire/protocol';
import { type AgentPlace, PlacePrefix } from './agent-place.ts';

/** Spaces and shell syntax. */
const shellSyntax = /[\s|&;<>()$`\\"'*?[\]#~={}!%^]/;

/**
 * Terminals whose commands run where the agent runs. The folder of a command is checked here, against the folders of the session, and mapped. A
 * command without arguments that contains spaces or shell syntax is a line for the `sh` there.
 */
export class PlaceTerminals implements HostTerminals {
  readonly shell = { path: '/bin/sh', reads: 'posix' } as const;
  readonly realPath: HostTerminals['realPath'];
  readonly admit: HostTerminals['admit'];
  readonly output: HostTerminals['output'];
  readonly waitForExit: HostTerminals['waitForExit'];
  readonly kill: HostTerminals['kill'];
  readonly release: HostTerminals['release'];
  readonly #own: HostTerminals;
  readonly #place: AgentPlace;
  /** The commands as the agent wrote them, by terminal. */
  readonly #lines = new Map<string, string>();

  /** @param own terminals that run the prefix on this machine */
  constructor(own: HostTerminals, place: AgentPlace) {
    this.#own = own;
    this.#place = place;
    this.realPath = own.realPath;
    this.admit = (request, context) => own.admit?.(request, context);
    this.output = (request, context) => own.output(request, context);
    this.waitForExit = (request, context) => own.waitForExit(request, context);
    this.kill = (request, context) => own.kill(request, context);
    this.release = (request, context) => {
      this.#lines.delete(request.terminalId);
      return own.release(request, context);
    };
  }

  /** Starts a command behind the prefix. Rejects with invalid-params if it may run only on the files of this machine. */
  async create(request: CreateTerminalRequest, context: HostContext): Promise<CreateTerminalResponse> {
    const { command, args = [], env = [] } = request;
    const [root = '/'] = context.roots;
    if (context.run) {
      if (this.#place.sharesFiles !== false) return this.#own.create(request, context);
      throw invalidParams('This command may only run on the files of this machine, which the agent does not share');
    }
    if (command.trim() === '') throw invalidParams('The command is empty');
    const cwd = request.cwd ?? root;
    const prefix = new PlacePrefix(this.#place, root);
    const there = prefix.mapping.there(cwd);
    if (there === undefined) throw invalidParams(`The folder ${cwd} does not exist where the agent runs`);
    const isLine = args.length === 0 && shellSyntax.test(command);
    const words = isLine ? ['sh', '-c', command] : [command, ...args];
    const variables = env.map(({ name, value }) => `${name}=${value}`);
    const [program = '', ...others] = prefix.inFolder(words, there, variables);
    const made = await this.#own.create({ ...request, cwd, command: program, args: others, env: [] }, context);
    this.#lines.set(made.terminalId, [command, ...args].join(' '));
    return made;
  }

  watch(listener: Parameters<HostTerminals['watch']>[0]): () => void {
    return this.#own.watch((snapshot) =>
      listener({ ...snapshot, command: this.#lines.get(snapshot.terminalId) ?? snapshot.command }),
    );
  }

  async releaseAll(sessionId?: string): Promise<void> {
    if (sessionId === undefined) this.#lines.clear();
    await this.#own.releaseAll(sessionId);
  }
}
