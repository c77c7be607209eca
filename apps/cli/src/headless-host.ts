import type { CreateElicitationRequest, CreateElicitationResponse } from '@turnwire/protocol';
import { type Host, type HostElicitation, localFiles, localTerminals } from '@turnwire/client/host';
import { type ScriptedAnswers, scriptedElicitation } from '@turnwire/client/elicitation';

/** What an agent may use of this machine when nobody watches. */
export interface HeadlessHostOptions {
  readonly files: boolean;
  readonly terminals: boolean;
  /** Absent: the user is asked. */
  readonly answers?: ScriptedAnswers | undefined;
  /** Variables that commands inherit besides the harmless ones. */
  readonly inheritEnv?: readonly string[];
  /** What a missing file reads as. */
  readonly missingFile?: 'empty' | undefined;
  /** Asks the user what the agent wants to know; resolves with nothing if there is nobody. Absent, without answers: no questions are offered. */
  readonly elicit?: (
    request: CreateElicitationRequest,
    signal: AbortSignal,
  ) => Promise<CreateElicitationResponse | undefined> | undefined;
  /** Hears of questions that were not answered. */
  readonly remark: (message: string) => void;
}

/** Offers files, terminals and prepared answers, whichever are wanted. */
export function headlessHost(options: HeadlessHostOptions): Host {
  const { files, terminals, answers, missingFile, remark } = options;
  return {
    ...(files && { files: localFiles({ missingFile }) }),
    ...(terminals && { terminals: localTerminals({ inheritEnv: options.inheritEnv }) }),
    elicitation: answers
      ? scriptedElicitation(answers, ({ request, response, reason }) => {
          if (response.action === 'cancel') remark(notAnswered(request, reason));
        })
      : askedElicitation(options),
  };
}

function askedElicitation({ elicit, remark }: HeadlessHostOptions): HostElicitation | undefined {
  if (!elicit) return undefined;
  const ask: HostElicitation['form'] = async (request, { signal }) => {
    const response = await elicit(request, signal);
    if (!response) remark(notAnswered(request, 'nobody can be asked here; --answers answers it'));
    return response ?? { action: 'cancel' };
  };
  return { form: ask, url: ask };
}

function notAnswered({ message }: CreateElicitationRequest, reason: string): string {
  return `the question "${message}" was not answered: ${reason}`;
}
