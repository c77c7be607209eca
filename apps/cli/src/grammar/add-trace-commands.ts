import { type Command, InvalidArgumentError, Option } from 'commander';
import { footer } from './help-footer.ts';
import { traceHelp } from './agent-help-texts.ts';
import type { Invocation } from './invocation.ts';

const lazily = {
  record: () => import('../commands/trace/record-trace.ts'),
  view: () => import('../commands/trace/view-trace.ts'),
  validate: () => import('../commands/trace/validate-trace.ts'),
  replay: () => import('../commands/trace/replay-trace.ts'),
  replayAsClient: () => import('../commands/trace/replay-as-client.ts'),
  diff: () => import('../commands/trace/diff-traces.ts'),
  redact: () => import('../commands/trace/redact-trace-file.ts'),
};

interface RedactOptions {
  readonly out?: string;
  readonly secret: readonly string[];
  readonly prompts: boolean;
}

interface ViewOptions {
  readonly follow?: true;
  readonly method?: string;
  readonly session?: string;
  readonly id?: string;
  readonly direction?: 'in' | 'out';
}

interface ReplayOptions {
  readonly as: 'agent' | 'client';
  readonly speed?: number;
  readonly answerTimeout: number;
}

/** Defines the command `trace` and its subcommands. */
export function addTrace(trace: Command, invocation: Invocation): void {
  trace
    .description('record, view, validate, compare and replay the messages of clients and agents')
    .addHelpText('after', footer(traceHelp));
  addRecord(trace, invocation);
  addView(trace, invocation);
  addValidate(trace, invocation);
  addReplay(trace, invocation);
  addDiff(trace, invocation);
  addRedact(trace, invocation);
}

function addRecord(trace: Command, invocation: Invocation): void {
  hiding(trace.command('record'))
    .description(
      'start an agent and record its messages with the client on stdin and stdout; every byte is forwarded unchanged',
    )
    .argument('<command...>', 'the command that starts the agent, after --')
    .option('--out <file>', 'the trace file; default: a new file in ~/.local/state/turnwire/traces, named on stderr')
    .action((words: readonly string[], options: RedactOptions) =>
      invocation.run(async (all) => (await lazily.record()).recordTrace(words, options, all)),
    );
}

function addView(trace: Command, invocation: Invocation): void {
  trace
    .command('view')
    .alias('show')
    .description('print a trace, one line per message: time, direction, content, size, duration')
    .argument('<file>', 'the trace')
    .option('--follow', 'keep printing new messages until Ctrl-C')
    .option('--method <name>', 'only this method and its answers; session/* for all methods with this prefix')
    .option('--session <id>', 'only this session, by the agent’s id')
    .option('--id <id>', 'only the request with this id and its answer')
    .addOption(new Option('--direction <way>', 'only incoming or outgoing messages').choices(['in', 'out']))
    .action((file: string, options: ViewOptions) =>
      invocation.run(async (all) => (await lazily.view()).viewTrace(file, options, all)),
    );
}

function addValidate(trace: Command, invocation: Invocation): void {
  trace
    .command('validate')
    .description('check both sides of a trace against the protocol: schema, capabilities, order')
    .argument('<file>', 'the trace')
    .addOption(new Option('--of <side>', 'check only one side').choices(['agent', 'client']))
    .action((file: string, { of }: { readonly of?: 'agent' | 'client' }) =>
      invocation.run(async (all) => (await lazily.validate()).validateTrace(file, { of }, all)),
    );
}

function addReplay(trace: Command, invocation: Invocation): void {
  trace
    .command('replay')
    .description(
      'replay the agent of a trace on stdin and stdout, for a client to start; or replay its client with a real agent',
    )
    .argument('<file>', 'the trace')
    .argument('[command...]', 'with --as client: the command that starts the agent, after --')
    .addOption(new Option('--as <side>', 'the side to replay').choices(['agent', 'client']).default('agent'))
    .addOption(
      new Option(
        '--speed <factor>',
        'as an agent: 1 replays at the recorded speed, 2 at twice that; default: as fast as possible',
      ).argParser(positive),
    )
    .addOption(
      new Option('--answer-timeout <seconds>', 'as a client: how long the agent may take for each message')
        .argParser(positive)
        .default(60),
    )
    .action((file: string, words: readonly string[], { as, speed, answerTimeout }: ReplayOptions) => {
      if ((as === 'client') !== words.length > 0)
        trace.error('error: a client is replayed against an agent: trace replay FILE --as client -- COMMAND');
      return invocation.run(async (all) =>
        as === 'client'
          ? (await lazily.replayAsClient()).replayAsClient(file, { words, answerTimeout: answerTimeout * 1000 }, all)
          : (await lazily.replay()).replayTrace(file, speed),
      );
    });
}

function addDiff(trace: Command, invocation: Invocation): void {
  trace
    .command('diff')
    .description('compare two traces without ids and times: print lines only in the first (-) or the second (+)')
    .argument('<one>', 'the first trace')
    .argument('<other>', 'the second trace')
    .action((one: string, other: string) => invocation.run(async () => (await lazily.diff()).diffTraces(one, other)));
}

function addRedact(trace: Command, invocation: Invocation): void {
  hiding(trace.command('redact'))
    .description('write a copy of a trace with more of its content hidden')
    .argument('<file>', 'the trace')
    .option('--out <file>', 'the new file; default: stdout')
    .action((file: string, options: RedactOptions) =>
      invocation.run(async () => (await lazily.redact()).redactTraceFile(file, options)),
    );
}

function hiding(command: Command): Command {
  return command
    .option('--secret <text>', 'hide this text everywhere; may be repeated', listed, [])
    .option('--no-prompts', 'hide the prompts');
}

function listed(value: string, previous: readonly string[]): readonly string[] {
  if (value.length < 6) throw new InvalidArgumentError('Give a secret of at least six characters.');
  return [...previous, value];
}

function positive(value: string): number {
  const number = Number(value);
  if (!(number > 0 && number < Infinity))
    throw new InvalidArgumentError('Give a number greater than 0, such as 1 or 2.5.');
  return number;
}
