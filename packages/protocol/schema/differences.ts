/** Where this schema means to say something else than the official one, and why. */
export interface Deviation {
  readonly reason: string;
  /** By place: what the official schema says and what this one says; empty where it says nothing. */
  readonly places: { readonly [at: string]: readonly [official: string, ours: string] };
}

const absolute = ['required string', 'required absolute-path string'] as const;
const absoluteOrNull = ['optional string or null', 'optional absolute-path string or null'] as const;
const absoluteList = ['optional list of string [N]', 'optional list of absolute-path string [N]'] as const;
const meta = ['', 'optional map of anything or null [E]'] as const;

/** Everything not listed here is the same in both: a test compares them fact by fact. */
export const differences: readonly Deviation[] = [
  {
    reason:
      'A client from today must be able to show, store and pass on what an agent from tomorrow sends. The official unions of later versions are open for the same reason.',
    places: {
      'SessionUpdate=*': ['', 'anything'],
      'ContentBlock=*': ['', 'anything'],
      'ToolCallContent=*': ['', 'anything'],
    },
  },
  {
    reason:
      'The documentation demands an absolute path, and a relative one would be resolved against whatever folder the receiver happens to run in: it is refused before it can do harm.',
    places: {
      'NewSessionRequest.cwd': absolute,
      'LoadSessionRequest.cwd': absolute,
      'ResumeSessionRequest.cwd': absolute,
      'ReadTextFileRequest.path': absolute,
      'WriteTextFileRequest.path': absolute,
      'ListSessionsRequest.cwd': absoluteOrNull,
      'CreateTerminalRequest.cwd': absoluteOrNull,
      'NewSessionRequest.additionalDirectories': absoluteList,
      'LoadSessionRequest.additionalDirectories': absoluteList,
      'ResumeSessionRequest.additionalDirectories': absoluteList,
    },
  },
  {
    reason:
      'Officially anything that fits no other type is read as this one, so that an unknown or misspelt `type` would start a program or call `authenticate`. Here the type must be absent, null or this name.',
    places: {
      'McpServer=stdio': ['', 'McpServerStdio'],
      'AuthMethod=agent': ['', 'AuthMethodAgent'],
    },
  },
  {
    reason: 'The documentation wants a format nobody here knows to be ignored, and with it listed the whole form would be refused.',
    places: { 'StringFormat=*': ['', 'string'] },
  },
  {
    reason: 'Like every other object of the protocol. Without it the type would be empty, and to TypeScript anything fits an empty type.',
    places: {
      'CompactionCapabilities._meta': meta,
      'NoticeCapabilities._meta': meta,
    },
  },
];
