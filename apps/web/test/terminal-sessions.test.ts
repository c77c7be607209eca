import { join } from 'node:path';
import { expect, test } from 'vitest';
import { turnwire } from '../../cli/test/command.ts';
import { servedPage, unless, withoutBrowser } from './served-page.ts';

const served = servedPage();

test.skipIf(withoutBrowser)(
  `the owner sees the terminal's sessions below the list, each with the command that continues it${unless}`,
  async () => {
    const env = { XDG_STATE_HOME: join(served.folder, 'state') };
    expect(await turnwire(['coder', 'exec', 'list files'], { cwd: served.folder, env })).toMatchObject({ code: 0 });
    const page = await served.open();
    await page.getByText('In a terminal (1)').click();
    const row = page.locator('.elsewhere li');
    const command = await row.locator('code').innerText();
    const continued = await turnwire(['--resume', command.split(' ').at(-1) ?? '', 'exec', 'list files'], {
      cwd: served.folder,
      env,
    });
    expect({ title: await row.locator('.listed-title').innerText(), command, code: continued.code }).toEqual({
      title: 'list files',
      command: expect.stringMatching(/^turnwire --resume [0-9a-f]{4,}$/) as unknown,
      code: 0,
    });
  },
);
