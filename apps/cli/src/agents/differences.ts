import type { AgentDifferences } from '@turnwire/client/known-agents';

/** What an agent does differently from others, in words. */
export function describeDifferences(differences: AgentDifferences = {}): readonly string[] {
  const { missingFile, exitTimeout, environment, asking, loadsFromNextMinute } = differences;
  return [
    ...(missingFile ? ['a file that is missing is read as an empty one: it takes no error for "not found"'] : []),
    ...(exitTimeout === undefined ? [] : [`it may take ${exitTimeout / 1000} s to leave`]),
    ...(environment ? [`it is started with ${Object.keys(environment).join(', ')}`] : []),
    ...(asking ? [askingWords(asking)] : []),
    ...(loadsFromNextMinute ? ['it can load a session only in a later minute than it was made or loaded in'] : []),
  ];
}

function askingWords(asking: NonNullable<AgentDifferences['asking']>): string {
  switch (asking.by) {
    case 'mode':
      return `it is set to the mode ${asking.modeId}, so that it asks before it changes something`;
    case 'environment':
      return `it is started with ${Object.keys(asking.variables).join(', ')}, so that it asks before it changes something`;
    case 'nothing':
      return 'it asks nobody: whatever it wants to do, it does';
  }
}
