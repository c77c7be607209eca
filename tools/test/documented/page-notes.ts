import { documentedBlocks, onlyBlock } from './documented-blocks.ts';

/** How the test runs and checks one command of a page. */
export interface CommandNotes {
  /** The exit code if it is not 0, and the reason. */
  readonly code?: readonly [number, because: string];
  /** The command is a chat in a terminal: the test leaves it once it has shown this text and waits for a prompt. */
  readonly chat?: string;
  /** The command runs in the background, until the end of the page or a command with `endsOthers`. The next one starts after this text. */
  readonly printsAndStays?: string;
  /** A text in stdout. */
  readonly prints?: string;
  /** Steps of the reader before the next command, in bash. */
  readonly after?: string;
  /** First ends all commands in the background. */
  readonly endsOthers?: true;
  /** The command runs only on machines with this program. */
  readonly needs?: 'postgres' | 'jq';
}

/** How the test prepares and checks a page. */
export interface PageNotes {
  /** Creates the files and servers that the page assumes, in bash. */
  readonly prepare?: string;
  /** Placeholders that readers replace with their own values. In bash, so values may contain variables. */
  readonly replaced?: Readonly<Record<string, string>>;
  readonly commands?: Readonly<Record<string, CommandNotes>>;
}

const notUnderstood = [8, 'the offline model follows plain instructions only'] as const;
const free: CommandNotes = { code: notUnderstood };
const chat: CommandNotes = { chat: '' };
const listens: CommandNotes = { printsAndStays: 'listening at' };

/** The agent of `remote.md`, which wants the token `secret`. */
const startBox = `
: >"$OUT/box.out" 2>"$OUT/box.err"
AGENT_TOKEN=secret node "$BOX_AGENT" >"$OUT/box.out" 2>"$OUT/box.err" &
stays box /acp
export BOX=$(<"$OUT/box.out") TURNWIRE_TOKEN=secret
`;
const box = { 'wss://box.example/acp': '$BOX', 'https://box.example/acp': '${BOX/ws:/http:}' };
const boxHeaders = `echo 'Authorization: Bearer secret' >`;

/** A registry with one agent. */
const registry = {
  version: '1.0.0',
  agents: [
    {
      id: 'goose',
      name: 'Goose',
      version: '1.4.0',
      description: 'Honks at code',
      distribution: { npx: { package: '@birds/goose@1.4.0', args: ['--acp'] } },
    },
  ],
};
const startRegistry = `
: >"$OUT/registry.out" 2>"$OUT/registry.err"
REGISTRY='${JSON.stringify(registry)}' node -e '
const server = require("node:http").createServer((_, response) => response.end(process.env.REGISTRY));
server.listen(0, "127.0.0.1", () => console.log("http://127.0.0.1:" + server.address().port));
' >"$OUT/registry.out" 2>"$OUT/registry.err" &
stays registry http:
export TURNWIRE_REGISTRY=$(<"$OUT/registry.out")
`;

/** The id of a session in the pages, which the test replaces with the id of the last used session. */
const sessionId = { '3f2a': '$SESSION' };
const lastSession = `SESSION=$(node "$IN_TERMINAL" 'NO_COLOR=1 turnwire sessions list' | sed -n '2s/ .*//p')`;

function file(path: string, text: string): string {
  return `mkdir -p "$(dirname ${path})"\ncat >${path} <<'END OF FILE'\n${text}\nEND OF FILE\n`;
}

/** A repository with a commit and an uncommitted change. */
const repository = `
git init --quiet .
mkdir -p src
echo '// TODO: write it' >src/main.ts
git add src
git -c user.name=me -c user.email=me@box.example commit --quiet --message 'begin'
echo 'export const done = true;' >>src/main.ts
`;

const certificate = `
openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -addext subjectAltName=DNS:box.example,DNS:localhost \
  -keyout key.pem -out cert.pem 2>/dev/null
`;

/** A database on the server that the test starts for the page. */
const database = { 'turnwire:…@db.example/turnwire?sslmode=verify-full': 'turnwire@127.0.0.1:$PGPORT/turnwire' };

const statement = onlyBlock('docs/guide/several-machines.md', 'sql').text.trim();

