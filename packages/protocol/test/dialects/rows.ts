import type { Row } from './rows/row.ts';
import { services } from './rows/services.ts';
import { settingUp } from './rows/setting-up.ts';
import { turn } from './rows/turn.ts';

export type { Case, Row } from './rows/row.ts';

/** Every deviation of the inventory, by number. */
export const rows: Readonly<Record<string, Row>> = { ...settingUp, ...turn, ...services };
