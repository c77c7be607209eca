import { type Command, Option } from 'commander';
import { listenAddress } from '../commands/serve/listen-address.ts';
import type { ServeArguments } from '../commands/serve/serve.ts';
import type { TokenArguments } from '../commands/serve/serve-tokens.ts';
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

/** Defines the command `serve` and its subcommands. */
export function addServe(serve: Command, invocation: Invocation): void {
  const agents = agentsIn(invocation.program);
  serve
    .description('serve agents to clients on this machine and others')
    .allowExcessArguments(false)
    .addHelpText('after', footer(serveHelp));
  for (const option of serveOptions()) serve.addOption(option);
  serve.action((args: Omit<ServeArguments, 'agents'>) =>
    invocation.run(async (options) => (await lazily.serve()).serve({ ...args, agents }, options)),
  );
  serve
    .command('status')
    .description('list the running servers of this user, or the servers of a database')
    .addOption(new Option('--store <url>', 'the address of the database, postgresql://… (default: $TURNWIRE_STORE)'))
    .addOption(new Option('--tenants', 'list the tenants of the database and their usage instead'))
    // The parser stores --store under serve, which has an option of the same name.
    .action(({ tenants }: { readonly tenants?: true }) =>
      invocation.run(async (options) =>
        (await import('../commands/serve/serve-status.ts')).serveStatus({ ...serve.opts(), tenants }, options),
      ),
    );
  serve
    .command('move')
    .description('move a session to another server of the same database')
    .argument('<session>', 'the id of the session')
    .requiredOption('--to <node>', 'the number or the address of the other server: see turnwire serve status')
    .addOption(
      new Option('--wait <seconds>', 'how long a running turn may continue before it is cancelled')
        .argParser(zeroOrMore)
        .default(30),
    )
    // The parser stores both under serve, which has options of the same names.
    .addOption(new Option('--store <url>', 'the address of the database, postgresql://… (default: $TURNWIRE_STORE)'))
    .addOption(
      new Option('--cluster-secret <file>', 'the secret of the servers (default: $TURNWIRE_CLUSTER_SECRET)').argParser(
        absolutePath,
      ),
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

/** Collects every value of `--agent`. The option belongs to the program, which keeps only the last value. */
function agentsIn(program: Command): readonly string[] {
  const agents: string[] = [];
  program.on('option:agent', (value: string) => agents.push(value));
  return agents;
}

/** Defines the command `proxy`. */
export function addProxy(command: Command, invocation: Invocation): void {
  command
    .description('run an agent for an editor, with your permission rules and stored sessions')
    .usage('[options] [-- <agent command…>]')
    .argument('[command...]', 'the command that starts the agent, after --; default: the named agent')
    .addHelpText('after', footer(proxyHelp))
    .action((words: readonly string[]) =>
      invocation.run(async (options) => (await import('../commands/serve/proxy.ts')).proxy(words, options)),
    );
}

/** Defines the command `web`. */
export function addWeb(command: Command, invocation: Invocation): void {
  const agents = agentsIn(invocation.program);
  command
    .description('open the web client of the server of this folder; without one, start a server until Ctrl-C')
    .allowExcessArguments(false)
    .addOption(new Option('--no-open', 'print the address without opening a browser'))
    .addHelpText('after', footer(webHelp))
    .action(({ open }: { readonly open: boolean }) =>
      invocation.run(async (options) =>
        (await import('../commands/serve/web.ts')).web({ agents, name: invocation.agentName, open }, options),
      ),
    );
}

function serveOptions(): readonly Option[] {
  return [
    new Option('--listen <address>', 'HOST:PORT or unix:PATH (default: 127.0.0.1 and a free port)').argParser(
      listenAddress,
    ),
    new Option('--root <dir>', 'allow sessions in this folder; may be repeated')
      .argParser((value: string, previous: readonly string[]) => [...previous, existingFolder(value)])
      .default([], 'the current one'),
    new Option('--json', 'print the address and the token as one line of JSON'),
    new Option('--host-name <name>', 'a host name that clients use for this machine; may be repeated')
      .argParser(oneMore)
      .default([], 'none'),
    new Option('--origin <url>', 'allow web pages of this origin to connect; may be repeated')
      .argParser(oneMore)
      .default([], 'none'),
    new Option('--tls-cert <file>', 'the TLS certificate for wss:// and https://').argParser(absolutePath),
    new Option('--tls-key <file>', 'the key of the TLS certificate').argParser(absolutePath),
    new Option(
      '--issuer <url>',
      'accept JWTs of this issuer, as their "iss" claim names it; needs --audience and --jwks',
    ),
    new Option('--audience <name>', 'the "aud" claim that those JWTs must have'),
    new Option('--jwks <location>', 'the public keys of the issuer: a file or an https:// URL').argParser(
      (value: string) => (/^https?:/.test(value) ? value : absolutePath(value)),
    ),
    new Option('--store <url>', 'keep sessions in a database, postgresql://… (default: a file of this user)'),
    new Option(
      '--advertise <url>',
      'the address under which other servers of the database reach this one (default: the address it listens on)',
    ).argParser(httpOrigin),
    new Option(
      '--cluster-secret <file>',
      'a file with the shared secret of the servers of the database (default: $TURNWIRE_CLUSTER_SECRET)',
    ).argParser(absolutePath),
    new Option(
      '--lease <seconds>',
      'how long this server may miss its heartbeat before others take over its sessions (default: 10)',
    ).argParser(secondsAboveZero),
    new Option('--max-agents <count>', 'the maximum number of sessions with a running agent per tenant')
      .argParser(wholeNumber)
      .default(100),
    new Option('--quotas <file>', 'quotas of tenants for sessions, agents, prompts and bytes, as JSON').argParser(
      absolutePath,
    ),
    new Option(
      '--audit <file>',
      'log connections, prompts, permission requests and answers to this file; - is stderr',
    ).argParser((value: string) => (value === '-' ? value : absolutePath(value))),
    new Option('--audit-store', 'write the audit log to the database'),
    ...sandboxOptions(),
    new Option('--allow-mcp-servers', 'allow clients without the scope admin to name MCP servers'),
  ];
}

function sandboxOptions(): readonly Option[] {
  return [
    new Option(
      '--sandbox',
      'start agents in a sandbox that limits writing to the folders of the server (Linux, needs bubblewrap)',
    ),
    new Option('--sandbox-read <path>', 'allow agents in a sandbox to read this path in a home folder; may be repeated')
      .argParser((value: string, previous: readonly string[]) => [...previous, absolutePath(value)])
      .default([], 'none'),
    new Option('--sandbox-write <dir>', 'allow agents in a sandbox to write in this folder; may be repeated')
      .argParser((value: string, previous: readonly string[]) => [...previous, existingFolder(value)])
      .default([], 'none'),
  ];
}

function addTokens(serve: Command, invocation: Invocation): void {
  const tokens = serve
    .command('tokens')
    .description('create, list and revoke the tokens that clients connect with')
    .addHelpText('after', footer(tokensHelp));
  tokens
    .command('create')
    .description('create a token and print it')
    .addOption(new Option('--label <text>', 'a label that you recognise the token by').default(''))
    .addOption(
      new Option('--scope <scope>', 'what the token allows')
        .choices(['observe', 'control', 'admin'])
        .default('control'),
    )
    .addOption(new Option('--days <count>', 'how many days the token is valid (default: no limit)').argParser(amount))
    .action((args: TokenArguments) =>
      invocation.run(async (options) => (await lazily.tokens()).createToken(args, options)),
    );
  tokens
    .command('list', { isDefault: true })
    .description('list the tokens without their secrets')
    .action(() => invocation.run(async (options) => (await lazily.tokens()).listTokens(options)));
  tokens
    .command('revoke')
    .description('revoke a token and disconnect its clients')
    .argument('<id>', 'the id of the token, or the start of it')
    .action((id: string) => invocation.run(async () => (await lazily.tokens()).revokeToken(id)));
}
