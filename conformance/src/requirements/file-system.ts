import type { Requirement } from './requirement.ts';

const section = 'File system';

export const fileSystemRequirements: readonly Requirement[] = [
  {
    id: 'R206',
    level: 'MUST',
    binds: 'agent',
    section,
    behaviour:
      '`fs/read_text_file` and `fs/write_text_file` are called only if the client advertises `fs.readTextFile` and `fs.writeTextFile`',
    sources: ['file system', 'initialization', 'overview', 'Pharo specification'],
  },
  {
    id: 'R207',
    level: 'DERIVED',
    binds: 'client',
    section,
    behaviour: 'A call without the capability is refused (-32601)',
    sources: ['derived'],
  },
  {
    id: 'R208',
    level: 'SHOULD',
    binds: 'client',
    section,
    behaviour: 'Reads include unsaved editor state (descriptive text)',
    sources: ['file system', 'Pharo specification'],
  },
  {
    id: 'R209',
    level: 'MAY',
    binds: 'agent',
    section,
    behaviour: 'line (1-based) and limit select a range',
    sources: ['file system', 'summary of the protocol', 'schema'],
  },
  {
    id: 'R210',
    level: 'MUST',
    binds: 'client',
    section,
    behaviour: 'Write creates the file when missing',
    sources: ['file system', 'Pharo specification'],
  },
  {
    id: 'R211',
    level: 'MUST',
    binds: 'client',
    section,
    behaviour: 'Write creates missing parent directories',
    sources: ['Pharo specification'],
  },
  {
    id: 'R212',
    level: 'MUST',
    binds: 'client',
    section,
    behaviour: 'Write replaces the old content',
    sources: ['file system', 'Pharo specification'],
  },
  {
    id: 'R213',
    level: 'MUST',
    binds: 'client',
    section,
    behaviour:
      'A successful write is answered with an empty result: `{}`, or null, as a page of the documentation has it',
    sources: ['file system', 'schema'],
  },
  {
    id: 'R214',
    level: 'SHOULD',
    binds: 'client',
    section,
    behaviour: 'Missing file on read → -32002 resource not found',
    sources: ['schema'],
  },
  {
    id: 'R215',
    level: 'SHOULD',
    binds: 'agent',
    section,
    behaviour: 'Paths stay inside the session directory',
    sources: ['Pharo specification', 'session setup'],
  },
];
