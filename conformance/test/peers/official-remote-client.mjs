// The client with the official SDK for a remote agent, as a program: URL CWD PROMPT.
import { promptOfficially } from './official-remote-client-app.mjs';

const [url, cwd, prompt] = process.argv.slice(2);

async function run() {
  try {
    await promptOfficially({ url, cwd, prompt, print: console.log });
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}

void run().then(() => setTimeout(() => process.exit(), 500).unref());
