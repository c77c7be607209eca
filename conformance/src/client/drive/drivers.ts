import type { ClientDriver, ClientSteps } from './client-driver.ts';

/**
 * A driver for the command `turnwire`.
 * @param words how it is started
 */
export function turnwireDriver(words: readonly string[] = ['turnwire']): ClientDriver {
  const common = [...words, '--cwd', '{cwd}', '--agent', '{agent}', '--ttl', '2'];
  const answering = (answers: string): ClientSteps => steps([...common, '--answers', answers, 'exec', '{prompt}']);
  return {
    name: words.join(' '),
    actions: {
      ...grammarActions(common),
      'leave open': { ...steps([...common, '--plain', 'chat']), terminal: [{ after: '> ', type: '{prompt}\r' }] },
      'terminal login': {
        ...steps([...common, '--auth', '{method}', '--plain', 'chat']),
        terminal: [{ after: '> ', type: '{prompt}\r' }],
      },
      image: steps([...common, 'exec', '-f', '{image}', '{prompt}']),
      mention: steps([...common, 'exec', '{prompt} @{file}']),
      list: steps([...common, 'sessions', 'list', '--filter-cwd', '{cwd}']),
      delete: steps([...common, 'sessions', 'ensure'], [...common, 'sessions', 'delete']),
      login: steps([...common, '--auth', '{method}', 'exec', '{prompt}']),
      'add directory': steps([...common, '--add-dir', '{directory}', 'exec', '{prompt}']),
      'load with directory': steps(
        [...common, '--add-dir', '{directory}', 'sessions', 'new', '--resume-session', '{session}'],
        [...common, 'sessions', 'close'],
      ),
      answer: answering('{answers}'),
      decline: answering('[{"action":"decline"}]'),
      consent: answering('[{"match":{"url":"{url}"},"action":"accept"}]'),
    },
  };
}

/**
 * A driver for acpx, of 0.19.
 * @param words how it is started; it wants Node.js 22
 */
export function acpxDriver(words: readonly string[] = ['acpx']): ClientDriver {
  const common = [...words, '--cwd', '{cwd}', '--agent', '{agent}', '--ttl', '2'];
  return {
    name: words.join(' '),
    actions: {
      ...grammarActions(common),
      image: steps([...common, 'exec', '-f', '{blocks}']),
      'mcp servers': steps([...common, '--mcp-config', '{serverList}', 'exec', '{prompt}']),
    },
  };
}

/** The common instructions of both commands. */
function grammarActions(common: readonly string[]): ClientDriver['actions'] {
  const close = [...common, 'sessions', 'close'];
  const begin = [...common, 'sessions', 'ensure'];
  return {
    prompt: steps([...common, 'exec', '{prompt}']),
    allow: steps([...common, '--approve-all', 'exec', '{prompt}']),
    deny: steps([...common, '--deny-all', 'exec', '{prompt}']),
    'prompt twice': steps(begin, [...common, 'prompt', '{prompt}'], [...common, 'prompt', '{next}'], close),
    load: steps([...common, 'sessions', 'new', '--resume-session', '{session}'], close),
    list: steps([...common, 'sessions', 'list']),
    close: steps(begin, close),
    mode: steps(begin, [...common, 'set-mode', '{mode}'], close),
    option: steps(begin, [...common, 'set', '{option}', '{value}'], close),
    'mcp servers': steps([...common, '--mcp-config', '{servers}', 'exec', '{prompt}']),
  };
}

function steps(...lines: readonly (readonly string[])[]): ClientSteps {
  return { steps: lines };
}
