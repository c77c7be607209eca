import type { AgentDifferences } from '@turnwire/client/known-agents';

/** Descriptions of the ways in which an agent differs from others. */
export function describeDifferences(differences: AgentDifferences = {}): readonly string[] {
  const { missingFile, exitTimeout, environment, asking, loadsFromNextMinute } = differences;
  return [
    ...(missingFile ? ['a missing file is read as an empty one: it does not understand an error as "not found"'] : []),
    ...(exitTimeout === undefined ? [] : [`it may take ${exitTimeout / 1000} s to exit`]),
    ...(environment ? [`it is started with ${Object.keys(environment).join(', ')}`] : []),
    ...(asking ? [askingWords(asking)] : []),
    ...(loadsFromNextMinute
      ? ['it can load a session only in a later minute than the one it was created or last loaded in']
      : []),
  ];
}

function askingWords(asking: NonNullable<AgentDifferences['asking']>): string {
  switch (asking.by) {
    case 'mode':
      return `its mode is set to ${asking.modeId}, so that it asks before it changes anything`;
    case 'environment':
      return `it is started with ${Object.keys(asking.variables).join(', ')}, so that it asks before it changes anything`;
    case 'nothing':
      return 'it never asks for permission';
  }
}
