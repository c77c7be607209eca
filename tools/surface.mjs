// What a user gets who installs one of our packages: every file the manifest names is there and is what it says.
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { prepareOrExit } from './prepare.mjs';
import { publishablePackages } from './publishable.mjs';

await prepareOrExit();
for (const { folder, manifest } of publishablePackages()) {
  const { messages } = await publint({ pkgDir: folder, pack: 'npm', strict: true });
  for (const message of messages) console.error(`${manifest.name}: ${formatMessage(message, manifest)}`);
  if (messages.length > 0) process.exitCode = 1;
}
