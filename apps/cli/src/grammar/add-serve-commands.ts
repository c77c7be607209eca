import { type Command, Option } from 'commander';
import { listenPlace } from '../commands/serve/listen-place.ts';
import type { ServeGiven } from '../commands/serve/serve.ts';
import type { TokenGiven } from '../commands/serve/serve-tokens.ts';
import {
  absolutePath,
  amount,
  existingFolder,
  httpOrigin,
  oneMore,
  secondsAboveZero,
  wholeNumber,
  zeroOrMore,
} from '../option-values.ts';
import { footer } from './help-footer.ts';
import { proxyHelp, serveHelp, tokensHelp, webHelp } from './help-texts.ts';
import type { Invocation } from './invocation.ts';

const lazily = {
  serve: () => import('../commands/serve/serve.ts'),
  tokens: () => import('../commands/serve/serve-tokens.ts'),
};

/** Completes the command `serve` and its subcommands. */
export function addServe(serve: Command, invocation: Invocation): void {
  const agents = agentsIn(invocation.program);
  serve
    .description('serve agents to any number of clients, here and on other machines')
    .allowExcessArguments(false)
    .addHelpText('after', footer(serveHelp));
  for (const option of serveOptions()) serve.addOption(option);
  serve.action((given: Omit<ServeGiven, 'agents'>) =>
    invocation.run(async (options) => (await lazily.serve()).serve({ ...given, agents }, options)),
  );
  serve
    .command('status')
    .description('list the servers of this user that run, or those of a database')
    .addOption(new Option('--store <url>', 'the address of the database, postgresql://… (default: $TURNWIRE_STORE)'))
    .addOption(new Option('--tenants', 'list the tenants of the database in their place, and what they use'))
    // The option --store of serve takes that of status.
    .action(({ tenants }: { readonly tenants?: true }) =>
      invocation.run(async (options) =>
        (await import('../commands/serve/serve-status.ts')).serveStatus({ ...serve.opts(), tenants }, options),
      ),
    );
  serve
    .command('move')
    .description('move a session from the server that has it to another one of the database')
    .argument('<session>', 'its id')
    .requiredOption('--to <node>', 'the number or the address of the other server: see turnwire serve status')
    .addOption(
      new Option('--wait <seconds>', 'how long a turn that runs may go on before it is ended')
        .argParser(zeroOrMore)
        .default(30),
    )
    // The options --store and --cluster-secret of serve take those of move.
    .addOption(new Option('--store <url>', 'the address of the database, postgresql://… (default: $TURNWIRE_STORE)'))
    .addOption(
      new Option('--cluster-secret <file>', 'as for serve (default: $TURNWIRE_CLUSTER_SECRET)').argParser(absolutePath),
    )
    .action((session: string, { to, wait }: { readonly to: string; readonly wait: number }) =>
      invocation.run(async (options) =>
        (await import('../commands/serve/serve-move.ts')).moveBetweenServers(
          session,
          { ...serve.opts(), to, wait },
          options,
        ),
      ),
    );
  addTokens(serve, invocation);
}

/** Every value of `--agent`: the option is the program's, and has one value there. */
function agentsIn(program: Command): readonly string[] {
  const agents: string[] = [];
  program.on('option:agent', (given: string) => agents.push(given));
  return agents;
}

/** Completes the command `proxy`. */
export function addProxy(command: Command, invocation: Invocation): void {
  command
    .description('stand between an editor and an agent: with your rules, and sessions that last')
    .usage('[options] [-- <agent command…>]')
    .argument('[command...]', 'the command that starts the agent, after --; default: the agent that is named')
    .addHelpText('after', footer(proxyHelp))
    .action((words: readonly string[]) =>
      invocation.run(async (options) => (await import('../commands/serve/proxy.ts')).proxy(words, options)),
    );
}

/** Completes the command `web`. */
export function addWeb(command: Command, invocation: Invocation): void {
  const agents = agentsIn(invocation.program);
  command
    .description('open the web client: of the server of this folder, or of one that ends with this command')
    .allowExcessArguments(false)
    .addOption(new Option('--no-open', 'print the address and start no browser'))
    .addHelpText('after', footer(webHelp))
    .action(({ open }: { readonly open: boolean }) =>
      invocation.run(async (options) =>
        (await import('../commands/serve/web.ts')).web({ agents, name: invocation.agentName, open }, options),
      ),
    );
}

