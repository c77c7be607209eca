/** The results of an agent for the table in the documentation. */
export interface MatrixRow {
  readonly name: string;
  /** The installed packages with exact versions. */
  readonly packages: readonly string[];
  /** The day of the run: ISO 8601. */
  readonly day: string;
  /** The verdict of each step that was run. */
  readonly verdicts: Readonly<Record<string, string>>;
}

const begin = '<!-- matrix: written by npm run real-agents -- --record -->';
const end = '<!-- end of the matrix -->';
const facts = ['agent', 'version', 'tried on'];

/**
 * Replaces the rows of the agents that were run. Steps that were not run keep their earlier result while the version is the same.
 * @throws Error if the page has no section for the table
 */
export function withRows(page: string, rows: readonly MatrixRow[], steps: readonly string[]): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the page has no table between ${begin} and ${end}`);
  const known = rowsIn(page.slice(from, to));
  for (const row of rows) {
    const before = known.get(row.name);
    const isSame = before?.packages.join() === row.packages.join();
    known.set(row.name, isSame ? { ...row, verdicts: { ...before.verdicts, ...row.verdicts } } : row);
  }
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const head = [...facts, ...steps];
  const lines = [...known.values()].map(({ name, packages, day, verdicts }) =>
    line([`\`${name}\``, packages.join(', '), day, ...steps.map((step) => verdicts[step] ?? '–')]),
  );
  const table = [begin, '', line(head), line(head.map(() => '---')), ...lines, '', ''].join('\n');
  return `${page.slice(0, from)}${table}${page.slice(to)}`;
}

function rowsIn(table: string): Map<string, MatrixRow> {
  const [head = [], , ...rows] = table
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  return new Map(
    rows.map((cells) => {
      const [name = '', packages = '', day = '', ...verdicts] = cells;
      const found = head.slice(facts.length).map((step, index) => [step, verdicts[index] ?? '–']);
      const own = name.replaceAll('`', '');
      return [
        own,
        {
          name: own,
          packages: packages.split(', '),
          day,
          verdicts: Object.fromEntries(found) as Record<string, string>,
        },
      ];
    }),
  );
}
