import type { CreateElicitationRequest, CreateElicitationResponse } from '@turnwire/protocol';
import type { Host, HostElicitation } from '@turnwire/client';
import { localFiles, localTerminals } from '@turnwire/client/node';
import type { ScriptedAnswers } from '@turnwire/client/elicitation';

/** The host services for an agent without a user watching. */
export interface HeadlessHostOptions {
  readonly files: boolean;
  readonly terminals: boolean;
  /** Absent: the user is asked. */
  readonly answers?: ScriptedAnswers | undefined;
  /** Variables that commands inherit besides the harmless ones. */
  readonly inheritEnv?: readonly string[];
  /** The content a missing file is read as. */
  readonly missingFile?: 'empty' | undefined;
  /** Asks the user a question of the agent; resolves with undefined if there is none. Absent, without answers: no questions are offered. */
  readonly elicit?: (
    request: CreateElicitationRequest,
    signal: AbortSignal,
  ) => Promise<CreateElicitationResponse | undefined> | undefined;
  /** Is called for questions that were not answered. */
  readonly remark: (message: string) => void;
}

/** Offers files, terminals and prepared answers, as wanted. */
export function headlessHost(options: HeadlessHostOptions): Host {
  const { files, terminals, answers, missingFile, remark } = options;
  return {
    ...(files && { files: localFiles({ missingFile }) }),
    ...(terminals && { terminals: localTerminals({ inheritEnv: options.inheritEnv }) }),
    elicitation: answers ? preparedElicitation(answers, remark) : askedElicitation(options),
  };
}

function preparedElicitation(answers: ScriptedAnswers, remark: HeadlessHostOptions['remark']): HostElicitation {
  const answer: HostElicitation['form'] = async (request, context) => {
    // Checking a form takes much code, and few agents ask anything.
    const { scriptedElicitation } = await import('@turnwire/client/elicitation');
    const prepared = scriptedElicitation(answers, ({ response, reason }) => {
      if (response.action === 'cancel') remark(notAnswered(request, reason));
    });
    const reply = request.mode === 'url' ? prepared.url : prepared.form;
    return (await reply?.(request, context)) ?? { action: 'cancel' };
  };
  return { form: answer, url: answer };
}

function askedElicitation({ elicit, remark }: HeadlessHostOptions): HostElicitation | undefined {
  if (!elicit) return undefined;
  const ask: HostElicitation['form'] = async (request, { signal }) => {
    const response = await elicit(request, signal);
    if (!response) remark(notAnswered(request, 'there is no user to ask here; use --answers'));
    return response ?? { action: 'cancel' };
  };
  return { form: ask, url: ask };
}

function notAnswered({ message }: CreateElicitationRequest, reason: string): string {
  return `the question "${message}" was not answered: ${reason}`;
}
