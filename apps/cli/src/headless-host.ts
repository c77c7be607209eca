import { type Host, localFiles, localTerminals } from '@agentwire/client/host';
import { type ScriptedAnswers, scriptedElicitation } from '@agentwire/client/elicitation';

/** What an agent may use of this machine when nobody watches. */
export interface HeadlessHostOptions {
  readonly files: boolean;
  readonly terminals: boolean;
  /** Absent: the agent is not offered to ask questions. */
  readonly answers?: ScriptedAnswers | undefined;
  /** Variables that commands inherit besides the harmless ones. */
  readonly inheritEnv?: readonly string[];
  /** What a missing file reads as. */
  readonly missingFile?: 'empty' | undefined;
  /** Hears of questions that were not answered. */
  readonly remark: (message: string) => void;
}

/** Offers files, terminals and prepared answers, whichever are wanted. */
export function headlessHost(options: HeadlessHostOptions): Host {
  const { files, terminals, answers, missingFile, remark } = options;
  return {
    ...(files && { files: localFiles({ missingFile }) }),
    ...(terminals && { terminals: localTerminals({ inheritEnv: options.inheritEnv }) }),
    ...(answers && {
      elicitation: scriptedElicitation(answers, ({ request, response, reason }) => {
        if (response.action === 'cancel') remark(`the question "${request.message}" was not answered: ${reason}`);
      }),
    }),
  };
}
