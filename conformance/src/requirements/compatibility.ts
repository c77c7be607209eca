import type { Requirement } from './requirement.ts';

const section = 'Compatibility';

export const compatibilityRequirements: readonly Requirement[] = [
  {
    id: 'R324',
    level: 'MUST',
    binds: 'agent',
    section,
    behaviour:
      'Each terminal method (create, output, waitForExit, kill, release) is called only if its own capability is advertised',
    sources: ['Pharo specification'],
  },
  {
    id: 'R325',
    level: 'SHOULD',
    binds: 'client',
    section,
    behaviour: '`terminal/wait_for_exit` with a `timeout` in milliseconds returns early',
    sources: ['Pharo specification'],
  },
  {
    id: 'R326',
    level: 'MUST',
    binds: 'agent',
    section,
    behaviour: 'The working directory is used for all file operations and is a security boundary',
    sources: ['Pharo specification'],
  },
  {
    id: 'R327',
    level: 'MUST',
    binds: 'agent',
    section,
    behaviour: 'Work is aborted on cancel',
    sources: ['Pharo specification'],
  },
  {
    id: 'R328',
    level: 'SHOULD',
    binds: 'both',
    section,
    behaviour: 'Incoming messages are validated, message objects immutable, events logged, types strong',
    sources: ['Pharo specification'],
  },
  {
    id: 'R329',
    level: 'SHOULD',
    binds: 'client',
    section,
    behaviour:
      'After a lost connection, a timeout or an expired session the client tries again, after 1, 2, 4, 8 s, five times at most',
    sources: ['Go reference'],
  },
  {
    id: 'R330',
    level: 'MUST NOT',
    binds: 'client',
    section,
    behaviour:
      'Try again after a refused permission, a parse error, an invalid request, an unknown method or invalid params',
    sources: ['Go reference'],
  },
  {
    id: 'R331',
    level: 'MAY',
    binds: 'client',
    section,
    behaviour: 'The permission modes default, acceptEdits, bypassPermissions and plan decide answers',
    sources: ['Go reference'],
  },
  {
    id: 'R332',
    level: 'MAY',
    binds: 'client',
    section,
    behaviour: 'Patterns of allowed tools, `Tool` or `Tool(spec*)`, decide answers',
    sources: ['Go reference'],
  },
  {
    id: 'R333',
    level: 'MUST',
    binds: 'agent',
    section,
    behaviour: '`authenticate` may carry credentials; it fails with -32001, and with -32002 for an unknown method',
    sources: ['Pharo specification'],
  },
  {
    id: 'R334',
    level: 'SHOULD',
    binds: 'client',
    section,
    behaviour: 'Images of png, jpeg, gif, webp and svg+xml and audio of wav, mp3, ogg, flac and aac are supported',
    sources: ['Go reference'],
  },
  {
    id: 'R335',
    level: 'MUST',
    binds: 'agent',
    section,
    behaviour: 'In mode code all tools work, in architect nothing changes code, in ask each change is approved first',
    sources: ['Pharo specification', 'session modes examples'],
  },
];
