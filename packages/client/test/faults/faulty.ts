import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Agent, type HostCall, launchAgent, type LaunchOptions, type Timeouts } from '@agentwire/client';
import { type Conversation, openConversation } from '@agentwire/client/conversation';
import { localFiles, localTerminals } from '@agentwire/client/host';
import { actionOf, createPermissions, type Permissions } from '@agentwire/client/permissions';
import { emptyThread, reduce, type ThreadEntry, type ThreadEvent, type ThreadView } from '@agentwire/client/thread';
import { traceWriter } from '@agentwire/client/trace';
import type { LogEntry } from '@agentwire/protocol';
import { onTestFinished } from 'vitest';

/** The command of the faulty agent. */
export function faulty(...faults: readonly string[]): readonly string[] {
  return [process.execPath, fileURLToPath(new URL('fixtures/faulty-agent.mjs', import.meta.url)), ...faults];
}

/** Limits that a test can wait for. */
export const shortly: Partial<Timeouts> = {
  initialize: 3_000,
  newSession: 300,
  loadSession: 300,
  closeSession: 300,
  listSessions: 300,
  deleteSession: 300,
  set: 300,
  cancel: 300,
  exit: 200,
};
