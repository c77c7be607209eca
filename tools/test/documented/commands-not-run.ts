/** A command of the pages that tests do not run, as the page writes it. */
export interface CommandNotRun {
  readonly command: string;
  readonly because: string;
}

const packs = 'it builds or installs packages: tarballs.test.ts does, and runs what was installed';

/** Tests still parse those that name `turnwire`. */
export const commandsNotRun: readonly CommandNotRun[] = [
  { command: 'npm start', because: 'start.test.ts runs it' },
  { command: 'npm test', because: 'it runs this test' },
  { command: 'npm start --silent -- exec "search for TODO"', because: 'start.test.ts runs it' },
  { command: 'npm run pack', because: packs },
  { command: 'npm install --global ./packed/turnwire-0.1.0.tgz', because: packs },
  { command: 'npm install ~/turnwire/packed/turnwire-*-0.1.0.tgz', because: packs },
  {
    command: 'turnwire check --client --driver acpx -- npx acpx@0.19',
    because: 'npx downloads another client; `npm run real-clients` runs it',
  },
  { command: 'systemctl --user enable --now turnwire', because: 'it changes the machine, and needs systemd' },
  { command: 'loginctl enable-linger', because: 'it changes the machine, and needs systemd' },
  {
    command: 'turnwire serve move SESSION --to https://two.internal:8137 --cluster-secret cluster-secret',
    because: 'it needs two servers of a database; nodes.test.ts runs it',
  },
];
