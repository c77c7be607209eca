import type { CreateElicitationRequest, CreateElicitationResponse } from '@turnwire/protocol';
import type { Host } from '@turnwire/client';
import { localFiles, localTerminals } from '@turnwire/client/node';
import type { ScriptedAnswers } from '@turnwire/client/elicitation';
import { elicitationOf } from './elicitation-of.ts';

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
  const { files, terminals, answers, elicit, missingFile, remark } = options;
  return {
    ...(files && { files: localFiles({ missingFile }) }),
    ...(terminals && { terminals: localTerminals({ inheritEnv: options.inheritEnv }) }),
    ...((answers || elicit) && { elicitation: elicitationOf({ answers, elicit, remark }) }),
  };
}
