import type { HostElicitation } from '@turnwire/client';
import type { ScriptedAnswers } from '@turnwire/client/elicitation';
import type { CreateElicitationRequest, CreateElicitationResponse } from '@turnwire/protocol';

/** The ways to answer an agent's questions. */
export interface ElicitationParts {
  /** Prepared answers. Default: the user answers. */
  readonly answers?: ScriptedAnswers | undefined;
  /** Asks the user a question of the agent. Resolves with undefined without a user. */
  readonly elicit?:
    | ((
        request: CreateElicitationRequest,
        signal: AbortSignal,
      ) => Promise<CreateElicitationResponse | undefined> | undefined)
    | undefined;
  /** Called with a warning for each question that was not answered. */
  readonly warn: (message: string) => void;
}

/** Answers the questions of an agent: from prepared answers, or by asking the user. */
export function elicitationOf({ answers, elicit, warn }: ElicitationParts): HostElicitation {
  if (answers) return prepared(answers, warn);
  const ask: HostElicitation['form'] = async (request, { signal }) => {
    const response = await elicit?.(request, signal);
    if (!response) warn(notAnswered(request, 'there is no user to ask here; use --answers'));
    return response ?? { action: 'cancel' };
  };
  return { form: ask, url: ask };
}

function prepared(answers: ScriptedAnswers, warn: ElicitationParts['warn']): HostElicitation {
  const answer: HostElicitation['form'] = async (request, context) => {
    // Imported on demand: the check of a form is much code, and few agents ask.
    const { scriptedElicitation } = await import('@turnwire/client/elicitation');
    const prepared = scriptedElicitation(answers, ({ response, reason }) => {
      if (response.action === 'cancel') warn(notAnswered(request, reason));
    });
    const reply = request.mode === 'url' ? prepared.url : prepared.form;
    return (await reply?.(request, context)) ?? { action: 'cancel' };
  };
  return { form: answer, url: answer };
}

function notAnswered({ message }: CreateElicitationRequest, reason: string): string {
  return `the question "${message}" was not answered: ${reason}`;
}
