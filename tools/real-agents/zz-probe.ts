import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { readFileSync, writeFileSync, existsSync, mkdirSync } from 'node:fs';
import { realAgents } from './agents.ts';
import { install } from './install.ts';
import { Stage } from './stage.ts';
const [name, missing = 'error', answer = 'allow_once', ...prompts] = process.argv.slice(2);
const a = realAgents.find((x) => x.name === name)!;
const s = await Stage.prepare(a, await install(a));
const env = { ...process.env, ...s.environment };
const child = spawn(s.installed.command[0], s.installed.command.slice(1), { cwd: s.work, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
const log: string[] = []; let id = 0; const pending = new Map<number, (v: any) => void>();
const send = (m: any) => { const l = JSON.stringify({ jsonrpc: '2.0', ...m }); log.push('> ' + l); child.stdin.write(l + '\n'); };
const call = (method: string, params: any) => new Promise<any>((r) => { const i = id++; pending.set(i, r); send({ id: i, method, params }); });
createInterface({ input: child.stdout }).on('line', (l) => {
  log.push('< ' + l); let m: any; try { m = JSON.parse(l); } catch { return; }
  if (m.method === undefined) return void pending.get(m.id)?.(m);
  if (m.id === undefined) return;
  const p = m.params;
  if (m.method === 'fs/read_text_file') {
    if (existsSync(p.path)) return send({ id: m.id, result: { content: readFileSync(p.path, 'utf8') } });
    if (missing === 'empty') return send({ id: m.id, result: { content: '' } });
    return send({ id: m.id, error: { code: -32002, message: `Resource not found: ${p.path}`, data: { uri: p.path } } });
  }
  if (m.method === 'fs/write_text_file') { writeFileSync(p.path, p.content); return send({ id: m.id, result: {} }); }
  if (m.method === 'session/request_permission') { const o = p.options.find((x: any) => x.kind === answer); return send({ id: m.id, result: { outcome: o ? { outcome: 'selected', optionId: o.optionId } : { outcome: 'cancelled' } } }); }
  send({ id: m.id, error: { code: -32601, message: 'Method not found' } });
});
const caps = { fs: { readTextFile: true, writeTextFile: true }, terminal: true, elicitation: { form: {}, url: {} } };
await call('initialize', { protocolVersion: 1, clientCapabilities: caps, clientInfo: { name: 'agentwire', version: '0.1.0' } });
const n = await call('session/new', { cwd: s.work, mcpServers: [] });
writeFileSync(s.work + '/to-read.txt', 'line one\nline two\n');
for (const p of prompts) {
  const t = setTimeout(() => log.push('!! 20 s without an answer'), 20_000);
  const r = await Promise.race([call('session/prompt', { sessionId: n.result?.sessionId, prompt: [{ type: 'text', text: p.replaceAll('$W', s.work) }] }), new Promise((r) => setTimeout(() => r('timeout'), 21_000))]);
  clearTimeout(t); log.push('== ' + p + ' => ' + JSON.stringify(r).slice(0, 300) + ' made: ' + existsSync(s.work + '/made.txt'));
  await new Promise((r) => setTimeout(r, 500));
}
try { process.kill(-child.pid!, 'SIGKILL'); } catch {}
await s[Symbol.asyncDispose]();
mkdirSync('/tmp/real-agents/probe', { recursive: true });
writeFileSync(`/tmp/real-agents/probe/${name}-${missing}-${answer}.log`, log.join('\n'));
console.log(name, missing, answer, log.filter((l) => /^==|^!!|"method":"(fs|terminal|elicit)|request_permission/.test(l)).map((l) => l.slice(0, 420)).join('\n  '));
process.exit(0);
