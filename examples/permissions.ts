import type { QuestionChoice, QuestionView } from '@turnwire/permissions';
// #region create
import { launchAgent } from '@turnwire/client/node';
import { answerOf, createPermissions } from '@turnwire/permissions';

const permissions = createPermissions({
  project: process.cwd(),
  mode: 'acceptEdits',
  rules: [
    { effect: 'allow', text: 'Bash(npm test)' },
    { effect: 'deny', text: 'Read(.env)' },
  ],
  files: {
    project: '/my/project/.turnwire/permissions.json',
    accepted: '/home/me/.local/state/my-client/accepted-rules.json',
  },
  ask: async (question) => answerOf(question, await choose(question.view)),
});
const agent = await launchAgent('my-agent --acp', { permission: permissions.policy });
// #endregion

/** Stands for a client that shows the question to its user. */
async function choose({ choices }: QuestionView): Promise<QuestionChoice | undefined> {
  return choices[0];
}

export { agent };
