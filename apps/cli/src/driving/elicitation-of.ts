import type { HostElicitation } from '@turnwire/client';
import type { ScriptedAnswers } from '@turnwire/client/elicitation';
import type { CreateElicitationRequest, CreateElicitationResponse } from '@turnwire/protocol';

/** How the questions of an agent are answered. */
export interface ElicitationParts {
  /** Absent: the user is asked. */
  readonly answers?: ScriptedAnswers | undefined;
  /** Asks the user a question of the agent; resolves with undefined if there is none. */
  readonly elicit?:
    | ((
        request: CreateElicitationRequest,
        signal: AbortSignal,
      ) => Promise<CreateElicitationResponse | undefined> | undefined)
    | undefined;
  /** Is called for questions that were not answered. */
  readonly remark: (message: string) => void;
}

/** Answers the questions of an agent: from prepared answers, or by asking the user. */
export function elicitationOf({ answers, elicit, remark }: ElicitationParts): HostElicitation {
  return answers ? prepared(answers, remark) : asked(elicit, remark);
}

function prepared(answers: ScriptedAnswers, remark: ElicitationParts['remark']): HostElicitation {
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

function asked(elicit: ElicitationParts['elicit'], remark: ElicitationParts['remark']): HostElicitation {
  const ask: HostElicitation['form'] = async (request, { signal }) => {
    const response = await elicit?.(request, signal);
    if (!response) remark(notAnswered(request, 'there is no user to ask here; use --answers'));
    return response ?? { action: 'cancel' };
  };
  return { form: ask, url: ask };
}

function notAnswered({ message }: CreateElicitationRequest, reason: string): string {
  return `the question "${message}" was not answered: ${reason}`;
}
