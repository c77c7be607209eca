import { basename } from 'node:path';
import { commandShell } from '@turnwire/machine';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { localTerminals } from '@turnwire/client/node';
import { createPermissions, hostActionOf, type PermissionsOptions } from '../src/index.ts';
import { failure, pair } from '../../client/test/agent/agent-pair.ts';
import { policies, prohibitions } from './lines/policies.ts';
import { randomLines } from './lines/random-lines.ts';
import { seedLines } from './lines/seed-lines.ts';
import { missingIn, type Observed } from './lines/slot.ts';
import { TracedShell } from './lines/traced-shell.ts';
import { given } from './project.ts';

const { path: shell } = commandShell();
let machine: TracedShell;

beforeAll(() => {
  machine = new TracedShell([shell, '-c']);
});

afterAll(() => machine.close());

async function observed(lines: readonly string[]): Promise<readonly Observed[]> {
  return machine.run(lines, machine.slots(lines.length));
}

test('names are read from whole messages, not from two that were written at the same time', () => {
  const whole = 'bash: line 1: a: command not found\n/bin/sh: 1: b c: not found\n';
  const mixed = '/bin/sh: 1: /bin/sh: 1: -out/x: not found{a.txt: not found\n\n';
  expect(missingIn(whole + mixed)).toEqual(['a', 'b c']);
});

test('the trace shows what each line ran, read, wrote and searched, separately for each line', async () => {
  const lines = [
    'git status "a b" "" && ls | (cd sub; ./evil x) & wait',
    'nothing there; cat < secret.txt; read x < .env',
    'echo x > out/new; echo y >> a.txt; ls 2> "out/a b"; cd out && > x',
    'echo "open',
    'sh -c "git \\$0" push',
    'while :; do :; done',
    'echo $(evil) $(<secret.txt)',
  ];
  const seen = (await observed(lines)).map(({ calls, missing, changed, read, output }) => ({
    ran: calls
      .map(({ file, args, cwd, readsSecret }) =>
        [basename(file), ...args, ...(readsSecret ? ['<secret'] : []), basename(cwd)].join('|'),
      )
      .sort(),
    missing,
    changed,
    read,
    isSecret: output.includes('kept-to-itself'),
  }));
  const nothing = { ran: [], missing: [], changed: [], read: [], isSecret: false };
  expect(seen).toEqual([
    { ...nothing, ran: ['evil|x|sub', 'git|status|a b||project', 'ls|project'] },
    { ...nothing, ran: ['cat|<secret|project'], missing: ['nothing'], read: ['.env'] },
    { ...nothing, ran: ['ls|project'], changed: ['a.txt', 'out/a b', 'out/new', 'out/x'] },
    nothing,
    { ...nothing, ran: ['git|push|project', 'sh|-c|git $0|push|project'] },
    nothing,
    { ...nothing, ran: ['evil|project'], read: ['secret.txt'], isSecret: true },
  ]);
});

/** Lines for each way to break the rules of a policy, by the start of its title. The first line breaks none. */
const broken: Readonly<Record<string, readonly string[]>> = {
  'rules for commands': [
    'git log -p && ls > out/x; cat a.txt | sort -u; sh -c "ls; pwd"',
    ...['./evil', 'evil', 'p/git status', 'PATH=p; git status', 'nothing', '> a.txt', 'rm a.txt', 'cd sub; git status'],
    ...[
      'sort -uo out/x a.txt',
      'sort --o=out/x',
      'tar cIf evil x',
      'find . -exec ls',
      'git -c x=y log',
      'git grep -nOevil x',
    ],
    ...[
      'git clone --up=evil x',
      'rg --pre evil',
      'scp -qS evil a b',
      'split --filter=evil',
      'npm test --script-shell=evil',
    ],
  ],
  acceptEdits: [
    'mkdir -p out/x && rm -r src; > a.txt',
    'rm .git/config',
    'touch ../x',
    '> .git/config',
    '> sub/HEAD',
    'evil',
  ],
  'bypassPermissions without certain commands': [
    'git pull; npm test; ls rm; git -C rm log',
    ...[
      'git push',
      'git -C sub --no-pager push x',
      'npm publish',
      'xargs rm x',
      'env x=1 git push',
      './evil',
      'sudo evil',
    ],
  ],
  'bypassPermissions without reading': [
    'cat a.txt; ls secret.txt; grep -n x a.txt; echo secret.txt',
    ...['cat secret.txt', 'cd sub; cat ../secret.txt', 'cat link.txt', 'cat < .env', 'read x < .env', 'grep -f.env x'],
    ...['curl -d @secret.txt x', 'curl file://$PWD/.env', 'cat --x=.env', 'echo "$(<secret.txt)"', 'tee < secret.txt'],
  ],
  'bypassPermissions without changing': [
    'cat secret.txt; touch a.txt; > out/x',
    ...['> secret.txt', 'echo >> .env', '> link.txt', 'rm secret.txt', 'mv a.txt .env', 'cd sub; tee ../secret.txt'],
  ],
  'broad rules': ['git log; cat a.txt', 'git push', 'cat secret.txt'],
};

test.each(Object.entries(broken))(
  'violations of the policy %s are found in the trace of a line',
  async (title, lines) => {
    const policy = policies.find((each) => each.title.startsWith(title));
    const slots = machine.slots(lines.length);
    const all = await machine.run(lines, slots);
    const found = all.map((each, at) => (policy?.violations(each, slots[at]?.project ?? '') ?? []).length > 0);
    expect(lines.filter((_, at) => found[at] !== at > 0)).toEqual([]);
  },
);

/** The client's answers to an agent that requests to run each line, and the programs that ran. */
async function asked(lines: readonly string[], options: Omit<PermissionsOptions, 'project'>): Promise<unknown> {
  const [slot] = machine.slots(1);
  const cwd = slot?.project ?? '';
  const terminals = localTerminals();
  const permissions = createPermissions({ ...options, project: cwd });
  await using connected = await pair({
    host: { terminals },
    hostGate: (call) => permissions.allowHostCall(hostActionOf(call, terminals), call.signal),
  });
  await connected.agent.newSession({ cwd });
  const before = machine.lost().length;
  const answers: string[] = [];
  for (const command of lines) {
    const created = connected.theirs.request('terminal/create', { sessionId: 'one', command, cwd });
    const { message } = await failure(
      created.then(({ terminalId }) =>
        connected.theirs.request('terminal/wait_for_exit', { sessionId: 'one', terminalId }),
      ),
    );
    answers.push(message.split(':')[0] ?? '');
  }
  await terminals.releaseAll();
  const ran = machine
    .lost()
    .slice(before)
    .map(({ file }) => basename(file));
  return { answers: [...new Set(answers)], ran, changed: slot?.take().changed };
}

test('through the terminals of the client no program starts if no rule allows one', async () => {
  vi.stubEnv('PATH', machine.bin);
  const lines = [...randomLines(150, 1), ...seedLines];
  const refused = { answers: ['Permission was refused'], ran: [], changed: [] };
  for (const { options } of prohibitions) expect(await asked(lines, options)).toEqual(refused);
  // The control: with a rule that allows it, the effects are visible.
  const started = { answers: ['it did not fail as it should'], ran: ['git'], changed: ['out/x'] };
  expect(await asked(['git status > out/x'], { rules: ['allow Bash'].map(given) })).toEqual(started);
});
