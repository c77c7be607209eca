// Checks each package as its users install it: every file that the manifest names exists and has the declared format.
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
