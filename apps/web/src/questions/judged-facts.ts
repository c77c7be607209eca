import type { RequestPermissionRequest } from '@turnwire/protocol';

/** What is asked about. With a gateway these are the facts that its rules judged; otherwise what the agent says of its tool call. */
export interface JudgedFacts {
  readonly heading: string;
  readonly command?: string | undefined;
  readonly folder?: string | undefined;
  readonly url?: string | undefined;
  readonly paths: readonly { readonly path: string; readonly caution?: string | undefined }[];
  readonly diffs: readonly {
    readonly path: string;
    readonly oldText?: string | null | undefined;
    readonly newText: string;
  }[];
  readonly input?: string | undefined;
  readonly notes: readonly string[];
  readonly reason?: string | undefined;
  /** The agent's own words. */
  readonly title?: string | undefined;
}

type View = Partial<JudgedFacts> & { readonly agentWords?: { readonly title?: string } };

/** The facts of a request. */
export function judgedFacts(request: RequestPermissionRequest): JudgedFacts {
  const view = (request._meta?.['turnwire'] as { readonly question?: View } | undefined)?.question;
  if (!view) return reported(request);
  const { heading = unnamed, paths = [], diffs = [], notes = [], agentWords } = view;
  return { ...view, heading, paths, diffs, notes, title: agentWords?.title };
}

const unnamed = 'The agent asks for permission';

function reported({ toolCall: { content, rawInput, title, locations } }: RequestPermissionRequest): JudgedFacts {
  return {
    heading: title ?? unnamed,
    paths: (locations ?? []).map(({ path }) => ({ path })),
    diffs: (content ?? []).flatMap((each) => (each.type === 'diff' ? [each as JudgedFacts['diffs'][number]] : [])),
    ...(rawInput !== undefined && rawInput !== null && { input: JSON.stringify(rawInput, null, 2) }),
    notes: [],
  };
}