function serveOptions(): readonly Option[] {
  return [
    new Option('--listen <place>', 'HOST:PORT, or unix:PATH (default: 127.0.0.1 and a free port)').argParser(
      listenPlace,
    ),
    new Option('--root <dir>', 'let sessions work in this folder; may be repeated')
      .argParser((given: string, before: readonly string[]) => [...before, existingFolder(given)])
      .default([], 'the current one'),
    new Option('--json', 'print the address and the token as one line of JSON'),
    new Option('--host-name <name>', 'a name by which clients reach this machine; may be repeated')
      .argParser(oneMore)
      .default([], 'none'),
    new Option('--origin <url>', 'let web pages of this origin connect; may be repeated')
      .argParser(oneMore)
      .default([], 'none'),
    new Option('--tls-cert <file>', 'the certificate to serve wss:// and https:// with').argParser(absolutePath),
    new Option('--tls-key <file>', 'its key').argParser(absolutePath),
    new Option(
      '--issuer <url>',
      'accept tokens that this issuer signs (JWT), by its name in them; with --audience and --jwks',
    ),
    new Option('--audience <name>', 'what such tokens call this server'),
    new Option('--jwks <place>', 'the public keys of the issuer: a file, or an https:// URL').argParser(
      (given: string) => (/^https?:/.test(given) ? given : absolutePath(given)),
    ),
    new Option('--store <url>', 'keep sessions in a database, postgresql://… (default: a file of this user)'),
    new Option(
      '--advertise <url>',
      'where other servers of the database reach this one (default: where it listens)',
    ).argParser(httpOrigin),
    new Option(
      '--cluster-secret <file>',
      'a file with what the servers of the database know each other by (default: $TURNWIRE_CLUSTER_SECRET)',
    ).argParser(absolutePath),
    new Option(
      '--lease <seconds>',
      'how long other servers of the database wait for its heartbeat before they take its sessions (default: 10)',
    ).argParser(secondsAboveZero),
    new Option('--max-agents <count>', 'how many sessions of a tenant may have an agent at the same time')
      .argParser(wholeNumber)
      .default(100),
    new Option('--quotas <file>', 'what tenants may use: sessions, agents, prompts and bytes, as JSON').argParser(
      absolutePath,
    ),
    new Option(
      '--audit <file>',
      'note who connects, and what is asked and answered, in this file; - is stderr',
    ).argParser((given: string) => (given === '-' ? given : absolutePath(given))),
    new Option('--audit-store', 'note the same in the database'),
    ...sandboxOptions(),
    new Option('--allow-mcp-servers', 'let clients whose token is not of scope admin name MCP servers'),
  ];
}

function sandboxOptions(): readonly Option[] {
  return [
    new Option(
      '--sandbox',
      'start agents in a sandbox in which they write in the folders of the server alone (Linux, needs bubblewrap)',
    ),
    new Option('--sandbox-read <path>', 'let agents in a sandbox read this of a home folder, too; may be repeated')
      .argParser((given: string, before: readonly string[]) => [...before, absolutePath(given)])
      .default([], 'none'),
    new Option('--sandbox-write <dir>', 'let agents in a sandbox write in this folder, too; may be repeated')
      .argParser((given: string, before: readonly string[]) => [...before, existingFolder(given)])
      .default([], 'none'),
  ];
}

function addTokens(serve: Command, invocation: Invocation): void {
  const tokens = serve
    .command('tokens')
    .description('the tokens by which clients connect')
    .addHelpText('after', footer(tokensHelp));
  tokens
    .command('create')
    .description('make a token, and print it')
    .addOption(new Option('--label <text>', 'what you recognise it by').default(''))
    .addOption(
      new Option('--scope <scope>', 'what it is for').choices(['observe', 'control', 'admin']).default('control'),
    )
    .addOption(new Option('--days <count>', 'how long it is valid').argParser(amount))
    .action((given: TokenGiven) =>
      invocation.run(async (options) => (await lazily.tokens()).createToken(given, options)),
    );
  tokens
    .command('list', { isDefault: true })
    .description('list them; none is shown')
    .action(() => invocation.run(async (options) => (await lazily.tokens()).listTokens(options)));
  tokens
    .command('revoke')
    .description('make one void, and cut off who is connected with it')
    .argument('<id>', 'its id')
    .action((id: string) => invocation.run(async () => (await lazily.tokens()).revokeToken(id)));
}