/** Notes by page; keys of commands are their text in the page. */
export const pageNotes: Readonly<Record<string, PageNotes>> = {
  'README.md': {
    commands: { 'turnwire --agent "any-agent --acp" --approve-all exec "fix the failing test"': free },
  },
  'docs/guide/agents.md': {
    prepare: `${startBox}
${boxHeaders} ~/box.headers
${file('.turnwire/config.json', '{ "agents": { "theirs": "my-agent --acp" } }')}
${startRegistry}`,
    replaced: { ...box, '/home/me': '$HOME', 'from-registry ID': 'from-registry goose' },
  },
  'docs/guide/chat.md': {
    prepare: repository,
    replaced: sessionId,
    commands: {
      turnwire: chat,
      'turnwire --agent "other-agent --acp"': chat,
      'turnwire --plain': chat,
      'turnwire chat "look at src/"': { chat: 'I did not understand' },
      'turnwire --continue': { ...chat, after: lastSession },
      'turnwire --resume 3f2a': chat,
    },
  },
  'docs/guide/check-a-client.md': {
    prepare: file('driver.json', onlyBlock('docs/guide/check-a-client.md', 'jsonc').text),
  },
  'docs/guide/check-an-agent.md': {
    prepare: `${startBox}
mkdir -p dist
cp "$AGENT_SCRIPT" my-agent.js
cp my-agent.js dist/my-agent.js
${agentFiles()}`,
    replaced: { ...box, '--fuzz 60s': '--fuzz 1s' },
  },
  'docs/guide/permissions.md': {
    prepare: file('.claude/settings.json', '{ "permissions": { "allow": ["Bash(npm test)"] } }'),
    commands: {
      'turnwire permissions test git push': { prints: 'git push is asked about' },
      'turnwire permissions test "Edit(src/a.ts)" --permission-mode acceptEdits': {
        prints: 'Edit(src/a.ts) is allowed',
      },
      // The project contains rules.
      'turnwire permissions remove allow "Bash(git *)"': {
        after: file('.turnwire/permissions.json', onlyBlock('docs/guide/permissions.md', 'json').text),
      },
      'turnwire permissions list --project': { prints: 'not accepted' },
    },
  },
  'docs/guide/remote.md': {
    prepare: `${startBox}
${boxHeaders} box.headers`,
    replaced: box,
    commands: {
      'turnwire --agent wss://box.example/acp exec "hello"': { prints: 'You said: hello' },
      'turnwire --agent "wss://box.example/acp --header-file box.headers" exec "hello"': { prints: 'You said: hello' },
      'turnwire box exec "hello"': { prints: 'You said: hello' },
    },
  },
  'docs/guide/places.md': {
    prepare: `
git init -q -b main
git config user.name Reader
git config user.email reader@example.test
echo one > a.txt
git add -A
git commit -qm first
`,
  },
  'docs/guide/review.md': {
    prepare: String.raw`
git init --quiet .
git config user.name Reader
git config user.email reader@example.test
mkdir src
seq 1 20 >src/app.ts
echo one >README.md
turnwire sessions ensure >/dev/null
turnwire --approve-all 'run sed -i "s/^1$/one/; s/^20$/twenty/" src/app.ts && echo two >README.md' >/dev/null 2>&1
turnwire --approve-all 'run echo three >other.txt' >/dev/null 2>&1
turnwire sessions close >/dev/null
HUNK=$(turnwire review | sed -n 's/.*src\/app.ts:2 *\([0-9a-f]*\) .*/\1/p')
`,
    replaced: { '5f3a09c2': '$HUNK', '--turn 7': '--turn 2' },
  },
  'docs/guide/scripts.md': {
    prepare: `${repository}
turnwire exec 'search for flaky test' >/dev/null 2>&1
echo 'create a.txt with "alpha"' >task.md
echo beta >notes.txt
cp "$PICTURE" screenshot.png`,
    replaced: sessionId,
    commands: {
      'git diff | turnwire exec "review this"': free,
      'git diff | turnwire exec -f - "review this"': free,
      'turnwire exec "what is wrong in @src/main.ts?"': free,
      'turnwire exec -f screenshot.png "what does this show?"': free,
      'turnwire exec --continue "now fix the first of them"': { ...free, after: lastSession },
      'turnwire exec --resume 3f2a "and the second"': free,
      'turnwire --resume "flaky test" "is it green now?"': free,
      'turnwire --resume 3f2a': chat,
      'turnwire "run the tests"': { code: [5, 'the offline model wants to run the command `the tests`'] },
      'turnwire "now fix the first failure"': free,
      'turnwire -s docs prompt "write the changelog"': free,
      'turnwire sessions close': { after: 'turnwire sessions close docs' },
      [`turnwire --format json exec "read notes.txt" | jq -r 'select(.method == "session/update") | .params.update.sessionUpdate'`]:
        { needs: 'jq', prints: 'agent_message_chunk' },
    },
  },
  'docs/guide/serve.md': {
    prepare: 'mkdir ~/work',
    replaced: {
      ...database,
      'TURNWIRE_TOKEN=…': 'TURNWIRE_TOKEN=$TOKEN',
      'wss://box.example:8137/acp': '$SERVER',
      '0b5c…': '${ID:0:4}',
    },
    commands: {
      'turnwire serve': listens,
      'turnwire serve --agent claude --agent codex --root ~/work': listens,
      'turnwire serve --json': {
        printsAndStays: '"acp":',
        after: `field() { sed "s/.*\\"$1\\":\\"\\([^\\"]*\\)\\".*/\\1/" "$OUT/$LAST.out"; }
SERVER=$(field acp) TOKEN=$(field token)`,
      },
      'createdb turnwire': { needs: 'postgres' },
      'TURNWIRE_STORE=postgresql://turnwire:…@db.example/turnwire?sslmode=verify-full turnwire serve': {
        ...listens,
        needs: 'postgres',
      },
      'TURNWIRE_TOKEN=… turnwire --agent wss://box.example:8137/acp chat': chat,
      'turnwire serve tokens list': { after: 'ID=$(cut -f 1 "$OUT/$LAST.out")' },
    },
  },
  'docs/guide/several-machines.md': {
    prepare: certificate,
    replaced: {
      ...database,
      '0.0.0.0:8137': '127.0.0.1:0',
      '--root /work': '--root .',
      ' …': '',
    },
    commands: {
      'createdb turnwire': { needs: 'postgres' },
      'export TURNWIRE_STORE=postgresql://turnwire:…@db.example/turnwire?sslmode=verify-full': { needs: 'postgres' },
      'turnwire serve --cluster-secret cluster-secret --listen 0.0.0.0:8137 --advertise https://one.internal:8137 --host-name acp.example --tls-cert cert.pem --tls-key key.pem --root /work':
        { ...listens, needs: 'postgres' },
      'turnwire serve status': {
        needs: 'postgres',
        after: `psql --quiet --set ON_ERROR_STOP=1 --command "${statement}" turnwire >"$OUT/sql"`,
      },
      'turnwire serve --issuer https://id.example --audience turnwire --jwks https://id.example/keys …': {
        ...listens,
        endsOthers: true,
      },
      [`pg_dump --format=custom --table='turnwire_*' turnwire > turnwire.dump`]: { needs: 'postgres' },
      'pg_restore --clean --if-exists --dbname=turnwire turnwire.dump': { needs: 'postgres', endsOthers: true },
    },
  },
  'docs/guide/start.md': {
    replaced: { 'ANTHROPIC_API_KEY=…': 'ANTHROPIC_API_KEY=key' },
    commands: {
      turnwire: chat,
      'turnwire --continue': chat,
      'ANTHROPIC_API_KEY=… turnwire': chat,
      'OPENAI_BASE_URL=https://models.example.com/v1 turnwire': chat,
      'turnwire claude': chat,
      'turnwire --agent "my-agent --acp" exec "fix the failing test"': free,
    },
  },
  'docs/guide/traces.md': {
    commands: {
      'turnwire trace view run.jsonl --follow': {
        printsAndStays: 'session/prompt',
        after: 'cp run.jsonl before.jsonl; cp run.jsonl after.jsonl',
      },
    },
    replaced: { $MY_KEY: 'a-key-of-mine' },
  },
  'docs/guide/version-2.md': {
    commands: {
      'turnwire --protocol 2 doctor': { prints: 'speaks protocol version 2, which was asked for' },
      'turnwire --protocol 2 --agent "other-agent --acp" chat': chat,
      'turnwire mine doctor': { prints: 'speaks protocol version 2, which was asked for' },
      'turnwire --protocol 2 --format json doctor': { prints: '"versions":{"asked":[2]}' },
      'turnwire --protocol 2 serve --listen 127.0.0.1:0': listens,
    },
  },
  'docs/guide/web.md': {
    prepare: certificate,
    replaced: { '0.0.0.0:8137': '127.0.0.1:0' },
    commands: {
      'turnwire web': listens,
      'turnwire claude web': listens,
      'turnwire web --no-open': { prints: '#ticket=' },
      'turnwire serve --listen 0.0.0.0:8137 --host-name box.example --tls-cert cert.pem --tls-key key.pem': listens,
    },
  },
  'docs/guide/write-an-agent.md': {
    prepare: 'cd "$CLONE"',
  },
};

/** The files of `check-an-agent.md`: each starts with a comment with its name. */
function agentFiles(): string {
  return documentedBlocks
    .filter(({ page, language }) => page === 'docs/guide/check-an-agent.md' && language === 'jsonc')
    .map(({ text }) => file(/^\/\/ (\S+)/.exec(text)?.[1] ?? 'nameless', text))
    .join('');
}
