import { expect } from 'vitest';
import { answers, replay, sentence, updates } from './fixtures/script.mjs';

const prompt = 'session/prompt';
const terminal = { sessionId: 's1', terminalId: 'term1' };

/** What a client sees of an agent that follows the script, whoever made either. */
export const expectedRun: unknown = {
  updates: [
    updates.commands('/'),
    updates.say('Let me see.'),
    updates.toolCall,
    updates.toolDone('term1'),
    ...sentence('yes', 0, 'hi\n').map(updates.say),
    updates.say('waiting'),
    updates.say('slowly'),
    ...replay,
    updates.mode,
  ],
  asked: [
    ['session/request_permission', answers.permission],
    ['fs/read_text_file', { sessionId: 's1', path: '/notes.txt', line: 2, limit: 1 }],
    ['fs/write_text_file', { sessionId: 's1', path: '/notes.txt', content: 'second line!' }],
    ['terminal/create', answers.terminal],
    ['terminal/wait_for_exit', terminal],
    ['terminal/output', terminal],
    ['terminal/kill', terminal],
    ['terminal/release', terminal],
    ['_noted', { b: 2 }],
  ],
  results: [
    ['initialize', answers.initialize],
    ['session/new', answers.created],
    [prompt, { stopReason: 'end_turn' }],
    [prompt, { stopReason: 'cancelled' }],
    [prompt, { code: -32800, message: 'Request cancelled' }],
    [prompt, { code: -32603, message: 'out of tokens', data: { retry: false } }],
    ['session/load', {}],
    ['session/load', { code: -32002, message: 'Resource not found', data: { sessionId: 'nobody' } }],
    ['session/list', answers.listed],
    ['session/set_mode', {}],
    ['session/set_mode', { code: -32602, message: 'Invalid params: no such mode', data: { modeId: 'nothing' } }],
    ['session/set_config_option', answers.configured('big')],
    ['_echo', { echo: { a: [1, null] }, back: { from: 'agent' } }],
    [
      '_nobody/knows',
      { code: -32601, message: expect.stringContaining('_nobody/knows'), data: { method: '_nobody/knows' } },
    ],
  ],
  exitCode: 0,
};
