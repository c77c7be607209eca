import type { Command, Option } from 'commander';
import { builtInAgentName } from '../built-in-agent.ts';
import type { GrammarFacts } from './arrange-words.ts';

/** The grammar of the tree of commands. */
export function factsOf(program: Command, isAgent: GrammarFacts['isAgent']): GrammarFacts {
  const names = (command: Command): readonly string[] =>
    command.commands.flatMap((each) => [each.name(), ...each.aliases()]);
  return {
    valued: new Set(flagsOf(allOptions(program).filter(({ required }) => required))),
    maybeValued: new Set(flagsOf(allOptions(program).filter(({ long }) => long === '--resume'))),
    options: new Set([...flagsOf(allOptions(program)), '-h', '--help', '-V', '--version']),
    commands: new Map([
      ['help', new Set<string>()],
      ...program.commands.map((command) => [command.name(), new Set(names(command))] as const),
    ]),
    doubles: new Set([builtInAgentName]),
    isAgent,
  };
}

function allOptions(command: Command): readonly Option[] {
  return [...command.options, ...command.commands.flatMap(allOptions)];
}

function flagsOf(options: readonly Option[]): readonly string[] {
  return options.flatMap(({ short, long }) => [short, long].filter((flag) => flag !== undefined));
}
