import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { judging, project } from './project.ts';

/** A project with a bare repository that a clone carries, and a program in it. */
function attacked(): string {
  const cwd = project();
  for (const name of ['bare', 'named.git'])
    for (const each of ['hooks', 'objects', 'refs']) mkdirSync(join(cwd, name, each), { recursive: true });
  for (const each of ['evil', 'bare/HEAD', 'bare/config', 'named.git/HEAD', '-v', 'a', 'script'])
    writeFileSync(join(cwd, each), '');
  symlinkSync('bare', join(cwd, 'origin2'));
  mkdirSync(join(cwd, '../sub'));
  mkdirSync(join(cwd, 'sub'));
  writeFileSync(join(cwd, '.git/config'), '[remote "origin"]\n\turl = https://example.com/x.git\n');
  return cwd;
}

/** Lines by rule that run or write more than the rule covers. */
const asked: Readonly<Record<string, string>> = {
  'git bisect *': 'git bisect view git-x/evil|git bisect visualize x/evil|git bisect run ./evil',
  'git *':
    'git bisect view x/evil|git push ./bare HEAD:x|git push bare HEAD:x|git push origin2 HEAD:x|git push named HEAD:x|' +
    'git push file:bare HEAD|git push FILE://$PWD/bare|git push file:///absent HEAD|git push --no-verify ./bare HEAD|' +
    'git push --repo=./bare|git fetch ./bare|git fetch --multiple origin ./bare|git pull bare main|git clone ./bare x|' +
    'git ls-remote ../absent|git push ./absent HEAD|cd src && git push ../bare HEAD|git push "$remote" HEAD|' +
    'git push ~/bare HEAD|git worktree add ../x|git worktree remove x|' +
    'git -C out/../sub status|git push out/../bare HEAD|git checkout x && git push new HEAD',
  'printf *':
    "printf [-]v 'a[$(./evil)]' x|printf -v x|printf $x y|printf \"$x\" y|printf -vx y|printf '%n' PATH|printf -- '%d%5n' 1 PATH|" +
    'printf [a]|printf -- [-]v x',
  'wait *': 'wait -n -p \'a[$(./evil)]\'|wait -np x|wait -f -p x|wait -p x|wait $x|wait "$x"|wait -[p] x|wait -- x',
  'jobs *': 'jobs -x ./evil|jobs -lx ./evil|jobs $x|jobs -[x] ./evil',
  'fc *': 'fc -s|fc -e ./evil',
  'uniq *': 'uniq a out|uniq -c a out|uniq -- a out',
  'xxd *': 'xxd -r a out|xxd a out',
  'curl *': "curl -w '%output{x}' http://a|curl --write-out='%output{>>x}' http://a",
  'sed -n *':
    "sed -n '1e ./evil' a|sed -n 's/.*/&/e' a|sed -n 's/a/b/we' a|sed -n 'w x' a|sed -n 's/a/b/w x' a|sed -n -i p a|" +
    "sed -n -f script a|sed -n e a|sed -n '1r a' a|sed -n 'R a' a|sed -n W\\ x a|sed -n --in-place p a|sed -n -ni p a|" +
    "sed -n '/x/{p;e ./evil' a|sed -n '/x/e' a|sed -n 's/[/]e/x/e' a|sed -n 's,a,b,;e' a|sed -n '1{;w x\n}' a|" +
    "sed -n p -e '1e ./evil' a|sed -n -e p -e e a|sed -n --expression '1e ./evil' a|sed -n p --expression 1e a|sed -n -l p 1e a|" +
    "sed -n \"$x\" a|sed -n $x a|sed -n *|sed -n -ep\\;e a|sed -n 'p\\' -e e a|sed -n 'F;a\\' a|sed -n '\\,x,e' a|sed -n '/a/I,/b/e' a|" +
    "sed -n 's/a/b/ge' a|sed -n 's/a/b/\ne' a|sed -n 's/a\\/b/e' a|sed -n 'y/a/b/;e' a|sed -n 's/a/b/;w' a|sed -n '1!e' a|" +
    "sed -n '1~2e' a|sed -n '$e' a|sed -n 'b;:x e' a|sed -n ':x;e' a|sed -n '#x\ne' a|sed -n 1,5{e} a|sed -n --debug p a",
};

test.each(Object.entries(asked))('the rule Bash(%s) alone allows none of the lines that do more', (rule, lines) => {
  const judge = judging(attacked(), [`allow Bash(${rule})`, 'allow Bash(cd *)']);
  const allowed = lines.split('|').filter((command) => judge({ command, shell: 'bash' }).effect === 'allow');
  expect(allowed).toEqual([]);
});

/** Lines by rule that the rule covers. */
const allowed: Readonly<Record<string, string>> = {
  'git *':
    'git bisect start HEAD HEAD~1|git bisect good|git push origin main|git push|git push -u origin HEAD|git fetch --all|git pull origin main|' +
    'git push origin HEAD:refs/heads/src|git clone https://example.com/x.git|git clone git@example.com:a/b.git|git ls-remote origin|' +
    'git push . HEAD:other|git worktree list|git fetch origin src|git checkout x && git push origin HEAD|git merge x && git push',
  'printf *': "printf '%s\\n' a|printf x|printf -- '%s' -v|printf '%d%%n' 1|printf \"a b\"|printf '%s\\n' \"$x\"",
  'wait *': 'wait $!|wait %1|wait -n|wait 123|wait -f %1',
  'jobs *': 'jobs -l|jobs -p|jobs %1',
  'uniq *': 'uniq -c a|uniq a|uniq -f 1 a',
  'curl *': "curl -s -w '%{http_code}' http://a",
  'sed -n *':
    "sed -n 1p a|sed -n '1,40p' a|sed -n '/x/p' a|sed -n '/a/,/b/p' a|sed -n '$p' a|sed -n '1,40p;41q' a|sed -n 's/a/b/gp' a|" +
    "sed -n -e 1p -e 3p a|sed -n '/x/{p;q}' a|sed -n '/x/ { p; n; p }' a|sed -n '/x/!p' a|sed -n '2~3p' a|sed -n '5,+3p' a|" +
    "sed -n 's,a/b,\\1,p' a|sed -n '/x/=' a|sed -n '1,$ p' a|sed -n '\\,a,p' a|sed -n 'y/ab/cd/;p' a|" +
    "sed -n '# all\np' a|sed -n 's/[a-z]*//p' a|sed -n '/x/Ip' src/a.ts a|sed -n '10,20p' < a|cd src && sed -n 1p a.ts",
};

test.each(Object.entries(allowed))('the rule Bash(%s) allows the lines that users mean by it', (rule, lines) => {
  const judge = judging(attacked(), [`allow Bash(${rule})`]);
  const others = lines.split('|').filter((command) => judge({ command, shell: 'bash' }).effect !== 'allow');
  expect(others).toEqual([]);
});

test('a rule with a whole command allows what its script does', () => {
  const judge = judging(attacked(), ["allow Bash(sed '1e ./evil' a)", 'allow Bash(sed -i *)']);
  const lines = ["sed '1e ./evil' a", "sed '1e ./evil' b", 'sed -i s/a/b/ a', 'sed -i s/a/b/e a', 'sed -i -f script a'];
  expect(lines.map((command) => judge({ command, shell: 'bash' }).effect)).toEqual([
    'allow',
    'ask',
    'allow',
    'ask',
    'ask',
  ]);
});
