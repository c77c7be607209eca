import type { Requirement } from './requirement.ts';

const section = 'Content';

export const contentRequirements: readonly Requirement[] = [
  {
    id: 'R233',
    level: 'MUST',
    binds: 'both',
    section,
    behaviour:
      'A content block has a type (text, image, audio, resource_link, resource) and the fields MCP gives that type',
    sources: ['content', 'summary of the protocol', 'schema', 'Pharo specification'],
  },
  {
    id: 'R234',
    level: 'MUST',
    binds: 'both',
    section,
    behaviour: 'image/audio: base64 data + mimeType; image may have uri',
    sources: ['content', 'summary of the protocol', 'Pharo specification'],
  },
  {
    id: 'R235',
    level: 'MUST',
    binds: 'both',
    section,
    behaviour: 'resource: nested object with uri and text or blob (+mimeType?)',
    sources: ['content', 'summary of the protocol', 'Pharo specification'],
  },
  {
    id: 'R236',
    level: 'MUST',
    binds: 'both',
    section,
    behaviour: 'resource_link: uri and name; mimeType,title,description,size optional',
    sources: ['content', 'summary of the protocol', 'Pharo specification'],
  },
  {
    id: 'R237',
    level: 'MUST',
    binds: 'client',
    section,
    behaviour: 'image/audio/resource in prompts need the matching capability',
    sources: ['content', 'summary of the protocol', 'schema', 'Go reference', 'Pharo specification'],
  },
  {
    id: 'R238',
    level: 'MAY',
    binds: 'both',
    section,
    behaviour: 'annotations (audience, lastModified, priority) on any block',
    sources: ['content', 'schema'],
  },
  {
    id: 'R239',
    level: 'SHOULD',
    binds: 'agent',
    section,
    behaviour: 'MCP tool output blocks can be passed through unchanged',
    sources: ['content'],
  },
  {
    id: 'R240',
    level: 'MAY',
    binds: 'client',
    section,
    behaviour: 'Text of a resource may be sent even when the agent cannot reach the uri (embedding)',
    sources: ['content'],
  },
];
